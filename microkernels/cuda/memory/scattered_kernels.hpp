#pragma once
#include <driver_types.h>

#include <cstdint>

#include "bench/space/real.hpp"

namespace roofline {

/// Blocks, and threads of each.
struct Launch {
  int blocks, threads;
};

/// Reads every stride-th of n 8-byte words. out: every thread's sum of low words, modulo 2^32.
cudaError_t launch_strided(const std::uint64_t* words, std::uint64_t n, int stride, Launch launch, std::uint64_t* out);
/// The position of access i in a random order of 2^bits sectors: a bijection.
ROOFLINE_BODY std::uint32_t scattered(std::uint32_t i, int bits) {
  const std::uint32_t mask = (1u << bits) - 1;
  i = (i * 0x9e3779b1u) & mask;
  i ^= i >> (bits / 2);
  return (i * 0x85ebca6bu) & mask;
}
/// One 8-byte word of each of `count` sectors of 32 B in random order; out as above.
cudaError_t launch_random(const std::uint64_t* words, int bits, std::uint32_t first, std::uint32_t count, Launch launch,
                          std::uint64_t* out);
/// The sector after `at` on a cycle through all 2^bits (an LCG of full period, Hull and Dobell 1962).
ROOFLINE_BODY std::uint32_t next_sector(std::uint32_t at, int bits) {
  return (at * 0x915f77f5u + 0x6d2b79f5u) & ((1u << bits) - 1);
}
/// Writes the cycle; then one thread follows it for `steps` steps from sector `from`: out[0] is where it ends.
cudaError_t launch_cycle(std::uint64_t* words, int bits);
cudaError_t launch_chase(const std::uint64_t* words, std::uint32_t from, int steps, std::uint64_t* out);

}  // namespace roofline

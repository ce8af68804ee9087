#pragma once
#include <driver_types.h>

#include <cstdint>

#include "microkernels/cuda/memory/bandwidth.hpp"

namespace roofline {

/// Memory that is on one side of L2: public microbenchmarks of Hopper and Blackwell find the side in the parity of
/// address bits from the twelfth on, so pages of 4 KiB are on one side as a whole.
inline constexpr std::uint32_t l2_chunk_vectors = 4096 / sizeof(Vector16);
/// Loads that the probe makes one after the other for one latency.
inline constexpr int l2_probe_steps = 4;

/// One block per SM, which `shared_bytes` of every block see to. out: per block its SM, then for each chunk the least
/// cycles of l2_probe_steps dependent accesses. They are atomic additions of zero, done where a line has its home: the
/// other half may answer loads from a copy of its own.
cudaError_t launch_l2_probe(std::uint32_t* words, int chunks, int blocks, std::size_t shared_bytes, std::uint32_t* out);

/// Reads of chunks, one block per SM: chunk[place * per_sm ...] with place = place_of_sm[%smid], all `sweeps` times
/// over.
struct L2Read {
  const Vector16* data = nullptr;
  const int *chunk = nullptr, *place_of_sm = nullptr;
  int per_sm = 0, sweeps = 1;
  std::uint64_t* out = nullptr;  ///< 2 x blocks: BlockClock; then of every thread its sum of words, modulo 2^32
};
inline constexpr int l2_read_threads = 1024;
/// Chunks that a block reads at once: per_sm must be a multiple of it. unroll: 2 or 4 vectors of a thread in flight.
constexpr int l2_read_unit(int unroll) { return unroll * l2_read_threads / static_cast<int>(l2_chunk_vectors); }
cudaError_t launch_l2_read(const L2Read& read, int unroll, int blocks, std::size_t shared_bytes);
/// Ids of SMs are below this.
inline constexpr int most_sm_ids = 1024;

}  // namespace roofline

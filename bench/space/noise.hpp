#pragma once
#include <cstdint>

#include "bench/space/real.hpp"

namespace roofline {

/// Scatters the bits of a number (the mixing steps of MurmurHash3); 0 stays 0.
inline std::uint64_t mix_bits(std::uint64_t bits) {
  bits = (bits ^ (bits >> 33)) * 0xff51afd7ed558ccd;
  bits = (bits ^ (bits >> 33)) * 0xc4ceb9fe1a85ec53;
  return bits ^ (bits >> 33);
}

/// Random inputs of --seed: the same seed, array and element give the same value in every run, on every machine.
class Noise {
 public:
  /// `array` tells apart the arrays of one problem.
  constexpr Noise(std::uint64_t seed, std::uint64_t array) : seed_(seed), array_(array) {}

  /// In [-1, 1).
  double operator()(Index element) const {
    return static_cast<double>(static_cast<std::int64_t>(bits(element))) * 0x1p-63;
  }
  /// In [0.5, 2), a multiple of 2^-21: sums of a few are exact.
  double positive(Index element) const { return 0.5 + static_cast<double>(bits(element) >> 44) * 0x1.8p-20; }

 private:
  std::uint64_t bits(Index element) const {
    return mix_bits(static_cast<std::uint64_t>(element) + array_ + mix_bits(seed_));
  }
  std::uint64_t seed_, array_;
};

}  // namespace roofline

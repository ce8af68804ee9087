#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace roofline {

/// Which half of an L2 cache each SM and each chunk of memory is nearer to, told from the latencies between them. A
/// cache in two halves answers the SMs of its own side sooner.
struct L2Halves {
  std::vector<int> side_of_sm, side_of_chunk;  ///< 0 or 1; equal: near each other
  double near_cycles = 0, far_cycles = 0;      ///< mean latencies
};

/// Whether there are enough SMs and chunks to tell two groups of each.
constexpr bool can_tell_l2_halves(int sms, int chunks) { return sms >= 4 && chunks >= 8; }

/// Finds the halves from latency[sm * chunks + chunk] in cycles, or says in `why_none` why there are none.
///
/// The average distance of an SM to all chunks, and of a chunk to all SMs, says nothing about sides and is subtracted
/// (rows and columns are centred). Two halves leave -d/2 where both are on one side and +d/2 elsewhere: a product of
/// one sign per SM and one per chunk, found by the power method. The result counts as halves when these factors form
/// two clusters (D > 5) of at least a quarter each; distances that change gradually across a chip do not.
std::optional<L2Halves> find_l2_halves(std::span<const float> latency, int sms, int chunks, std::string& why_none);

/// Chunks of every SM, `per_sm` of them. The SMs of each side share out a list of chunks: those of their own side
/// (near) or of the other one (far). `per_sm` is the largest multiple of `unit` that all SMs can have; empty if this is
/// 0.
struct ChunkDeal {
  int per_sm = 0;
  std::vector<int> chunk;  ///< sms x per_sm
};
ChunkDeal deal_chunks(const L2Halves& halves, bool far, int unit);

}  // namespace roofline

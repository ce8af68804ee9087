#include "microkernels/cpu/scattered.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <vector>

#include "microkernels/cpu/bandwidth_isa.hpp"
#include "microkernels/one_region.hpp"

namespace roofline {
namespace {

constexpr Index line = 8;  // doubles
// The work of one thread in one launch: a fraction of a ms.
constexpr Index launch_lines = 0x4000;
constexpr Index chase_steps = 0x800;

Index part_size(const MemoryBlock& block, int threads) { return block.size() / threads; }

/// log2 of the lines of a thread's part, rounded down.
int line_bits(const MemoryBlock& block, int threads) {
  return std::bit_width(static_cast<std::uint64_t>(part_size(block, threads) / line)) - 1;
}

/// The state that every thread of a workload needs, and its result.
struct State {
  std::shared_ptr<MemoryBlock> block;
  int threads;
  std::uint64_t position = 0;  ///< where the next launch starts
  int launches = 0;            ///< of the last region
  std::vector<double> sums;

  State(std::shared_ptr<MemoryBlock> memory, int n) : block(std::move(memory)), threads(n), sums(n) { block->data(); }

  double* part(int thread) const { return block->data() + thread * part_size(*block, threads); }
  template <class Body>
  void parallel(Body body) const {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int thread = 0; thread < threads; ++thread) body(thread, part(thread));
  }
};

Check check_sums(const State& state, double expected) {
  for (int thread = 0; thread < state.threads; ++thread)
    if (const double got = state.sums[static_cast<std::size_t>(thread)]; got != expected)
      return {false, fmt::format("thread {}: sum {}, expected exactly {}", thread, got, expected)};
  return {};
}

/// An LCG with multiplier 4k + 1 and an odd increment visits all of 0..2^bits-1 (Hull and Dobell 1962).
std::uint64_t next_in_cycle(std::uint64_t at, int bits) {
  return (at * 0x5851F42D4C957F2Dull + 0x14057B7EF767814Full) & ((std::uint64_t{1} << bits) - 1);
}

}  // namespace

CeilingWork strided_read(std::shared_ptr<MemoryBlock> block, int threads, int stride, Strided way) {
  const auto state = std::make_shared<State>(std::move(block), threads);
  // Its windows are like those of ArraySweep.
  constexpr int windows = 32;
  const Index length = part_size(*state->block, threads) / windows / 1024 * 1024;
  state->parallel([&](int, double* part) {
    for (Index i = 0; i < windows * length; ++i) part[i] = static_cast<double>(i % 128);
  });

  CeilingWork work;
  work.from_cache = false;
  launch_in_one_region(work, [state, stride, length, way](int launches) {
    const auto first = static_cast<Index>(state->position % windows);
    state->parallel([&](int thread, const double* part) {
      double sum = 0;
      for (int launch = 0; launch < launches; ++launch)
        sum += sum_strided(part + (first + launch) % windows * length, length, stride, way);
      state->sums[static_cast<std::size_t>(thread)] = sum;
    });
    state->position += static_cast<std::uint64_t>(launches);
    state->launches = launches;
  });
  work.check = [state, stride, length, way] {
    double period = 0;
    for (int i = 0; i < 128; i += stride) period += way == Strided::twice ? i + (i + 1) : i;
    return check_sums(*state, period * static_cast<double>(length / 128) * state->launches);
  };
  const double lines = static_cast<double>(length) / static_cast<double>(std::max<Index>(stride, line));
  work.work = 64 * lines * threads;
  constexpr const char* ways[] = {"8 scalar sums",
                                  "8 scalar sums, prefetched",
                                  "8 scalar sums, 8 streams",
                                  "8 scalar sums, 4 streams, prefetched into L2",
                                  "8 scalar sums, 4 streams, prefetched into L1",
                                  "8 scalar sums, two of each line"};
  work.variant = ways[static_cast<std::size_t>(way)];
  return work;
}

double scattered_working_set(const MemoryBlock& block, int threads) {
  return 64.0 * threads * static_cast<double>(std::uint64_t{1} << line_bits(block, threads));
}

CeilingWork random_read(std::shared_ptr<MemoryBlock> block, int threads) {
  const auto state = std::make_shared<State>(std::move(block), threads);
  const int bits = line_bits(*state->block, threads);
  const std::uint64_t lines = std::uint64_t{1} << bits, count = std::min<std::uint64_t>(lines, launch_lines);
  state->parallel([&](int, double* part) {
    for (std::uint64_t i = 0; i < lines; ++i) part[i * line] = static_cast<double>(i);
  });

  CeilingWork work;
  work.from_cache = false;
  launch_in_one_region(work, [state, bits, lines, count](int launches) {
    const std::uint64_t first = state->position;
    const std::uint64_t end = first + count * static_cast<std::uint64_t>(launches);
    state->parallel([&](int thread, const double* part) {
      state->sums[static_cast<std::size_t>(thread)] = sum_scattered(part, first, end, bits);
    });
    state->position = end % lines;
    state->launches = launches;
  });
  work.check = [state, bits, lines, count] {
    const std::uint64_t read = count * static_cast<std::uint64_t>(state->launches);
    const std::uint64_t first = (state->position + lines - read % lines) % lines;
    double expected = 0;
    for (std::uint64_t i = first; i < first + read; ++i) expected += static_cast<double>(scatter(i, bits));
    return check_sums(*state, expected);
  };
  work.work = 64.0 * static_cast<double>(count) * threads;
  work.variant = "independent loads";
  return work;
}

CeilingWork pointer_chase(std::shared_ptr<MemoryBlock> block, int threads) {
  const auto state = std::make_shared<State>(std::move(block), threads);
  const int bits = line_bits(*state->block, threads);
  const std::uint64_t lines = std::uint64_t{1} << bits;
  state->parallel([&](int, double* part) {
    for (std::uint64_t i = 0; i < lines; ++i) {
      const std::uint64_t next = next_in_cycle(i, bits);
      std::memcpy(part + i * line, &next, sizeof next);
    }
  });

  const auto at = std::make_shared<std::vector<std::uint64_t>>(static_cast<std::size_t>(threads), 0);
  CeilingWork work;
  work.from_cache = false;
  launch_in_one_region(work, [state, at, lines](int launches) {
    const Index steps = chase_steps * launches;
    state->parallel([&](int thread, const double* part) {
      std::uint64_t here = (*at)[static_cast<std::size_t>(thread)];
      for (Index step = 0; step < steps; ++step) std::memcpy(&here, part + here * line, sizeof here);
      (*at)[static_cast<std::size_t>(thread)] = here;
    });
    state->position = (state->position + static_cast<std::uint64_t>(steps)) % lines;
  });
  work.check = [state, at, bits] {
    std::uint64_t expected = 0;
    for (std::uint64_t step = 0; step < state->position; ++step) expected = next_in_cycle(expected, bits);
    for (const auto got : *at)
      if (got != expected) return Check{false, fmt::format("the chain reached line {}, expected {}", got, expected)};
    return Check{};
  };
  work.work = 64.0 * static_cast<double>(chase_steps) * threads;
  work.variant = "one dependent chain";
  return work;
}

}  // namespace roofline

#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "bench/space/real.hpp"
#include "bench/virtual_gpu/memory/gpu_memory.hpp"
#include "bench/virtual_gpu/program/numbers.hpp"

namespace roofline {

/// How much of a launch is simulated. A wave is the blocks that the device holds at once.
struct Sampling {
  Index windows = 0;  ///< in the middle of the launch; 0: all of it is run
  Index waves = 1;    ///< measured in each window
  Index start = 16;   ///< waves, at most, before the first jump: until the traffic is steady
};

/// Traffic so far, and the sectors that warps requested, which show how far the launch has come.
struct Meter {
  GpuTraffic traffic;
  std::uint64_t loads = 0, stores = 0;  ///< sectors; local memory is among them

  std::uint64_t sectors() const { return loads + stores; }
  friend Meter operator-(const Meter& a, const Meter& b) { return each_number(a, b, std::minus<>()); }
  friend Meter operator+(const Meter& a, const Meter& b) { return each_number(a, b, std::plus<>()); }
};

/// Feeds the blocks of a stratified systematic sample to a machine, and measures its strata.
///
/// Two parts of a launch are simulated completely: the start, where L2 fills and warps in lockstep drift apart, and the
/// end, where SMs run empty. The middle is sampled in windows at equal distances. The start is over when L2 is full and
/// three waves in a row read the same amount from L2 and DRAM within a percent, or after Sampling::start waves.
///
/// Between these pieces the feed jumps and the machine goes on elsewhere: it exchanges every block that runs for the
/// one there that is as far, so that warps keep the distances they have drifted apart. Behind a jump nothing is
/// measured until 1.25 L2 sizes have gone to or from DRAM. Where all blocks end together, a window begins with one, or
/// at once when that is early in it. An end of less than half a percent of the launch counts as middle. A launch that
/// never moves as much as L2 is run completely.
class LaunchSample {
 public:
  /// `wave` is a number of blocks, `l2_sectors` the size of the cache, `sectors_per_block` the requests of one block's
  /// warps.
  LaunchSample(Index blocks, Index wave, const Sampling& sampling, std::uint64_t l2_sectors, double sectors_per_block);

  /// The block to dispatch now, while `running` others run; nothing when none is left.
  std::optional<Index> next(const Meter& now, Index running);
  /// To be asked after next(): the number of blocks that the sample has just skipped. Running blocks must follow.
  Index jumped() { return std::exchange(distance_, 0); }
  /// Whether all measurements are complete. Blocks that still run can then be abandoned.
  bool over() const { return over_; }
  /// Between a jump and the window behind it; watch() is needed only then.
  bool warming() const { return warming_; }
  /// Begins to measure when it is time to: to be called often.
  void watch(const Meter& now) {
    if (warming_) look(now);
  }
  void finish(const Meter& now);

  const Meter& start() const { return start_; }
  const Meter& end() const { return end_; }
  const std::vector<Meter>& windows() const { return windows_; }
  Index simulated() const { return simulated_; }  ///< blocks

 private:
  bool at_start() const { return piece_ == 0; }
  bool at_end() const { return piece_ > sampling_.windows; }
  bool measured_enough(const Meter& now) const;
  bool start_is_over(const Meter& now);
  bool warm(const Meter& now) const;
  void look(const Meter& now);
  void begin(const Meter& now);
  void close(const Meter& now);
  void jump(const Meter& now, Index running);
  void place_pieces(const Meter& now);

  Index blocks_, wave_;
  Sampling sampling_;
  double wave_sectors_, l2_sectors_;
  Index piece_ = 0;                                    ///< 0: the start; then the windows; then the end
  Index next_ = 0;                                     ///< block
  Index distance_ = 0;                                 ///< blocks, of a jump that has not been asked for
  Index middle_first_ = 0, end_first_ = 0, lead_ = 0;  ///< block, block, waves
  Index simulated_ = 0;
  Index waves_ = 0;                    ///< of the start
  Meter wave_began_;                   ///< the present one of the start
  std::array<Meter, 3> recent_waves_;  ///< of the start
  bool warming_ = false, in_step_ = false, over_ = false;
  Meter jumped_, before_;
  Meter start_, end_;
  std::vector<Meter> windows_;
};

}  // namespace roofline

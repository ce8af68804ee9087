#include "bench/virtual_gpu/memory/launch_sample.hpp"

#include <algorithm>
#include <cmath>

namespace roofline {
namespace {

constexpr double fill = 1.25;  // L2 sizes that have to go by: sets do not fill evenly
// A piece ends with the first dispatch behind so much of it: with round robin all warps of a wave end together.
constexpr double nearly = 0.95;
constexpr double negligible = 0.005;  // a share of the launch

double moved(const Meter& now, const Meter& since = {}) {
  const auto traffic = (now - since).traffic;
  return static_cast<double>(traffic.dram_read + traffic.dram_write);
}

bool alike(const std::array<Meter, 3>& waves, std::uint64_t GpuTraffic::*quantity) {
  constexpr double tolerance = 0.01;
  std::array<double, 3> ratios{};
  for (std::size_t i = 0; i < waves.size(); ++i)
    ratios[i] = static_cast<double>(waves[i].traffic.*quantity) / static_cast<double>(waves[i].sectors());
  const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
  return *most <= *least * (1 + tolerance);
}

}  // namespace

LaunchSample::LaunchSample(Index blocks, Index wave, const Sampling& sampling, std::uint64_t l2_sectors,
                           double sectors_per_block)
    : blocks_(blocks),
      wave_(wave),
      sampling_(sampling),
      wave_sectors_(static_cast<double>(wave) * sectors_per_block),
      l2_sectors_(static_cast<double>(l2_sectors)) {}

std::optional<Index> LaunchSample::next(const Meter& now, Index running) {
  watch(now);
  if (warming_ && warm(now)) begin(now);
  if (sampling_.windows > 0 && !at_end() && (at_start() ? start_is_over(now) : measured_enough(now)))
    jump(now, running);
  if (over_ || next_ == blocks_) return std::nullopt;
  ++simulated_;
  return next_++;
}

bool LaunchSample::start_is_over(const Meter& now) {
  const auto wave = now - wave_began_;
  if (static_cast<double>(wave.sectors()) < nearly * wave_sectors_) return false;
  wave_began_ = now;
  recent_waves_[static_cast<std::size_t>(waves_++) % recent_waves_.size()] = wave;
  if (moved(now) < 2 * fill * l2_sectors_) return false;
  if (waves_ >= sampling_.start) return true;
  return waves_ >= 3 && alike(recent_waves_, &GpuTraffic::l2_read) && alike(recent_waves_, &GpuTraffic::dram_read);
}

bool LaunchSample::measured_enough(const Meter& now) const {
  if (warming_) return false;
  return static_cast<double>((now - before_).sectors()) >=
         nearly * static_cast<double>(sampling_.waves) * wave_sectors_;
}

bool LaunchSample::warm(const Meter& now) const { return moved(now, jumped_) >= fill * l2_sectors_; }

void LaunchSample::look(const Meter& now) {
  // Blocks in lockstep do the same work at the same time, so part of one is not a valid sample unless it is nearly the
  // whole block.
  const bool early = static_cast<double>((now - jumped_).sectors()) <= (1 - nearly) * wave_sectors_;
  if (warm(now) && (!in_step_ || early)) begin(now);
}

void LaunchSample::begin(const Meter& now) {
  warming_ = false;
  before_ = now;
}

void LaunchSample::close(const Meter& now) {
  const auto part = now - before_;
  if (at_start())
    start_ = part;
  else if (at_end())
    end_ = part;
  else
    windows_.push_back(part);
}

void LaunchSample::place_pieces(const Meter& now) {
  const double waves = fill * l2_sectors_ * static_cast<double>(now.sectors()) / (moved(now) * wave_sectors_);
  // The warm-up may be a small part of a wave that is measured.
  lead_ = static_cast<Index>(std::ceil(std::max(0.0, waves - (1 - nearly))));
  middle_first_ = next_;
  end_first_ = static_cast<double>(wave_) < negligible * static_cast<double>(blocks_)
                   ? blocks_
                   : std::max(next_, (blocks_ / wave_ - 1 - lead_) * wave_);
}

void LaunchSample::jump(const Meter& now, Index running) {
  close(now);
  if (at_start()) place_pieces(now);
  ++piece_;
  over_ = at_end() && end_first_ == blocks_;
  Index first = end_first_;
  if (!at_end()) {
    const Index middle = end_first_ - middle_first_;
    const Index centre = middle_first_ + middle * (2 * piece_ - 1) / (2 * sampling_.windows);
    first = (centre - (lead_ + sampling_.waves) * wave_ / 2) / wave_ * wave_;
  }
  if (first <= next_) return begin(now);  // nothing is left out
  distance_ = first - next_;
  next_ = first;
  in_step_ = running == 0;
  jumped_ = now;
  warming_ = true;
}

void LaunchSample::finish(const Meter& now) {
  if (warming_ || over_) return;  // the launch ended before the rest of it was warm: it counts as middle
  if (!at_start()) piece_ = sampling_.windows + 1;
  close(now);
}

}  // namespace roofline

#include "bench/counters/launch_sample.hpp"

#include <algorithm>
#include <cmath>

namespace roofline {
namespace {

constexpr double fill = 1.25;  // L2 sizes that have to go by: sets do not fill evenly
// A piece ends with the first dispatch behind so much of it: in lockstep all warps of a wave end together.
constexpr double nearly = 0.95;
constexpr double negligible = 0.005;  // a share of the launch

double moved(const Meter& now, const Meter& since = {}) {
  const auto traffic = now.traffic - since.traffic;
  return static_cast<double>(traffic.dram_read + traffic.dram_write);
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
  if (sampling_.windows > 0 && !at_end() && measured_enough(now)) jump(now, running);
  if (over_ || next_ == blocks_) return std::nullopt;
  ++simulated_;
  return next_++;
}

bool LaunchSample::measured_enough(const Meter& now) const {
  if (warming_) return false;
  if (at_start() && moved(now) < 2 * fill * l2_sectors_) return false;
  const double waves = at_start() ? 1 : static_cast<double>(sampling_.waves);
  return static_cast<double>((now - before_).sectors()) >= nearly * waves * wave_sectors_;
}

bool LaunchSample::warm(const Meter& now) const { return foreign_ == 0 && moved(now, jumped_) >= fill * l2_sectors_; }

void LaunchSample::look(const Meter& now) {
  // Blocks in step do the same at the same time: part of one is no sample, unless it is nearly all of it.
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

void LaunchSample::place_pieces(const Meter& now, Index running) {
  const double waves = fill * l2_sectors_ * static_cast<double>(now.sectors()) / (moved(now) * wave_sectors_);
  // Where no block outlasts a jump, the warm-up may be a small part of a wave that is measured.
  lead_ = running == 0 ? static_cast<Index>(std::ceil(std::max(0.0, waves - (1 - nearly))))
                       : std::max<Index>(1, static_cast<Index>(std::ceil(waves)));
  middle_first_ = next_;
  end_first_ = static_cast<double>(wave_) < negligible * static_cast<double>(blocks_)
                   ? blocks_
                   : std::max(next_, (blocks_ / wave_ - 1 - lead_) * wave_);
}

void LaunchSample::jump(const Meter& now, Index running) {
  close(now);
  if (at_start()) place_pieces(now, running);
  ++piece_;
  over_ = at_end() && end_first_ == blocks_;
  Index first = end_first_;
  if (!at_end()) {
    const Index middle = end_first_ - middle_first_;
    const Index centre = middle_first_ + middle * (2 * piece_ - 1) / (2 * sampling_.windows);
    first = (centre - (lead_ + sampling_.waves) * wave_ / 2) / wave_ * wave_;
  }
  if (first <= next_) return begin(now);  // nothing is left out
  next_ = first_ = first;
  foreign_ = running;
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

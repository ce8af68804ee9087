// SPDX-License-Identifier: MIT
#include "bench/any_program/count/bytes.hpp"

#include <algorithm>

#include "bench/model/statistics.hpp"

namespace roofline::any_program {

void Moved::add(const Moved& more, double factor) {
  for (std::size_t i = 0; i < levels.size(); ++i) {
    levels[i].read += factor * more.levels[i].read, levels[i].written += factor * more.levels[i].written;
    for (std::size_t k = 0; k < samples[i].size(); ++k) samples[i][k] += factor * more.samples[i][k];
  }
  overwritten += factor * more.overwritten, paired += factor * more.paired, spread += factor * more.spread;
  in_one_stratum += factor * more.in_one_stratum;
}

Bytes& Bytes::operator+=(const Bytes& more) {
  accessed += more.accessed;
  moved.add(more.moved, 1);
  for (std::size_t i = 0; i < variances.size(); ++i) variances[i] += more.variances[i], biases[i] += more.biases[i];
  return *this;
}

bool WindowedBytes::add_to_window(const Accessed& more, const Moved& moved) {
  const bool first = window_.total() == 0;
  window_ += more, in_window_.add(moved, 1);
  return first && window_.total() > 0;
}

void WindowedBytes::close_window() {
  const auto accessed = static_cast<double>(window_.total());
  ++windows_, accessed_ += accessed, accessed_squared_ += accessed * accessed;
  for (std::size_t i = 0; i < products_.size(); ++i) {
    const double moved = in_window_.levels[i].total();
    moved_squared_[i] += moved * moved, products_[i] += moved * accessed;
  }
  in_windows_.add(in_window_, 1);
  window_ = {}, in_window_ = {};
}

namespace {

double number(std::uint64_t n) { return static_cast<double>(n); }

}  // namespace

Accessed WindowedBytes::accessed(const Accessed& nominal) const {
  if (seen_ == nominal_) return nominal;
  auto later = nominal, later_seen = seen_, nominal_seen = nominal_;
  later -= nominal_whole_, nominal_seen -= nominal_whole_, later_seen -= whole_;
  auto all = whole_;
  return all +=
         nominal_seen.total() > 0 ? later_seen.times(number(later.total()) / number(nominal_seen.total())) : later;
}

Bytes WindowedBytes::estimate(const Accessed& nominal) const {
  Bytes bytes{accessed(nominal), moved_, {}, {}};
  const double later = number(bytes.accessed.total()) - number(whole_.total()), left_out = later - accessed_;
  if (left_out <= 0) return bytes;
  if (accessed_ > 0) bytes.moved.add(in_windows_, later / accessed_);
  // A range is two standard errors to each side, and more where windows are few.
  const double few = windows_ > 1 ? student_quantile(0.05, windows_ - 1) / 2 : 1;
  for (std::size_t i = 1; i < bytes.variances.size(); ++i) {
    if (windows_ < 2) {
      // Nothing tells their spread: each access that was left out may have brought in a line for four bytes.
      constexpr double a_line = 64.0 / 4;
      bytes.biases[i] = a_line * left_out;
      continue;
    }
    const double ratio = in_windows_.levels[i].total() / accessed_;
    const double squares = moved_squared_[i] - 2 * ratio * products_[i] + ratio * ratio * accessed_squared_;
    // Warm caches are not those of the whole run: up to 2 % in results/any-program.
    bytes.biases[i] = 0.02 * in_windows_.levels[i].total() * left_out / accessed_;
    const double variance = windows_ / (windows_ - 1) * squares / (accessed_ * accessed_) * later * left_out;
    bytes.variances[i] = few * few * std::max(0.0, variance);
  }
  return bytes;
}

}  // namespace roofline::any_program

// SPDX-License-Identifier: MIT
#include "bench/any_program/count/cpu.hpp"

#include <utility>

namespace roofline::any_program {

void Cpu::settle() {
  using State = Windows::State;
  auto accessed = caches_.accessed(), nominal = caches_.nominal();
  auto repeated = caches_.repeated(), in_one_stratum = caches_.in_one_stratum();
  repeated -= std::exchange(repeated_before_, repeated);
  in_one_stratum -= std::exchange(in_one_stratum_before_, in_one_stratum);
  accessed -= std::exchange(accessed_before_, accessed);
  nominal -= std::exchange(nominal_before_, nominal);
  Moved now;
  for (std::size_t i = 0; i < memory_levels.size(); ++i) {
    if (i > 0) now.levels[i] = caches_.traffic(memory_levels[i]);
    if (caches_.are_sampled()) now.samples[i] = caches_.of_samples(memory_levels[i]);
  }
  now.overwritten = caches_.overwritten(), now.paired = caches_.paired();
  auto moved = now;
  moved.add(moved_before_, -1);
  moved.spread = static_cast<double>(accessed.total() - accessed.local - accessed.streamed - repeated);
  moved.in_one_stratum = static_cast<double>(in_one_stratum);
  moved_before_ = now;
  if (!its_) return;
  its_->add(accessed, nominal);
  if (state_ == State::whole) its_->add_whole(accessed, nominal, moved);
  if (state_ == State::counts && its_->add_to_window(accessed, moved)) in_window_.push_back(its_);
}

void Cpu::change_function(int function) {
  settle();
  function_ = function;
  its_ = function >= 0 ? &tally().bytes[function] : nullptr;
}

std::uint64_t Cpu::turnover(std::uint64_t words) {
  words_ += words;
  const double read = caches_.traffic(MemoryLevel::DRAM).read - read_;
  // Traffic of less than a thousandth of what is accessed, in words of eight bytes, is not shown.
  if (read < 1e-3 * 8 * static_cast<double>(words_)) return 0;
  return static_cast<std::uint64_t>(static_cast<double>(words_) * caches_.last_bytes() / read);
}

void Cpu::change_state(Windows::State state) {
  settle();
  for (auto* const its : in_window_) its->close_window();
  in_window_.clear();
  state_ = state;
  words_ = 0, read_ = caches_.traffic(MemoryLevel::DRAM).read;
}

}  // namespace roofline::any_program

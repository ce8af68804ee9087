// SPDX-License-Identifier: MIT
#include "bench/any_program/plugin/cpu.hpp"

#include <algorithm>

namespace roofline::any_program {

Cpu::Cpu(const std::vector<CacheLevel>& levels) : wanted_(&tallies[0]), now_(wanted_) {
  if (!levels.empty()) caches_.emplace(levels);
}

void Cpu::turn_to(int function) {
  if (!caches_) return;
  Bytes now;
  for (std::size_t i = 0; i < memory_levels.size(); ++i) now.levels[i] = caches_->traffic(memory_levels[i]);
  now.overwritten = static_cast<double>(caches_->overwritten());
  now.streamed = static_cast<double>(caches_->streamed());
  now.paired = static_cast<double>(caches_->paired());
  now.local = static_cast<double>(local_);
  if (function_ >= 0) (now_->bytes[static_cast<std::size_t>(function_)] += now) -= before_;
  before_ = now;
  function_ = function;
}

void Cpu::finish_access() {
  if (!pending_ || !caches_) return;
  if (function_ != pending_->function) turn_to(pending_->function);
  const auto size = std::min(static_cast<unsigned>(end_ - begin_), pending_->most_bytes);
  if (pending_->local) local_ += size;
  if (!store_)
    caches_->load(begin_, size);
  else if (pending_->streaming)
    caches_->store_streaming(begin_, size);
  else
    caches_->store(begin_, size);
  pending_ = nullptr;
}

void Cpu::clear() {
  settle();
  for (auto& [set, tally] : tallies) tally.executed.clear(), tally.flops_below.clear(), tally.bytes.clear();
}

}  // namespace roofline::any_program

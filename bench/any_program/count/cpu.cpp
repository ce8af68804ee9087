// SPDX-License-Identifier: MIT
#include "bench/any_program/count/cpu.hpp"

namespace roofline::any_program {

void Cpu::change_function(int function) {
  Bytes now;
  for (std::size_t i = 0; i < memory_levels.size(); ++i) {
    now.levels[i] = caches_.traffic(memory_levels[i]);
    if (caches_.are_sampled()) now.samples[i] = caches_.of_samples(memory_levels[i]);
  }
  now.overwritten = caches_.overwritten();
  now.streamed = caches_.streamed();
  now.paired = caches_.paired();
  now.local = static_cast<double>(local_);
  if (function_ >= 0) (tally().bytes[function_] += now) -= before_;
  before_ = now;
  function_ = function;
}

}  // namespace roofline::any_program

#pragma once
#include <functional>
#include <memory>
#include <string>

#include "bench/counters/counter_source.hpp"

namespace roofline {

/// How long a run that only falls back on the device model waits for it.
struct ModelBudget {
  double row_seconds = 20;
  double run_seconds = 120;  ///< all rows together
};

/// The model's answer for a row if it arrives in time, else nothing. `warn` gets one message about the limit that was
/// reached.
///
/// A launch of the size of a GPU can take the model minutes. Each question is answered in a forked process, which is
/// ended at the limit: the model must not use the GPU, and of threads only those that it starts. Null stays null.
std::shared_ptr<CounterSource> bounded(std::shared_ptr<CounterSource> modelled, const ModelBudget& budget,
                                       std::function<void(const std::string&)> warn);

}  // namespace roofline

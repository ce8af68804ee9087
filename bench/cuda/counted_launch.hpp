#pragma once
#include "bench/cuda/error.hpp"
#include "bench/cuda/event_timer.hpp"
#include "bench/space/workload.hpp"

namespace roofline {

/// One launch that a counter sees; waits, as long as instrumented code may take.
inline void counted_launch(const Workload& work) {
  constexpr double instrumented_seconds = 280;  // until a launch counts as hung
  work.launch();
  cuda::finish(instrumented_seconds);
}

/// Leaves in L2 what a timed launch finds there, after a launch of the same: that, or nothing of it.
inline void prepare_again(const Workload& work) {
  if (!work.cold) return;
  cuda::empty_l2();
  cuda::finish();
}

}  // namespace roofline

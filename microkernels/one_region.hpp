#pragma once
#include "bench/machine/clock.hpp"
#include "bench/space/workload.hpp"

namespace roofline {

/// Lets `run(launches)` make so many launches of a ceiling within one parallel region, and times them so. A thread that
/// loses its core then makes the others wait once in a sample, not at the end of each launch.
template <class Run>
void launch_in_one_region(CeilingWork& work, Run run) {
  work.launch = [run] { run(1); };
  work.time = [run](int launches) {
    const auto start = Clock::now();
    run(launches);
    return seconds_since(start);
  };
}

}  // namespace roofline

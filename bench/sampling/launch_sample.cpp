#include "bench/sampling/launch_sample.hpp"

#include <algorithm>
#include <cmath>

namespace roofline {
namespace {

constexpr double most_launches = 1e7;
constexpr double fills_caches_itself = 20e-3;

}  // namespace

int Sampled::launches_for(double seconds_of_all) const {
  return static_cast<int>(std::clamp(std::round(seconds_of_all / std::max(seconds, 1e-9)), 1.0, most_launches));
}

Sampled sampled(Timer time, double seconds) {
  double one = time(1);
  if (one < seconds) one = std::min(one, time(1));
  // A launch of microseconds is known by many.
  int batch = 1;
  while (one * batch < seconds / 4 && batch < most_launches / 8) {
    batch = static_cast<int>(std::clamp(std::ceil(seconds / 4 / std::max(one, 1e-9)), 2.0 * batch, 8.0 * batch));
    one = std::min(one, time(batch) / batch);
  }
  Sampled launch{.time = std::move(time), .seconds = one};
  launch.batch = launch.launches_for(seconds);
  return launch;
}

double sample(Sampled& launch, int launches) {
  if (launch.from_cache && launch.seconds < fills_caches_itself) launch.time(1);
  return launch.seconds = launch.time(launches) / launches;
}

double sample(Sampled& launch) { return sample(launch, launch.batch); }

}  // namespace roofline

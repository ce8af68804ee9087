#include "bench/sampling/sampled.hpp"

#include <algorithm>
#include <cmath>

namespace roofline {
namespace {

constexpr double fills_caches_itself = 20e-3;
constexpr double most_launches = 1e7;

}  // namespace

Sampled sampled(Timer time, double seconds) {
  double one = time(1);
  if (one < seconds) one = std::min(one, time(1));
  // A launch of microseconds is known by many.
  int batch = 1;
  while (one * batch < seconds / 4 && batch < most_launches / 8) {
    batch = static_cast<int>(std::clamp(std::ceil(seconds / 4 / std::max(one, 1e-9)), 2.0 * batch, 8.0 * batch));
    one = std::min(one, time(batch) / batch);
  }
  batch = static_cast<int>(std::clamp(std::round(seconds / std::max(one, 1e-9)), 1.0, most_launches));
  return {std::move(time), batch, one};
}

double sample(Sampled& launch) {
  if (launch.seconds < fills_caches_itself) launch.time(1);
  return launch.seconds = launch.time(launch.batch) / launch.batch;
}

}  // namespace roofline

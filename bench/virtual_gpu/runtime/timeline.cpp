#include "bench/virtual_gpu/runtime/timeline.hpp"

#include <algorithm>

namespace roofline::runtime {

double Timeline::run(double from, Engine engine, double seconds) {
  if (engine == Engine::none) return std::max(from, now_) + seconds;
  auto& free = engines_[static_cast<int>(engine)];
  free = std::max({from, now_, free}) + seconds;
  last_ = std::max(last_, free);
  return free;
}

double Timeline::submit(Lane& lane, Engine engine, double seconds) {
  lane.ready = run(lane.blocking ? std::max(lane.ready, legacy_.ready) : lane.ready, engine, seconds);
  if (lane.blocking) blocking_ = std::max(blocking_, lane.ready);
  last_ = std::max(last_, lane.ready);
  return lane.ready;
}

double Timeline::submit_legacy(Engine engine, double seconds) {
  legacy_.ready = run(std::max(legacy_.ready, blocking_), engine, seconds);
  last_ = std::max(last_, legacy_.ready);
  return legacy_.ready;
}

}  // namespace roofline::runtime

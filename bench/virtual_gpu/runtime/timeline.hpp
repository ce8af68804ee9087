#pragma once
#include <algorithm>

namespace roofline::runtime {

/// When things happen on the virtual device, in seconds from its start. Everything is executed at once and in the order
/// of the calls; the timeline only says when a device would have finished it, so that events, queries and waits answer
/// as they would. Bounds, never measurements.
class Timeline {
 public:
  /// The engine that an operation occupies. Operations of different streams overlap unless they need the same engine.
  enum class Engine { compute, upload, download, none };

  /// The state of one stream.
  struct Lane {
    double ready = 0;      ///< when its last operation ends
    bool blocking = true;  ///< waits for the legacy default stream and lets it wait
  };

  /// The moment of the calling host; each call takes it a little further, so that polling ends.
  double now() const { return now_; }
  void call() { now_ += seconds_per_call; }
  double seconds_per_call = 0.5e-6;

  /// Queues an operation and says when it ends. `lane` is not the default stream's.
  double submit(Lane& lane, Engine engine, double seconds);
  /// The same on the legacy default stream, which waits for all blocking streams.
  double submit_legacy(Engine engine, double seconds);

  bool done(const Lane& lane) const { return lane.ready <= now_; }
  /// Whether the host's question "is it done?" about something that ends at `until` is answered yes. After a no it has
  /// nothing to do but ask again, so each brings it an eighth of the way: polling for a second ends after a hundred
  /// calls, not after two million.
  bool asked(double until) {
    if (until <= now_) return true;
    now_ += (until - now_) / 8;
    return false;
  }
  double legacy_ready() const { return legacy_.ready; }
  /// The host waits until then.
  void wait(double until) { now_ = until > now_ ? until : now_; }
  void wait_for_all() { wait(last_); }

 private:
  double run(double from, Engine engine, double seconds);

  double now_ = 0, last_ = 0;
  Lane legacy_;
  double blocking_ = 0;            // when the last operation of any blocking stream ends
  double engines_[3] = {0, 0, 0};  // when each is free again
};

inline double Timeline::run(double from, Engine engine, double seconds) {
  if (engine == Engine::none) return std::max(from, now_) + seconds;
  auto& free = engines_[static_cast<int>(engine)];
  free = std::max({from, now_, free}) + seconds;
  last_ = std::max(last_, free);
  return free;
}

inline double Timeline::submit(Lane& lane, Engine engine, double seconds) {
  lane.ready = run(lane.blocking ? std::max(lane.ready, legacy_.ready) : lane.ready, engine, seconds);
  if (lane.blocking) blocking_ = std::max(blocking_, lane.ready);
  last_ = std::max(last_, lane.ready);
  return lane.ready;
}

inline double Timeline::submit_legacy(Engine engine, double seconds) {
  legacy_.ready = run(std::max(legacy_.ready, blocking_), engine, seconds);
  last_ = std::max(last_, legacy_.ready);
  return legacy_.ready;
}

}  // namespace roofline::runtime

#pragma once
#include <exception>
#include <vector>

namespace roofline {

/// Whether a signal follows another one too soon to have a meaning of its own: programs that end a process and its
/// group (timeout of coreutils) send two. For signal handlers.
class Doubled {
 public:
  /// Called once per signal, `now` in milliseconds.
  bool operator()(long now) {
    const bool doubled = last_ >= 0 && now - last_ < 300;
    if (!doubled) last_ = now;
    return doubled;
  }

 private:
  volatile long last_ = -1;
};
/// Milliseconds of a clock that a signal handler may read.
long milliseconds_now();

/// The signals that ask for the end: SIGINT, SIGTERM, and SIGHUP unless whoever started the program ignores it (nohup).
std::vector<int> interrupts();

/// A reader that went away and a file-size limit become errors of the write that met them, not ends of the process.
void ignore_lost_readers();

/// From now on interrupts() only ask: the run finishes its current point and writes what it has. A second signal,
/// 0.3 s or more later, ends the process at once.
void catch_interrupts();

/// The signal that asked for the end, or 0.
int interrupted();

/// Ends a computation that nobody waits for any more, where finishing the current point takes minutes.
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};
/// Throws Interrupted once a signal has asked for the end: for loops of simulations, not of anything timed.
void stop_if_interrupted();

}  // namespace roofline

#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/run/measure.hpp"

namespace roofline {

/// The variable by which `roofline ab` tells a program to take turns: the number of an open socket.
inline constexpr const char* turns_variable = "ROOFLINE_TURNS";

/// Sampling in turns with other processes that measure the same rows on this machine, some ten milliseconds each: what
/// changes within seconds then meets all of them alike. Whoever shares out the machine stops a process, all its threads
/// with it, while it waits, so that one process runs at any time.
///
/// What is said over the socket, in lines: "rows\tNAME\tNAME...", once; "turn\tNAME" before every sample and after the
/// last one of a row. What is answered, a byte each: 'g' take one sample; 's' the row has enough of them.
class SampleTurns {
 public:
  /// Of the socket that the environment names; null where it names none. Throws std::invalid_argument when it names
  /// something else.
  static std::shared_ptr<SampleTurns> from_environment();

  /// The rows to come, in order.
  void announce(const std::vector<std::string>& rows);
  /// Waits for the next turn of a row; false when it has samples enough, or nobody shares out turns any more.
  bool next(const std::string& row);

 private:
  explicit SampleTurns(int socket) : socket_(socket) {}
  void say(const std::string& line) const;

  int socket_;
};

/// As many samples as `turn` allows, each after a launch that brings back the caches which the other process has taken;
/// none is left out, so that the n-th samples of two processes belong together. `pace` as in measure(). Throws
/// Interrupted when there was no turn at all.
Measurement measure_in_turns(const Timer& time, const std::function<bool()>& turn,
                             const std::function<double()>& pace = {});

}  // namespace roofline

#pragma once
#include <functional>

#include "bench/recovery/records.hpp"

namespace roofline {

/// The exit code with which a process asks to be followed by another one: its device is lost.
inline constexpr int exit_device_lost = 75;

struct Supervision {
  double row_seconds = 300;  ///< a row that takes longer is stopped
  int restarts = 20;         ///< after which the run ends
};

/// Runs `work` in a process of its own and, whenever that ends before its time (a signal, exit_device_lost, a row that
/// never ends), in another one, which finds in its records what the ones before it found out. The row that was being
/// measured has failed. Returns the exit code of the last one. Interrupts are passed on, and
/// after one there is no other process: 128 + the signal, if the run does not end by itself.
///
/// Call it before anything starts threads or a GPU context: neither survives in the new process.
int supervise(const std::function<int(const Records&)>& work, const Supervision& limits = {});

}  // namespace roofline

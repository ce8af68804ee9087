#pragma once
#include <benchmark/benchmark.h>

#include <chrono>
#include <functional>
#include <map>
#include <string>

#include "bench/options/options.hpp"
#include "bench/recovery/records.hpp"
#include "bench/result/results.hpp"
#include "bench/run/plan.hpp"
#include "bench/text/output.hpp"

namespace roofline {

/// The state that the parts of one run share: the request, and the records so far.
struct RunState {
  /// Enters in the records what is known before anything is measured.
  RunState(const Suite& s, const Options& o, const Plan& p, Records& r);

  const Suite& suite;
  const Options& options;
  const Plan& plan;
  Progress progress;
  Records& records;
  Roofline roofline;  ///< so far
  RunTimer timer;     ///< of it and of the ceilings; samples of kernels are added from the records
  std::map<std::string, std::string> known_tunings = {};  ///< of tuned rows, chosen by the run that the ceilings are of
  std::function<void()> after_failure = {};               ///< called when a row has failed: the device may be lost

  /// Seconds since the run began.
  double elapsed() const;
  /// Seconds that the run should take; 0: as long as its rounds take. This is so if the user asks for everything, for
  /// repetitions or for long samples.
  double time_limit() const;
  /// Notes that a row has no result, and why.
  void fail(const std::string& row, const std::string& why);
  void warn(const std::string& line);

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace roofline

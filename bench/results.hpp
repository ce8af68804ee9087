#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/machine/machine.hpp"
#include "bench/model/kernel_point.hpp"
#include "bench/model/roofline.hpp"
#include "microkernels/ert_sweep.hpp"

namespace roofline {

/// Everything one run found out: what tables, plots and files are made of.
struct Results {
  Machine machine;
  Roofline roofline;
  std::vector<KernelPoint> points;
  std::optional<ErtResult> ert;  ///< the swept curve, where the run has one
  /// Rows that have no result, with the reason: failed verification, skipped.
  std::vector<std::pair<std::string, std::string>> failures;
  std::vector<std::string> warnings;  ///< drift, contamination, foreign ceilings: one line each
  std::vector<std::string> left_out;  ///< what the default subset leaves out, one line each
  std::string ceilings_origin;        ///< "measured in this run" or "run.json of 2026-11-20"
  std::string command_line;
  std::string date;      ///< ISO 8601
  bool complete = true;  ///< false after an interruption
};

}  // namespace roofline

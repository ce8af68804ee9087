#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "bench/run/results.hpp"

namespace roofline {

/// What a run prints, phase by phase, and what it writes. The folder reporters/ fills this in where it is linked; the
/// harness knows none of its tables and files.
struct Reports {
  std::string (*machine)(const Results&) = nullptr;             ///< printed before anything is measured
  std::string (*ceilings)(const Results&) = nullptr;            ///< printed when the ceilings are known
  std::string (*kernels)(const Results&, bool utf8) = nullptr;  ///< printed last; `utf8`: line-drawing characters
  /// Google Benchmark's JSON with what is known only at the end: run.json.
  std::string (*run_json)(const std::string& google_benchmark, const Results&) = nullptr;
  /// Files beside run.json, by name.
  std::vector<std::pair<std::string, std::function<std::string(const Results&)>>> files;

  /// Of runs that differ in their number of threads: printed after the last of them.
  std::string (*sweep)(const std::vector<Results>& runs) = nullptr;
  /// Files beside the folders of these runs, by name.
  std::vector<std::pair<std::string, std::function<std::string(std::vector<Results>)>>> sweep_files;
};

/// Those of this program.
Reports& reports();

/// A file-scope object of this type adds a file to every run. Its content is made of concluded results.
struct ReportFile {
  ReportFile(const char* name, std::string (*content)(const Results&));
};

}  // namespace roofline

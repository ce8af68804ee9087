#pragma once
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/result/results.hpp"
#include "bench/suite/suite.hpp"

namespace roofline {

/// Ceilings that cannot be used here: from another machine, or from a run that did not measure all. Exit code 3.
struct FingerprintMismatch : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Results of an earlier run that hold in this one, too.
struct EarlierRun {
  std::string path;
  std::vector<Ceiling> ceilings;
  std::optional<StorePolicy> stores = {};  ///< of as many threads, where it says
  std::vector<std::string> warnings = {};  ///< levels that it lacks, another clock: one line each
};

/// Ceilings of an earlier run, from its run.json. Throws FileError when the file cannot be read or is not a result of
/// this suite (naming the place), FingerprintMismatch when it was taken on another machine or with other thread counts,
/// or interrupted before all ceilings were measured.
EarlierRun read_ceilings(const std::string& path, const Suite& suite);

/// The tunings that an earlier run chose for its tuned rows, by row: they hold as long as its ceilings do. Throws
/// FileError as read_ceilings().
std::map<std::string, std::string> read_tunings(const std::string& path);

/// Ceilings of a GPU from the run.json of a run anywhere, for a described device. If it has several thread counts, the
/// roofs' one counts. Throws FileError when the file is not a result of this suite, FingerprintMismatch when it lacks
/// the FMA rate or the bandwidth of a level, or has those of a CPU.
std::vector<Ceiling> import_ceilings(const std::string& path);

/// Machine, date and ceilings of a run.json of a version that kept nothing but rows in it. Absent: another file, or one
/// that has the whole run. Throws FileError when a ceiling of it cannot be read.
std::optional<Results> roofs_of_rows(const std::string& path);

}  // namespace roofline

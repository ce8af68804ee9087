#pragma once
#include <set>
#include <string>
#include <vector>

#include "reporters/imports/input.hpp"

namespace roofline {

/// The ceilings of one file of another tool, as they are found.
class ExternalCeilings {
 public:
  ExternalCeilings(std::string tool, std::string origin, OpinionOptions& options)
      : tool_(std::move(tool)), origin_(std::move(origin)), options_(options) {}

  void bandwidth(MemoryLevel level, const std::string& what, double rate);
  /// A bandwidth of the level that the user says, or DRAM. A set that a cache may hold is part of the name, and gets a
  /// warning; 0 bytes: not known.
  void bandwidth_of_set(const std::string& test, double rate, double set);
  void compute(const std::string& what, double rate, const std::string& precision = {});
  /// A warning about one line in the file.
  void warn(int line, const std::string& what);

  /// Throws FileError where there is none.
  std::vector<Ceiling> all();

 private:
  /// If there are several results for one quantity, the best one is kept.
  void add(Ceiling ceiling);

  std::string tool_, origin_;
  OpinionOptions& options_;
  std::vector<Ceiling> ceilings_;
  std::set<std::string> several_;
};

/// Tables of text: a line that begins with "Function" names the columns, one of them a bandwidth. STREAM, BabelStream
/// without --csv, TheBandwidthBenchmark and others with tests of their own write this. A table ends at the first line
/// that is not a row of it. Throws FileError with the line.
std::vector<Ceiling> parse_function_tables(const std::string& text, const std::string& origin, OpinionOptions& options);
/// Whether there is such a table.
bool has_function_table(const std::string& text);

/// Warns of each line in which a benchmark says that its own results are wrong.
void warn_of_failed_validation(const std::string& text, const std::string& origin, OpinionOptions& options);

}  // namespace roofline

#pragma once
#include <map>
#include <string>
#include <vector>

#include "bench/storage/stored_run.hpp"
#include "bench/text/csv.hpp"
#include "reporters/files/files.hpp"

/// Rows as efficiency.csv has them, and the roofs that they are judged by: tests of imports look at these.
namespace roofline::imported_rows {

using Cells = std::map<std::string, std::string>;

/// The rows of an efficiency.csv by their columns.
inline std::vector<Cells> csv_rows(const Results& results) {
  const auto csv = parse_csv(efficiency_csv(results));
  std::vector<Cells> rows;
  for (std::size_t r = 1; r < csv.records.size(); ++r) {
    rows.emplace_back();
    for (std::size_t c = 0; c < csv.records[0].fields.size(); ++c)
      rows.back()[csv.records[0].fields[c]] = csv.records[r].fields[c];
  }
  return rows;
}

inline Results through_run_json(const Results& results) {
  return parse_run(run_json(R"({"context": {}, "benchmarks": []})", results), "run.json");
}

/// The roofs of the NERSC talk.
inline const std::string v100 =
    "memroofs 14336 2996.82 828.758\nmem_roof_names 'L1' 'L2' 'HBM'\n"
    "comproofs 7068.86 3535.79\ncomp_roof_names 'FMA' 'No-FMA'\n";

}  // namespace roofline::imported_rows

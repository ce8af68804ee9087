#include <fmt/format.h>

#include <algorithm>

#include "bench/result/reports.hpp"
#include "bench/storage/google_rows.hpp"
#include "bench/storage/result_files.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/clean.hpp"
#include "bench/text/format.hpp"
#include "bench/text/output.hpp"
#include "tools/roofline/cpu/cpu.hpp"
#include "tools/roofline/subcommand.hpp"

namespace roofline::cli::cpu_command {
namespace {

using namespace any_program;

/// Two reads of the clock in a loop that waits make a few FLOPs, which are not a point of a roofline.
bool waits(const ProgramRow& row) {
  constexpr double least_per_instruction = 1e-4;
  return static_cast<double>(row.counted.flops()) <
         least_per_instruction * static_cast<double>(row.counted.all_instructions());
}

}  // namespace

void say(const std::string& line) { fmt::print(stderr, "roofline: {}\n", printable(line)); }

void add_points(Results& results, const std::vector<ProgramRow>& rows, const std::string& name,
                const std::string& caches) {
  const int cores = std::max(1, static_cast<int>(results.machine.cpus.size()));
  for (const auto& row : rows) {
    if (row.name == others_name) {  // of many functions: no point, but part of the sums
      results.skipped.push_back(fmt::format("functions below --min-share: {} % of the time, {} GFLOP",
                                            percent(row.share),
                                            significant(giga(static_cast<double>(row.counted.flops())))));
      continue;
    }
    auto point = point_of(row, name, caches, cores);
    if (waits(row)) {
      point.counts.details["flops_while_waiting"] = static_cast<double>(row.counted.flops());
      point.counts.operations = {};
      point.declared_flops = 0;
    }
    if (results.stores && results.stores->threads == point.threads)
      point.counts = restated(point.counts, *results.stores);
    results.points.push_back(std::move(point));
  }
}

std::string text_of(const Results& results) {
  std::vector<PlannedRow> rows;
  for (const auto& point : results.points) rows.push_back({point.name, false, {}});
  return run_json(google_json(google_rows(results, rows, 1)), results);
}

int write(const Results& results, const std::filesystem::path& folder) {
  ResultFiles files(folder, !results.interrupted);
  files.write("run.json", [&] { return text_of(results); });
  for (const auto& [name, content] : reports().files) files.write(name, [&, make = content] { return make(results); });
  for (const auto& error : files.errors()) say(error);
  std::string names;
  for (const auto& name : files.written()) names += (names.empty() ? "" : ", ") + name;
  if (!names.empty()) print(fmt::format("In {}/: {}\n", folder.string(), names));
  return files.failed_to_write() ? exit_io : exit_ok;
}

}  // namespace roofline::cli::cpu_command

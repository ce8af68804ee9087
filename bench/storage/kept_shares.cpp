#include "bench/storage/kept_shares.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/machine/core_distance.hpp"
#include "bench/machine/noise_meter.hpp"
#include "bench/storage/kept_file.hpp"
#include "bench/text/output.hpp"

namespace roofline {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_runs_of_a_program = 6, most_runs = 24;
/// With fewer runs of its own, a program's drift is that of all programs.
constexpr std::size_t telling_runs = 4;
/// Percentiles of fewer values say little.
constexpr std::size_t fewest_rows = 10;
constexpr double percentile = 0.9;

bool tells_of_the_host(const Results& results) {
  const bool one_of_several = results.place && results.place->among_others();
  return !results.model && !results.interrupted && !one_of_several && results.times_note.empty() &&
         results.ceilings_origin.of_this_device();
}

bool next_to_load(const Results& results) { return results.noise && results.noise->others > much_other_work; }

/// This program on its device.
std::string program_of(const Results& results) {
  return results.gpu ? this_program() + " " + results.gpu->name : this_program();
}

std::string key_of(const KernelPoint& point) { return point.name + " " + point.problem; }

/// A run's record of a row.
struct Kept {
  double share = 0;    ///< of its roof
  double seconds = 0;  ///< of a launch
};

Kept kept(const Json& row) { return {row.at("share").get<double>(), row.at("seconds").get<double>()}; }

/// The shares and times of the rows with enough rounds.
Json shares_of(const Results& results) {
  Json shares = Json::object();
  for (const auto& point : results.points)
    if (const auto& roof = point.assessment.roof;
        roof && roof->efficiency > 0 && point.rounds() >= rounds_of_95_percent)
      shares[key_of(point)] = {{"share", roof->efficiency}, {"seconds", point.time.median}};
  return shares;
}

/// The relative amount by which one of two launches takes longer both by the clock and beside its roof. A comparison of
/// two runs asks for both, so this is what it could mistake for a change.
double difference(const Kept& a, const Kept& b) {
  const double by_the_clock = std::log(b.seconds / a.seconds), beside_roof = std::log(a.share / b.share);
  if (by_the_clock * beside_roof <= 0) return 0;
  return std::expm1(std::min(std::abs(by_the_clock), std::abs(beside_roof)));
}

/// By row the largest difference of two runs of one program whose cores lay alike, or of two whose cores did not.
std::map<std::string, double> largest_differences(const Json& runs, bool alike) {
  // Runs that were kept by earlier versions have no distance.
  const auto distance = [](const Json& run) { return run.value("core_distance", 0.0); };
  std::map<std::string, double> rows;
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      if (runs[i].at("program") != runs[k].at("program") || lay_alike(distance(runs[i]), distance(runs[k])) != alike)
        continue;
      for (const auto& [row, said] : runs[i].at("shares").items())
        if (const auto before = runs[k].at("shares").find(row); before != runs[k].at("shares").end())
          rows[row] = std::max(rows[row], difference(kept(*before), kept(said)));
    }
  return rows;
}

std::optional<Drift> drift_of(const Json& runs, bool alike, const std::vector<KernelPoint>& points) {
  const auto rows = largest_differences(runs, alike);
  if (rows.size() < fewest_rows) return std::nullopt;
  std::vector<double> sorted;
  for (const auto& [row, difference] : rows) sorted.push_back(difference);
  std::sort(sorted.begin(), sorted.end());
  Drift drift{sorted[static_cast<std::size_t>(percentile * static_cast<double>(sorted.size()))],
              static_cast<int>(runs.size()),
              {}};
  for (const auto& point : points)
    if (const auto found = rows.find(key_of(point)); found != rows.end()) drift.rows[point.name] = found->second;
  return drift;
}

/// Adds a run, and drops the oldest of the same program, or of all, where there are too many.
void append(Json& runs, Json added) {
  const auto of_program = [&](const Json& run) { return run.at("program") == added.at("program"); };
  if (std::count_if(runs.begin(), runs.end(), of_program) >= static_cast<std::ptrdiff_t>(most_runs_of_a_program))
    runs.erase(std::find_if(runs.begin(), runs.end(), of_program));
  if (runs.size() >= most_runs) runs.erase(runs.begin());
  runs.push_back(std::move(added));
}

/// The runs whose differences tell a program's drift: its own, if there are enough. Runs of another program, or of an
/// hour that was worse, would hide changes that its own runs can show.
Json telling(const Json& runs, const std::string& program) {
  Json own = Json::array();
  for (const auto& run : runs)
    if (run.at("program") == program) own.push_back(run);
  return own.size() >= telling_runs ? own : runs;
}

Json kept_runs(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return Json::array();
  auto document = Json::parse(read_file(path));
  for (const auto& run : document.at("runs")) {  // throws where one is not what it must be
    run.at("program").get<std::string>();
    run.value("core_distance", 0.0);
    for (const auto& [row, said] : run.at("shares").items()) kept(said);
  }
  return document.at("runs");
}

}  // namespace

void keep_shares(Results& results) {
  const auto path = kept_file("shares-of-", results.machine, results.roofline.threads());
  if (!path || !tells_of_the_host(results)) return;
  try {
    auto shares = shares_of(results);
    auto runs = Json::array();
    try {
      runs = kept_runs(*path);
    } catch (const std::exception&) {
      // damaged: as if there were none
    }
    const auto program = program_of(results);
    if (!shares.empty())
      append(runs, {{"program", program}, {"core_distance", results.core_distance}, {"shares", std::move(shares)}});
    const auto own = telling(runs, program);
    results.drift = drift_of(own, true, results.points);
    results.drift_apart = drift_of(own, false, results.points);
    if (!results.drift_apart) results.drift_apart = drift_of(runs, false, results.points);
    if (next_to_load(results)) return;
    require_writable(*path);
    write_file(*path, Json{{"runs", std::move(runs)}}.dump() + "\n");
  } catch (const std::exception&) {
    // Two runs of this program are then compared with an assumed drift.
  }
}

}  // namespace roofline

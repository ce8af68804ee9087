#include "bench/storage/kept_shares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/levels/measured_levels.hpp"
#include "bench/text/output.hpp"

namespace roofline {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_runs_of_a_program = 6, most_runs = 24;
/// Of fewer a percentile says little.
constexpr std::size_t fewest_rows = 10;
constexpr double percentile = 0.9;

bool tells_of_the_host(const Results& results) {
  const bool one_of_several = results.place && results.place->among_others();
  return !results.model && !results.interrupted && !one_of_several && results.times_note.empty() &&
         results.ceilings_origin.of_this_device();
}

/// Next to the levels of the memory that this host was measured to have.
std::optional<std::filesystem::path> file_of(const Results& results) {
  const auto levels = kept_levels_file(results.machine, results.roofline.threads());
  if (!levels) return std::nullopt;
  return levels->parent_path() / ("shares-of-" + levels->filename().string());
}

/// This program on its device: a new build has another size or time.
std::string program_of(const Results& results) {
  const auto path = std::filesystem::read_symlink("/proc/self/exe");
  const auto changed = std::filesystem::last_write_time(path).time_since_epoch().count();
  return fmt::format("{} {} {} {}", path.string(), std::filesystem::file_size(path), changed,
                     results.gpu ? results.gpu->name : "");
}

std::string key_of(const KernelPoint& point) { return point.name + " " + point.problem; }

/// The shares of the rows with enough rounds.
Json shares_of(const Results& results) {
  Json shares = Json::object();
  for (const auto& point : results.points)
    if (const auto& roof = point.assessment.roof;
        roof && roof->efficiency > 0 && point.rounds() >= rounds_of_95_percent)
      shares[key_of(point)] = roof->efficiency;
  return shares;
}

/// By row how far its shares lay apart, at most, in runs of one program.
std::map<std::string, double> largest_differences(const Json& runs) {
  std::map<std::pair<std::string, std::string>, std::vector<double>> shares;  // by program and row
  for (const auto& run : runs)
    for (const auto& [row, share] : run.at("shares").items())
      shares[{run.at("program").get<std::string>(), row}].push_back(share.get<double>());
  std::map<std::string, double> rows;
  for (const auto& [of, values] : shares) {
    if (values.size() < 2) continue;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    rows[of.second] = std::max(rows[of.second], *high / *low - 1);
  }
  return rows;
}

std::optional<Drift> drift_of(const Json& runs, const std::vector<KernelPoint>& points) {
  const auto rows = largest_differences(runs);
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
void append(Json& runs, const std::string& program, Json shares) {
  const auto of_program = [&](const Json& run) { return run.at("program") == program; };
  if (std::count_if(runs.begin(), runs.end(), of_program) >= static_cast<std::ptrdiff_t>(most_runs_of_a_program))
    runs.erase(std::find_if(runs.begin(), runs.end(), of_program));
  if (runs.size() >= most_runs) runs.erase(runs.begin());
  runs.push_back({{"program", program}, {"shares", std::move(shares)}});
}

Json kept_runs(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return Json::array();
  auto document = Json::parse(read_file(path));
  largest_differences(document.at("runs"));  // throws where one is not what it must be
  return document.at("runs");
}

}  // namespace

void keep_shares(Results& results) {
  const auto path = file_of(results);
  if (!path || !tells_of_the_host(results)) return;
  try {
    auto shares = shares_of(results);
    auto runs = Json::array();
    try {
      runs = kept_runs(*path);
    } catch (const std::exception&) {
      // damaged: as if there were none
    }
    if (!shares.empty()) append(runs, program_of(results), std::move(shares));
    results.drift = drift_of(runs, results.points);
    require_writable(*path);
    write_file(*path, Json{{"runs", std::move(runs)}}.dump() + "\n");
  } catch (const std::exception&) {
    // Two runs of this program are then compared with an assumed drift.
  }
}

}  // namespace roofline

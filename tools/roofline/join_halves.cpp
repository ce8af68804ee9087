#include "tools/roofline/join_halves.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "bench/text/output.hpp"
#include "reporters/files/imported.hpp"

namespace roofline::cli {
namespace {

void add_samples(KernelPoint& point, const KernelPoint& other) {
  std::vector<double> seconds;
  for (const auto& sample : point.samples) seconds.push_back(sample.seconds);
  for (const auto& sample : other.samples) seconds.push_back(sample.seconds);
  const auto all = point_of({.name = point.name, .seconds = seconds});
  point.time = all.time, point.samples = all.samples;
}

/// Bytes, and a time, of a whole program go to the point of another file that has its FLOPs.
void join_bytes(std::vector<Results>& all) {
  for (auto& results : all)
    std::erase_if(results.points, [&](const KernelPoint& half) {
      if (half.name != whole_program || half.counts.operations.flops() > 0) return false;
      bool joined = false;
      for (auto& other : all)
        for (auto& point : other.points) {
          if (point.name != whole_program || point.counts.operations.flops() == 0) continue;
          joined = true;
          for (const auto level : all_memory_levels)
            if (!point.counts.at(level)) point.counts.at(level) = half.counts.at(level);
          if (!(point.time.median > 0)) point.time = half.time, point.samples = half.samples;
        }
      return joined;
    });
}

}  // namespace

void join_halves(std::vector<Results>& all, const std::vector<std::string>& files) {
  const auto is_time_alone = [](const KernelPoint& p) {
    return p.counts.operations_source == Source::imported && p.time.median > 0 && p.counts.operations.flops() == 0 &&
           std::none_of(p.counts.traffic.begin(), p.counts.traffic.end(), [](const auto& t) { return t.has_value(); });
  };
  const auto is_untimed = [](const KernelPoint& p) {
    return p.counts.operations_source == Source::imported && !(p.time.median > 0) && !p.is_bound();
  };
  join_bytes(all);
  std::map<std::string, KernelPoint> times;
  for (auto& results : all)
    std::erase_if(results.points, [&](const auto& p) {
      if (!is_time_alone(p)) return false;
      // The times of several files are samples, like those of several launches in one file.
      if (const auto [found, is_new] = times.emplace(p.name, p); !is_new) add_samples(found->second, p);
      return true;
    });
  std::vector<std::string> untimed;
  for (auto& results : all)
    for (auto& point : results.points) {
      if (!is_untimed(point)) continue;
      if (const auto found = times.find(point.name); found != times.end()) {
        point.time = found->second.time, point.samples = found->second.samples;
        bytes_from_rates(point);
        times.erase(found);
      } else {
        untimed.push_back(point.name);
      }
    }
  auto& warnings = all.front().warnings;
  if (!untimed.empty())
    warnings.push_back(
        fmt::format("no time of {}: no rate and no efficiency (nvprof: add the CSV of a run without --metrics; ncu: "
                    "gpu__time_duration.sum)",
                    fmt::join(untimed, ", ")));
  std::vector<std::string> uncounted;
  for (const auto& [name, point] : times) uncounted.push_back(name);
  const bool nothing = std::all_of(all.begin(), all.end(), [](const auto& r) { return r.points.empty(); });
  if (!uncounted.empty() && nothing)
    throw FileError(fmt::format("{}: only times of {}; add the file with its FLOPs and bytes (nvprof --csv --metrics)",
                                files.front(), fmt::join(uncounted, ", ")));
  if (!uncounted.empty())
    warnings.push_back(
        fmt::format("{}: nothing but times of {}, which are left out", files.front(), fmt::join(uncounted, ", ")));
}

}  // namespace roofline::cli

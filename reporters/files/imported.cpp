#include "reporters/files/imported.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "bench/model/statistics.hpp"
#include "bench/text/format.hpp"
#include "bench/text/imports/foreign_table.hpp"
#include "reporters/files/roof_names.hpp"

namespace roofline {
namespace {

/// Keys of KernelPoint's details, with a level behind them.
constexpr const char *read_rate = "bytes_per_second_read_", *write_rate = "bytes_per_second_written_";

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

Ceiling imported(const std::string& label, double rate, const std::string& origin) {
  Ceiling ceiling;
  ceiling.label = label;
  ceiling.rate = ceiling.rate_low = ceiling.rate_high = rate;
  ceiling.variant = "imported from " + origin;
  return ceiling;
}

}  // namespace

Ceiling imported_bandwidth(MemoryLevel level, const std::string& label, double rate, const std::string& origin) {
  auto ceiling = imported(label, rate, origin);
  ceiling.kind = Ceiling::Kind::bandwidth;
  ceiling.level = level;
  ceiling.mix = Mix::read;
  ceiling.name = "ceiling/bandwidth/" + std::string(name(level)) + "/imported/" + label;
  return ceiling;
}

Ceiling imported_compute(const std::string& label, double rate, const std::string& origin) {
  auto ceiling = imported(label, rate, origin);
  const auto text = plain_word(label);
  const auto means = roof_named(label);
  ceiling.precision = means.precision.empty() ? "fp64" : means.precision;
  if (means.on_matrices) ceiling.isa = "tensor";
  if (contains(text, "no-fma") || contains(text, "nofma") || contains(text, "no fma") || contains(text, "w/o fma"))
    ceiling.operation = Operation::nofma;
  else if (contains(text, "add"))
    ceiling.operation = Operation::add;
  else if (contains(text, "mul"))
    ceiling.operation = Operation::mul;
  else if (contains(text, "div"))
    ceiling.operation = Operation::div;
  ceiling.name =
      "ceiling/flops/" + ceiling.precision + "/" + std::string(name(ceiling.operation)) + "/imported/" + label;
  return ceiling;
}

void bytes_from_rates(KernelPoint& point) {
  auto& details = point.counts.details;
  for (const auto level : all_memory_levels) {
    const auto read = details.find(read_rate + std::string(name(level))),
               written = details.find(write_rate + std::string(name(level)));
    if (read == details.end() || written == details.end() || !(point.time.median > 0)) continue;
    auto& bytes = point.counts.at(level);
    if (!bytes) bytes = Traffic{read->second * point.time.median, written->second * point.time.median};
    details.erase(read), details.erase(written);
  }
}

namespace {

/// Bytes at the farthest level that is known; 0: none is.
double farthest(const ImportedKernel& kernel) {
  for (auto level = memory_levels.rbegin(); level != memory_levels.rend(); ++level)
    if (const auto found = kernel.bytes.find(*level); found != kernel.bytes.end()) return found->second.total();
  return 0;
}

double flops_of(const ImportedKernel& kernel) {
  double flops = 0;
  for (const auto& [precision, count] : kernel.flops) flops += count.total;
  return flops;
}

}  // namespace

Operations ImportedFlops::kinds_of(double add, double mul, double fma) {
  const auto whole = [](double n) { return static_cast<std::uint64_t>(std::llround(std::min(n, 1e18))); };
  return {.add = whole(add), .mul = whole(mul), .fma = whole(fma)};
}

KernelPoint point_of(const ImportedKernel& kernel) {
  KernelPoint point;
  point.name = kernel.name;
  point.family = kernel.name.substr(0, kernel.name.find('/'));
  point.threads = kernel.threads;
  const double flops = flops_of(kernel);
  auto& counts = point.counts;
  counts.precision = "unknown";
  for (const auto& [precision, count] : kernel.flops) {
    if (!precision.empty() && count.total > 0 && count.total >= 0.99 * flops) counts.precision = precision;
    if (count.kinds) counts.operations += *count.kinds;
    counts.kinds_known = counts.kinds_known && (count.kinds || count.total == 0);
  }
  counts.kinds_known = counts.kinds_known && !kernel.flops.empty();
  if (!counts.kinds_known) {  // compared with the highest ceiling, that of FMA
    const auto whole = static_cast<std::uint64_t>(std::llround(std::min(flops, 9e18)));
    counts.operations = {.add = whole % 2, .fma = whole / 2};
  }
  counts.account = FlopAccount::counted;
  point.declared_flops = counts.operations.flops();
  counts.operations_source = counts.traffic_source = Source::imported;
  counts.traffic_note = kernel.note;
  for (const auto& [level, traffic] : kernel.bytes) counts.at(level) = traffic;
  point.time = {};
  point.rate_only = kernel.rate_only;
  if (kernel.rate_only) point.time = {1, 1, 1};
  if (!kernel.seconds.empty()) {
    point.time = median_interval(kernel.seconds);
    for (const double seconds : kernel.seconds)
      point.samples.push_back({.round = static_cast<int>(point.samples.size()), .seconds = seconds});
  }
  for (const auto& [level, rate] : kernel.rates) {
    counts.details[read_rate + std::string(name(level))] = rate.read;
    counts.details[write_rate + std::string(name(level))] = rate.written;
  }
  bytes_from_rates(point);
  return point;
}

std::string without_bytes_line(const std::string& origin, const std::vector<std::string>& kernels,
                               const std::string& needed) {
  return fmt::format("{}: {}: bytes of no level are known, so there is no bound and no share{}", origin,
                     fmt::join(kernels, ", "), needed.empty() ? "" : ": needed: " + needed);
}

std::vector<KernelPoint> points_of(const std::vector<ImportedKernel>& launches, const std::string& origin,
                                   std::vector<std::string>& warnings, const std::string& needed) {
  std::vector<std::vector<const ImportedKernel*>> groups;
  std::set<std::string> devices, without_bytes, without_memory, of_several_processes;
  std::vector<std::string> unlike, unlike_bytes;
  for (const auto& launch : launches) {
    if (!launch.device.empty()) devices.insert(launch.device);
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
      const auto& first = *group.front();
      return first.name == launch.name && first.shape == launch.shape && first.device == launch.device &&
             std::abs(flops_of(first) - flops_of(launch)) <= 0.01 * flops_of(first);
    });
    if (same == groups.end())
      groups.push_back({&launch});
    else
      same->push_back(&launch);
  }
  const auto median_of = [](const auto& group, auto value) {
    std::vector<double> values;
    for (const auto* const launch : group)
      if (const auto one = value(*launch)) values.push_back(*one);
    return values.size() == group.size() ? std::optional(median(values)) : std::nullopt;
  };
  std::vector<KernelPoint> points;
  std::map<std::string, int> names;
  for (const auto& group : groups) {
    auto kernel = *group.front();
    kernel.seconds.clear();
    for (const auto* const launch : group)
      kernel.seconds.insert(kernel.seconds.end(), launch->seconds.begin(), launch->seconds.end());
    auto by_flops = group;
    const auto middle = by_flops.begin() + static_cast<std::ptrdiff_t>((group.size() - 1) / 2);
    std::nth_element(by_flops.begin(), middle, by_flops.end(),
                     [](const auto* a, const auto* b) { return flops_of(*a) < flops_of(*b); });
    kernel.flops = (*middle)->flops;
    for (const auto level : all_memory_levels) {
      const auto part = [&](double Traffic::*way) {
        return median_of(group, [&](const auto& launch) {
          const auto found = launch.bytes.find(level);
          return found == launch.bytes.end() ? std::nullopt : std::optional(found->second.*way);
        });
      };
      const auto read = part(&Traffic::read), written = part(&Traffic::written);
      if (read && written)
        kernel.bytes[level] = Traffic{*read, *written};
      else
        kernel.bytes.erase(level);
    }
    const auto [least, most] = std::minmax_element(
        group.begin(), group.end(), [](const auto* a, const auto* b) { return farthest(*a) < farthest(*b); });
    if (kernel.flops.empty() && !kernel.bytes.empty())
      warnings.push_back(fmt::format("{}: {}: its FLOPs were not counted", origin, kernel.name));
    if (devices.size() > 1 && !kernel.device.empty()) kernel.name += " on " + kernel.device;
    if (const int same = ++names[kernel.name]; same > 1) kernel.name += fmt::format(" #{}", same);
    if (flops_of(kernel) > 0 && kernel.bytes.empty() && kernel.rates.empty()) without_bytes.insert(kernel.name);
    if (std::any_of(group.begin(), group.end(), [&](const auto* launch) { return launch->process != kernel.process; }))
      of_several_processes.insert(kernel.name);
    if (!kernel.bytes.empty() && kernel.note.empty() && !kernel.bytes.contains(MemoryLevel::DRAM) &&
        !kernel.rates.contains(MemoryLevel::DRAM))
      without_memory.insert(kernel.name);
    constexpr double alike = 2;
    if (farthest(**least) > 0 && farthest(**most) > alike * farthest(**least))
      unlike_bytes.push_back(
          fmt::format("{} ({:.3g} to {:.3g} MB)", kernel.name, 1e-6 * farthest(**least), 1e-6 * farthest(**most)));
    const auto [shortest, longest] = std::minmax_element(kernel.seconds.begin(), kernel.seconds.end());
    if (!kernel.seconds.empty() && *longest > alike * *shortest)
      unlike.push_back(fmt::format("{} ({} to {})", kernel.name, duration(*shortest), duration(*longest)));
    points.push_back(point_of(kernel));
  }
  if (!unlike.empty())
    warnings.push_back(
        fmt::format("{}: {}: times of launches differ that much; their median is taken. Check whether they ran on "
                    "several devices, or next to other work",
                    origin, fmt::join(unlike, ", ")));
  if (!unlike_bytes.empty())
    warnings.push_back(fmt::format("{}: {}: bytes of launches differ that much; their median is taken", origin,
                                   fmt::join(unlike_bytes, ", ")));
  if (!without_memory.empty())
    warnings.push_back(fmt::format("{}: {}: bytes of DRAM are not known: judged by nearer levels alone", origin,
                                   fmt::join(without_memory, ", ")));
  if (!without_bytes.empty())
    warnings.push_back(without_bytes_line(origin, {without_bytes.begin(), without_bytes.end()}, needed));
  if (!of_several_processes.empty())
    warnings.push_back(fmt::format("{}: {}: launches of several processes or runs are taken for samples of one kernel",
                                   origin, fmt::join(of_several_processes, ", ")));
  return points;
}

KernelPoint imported_point(const std::string& name, double flop_rate, const std::map<MemoryLevel, double>& intensity,
                           const std::string& precision) {
  ImportedKernel kernel{.name = name, .flops = {{precision, flop_rate}}, .threads = 1, .rate_only = true};
  for (const auto& [level, value] : intensity)
    kernel.bytes[level] = Traffic{static_cast<double>(std::llround(std::min(flop_rate, 9e18))) / value, 0};
  return point_of(kernel);
}

}  // namespace roofline

#include "reporters/portability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "bench/model/roofline.hpp"
#include "bench/text/csv.hpp"
#include "bench/text/output.hpp"

namespace roofline {
namespace {

/// Every kernel that one of the platforms has, in the order in which they appear.
std::vector<std::string> all_kernels(const std::vector<PlatformResult>& platforms) {
  std::vector<std::string> kernels;
  for (const auto& platform : platforms)
    for (const auto& kernel : platform.kernels)
      if (std::find(kernels.begin(), kernels.end(), kernel) == kernels.end()) kernels.push_back(kernel);
  return kernels;
}

double efficiency(const PlatformResult& platform, const std::string& kernel) {
  const auto found = platform.efficiency.find(kernel);
  return found == platform.efficiency.end() ? 0 : found->second;
}

/// A fraction, or percent with the sign.
std::optional<double> fraction(std::string text) {
  const bool percent = !text.empty() && text.back() == '%';
  if (percent) text.pop_back();
  while (!text.empty() && text.back() == ' ') text.pop_back();
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value) || value < 0 || value > 1e6)
    return std::nullopt;
  return percent ? value / 100 : value;
}

}  // namespace

std::vector<KernelEfficiencies> by_kernel(const std::vector<PlatformResult>& platforms) {
  std::vector<KernelEfficiencies> kernels;
  for (const auto& kernel : all_kernels(platforms)) {
    kernels.push_back({kernel, {}});
    for (const auto& platform : platforms) kernels.back().efficiencies.push_back(efficiency(platform, kernel));
  }
  return kernels;
}

PlatformResult platform_of(const std::string& name, const Results& results, bool mix) {
  PlatformResult platform{name, {}, {}};
  for (const auto& point : results.points) {
    const auto& judged = mix ? point.assessment.mix : point.assessment.roof;
    platform.kernels.push_back(point.name);
    if (judged) platform.efficiency[point.name] = judged->efficiency;
  }
  return platform;
}

std::vector<PlatformResult> parse_efficiencies(const std::string& text, const std::string& origin) {
  const auto csv = parse_csv(text);
  const auto wrong = [&](int line, const std::string& what) {
    return FileError(fmt::format("{}:{}: {}", origin, line, what));
  };
  if (!csv.complete) throw wrong(1, "a quoted field is not closed: cut short?");
  if (csv.records.empty() || csv.records[0].fields != std::vector<std::string>{"kernel", "platform", "efficiency"})
    throw wrong(1, "the header kernel,platform,efficiency is expected");
  std::vector<PlatformResult> platforms;
  for (std::size_t i = 1; i < csv.records.size(); ++i) {
    const auto& [fields, line] = csv.records[i];
    if (fields.size() != 3) throw wrong(line, "three fields are expected");
    const auto value = fraction(fields[2]);
    if (!value)
      throw wrong(line, fmt::format("efficiency: '{}' is no fraction and no percentage", fields[2].substr(0, 40)));
    auto platform =
        std::find_if(platforms.begin(), platforms.end(), [&](const auto& p) { return p.name == fields[1]; });
    if (platform == platforms.end()) platform = platforms.insert(platforms.end(), PlatformResult{fields[1], {}, {}});
    if (!platform->efficiency.emplace(fields[0], *value).second)
      throw wrong(line, fmt::format("{} on {} occurs twice", fields[0], fields[1]));
    platform->kernels.push_back(fields[0]);
  }
  return platforms;
}

Table portability_table(const std::vector<PlatformResult>& platforms) {
  Table table{"Performance portability", {{"kernel", false}}, {}, {}};
  for (const auto& platform : platforms) table.columns.push_back({platform.name});
  table.columns.push_back({"Phi"});
  for (const auto& kernel : all_kernels(platforms)) {
    std::vector<std::string> cells{kernel};
    std::vector<double> values;
    for (const auto& platform : platforms) {
      values.push_back(efficiency(platform, kernel));
      cells.push_back(values.back() > 0 ? fmt::format("{:.2f}", 100 * values.back()) : "-");
    }
    cells.push_back(fmt::format("{:.2f}", 100 * performance_portability(values)));
    table.rows.push_back({std::move(cells)});
  }
  if (!table.rows.empty())
    table.notes.push_back(
        "percent of the roof of each platform, never clamped; Phi: their harmonic mean, 0 where a platform has no "
        "result. Efficiency can rise while speed falls: read both");
  return table;
}

std::string p3_csv(const std::vector<PlatformResult>& platforms) {
  std::string text = "problem,platform,application,arch eff,arch eff raw,clipped\n";
  for (const auto& kernel : all_kernels(platforms))
    for (const auto& platform : platforms)
      if (const double e = efficiency(platform, kernel); e > 0)
        text += fmt::format("{},{},roofline_bench,{},{},{}\n", csv_field(kernel), csv_field(platform.name),
                            std::min(e, 1.0), e, e > 1 ? 1 : 0);
  return text;
}

std::string cascade_csv(const std::vector<PlatformResult>& platforms) {
  std::string text = "kernel,platforms,platform,efficiency,portability\n";
  for (const auto& kernel : all_kernels(platforms)) {
    std::vector<std::pair<double, std::string>> order;
    for (const auto& platform : platforms) order.emplace_back(efficiency(platform, kernel), platform.name);
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<double> so_far;
    for (const auto& [e, name] : order) {
      so_far.push_back(e);
      text += fmt::format("{},{},{},{},{}\n", csv_field(kernel), so_far.size(), csv_field(name), e,
                          performance_portability(so_far));
    }
  }
  return text;
}

}  // namespace roofline

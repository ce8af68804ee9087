#include <fmt/format.h>

#include <algorithm>

#include "bench/machine/gpu_facts.hpp"
#include "bench/model/assessment.hpp"
#include "bench/text/format.hpp"
#include "reporters/plots/plots.hpp"
#include "reporters/view/explain.hpp"
#include "reporters/view/roof_lines.hpp"

namespace roofline {
namespace {

/// The basis of the numbers.
std::vector<std::string> caption(const Results& results) {
  std::vector<std::string> lines;
  if (auto precision = precision_text(results); !precision.empty()) lines.push_back(std::move(precision));
  if (auto memory = moved_roofs_text(results); !memory.empty()) lines.push_back(std::move(memory));
  for (auto& line : source_lines(results)) lines.push_back(std::move(line));
  const auto& points = results.points;
  if (results.model)
    lines.push_back(fmt::format(
        "Points: no time was measured; each lies at the least time that its slowest resource allows (the middle of "
        "the model's intervals, bars: their ends). Model {}, hash {}.",
        results.model->device, results.model->hash));
  else if (results.runs > 1)
    lines.push_back(fmt::format(
        "Points and roofs: medians of {} runs; bars: from their 5th to their 95th percentile. Shares are of "
        "the median roofs.",
        results.runs));
  else if (!points.empty() && std::all_of(points.begin(), points.end(), [](const auto& p) { return p.rate_only; }))
    lines.push_back(
        "Points: rates of a file without times. %: of min(compute ceiling, AI x best bandwidth of each level), never "
        "clamped.");
  else if (!points.empty())
    lines.push_back(
        "Points: median time of a launch; bars: its range over the rounds, if it is larger than the marker. %: of "
        "min(compute ceiling of the build, AI x best bandwidth of each level). Above 100 %: so is the whole range.");
  if (std::any_of(points.begin(), points.end(), contradicts)) lines.push_back(std::string("! ") + above_roof_causes);
  if (std::any_of(points.begin(), points.end(), [](const auto& p) { return p.counts.operations.flops() == 0; }))
    lines.push_back("Kernels without FLOPs have no place on these axes; the table gives their GB/s.");
  if (results.roofline.empty()) lines.push_back("No ceilings were measured: points only.");
  return lines;
}

}  // namespace

std::string plot_title(const Results& results) {
  if (results.model)
    return fmt::format("Modelled roofline of {}: bounds, not measurements{}", results.model->description,
                       results.interrupted ? " (interrupted run, incomplete)" : "");
  const char* const incomplete = results.interrupted ? " (interrupted run, incomplete)" : "";
  if (results.gpu) return fmt::format("Roofline of {}{}", results.gpu->name, incomplete);
  const bool ask_points = results.roofline.empty() && !results.points.empty();
  const int threads = ask_points ? results.points.front().threads : results.roofline.threads();
  return fmt::format("Roofline of {}{}, {}{}", results.runs > 1 ? fmt::format("{} runs on ", results.runs) : "",
                     results.machine.name.empty() ? "an unknown machine" : results.machine.name, threads_text(threads),
                     incomplete);
}

std::string plot_subtitle(const Results& results) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() || part.empty() ? "" : ", ") + part; };
  add(results.date);
  // The title says which GPU it is; the processor that started its kernels is not what is plotted.
  if (!results.gpu) add(results.machine.isa);
  const double clock = results.gpu ? results.gpu->clock_hz : results.machine.clock_hz;
  if (clock > 0) add((results.gpu ? "up to " : "") + significant(giga(clock)) + " GHz");
  if (results.ceilings_origin.kind != CeilingsOrigin::Kind::none) add("ceilings " + results.ceilings_origin.text);
  return text;
}

PlotWords plot_words(const Results& results) {
  PlotWords words{plot_title(results), plot_subtitle(results), caption(results)};
  words.units.memory = memory_name(results);
  return words;
}

}  // namespace roofline

#include <fmt/format.h>

#include "bench/text/format.hpp"
#include "reporters/plots/plots.hpp"

namespace roofline {

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

}  // namespace roofline

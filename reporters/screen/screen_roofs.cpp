#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "bench/text/format.hpp"
#include "reporters/screen/screen.hpp"
#include "reporters/view/roof_lines.hpp"

namespace roofline {
namespace {

std::string program(const Results& results) {
  const auto first = results.command_line.substr(0, results.command_line.find(' '));
  const auto name = std::filesystem::path(first).filename().string();
  return (name.empty() ? std::string("roofline") : name) + " " ROOFLINE_VERSION;
}
/// A processor's name without what is no name.
std::string plain(std::string processor) {
  for (const std::string_view part : {"(R)", "(TM)", " Processor", " CPU"})
    for (auto at = processor.find(part); at != processor.npos; at = processor.find(part))
      processor.erase(at, part.size());
  return processor;
}

std::string machine_line(const Results& results) {
  if (results.model) return results.model->description + ": modelled, nothing was measured";
  std::vector<std::string> parts;
  const auto gigahertz = [](double hertz) { return fmt::format(" at {:.2f} GHz", giga(hertz)); };
  if (results.gpu) {
    const auto& gpu = *results.gpu;
    parts = {gpu.name, fmt::format("{} SMs{}", gpu.sms, gigahertz(gpu.clock_hz)), binary_size(gpu.memory_bytes)};
    return fmt::format("{}", fmt::join(parts, ", "));
  }
  const auto& machine = results.machine;
  parts.push_back(machine.name.empty() ? "an unknown machine" : plain(machine.name));
  parts.push_back(fmt::format("{} core{}", machine.usable_cores, machine.usable_cores == 1 ? "" : "s"));
  if (!machine.isa.empty())
    parts.push_back(in_capitals(machine.isa) + (machine.clock_hz > 0 ? gigahertz(machine.clock_hz) : ""));
  if (machine.memory_bytes > 0) parts.push_back(fmt::format("{:.3g} GiB", machine.memory_bytes / 0x1p30));
  return fmt::format("{}{}", fmt::join(parts, ", "), results.device_note.empty() ? "" : "; no GPU");
}

/// "L1 48 KiB, L2 1 MiB a core; L3 32 MiB for 2 cores".
std::string caches_line(const Machine& machine) {
  std::string text;
  unsigned shared_by = 0;
  const auto close = [&] {
    if (shared_by == 1) text += " a core";
    if (shared_by > 1) text += fmt::format(" for {} cores", shared_by);
  };
  for (const auto& cache : machine.caches) {
    if (shared_by != 0 && cache.shared_by != shared_by)
      close(), text += "; ";
    else if (shared_by != 0)
      text += ", ";
    shared_by = std::max(1U, cache.shared_by);
    text += fmt::format("{} {}", name(cache.level), binary_size(static_cast<double>(cache.size)));
  }
  close();
  return text;
}

/// A line of named values, as many as fit.
std::string named(const std::string& head, const std::vector<std::string>& items, std::size_t width) {
  auto text = fmt::format("  {:<7}", head);
  for (const auto& item : items)
    if (text.size() + 3 + item.size() <= width) text += "   " + item;
  return text;
}

std::vector<std::string> compute_items(const Roofline& roofline) {
  std::vector<std::string> items;
  const auto add = [&](const std::string& label, const Ceiling* ceiling) {
    if (ceiling) items.push_back(label + " " + significant(giga(ceiling->rate)));
  };
  add("FP64 FMA", roofline.compute(Operation::fma));
  for (const auto& [label, operation] :
       {std::pair{"no FMA", Operation::nofma}, {"add", Operation::add}, {"div", Operation::div}})
    add(label, roofline.compute(operation));
  std::set<std::string> seen{"FP64 FMA"};
  for (const auto& ceiling : roofline.ceilings()) {
    if (ceiling.kind != Ceiling::Kind::compute || ceiling.operation != Operation::fma) continue;
    const bool tensor = ceiling.on_matrices();
    const auto label = in_capitals(ceiling.precision) + (tensor ? " tensor" : " FMA");
    if (!seen.insert(label).second) continue;
    add(label, tensor ? roofline.tensor(ceiling.precision) : roofline.compute(Operation::fma, ceiling.precision));
  }
  return items;
}

}  // namespace

std::vector<std::string> head_lines(const Results& results) {
  std::vector<std::string> lines{fmt::format("{:<21}{}", program(results), machine_line(results))};
  if (lines.front()[20] != ' ') lines.front() = program(results) + "  " + machine_line(results);
  if (!results.model && !results.gpu && !results.machine.caches.empty())
    lines.push_back(fmt::format("{:<21}{}", "caches", caches_line(results.machine)));
  if (results.place && !results.place->launcher.empty())
    lines.push_back(fmt::format("{:<21}{}, node {}", "launcher:", launcher_line(*results.place), results.place->node));
  return lines;
}

std::vector<std::string> roof_text(const Results& results, std::size_t width) {
  const auto& roofline = results.roofline;
  if (roofline.empty()) return {};
  const bool on_gpu = results.gpu || (results.model && results.model->gpu);
  auto title = on_gpu ? std::string("Roofs") : fmt::format("Roofs of {}", threads_text(roofline.threads()));
  if (results.ceilings_origin.kind != CeilingsOrigin::Kind::measured) title += ": " + results.ceilings_origin.text;
  auto compute = compute_items(roofline);
  if (const auto* const fma = roofline.compute(Operation::fma);
      fma && fma->theory && results.ceilings_origin.of_this_device())
    compute.push_back(fmt::format("(FMA: {:.0f} % of theory)", 100 * fma->rate / *fma->theory));
  std::vector<std::string> bandwidths, ridges;
  for (const auto level : all_memory_levels) {
    const auto* const ceiling = roofline.bandwidth(level);
    if (!ceiling) continue;
    bandwidths.push_back(fmt::format("{} {} ({})", name(level), significant(giga(ceiling->rate)), name(ceiling->mix)));
    if (const auto ridge = roofline.ridge(level))
      ridges.push_back(fmt::format("{} {}", name(level), significant(*ridge, 2)));
  }
  std::vector<std::string> lines{title};
  if (!compute.empty()) lines.push_back(named("GFLOP/s", compute, width));
  if (!bandwidths.empty()) lines.push_back(named("GB/s", bandwidths, width));
  if (!ridges.empty()) ridges.back() += " FLOP/B", lines.push_back(named("ridge", ridges, width));
  return lines;
}

}  // namespace roofline

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "bench/model/assessment.hpp"
#include "bench/text/clean.hpp"
#include "bench/text/format.hpp"
#include "reporters/screen/screen.hpp"
#include "reporters/view/explain.hpp"
#include "reporters/view/point_names.hpp"
#include "reporters/view/roof_lines.hpp"

namespace roofline {
namespace {

std::string program(const Results& results) {
  const auto first = results.command_line.substr(0, results.command_line.find(' '));
  const auto name = std::filesystem::path(first).filename().string();
  return (name.empty() ? std::string("roofline") : name) + " " ROOFLINE_VERSION;
}
/// A processor's name without its decorations.
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

/// Adds a line of named values, and more where one is too narrow: no roof is left out.
void add_named(std::vector<std::string>& lines, const std::string& head, const std::vector<std::string>& items,
               std::size_t width) {
  if (items.empty()) return;
  lines.push_back(fmt::format("  {:<7}", head));
  for (const auto& item : items) {
    if (lines.back().size() + 3 + item.size() > width) lines.push_back(std::string(9, ' '));
    lines.back() += "   " + item;
  }
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
    const auto label =
        ceiling.precision == "unknown" ? ceiling.label : in_capitals(ceiling.precision) + (tensor ? " tensor" : " FMA");
    if (!seen.insert(label).second) continue;
    add(label, tensor ? roofline.tensor(ceiling.precision) : roofline.compute(Operation::fma, ceiling.precision));
  }
  return items;
}

constexpr std::size_t widest_name = 34, longest_bar = 10;

/// lbm/collide/v5: versions of a kernel do the same job, some with several times the FLOPs.
bool is_version(const KernelPoint& point) {
  const auto at = point.name.find("/v");
  return at != std::string::npos && at + 2 < point.name.size() && point.name[at + 2] >= '0' &&
         point.name[at + 2] <= '9';
}

bool is_faster(const KernelPoint& a, const KernelPoint& b) {
  if (!(is_version(a) && is_version(b)) && a.flop_rate() != b.flop_rate()) return a.flop_rate() > b.flop_rate();
  return a.time.median < b.time.median;
}

/// The fastest of the points that `key` calls alike.
template <class Key>
std::vector<const KernelPoint*> fastest_of_each(const std::vector<KernelPoint>& points, Key key) {
  std::vector<const KernelPoint*> chosen;
  for (const auto& point : points) {
    const auto same =
        std::find_if(chosen.begin(), chosen.end(), [&](const auto* other) { return key(*other) == key(point); });
    if (same == chosen.end())
      chosen.push_back(&point);
    else if (is_faster(point, **same))
      *same = &point;
  }
  return chosen;
}

/// Which row to leave out where there is no room: the last one of the family that has most.
std::ptrdiff_t last_of_largest_family(const std::vector<const KernelPoint*>& rows) {
  std::map<std::string, std::pair<std::ptrdiff_t, std::ptrdiff_t>> families;  // rows, the last of them
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto& [count, last] = families[rows[i]->family];
    ++count, last = static_cast<std::ptrdiff_t>(i);
  }
  return std::max_element(families.begin(), families.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->second.second;
}

/// "##########", in eighths of a cell where there are such characters.
std::string bar(double share, std::size_t bar_cells, Characters characters) {
  constexpr std::array eighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double length = std::clamp(share, 0.0, 1.0) * static_cast<double>(bar_cells);
  if (characters == Characters::ascii) {
    const auto full = static_cast<std::size_t>(std::lround(length));
    return std::string(full, '#') + std::string(bar_cells - full, '.');
  }
  const auto steps = static_cast<std::size_t>(std::lround(8 * length));
  std::string text;
  for (std::size_t i = 0; i < steps / 8; ++i) text += "█";
  return text + eighths.at(steps % 8);
}

std::string share_text(const KernelPoint& point, std::size_t room, Characters characters, const Paint& paint) {
  const auto& roof = point.assessment.roof;
  if (!roof) return std::string(absent);
  const double share = roof->efficiency;
  const auto interval = roof->range ? interval_text(roof) : std::string();
  // Too few rounds for an interval: the digits are not certain.
  const auto* const about = !roof->range && point.rounds() > 0 ? "~" : "";
  const auto text = fmt::format("{:>3} %  {:<7}  ", fmt::format("{}{:.0f}", about, 100 * share), interval);
  const std::string above = "! above roof";
  if (contradicts(point)) return text + paint.bad(text.size() + above.size() <= room ? above : "!");
  const auto drawn = bar(share, std::min(longest_bar, room - std::min(room, text.size())), characters);
  return text + (share >= 0.8 ? paint.good(drawn) : share >= 0.5 ? paint.fair(drawn) : paint.bad(drawn));
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
  if (results.machine.virtual_machine && results.core_distance > 0)
    title += fmt::format(", a cache line takes {:.0f} ns from core to core", 1e9 * results.core_distance);
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
  if (!ridges.empty()) ridges.back() += " FLOP/B";
  add_named(lines, "GFLOP/s", compute, width);
  add_named(lines, "GB/s", bandwidths, width);
  add_named(lines, "ridge", ridges, width);
  return lines;
}

std::vector<const KernelPoint*> chosen_rows(const Results& results, std::size_t room) {
  const auto by_name = [](const KernelPoint& point) { return point.name; };
  const auto by_kernel = [](const KernelPoint& point) { return kernel_of(point.name); };
  auto rows = fastest_of_each(results.points, by_name);
  if (rows.size() > room) rows = fastest_of_each(results.points, by_kernel);
  while (rows.size() > room) rows.erase(rows.begin() + last_of_largest_family(rows));
  return rows;
}

std::vector<std::string> rows_text(const Results& results, const std::vector<const KernelPoint*>& rows,
                                   Characters characters, const Paint& paint, std::size_t width) {
  if (rows.empty()) return {};
  const bool bounds = results.model.has_value();
  const bool judged = std::any_of(rows.begin(), rows.end(), [](const auto* p) { return p->assessment.roof; });
  std::size_t names = 22, bound_width = 8;
  std::vector<std::string> labels, bound_names;
  for (const auto* const point : rows) {
    const auto bound = point->bound_by ? name(*point->bound_by) : what_bounds(point->assessment);
    bound_names.push_back(bound.empty() ? std::string(absent) : bound);
    bound_width = std::max(bound_width, bound_names.back().size());
  }
  std::size_t longest = widest_name;
  if (width < screen_width) {  // names give way to numbers, and bars to both
    constexpr std::size_t numbers = 39, share = 14, least = 12;
    const auto others = numbers + bound_width + share;
    longest = std::clamp(width - std::min(width, others), least, widest_name), names = std::min(names, longest);
  }
  for (const auto* const point : rows)
    labels.push_back(shortened(printable(point->name), longest)), names = std::max(names, labels.back().size());
  const auto line = [&](const std::string& name, const std::string& time, const std::string& flops,
                        const std::string& bytes, const std::string& intensity, const std::string& bound) {
    return fmt::format("{:<{}}{:>9}{:>11}{:>7}{:>8}  {:<{}}  ", name, names, time, flops, bytes, intensity, bound,
                       bound_width);
  };
  const auto heading =
      line("Kernel", bounds ? "time >=" : "time", bounds ? "GFLOP/s <=" : "GFLOP/s", "GB/s", "FLOP/B", "bound by") +
      (judged ? (width < screen_width ? "share" : "share of the roof") : "");
  std::vector<std::string> lines{paint.bold(heading)};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& point = *rows[i];
    const auto level = reported_level(point, point.assessment);
    const auto bytes = level ? bandwidth(point, *level) : std::nullopt;
    const bool flops = point.counts.operations.flops() > 0;
    const auto cells =
        line(labels[i], duration(point.is_bound() ? point.time.median : point.known_seconds()),
             flops ? significant(giga(point.flop_rate())) : std::string(absent),
             bytes ? significant(giga(*bytes)) : std::string(absent),
             flops && level ? significant(point.counts.intensity(*level)) : std::string(absent), bound_names[i]);
    lines.push_back(cells +
                    (judged ? share_text(point, width - std::min(width, cells.size()), characters, paint) : ""));
  }
  for (auto& text : lines) text.erase(text.find_last_not_of(' ') + 1);
  return lines;
}

}  // namespace roofline

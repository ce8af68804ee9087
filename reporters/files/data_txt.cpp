#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>

#include "bench/model/assessment.hpp"
#include "bench/result/reports.hpp"
#include "bench/result/results.hpp"
#include "bench/text/clean.hpp"
#include "bench/text/imports/foreign_table.hpp"
#include "reporters/files/data_txt_lines.hpp"
#include "reporters/files/files.hpp"
#include "reporters/files/imported.hpp"
#include "reporters/files/roof_names.hpp"
#include "reporters/view/roof_lines.hpp"

namespace roofline {
namespace {

/// Roofs with their names; a name for each, made from the rank where the file has none.
std::vector<std::pair<std::string, double>> roofs(const DataTxtLines& file, const char* key, const char* names_key) {
  const auto rates = file.numbers(key);
  auto names = file.names(names_key);
  if (!names.empty() && names.size() != rates.size())
    file.fail(file.line_of(names_key), fmt::format("{} names for {} roofs ({})", names.size(), rates.size(), key));
  std::vector<std::pair<std::string, double>> all;
  for (std::size_t i = 0; i < rates.size(); ++i)
    all.emplace_back(i < names.size() ? names[i] : fmt::format("{} {}", key, i + 1), rates[i]);
  return all;
}

/// One point has an intensity for each memory roof: the hierarchical example of the NERSC talk.
bool is_hierarchical(const DataTxtLines& file, std::size_t rates, std::size_t memory_roofs) {
  return rates == 1 && memory_roofs > 1 && file.numbers_or_gaps("AI").size() == memory_roofs;
}

/// Roofs called theoretical become the theory of the empirical ones beside them; without such they stay roofs.
void join_theory(std::vector<Ceiling>& ceilings) {
  const auto is_theory = [](const Ceiling& c) { return plain_word(c.label).find("theor") != std::string::npos; };
  const auto best_of = [&](const Ceiling& theory) {
    Ceiling* best = nullptr;
    for (auto& c : ceilings)
      if (!is_theory(c) && c.kind == theory.kind && c.operation == theory.operation && c.level == theory.level &&
          c.precision == theory.precision && (!best || c.rate > best->rate))
        best = &c;
    return best;
  };
  std::erase_if(ceilings, [&](const Ceiling& c) {
    auto* const empirical = is_theory(c) ? best_of(c) : nullptr;
    if (empirical) empirical->theory = c.rate;
    return empirical != nullptr;
  });
}

/// Intensities by level, from the keys AI_<name of a roof> or AI: one per roof if there is only one rate (the
/// hierarchical example of the NERSC talk), else one per rate, at DRAM or else the last roof.
std::vector<std::map<MemoryLevel, double>> intensities(const DataTxtLines& file, std::size_t rates,
                                                       const std::vector<MemoryLevel>& levels,
                                                       std::vector<std::string>& warnings) {
  std::vector<std::map<MemoryLevel, double>> points(rates);
  const auto fill = [&](const std::string& key, MemoryLevel level) {
    const auto values = file.numbers_or_gaps(key);
    if (values.size() != rates)
      file.fail(file.line_of(key), fmt::format("{}: {} intensities for {} rates", key, values.size(), rates));
    for (std::size_t i = 0; i < rates; ++i)
      if (values[i]) points[i][level] = *values[i];
  };
  bool by_level = false;
  if (file.has("AI_HBM") && file.has("AI_DRAM")) file.fail(file.line_of("AI_DRAM"), "AI_HBM and AI_DRAM are one level");
  for (const auto& [name, level] : std::map<std::string, MemoryLevel>{{"L1", MemoryLevel::L1},
                                                                      {"L2", MemoryLevel::L2},
                                                                      {"L3", MemoryLevel::L3},
                                                                      {"HBM", MemoryLevel::DRAM},
                                                                      {"DRAM", MemoryLevel::DRAM}})
    if (file.has("AI_" + name)) fill("AI_" + name, level), by_level = true;
  if (!file.has("AI")) return points;
  const auto flat = file.numbers("AI");
  if (by_level) {
    constexpr double rounding = 0.01;
    bool differs = false;
    for (std::size_t i = 0; i < std::min(rates, flat.size()); ++i)
      differs |= !points[i].empty() && std::abs(flat[i] / points[i].rbegin()->second - 1) > rounding;
    if (differs) warnings.push_back(file.said_at("AI", "is not that of the farthest level, whose own line is taken"));
    return points;
  }
  if (is_hierarchical(file, rates, levels.size()))
    for (std::size_t l = 0; l < levels.size(); ++l) points[0][levels[l]] = flat[l];
  else
    fill("AI", levels.empty() || std::find(levels.begin(), levels.end(), MemoryLevel::DRAM) != levels.end()
                   ? MemoryLevel::DRAM
                   : levels.back());
  return points;
}

}  // namespace

Results parse_data_txt(const std::string& text, const std::string& origin) {
  const DataTxtLines file(text, origin);
  const auto memory = roofs(file, "memroofs", "mem_roof_names"), compute = roofs(file, "comproofs", "comp_roof_names");
  if (memory.empty() && compute.empty()) file.fail(1, "no memroofs and no comproofs: not a data.txt");
  Results results;
  results.machine.name = origin;
  results.ceilings_origin = {CeilingsOrigin::Kind::described, "imported from " + origin};
  const auto* const key_of_rates = file.has("FLOPS") ? "FLOPS" : "GFLOPs";
  const auto rates = file.numbers(key_of_rates);
  std::vector<std::string> memory_names;
  for (const auto& [name, rate] : memory) memory_names.push_back(name);
  std::vector<MemoryLevel> levels;
  if (is_hierarchical(file, rates.size(), memory.size()))
    for (std::size_t i = 0; i < memory.size(); ++i) levels.push_back(level_named(memory_names[i], i, memory.size()));
  else
    levels = levels_named(memory_names, origin, results.warnings);
  std::vector<Ceiling> ceilings;
  for (std::size_t i = 0; i < memory.size(); ++i)
    ceilings.push_back(imported_bandwidth(levels[i], memory[i].first, 1e9 * memory[i].second, origin));
  for (const auto& [name, rate] : compute) ceilings.push_back(imported_compute(name, 1e9 * rate, origin));
  for (auto& doubt : doubts_of_roofs(ceilings, origin)) results.warnings.push_back(std::move(doubt));
  const auto precision = precision_of_all(ceilings);
  join_theory(ceilings);
  results.roofline = Roofline(std::move(ceilings), 1);

  const auto labels = file.names("labels");
  if (file.has("labels") && labels.size() < rates.size())
    file.fail(file.line_of("labels"), fmt::format("{} labels for {} points", labels.size(), rates.size()));
  if (labels.size() > rates.size())
    results.warnings.push_back(
        fmt::format("{}: {} labels for {} points: the last ones name nothing", origin, labels.size(), rates.size()));
  for (const auto& key : file.others({"memroofs", "mem_roof_names", "comproofs", "comp_roof_names", "AI", "AI_L1",
                                      "AI_L2", "AI_L3", "AI_HBM", "AI_DRAM", "labels", key_of_rates}))
    results.warnings.push_back(file.said_at(key, "left out: no key of data.txt"));
  const auto by_point = intensities(file, rates.size(), levels, results.warnings);
  for (std::size_t i = 0; i < rates.size(); ++i) {
    auto point = imported_point(i < labels.size() ? labels[i] : fmt::format("point {}", i + 1), 1e9 * rates[i],
                                by_point[i], precision);
    // Labels are not our names: the points of one file belong together.
    if (point.name == point.family) point.family = std::filesystem::path(origin).stem().string();
    results.points.push_back(std::move(point));
  }
  if (std::any_of(by_point.begin(), by_point.end(), [](const auto& levels) { return levels.empty(); }))
    results.warnings.push_back(fmt::format(
        "{}: points without an intensity: no bound and no share: needed is AI, or AI_L1, AI_L2, AI_HBM", origin));
  if (rates.empty() && (file.has("AI") || !labels.empty()))
    results.warnings.push_back(fmt::format("{}: no FLOPS and no GFLOPs: its points are left out", origin));
  assess(results);
  return results;
}

namespace {
bool is_imported_roof(const Roofline& roofline, const RoofLine& line) {
  return std::any_of(roofline.ceilings().begin(), roofline.ceilings().end(), [&](const Ceiling& c) {
    return !c.external && !c.label.empty() && c.label == line.name && c.rate == line.rate;
  });
}
}  // namespace

std::string data_txt(const Results& results, DataTxtForm form) {
  std::string memory, memory_names, compute, compute_names;
  const auto name_of = [](std::string name) {
    std::replace(name.begin(), name.end(), '\'', ' ');
    std::replace(name.begin(), name.end(), '\n', ' ');
    return fmt::format(" '{}'", name);
  };
  auto lines = roof_lines(results.roofline);
  for (auto& line : lines)  // other precisions that a file names
    line.thin = line.thin && !is_imported_roof(results.roofline, line);
  std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.rate > b.rate; });
  for (const auto& line : lines) {
    if (line.thin) continue;
    const auto add = [&](const std::string& name, double rate) {
      (line.level ? memory : compute) += fmt::format(" {:.10g}", rate * 1e-9);
      (line.level ? memory_names : compute_names) += name_of(name);
    };
    add(line.name, line.rate);
    if (line.named_by_file && line.theory) add(line.name + ", theoretical", *line.theory);
  }
  std::string text = "# GB/s, GFLOP/s and FLOP/B of " + results.machine.name + ", " + results.date + "\n";
  std::replace(text.begin(), text.end() - 1, '\n', ' ');
  if (!memory.empty()) text += "memroofs" + memory + "\nmem_roof_names" + memory_names + "\n";
  if (!compute.empty()) text += "comproofs" + compute + "\ncomp_roof_names" + compute_names + "\n";
  std::vector<const KernelPoint*> points;
  for (const auto& p : results.points)
    if (p.counts.operations.flops() > 0 && outermost_level(p.counts) && p.time.median > 0) points.push_back(&p);
  if (points.empty()) return text;
  std::string flat, rates, labels;
  for (const auto* const p : points) {
    flat += fmt::format(" {:.10g}", *p->counts.intensity(*outermost_level(p->counts)));
    rates += fmt::format(" {:.10g}", p->flop_rate() * 1e-9);
    labels += name_of(p->name);
  }
  text += "AI" + flat + "\n" + (form == DataTxtForm::scripts ? "FLOPS" : "GFLOPs") + rates + "\n";
  for (const auto level : memory_levels) {
    if (std::none_of(points.begin(), points.end(), [&](const auto* p) { return p->counts.intensity(level); })) continue;
    text += fmt::format("AI_{}", level == MemoryLevel::DRAM ? "HBM" : name(level));
    for (const auto* const p : points) {
      const auto intensity = p->counts.intensity(level);
      text += intensity ? fmt::format(" {:.10g}", *intensity) : fmt::format(" {}", DataTxtLines::missing);
    }
    text += "\n";
  }
  return text + "labels" + labels + "\n";
}

namespace {
const ReportFile data_txt_file("data.txt", [](const Results& results) { return data_txt(results); });
const ConvertFormat to_data("data", "data.txt of the public scripts", [](const Results& r) { return data_txt(r); });
const ConvertFormat to_talk("data-talk", "data.txt of the talks",
                            [](const Results& r) { return data_txt(r, DataTxtForm::talk); });
}  // namespace

}  // namespace roofline

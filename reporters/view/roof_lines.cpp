#include "reporters/view/roof_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "bench/text/format.hpp"

namespace roofline {
namespace {

/// Best FP64 FMA ceiling of all threads for which `chosen` holds.
template <class Chosen>
const Ceiling* best_fma(const Roofline& roofline, Chosen chosen) {
  const Ceiling* best = nullptr;
  for (const auto& c : roofline.ceilings())
    if (c.kind == Ceiling::Kind::compute && c.operation == Operation::fma && c.precision == "fp64" &&
        c.threads == roofline.threads() && chosen(c) && (!best || c.rate > best->rate))
      best = &c;
  return best;
}

void tell_theory(RoofLine& line, const Ceiling& ceiling) {
  line.theory = ceiling.theory;
  line.named_by_file = !ceiling.label.empty();
}

std::vector<RoofLine> compute_lines(const Roofline& roofline) {
  std::vector<RoofLine> lines;
  const auto add = [&](const char* name, const Ceiling* ceiling, bool thin) {
    if (!ceiling) return;
    lines.push_back({ceiling->label.empty() ? std::string("FP64 ") + name : ceiling->label, ceiling->rate, {}, thin});
    lines.back().operation = ceiling->operation;
    tell_theory(lines.back(), *ceiling);
  };
  const Ceiling* const fma = roofline.compute(Operation::fma);
  add("FMA", fma, false);
  add("no-FMA", roofline.compute(Operation::nofma), false);
  add("add", roofline.compute(Operation::add), true);
  add("mul", roofline.compute(Operation::mul), true);
  add("div", roofline.compute(Operation::div), true);
  const Ceiling* const scalar = best_fma(roofline, [](const Ceiling& c) { return c.isa == "scalar" && c.ilp; });
  if (scalar != fma) add("FMA, scalar", scalar, true);
  add("FMA, one chain", best_fma(roofline, [](const Ceiling& c) { return !c.ilp; }), true);
  for (const auto& c : roofline.ceilings())
    if (c.kind == Ceiling::Kind::compute && roofline.tensor(c.precision) == &c)
      lines.push_back({c.label.empty() ? in_capitals(c.precision) + " tensor" : c.label, c.rate, {}, true}),
          lines.back().tensor = true;
  // The rest of a roof after seconds of power and heat limits, if it is lower.
  for (const auto& c : roofline.ceilings()) {
    constexpr double as_much = 0.95;
    if (c.kind != Ceiling::Kind::compute || !c.sustained || (!c.on_matrices() && c.precision != "fp64")) continue;
    const auto* const roof = c.on_matrices() ? roofline.tensor(c.precision) : fma;
    if (!roof || c.rate > as_much * roof->rate) continue;
    lines.push_back(
        {in_capitals(c.precision) + (c.on_matrices() ? " tensor" : " FMA") + ", sustained", c.rate, {}, true});
  }
  for (const auto& c : roofline.ceilings())
    if (c.kind == Ceiling::Kind::compute && !c.label.empty() && roofline.compute(c.operation) != &c &&
        roofline.tensor(c.precision) != &c)
      lines.push_back({c.label, c.rate, {}, true});
  std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.rate > b.rate; });
  return lines;
}

std::vector<RoofLine> bandwidth_lines(const Roofline& roofline) {
  std::vector<RoofLine> lines;
  for (const auto level : memory_levels)
    if (const Ceiling* const roof = roofline.bandwidth(level)) {
      lines.push_back({roof->label.empty() ? std::string(name(level)) : roof->label, roof->rate, level, false});
      tell_theory(lines.back(), *roof);
    }
  // Names that only a file uses, and ceilings that other tools found, are shown, but not as roofs.
  for (const auto& c : roofline.ceilings())
    if (c.kind == Ceiling::Kind::bandwidth && !c.label.empty() && roofline.bandwidth(c.level) != &c)
      lines.push_back({c.label, c.rate, c.level, true});
  const Ceiling* const dram = roofline.bandwidth(MemoryLevel::DRAM);
  const auto add_if_below = [&](Mix mix, const char* name, const Ceiling* higher) {
    const Ceiling* const line = roofline.bandwidth(MemoryLevel::DRAM, mix);
    if (line && higher && line->rate < 0.95 * higher->rate)
      lines.push_back({name, line->rate, MemoryLevel::DRAM, true});
  };
  const Ceiling* const read = roofline.bandwidth(MemoryLevel::DRAM, Mix::read);
  add_if_below(Mix::read, "DRAM read", dram);
  add_if_below(Mix::read_no_prefetch, "DRAM read, no prefetch", read);
  add_if_below(Mix::read_remote, "DRAM read, other node", read);
  return lines;
}

}  // namespace

std::string in_capitals(std::string isa) {
  for (auto& c : isa) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return isa == "AVX512" ? "AVX-512" : isa;
}

std::string RoofLine::label(const PlotUnits& units) const {
  const auto& unit = level ? units.bandwidth : of_integers() ? "GOP/s" : units.compute;
  return name + ": " + significant(giga(rate)) + " " + unit;
}

std::string RoofLine::short_label(const PlotUnits& units) const {
  constexpr std::string_view precision = "FP64 ";
  return level || of_integers()
             ? label(units)
             : name.substr(name.starts_with(precision) ? precision.size() : 0) + ": " + significant(giga(rate));
}

std::vector<RoofLine> merged(std::vector<RoofLine> lines) {
  std::vector<RoofLine> kept;
  for (auto& line : lines) {
    const auto same = std::find_if(kept.begin(), kept.end(), [&](const RoofLine& other) {
      return !line.level && !other.level && line.thin == other.thin && line.tensor == other.tensor &&
             line.of_integers() == other.of_integers() && line.rate > 0.96 * other.rate;
    });
    constexpr std::string_view precision = "FP64 ";
    if (same == kept.end())
      kept.push_back(std::move(line));
    else if (line.tensor && same->tensor)  // "FP16, BF16 tensor"
      same->name.insert(same->name.rfind(' '), ", " + line.name.substr(0, line.name.find(' ')));
    else {
      same->name += ", " + line.name.substr(line.name.starts_with(precision) ? precision.size() : 0);
      // The label ends in the rate of the first.
      if (const auto rate = significant(giga(line.rate)); rate != significant(giga(same->rate)))
        same->name += " (" + rate + ")";
    }
  }
  return kept;
}

RoofLine theory_of(const RoofLine& roof) {
  auto line = roof;
  line.rate = *roof.theory;
  line.name = fmt::format("{} in theory (measured {:.0f} % below)", roof.name, 100 * (1 - roof.rate / *roof.theory));
  line.theory = {};
  return line;
}

std::optional<RoofLine> mix_line(const Roofline& roofline, const KernelPoint& point, const std::string& label) {
  if (!point.counts.kinds_known) return std::nullopt;
  const auto bound = roofline.compute_mix(point.counts.operations, point.counts.precision);
  if (!bound) return std::nullopt;
  RoofLine line{
      fmt::format("mix of {} (alpha {})", label, significant(point.counts.operations.fma_fraction())), bound->rate, {}};
  for (const auto& roof : bandwidth_lines(roofline))
    line.from = line.from > 0 ? std::min(line.from, line.rate / roof.rate) : line.rate / roof.rate;
  return line;
}

std::string memory_name(const Results& results) {
  constexpr int bits_of_stacks = 1024;  // of one stack of HBM; GDDR of a whole card has 512 at most
  if (results.gpu && results.gpu->bus_bits >= bits_of_stacks) return "HBM";
  const auto is_hbm = [](const std::string& text) { return in_capitals(text).find("HBM") != std::string::npos; };
  const auto* const roof = results.roofline.bandwidth(MemoryLevel::DRAM);
  // The cards that the virtual GPU knows all have stacks.
  const std::set<std::string> stacked{"v100", "a100", "h100", "h200"};
  if (results.model && stacked.contains(results.model->device)) return "HBM";
  const bool told = roof && is_hbm(roof->label);
  return told ? "HBM" : std::string(name(MemoryLevel::DRAM));
}

std::string with_memory_name(const std::string& text, const Results& results) {
  static const std::string word(name(MemoryLevel::DRAM));
  const auto called = memory_name(results);
  if (called == word) return text;
  const auto in_a_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == ':' || c == '/'; };
  std::string result;
  std::size_t done = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    if ((at > 0 && in_a_name(text[at - 1])) ||
        (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end]))))
      continue;
    result += text.substr(done, at - done) + called;
    if (text.compare(end, 2, "  ") == 0) result.append(word.size() - called.size(), ' ');
    done = end;
  }
  return result + text.substr(done);
}

Table with_memory_name(Table table, const Results& results) {
  const auto rename = [&](std::string& text) { text = with_memory_name(text, results); };
  rename(table.title);
  for (auto& column : table.columns) rename(column.header);
  for (auto& row : table.rows) std::for_each(row.cells.begin(), row.cells.end(), rename);
  std::for_each(table.notes.begin(), table.notes.end(), rename);
  return table;
}

std::vector<RoofLine> roof_lines(const Roofline& roofline) {
  auto lines = bandwidth_lines(roofline);
  auto compute = compute_lines(roofline);
  double fastest = 0;
  for (const auto& line : lines) fastest = std::max(fastest, line.rate);
  for (auto& line : lines)
    if (!compute.empty()) line.to = compute.front().rate / line.rate;
  for (auto& line : compute)
    if (fastest > 0) line.from = line.rate / fastest;
  lines.insert(lines.end(), compute.begin(), compute.end());
  return lines;
}

}  // namespace roofline

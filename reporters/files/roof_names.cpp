#include "reporters/files/roof_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

#include "bench/text/imports/unit.hpp"
#include "bench/text/words.hpp"
#include "reporters/files/imported.hpp"
#include "reporters/view/roof_lines.hpp"

namespace roofline {
namespace {

const std::map<std::string, std::string> precisions{
    {"fp64", "fp64"},     {"f64", "fp64"},      {"float64", "fp64"}, {"double", "fp64"},   {"doubles", "fp64"},
    {"dp", "fp64"},       {"fp32", "fp32"},     {"f32", "fp32"},     {"float32", "fp32"},  {"float", "fp32"},
    {"single", "fp32"},   {"sp", "fp32"},       {"fp16", "fp16"},    {"f16", "fp16"},      {"float16", "fp16"},
    {"half", "fp16"},     {"hp", "fp16"},       {"bf16", "bf16"},    {"bfloat16", "bf16"}, {"tf32", "tf32"},
    {"fp8", "fp8"},       {"e4m3", "fp8"},      {"e5m2", "fp8"},     {"fp6", "fp6"},       {"fp4", "fp4"},
    {"int8", "int8"},     {"i8", "int8"},       {"int4", "int4"},    {"int32", "int32"},   {"int64", "int64"},
    {"fp16x2", "fp16x2"}, {"bf16x2", "bf16x2"}, {"fp128", "fp128"}};
const std::set<std::string> matrices{"tensor",   "tensorcore", "tensorcores", "tc",    "mma",  "hmma",
                                     "dmma",     "imma",       "wmma",        "wgmma", "mfma", "matrix",
                                     "matrices", "amx",        "xmx",         "cube"};
const std::set<std::string> silent{
    "fma",    "fmas",   "nofma",       "no",        "non",         "w",         "o",        "wo",     "without",
    "with",   "add",    "adds",        "mul",       "muls",        "div",       "simd",     "vector", "vec",
    "scalar", "sse",    "avx",         "avx2",      "avx512",      "neon",      "sve",      "sve2",   "flop",
    "flops",  "gflop",  "gflops",      "tflop",     "tflops",      "s",         "peak",     "max",    "best",
    "top",    "roof",   "ceiling",     "compute",   "performance", "comproofs", "comproof", "cpu",    "gpu",
    "cuda",   "core",   "cores",       "all",       "one",         "thread",    "threads",  "ilp",    "and",
    "of",     "the",    "theoretical", "empirical", "measured",    "peakflops", "sqrt",     "carm",   "likwid",
    "bench",  "rocprof"};

bool is_number(const std::string& word) {
  return std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c); });
}

std::vector<std::string> words_of(const std::string& label) {
  std::vector<std::string> words{""};
  for (const char c : lower_case(label))
    if (std::isalnum(static_cast<unsigned char>(c)))
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  if (words.back().empty()) words.pop_back();
  return words;
}

bool has(const std::vector<Ceiling>& ceilings, const Ceiling& wanted) {
  constexpr double rounding = 1e-5;
  return std::any_of(ceilings.begin(), ceilings.end(), [&](const Ceiling& c) {
    if (c.kind != wanted.kind || std::abs(c.rate - wanted.rate) > rounding * wanted.rate) return false;
    if (c.kind == Ceiling::Kind::bandwidth) return c.level == wanted.level;
    return c.precision == wanted.precision && c.on_matrices() == wanted.on_matrices();
  });
}

std::string name_of(const Ceiling& ceiling) {
  if (!ceiling.label.empty()) return ceiling.label;
  if (ceiling.kind == Ceiling::Kind::bandwidth) return std::string(name(ceiling.level));
  return in_capitals(ceiling.precision) + (ceiling.on_matrices() ? " tensor" : " FMA");
}

}  // namespace

std::string precision_of_word(const std::string& word) {
  const auto known = precisions.find(word);
  return known == precisions.end() ? std::string() : known->second;
}

RoofMeaning roof_named(const std::string& label) {
  RoofMeaning meaning;
  std::set<std::string> said;
  bool strange = false;
  for (const auto& word : words_of(label)) {
    if (const auto known = precision_of_word(word); !known.empty())
      said.insert(known);
    else if (matrices.contains(word))
      meaning.on_matrices = true;
    else if (!silent.contains(word) && !is_number(word))
      strange = true;
  }
  if (said.size() == 1)
    meaning.precision = *said.begin();
  else if (said.size() > 1 || strange || meaning.on_matrices)
    meaning.precision = "unknown";
  return meaning;
}

std::string precision_of_all(const std::vector<Ceiling>& ceilings) {
  std::set<std::string> found;
  for (const auto& ceiling : ceilings)
    if (ceiling.kind == Ceiling::Kind::compute) found.insert(ceiling.precision);
  if (found.empty()) return "fp64";
  return found.size() == 1 && *found.begin() != "unknown" ? *found.begin() : std::string();
}

std::vector<std::string> doubts_of_roofs(const std::vector<Ceiling>& ceilings, const std::string& origin) {
  std::vector<std::string> assumed, unknown, lines, units;
  std::map<std::string, std::set<std::string>> several;
  std::map<std::string, std::set<double>> rates;
  for (const auto& ceiling : ceilings) {
    const bool is_compute = ceiling.kind == Ceiling::Kind::compute;
    const std::string base = is_compute ? "flop" : "byte", label = lower_case(ceiling.label);
    if (const auto unit = unit_in(ceiling.label, base); unit && (is_compute || unit->of == base + "/second"))
      if (unit->factor != 1e9 && unit->factor != 1) units.push_back(ceiling.label);
    if (label.find("theor") == label.npos && (is_compute || level_in(ceiling.label))) {
      const auto kind = is_compute ? label : std::string(name(ceiling.level));
      several[kind].insert(ceiling.label);
      rates[kind].insert(ceiling.rate);
    }
    if (!is_compute) continue;
    const auto means = roof_named(ceiling.label);
    if (means.precision.empty()) assumed.push_back(ceiling.label);
    if (means.precision == "unknown") unknown.push_back(ceiling.label);
  }
  for (const auto& [kind, labels] : several)
    if (rates[kind].size() > 1)
      lines.push_back(
          fmt::format("{}: several roofs of one kind: {}: the best of them counts", origin, fmt::join(labels, ", ")));
  if (!units.empty())
    lines.push_back(
        fmt::format("{}: the names of {} say another unit than the format has: their numbers are taken for "
                    "GFLOP/s or GB/s",
                    origin, fmt::join(units, ", ")));
  if (!assumed.empty())
    lines.push_back(fmt::format("{}: no precision is said of {}: taken for fp64", origin, fmt::join(assumed, ", ")));
  if (!unknown.empty())
    lines.push_back(fmt::format("{}: the precision of {} is not known: shown, and a roof of no kernel", origin,
                                fmt::join(unknown, ", ")));
  return lines;
}

std::string lost_roofs(const Roofline& before, const Roofline& after) {
  std::vector<std::string> lost;
  for (const auto& ceiling : before.ceilings()) {
    const bool is_roof = ceiling.kind == Ceiling::Kind::bandwidth
                             ? before.bandwidth(ceiling.level) == &ceiling
                             : ceiling.kind == Ceiling::Kind::compute && ceiling.operation == Operation::fma &&
                                   (before.compute(ceiling.operation, ceiling.precision) == &ceiling ||
                                    before.tensor(ceiling.precision) == &ceiling);
    if ((is_roof || !ceiling.label.empty()) && !has(after.ceilings(), ceiling)) lost.push_back(name_of(ceiling));
  }
  return fmt::format("{}", fmt::join(lost, ", "));
}

}  // namespace roofline

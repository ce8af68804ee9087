#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "bench/result/reports.hpp"
#include "bench/result/results.hpp"
#include "bench/text/format.hpp"
#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"
#include "bench/text/words.hpp"
#include "reporters/files/files.hpp"
#include "reporters/files/imported.hpp"
#include "reporters/files/roof_names.hpp"
#include "reporters/view/roof_lines.hpp"

namespace roofline {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void fail(const std::string& origin, const std::string& pointer, const std::string& what) {
  throw FileError(fmt::format("{}: {}: {}", origin, pointer, what));
}

/// [["L1", 1723.23], ...] below a pointer; empty where it is absent.
std::vector<std::pair<std::string, double>> pairs_at(const Json& document, const std::string& pointer,
                                                     const std::string& origin) {
  std::vector<std::pair<std::string, double>> pairs;
  const Json::json_pointer at(pointer);
  if (!document.contains(at)) return pairs;
  const auto& list = document.at(at);
  if (!list.is_array()) fail(origin, pointer, "an array of [name, value] is expected");
  for (const auto& pair : list) {
    const auto place = fmt::format("{}/{}", pointer, pairs.size());
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() || !pair[1].is_number())
      fail(origin, place, "[name, value] is expected");
    const auto value = pair[1].get<double>();
    if (!std::isfinite(value) || value <= 0 || value > 1e12) fail(origin, place, "the value is not a rate");
    pairs.emplace_back(pair[0].get<std::string>(), value);
  }
  return pairs;
}

/// The text alone, or the first of a list; empty: there is none.
std::string text_at(const Json& document, const char* pointer) {
  const Json::json_pointer at(pointer);
  if (!document.contains(at)) return {};
  const auto& text = document.at(at);
  if (text.is_string()) return text.get<std::string>();
  return text.is_array() && !text.empty() && text[0].is_string() ? text[0].get<std::string>() : "";
}

/// The threads of all processes.
int threads_of(const Json& document) {
  double threads = 1;
  for (const auto* const pointer :
       {"/empirical/gflops/metadata/MPI_PROCS", "/empirical/gflops/metadata/OPENMP_THREADS"})
    if (const Json::json_pointer at(pointer); document.contains(at) && document.at(at).is_number_integer())
      threads *= std::max(1.0, document.at(at).get<double>());
  return static_cast<int>(std::min(threads, 1e6));
}

/// "FP64 GFLOPs" without its unit. "GFLOPs" of the old form is that of doubles; another unit stays in the name.
std::string compute_label(const std::string& name) {
  const auto blank = name.rfind(' ');
  const auto unit = lower_case(blank == name.npos ? name : name.substr(blank + 1));
  const bool usual = unit == "gflops" || unit == "gflop/s" || unit == "gflops/s" || unit == "gflops/sec";
  if (usual && blank == name.npos) return "FP64 FMA";
  return (usual ? name.substr(0, blank) : name) + " FMA";
}

/// "FP64 GFLOPs", "FP16 tensor GFLOPs"; any other name in a file keeps its words, without "FMA" at their end.
std::string ert_label(const Ceiling& c) {
  auto words = c.label.empty() ? in_capitals(c.precision) + (c.on_matrices() ? " tensor" : "") : c.label;
  if (words.ends_with(" FMA")) words.resize(words.size() - 4);
  if (words == "FMA") return "FP64 GFLOPs";
  return lower_case(words).ends_with("ops") ? words : words + " GFLOPs";
}

Json rounded(double giga) { return std::stod(fmt::format("{:.6f}", giga)); }

}  // namespace

Results parse_ert_json(const std::string& text, const std::string& origin) {
  const auto document = parse_json(text, origin);
  const auto flops = pairs_at(document, "/empirical/gflops/data", origin);
  const auto bytes = pairs_at(document, "/empirical/gbytes/data", origin);
  if (flops.empty() && bytes.empty())
    fail(origin, "/empirical/gflops/data", "is missing: not the roofline.json of the Empirical Roofline Toolkit");
  std::map<std::string, double> theory;
  for (const auto* const at : {"/spec/gflops/data", "/spec/gbytes/data"})
    for (const auto& [name, value] : pairs_at(document, at, origin)) theory[name] = 1e9 * value;

  Results results;
  const auto host = text_at(document, "/empirical/metadata/HOSTNAME");
  results.machine.name = host.empty() ? origin : host;
  results.date = text_at(document, "/empirical/gflops/metadata/TIMESTAMP_DATA");
  results.command_line = text_at(document, "/empirical/metadata/CONFIG/COMMAND");
  results.ceilings_origin = {CeilingsOrigin::Kind::described,
                             "imported from " + origin + " (Empirical Roofline Toolkit)"};
  results.warnings.push_back(origin +
                             ": levels of the Empirical Roofline Toolkit are ordinal, its L1 is the fastest it saw and "
                             "on GPUs mostly L2; --levels=L2,DRAM names them");
  for (const auto* const part : {"gflops", "gbytes"})
    if ((part == std::string("gflops") ? flops : bytes).empty())
      results.warnings.push_back(
          fmt::format("{}: /empirical/{}/data is missing or empty: roofs of that kind are not "
                      "known, and nothing is judged without roofs of bandwidth",
                      origin, part));
  std::vector<Ceiling> ceilings;
  for (const auto& [name, value] : flops) {
    ceilings.push_back(imported_compute(compute_label(name), 1e9 * value, origin));
    if (theory.contains(name)) ceilings.back().theory = theory[name];
  }
  std::vector<std::string> names;
  for (const auto& [name, value] : bytes) names.push_back(name);
  const auto levels = levels_named(names, origin, results.warnings);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto& [name, value] = bytes[i];
    ceilings.push_back(imported_bandwidth(levels[i], name, 1e9 * value, origin));
    ceilings.back().mix = Mix::update;
    if (theory.contains(name)) ceilings.back().theory = theory[name];
  }
  for (auto& line : doubts_of_roofs(ceilings, origin)) results.warnings.push_back(std::move(line));
  const int threads = threads_of(document);
  for (auto& ceiling : ceilings) ceiling.threads = threads;
  results.roofline = Roofline(std::move(ceilings), threads);
  assess(results);
  return results;
}

std::string ert_json(const Results& results) {
  const auto& roofline = results.roofline;
  Json flops = Json::array(), bytes = Json::array(), spec_flops = Json::array(), spec_bytes = Json::array();
  for (const auto& c : roofline.ceilings()) {
    const bool is_roof = roofline.compute(Operation::fma, c.precision) == &c || roofline.tensor(c.precision) == &c;
    if (c.kind != Ceiling::Kind::compute || c.external || !(is_roof || !c.label.empty())) continue;
    const auto label = ert_label(c);
    flops.push_back({label, rounded(giga(c.rate))});
    if (c.theory) spec_flops.push_back({label, rounded(giga(*c.theory))});
  }
  for (const auto level : memory_levels)
    if (const auto* const c = roofline.bandwidth(level)) {
      const auto label = c->label.empty() ? std::string(name(level)) : c->label;
      bytes.push_back({label, rounded(giga(c->rate))});
      if (c->theory) spec_bytes.push_back({label, rounded(giga(*c->theory))});
    }
  const Json metadata = {{"MPI_PROCS", 1},   {"OPENMP_THREADS", roofline.threads()}, {"GPU_BLOCKS", 0},
                         {"GPU_THREADS", 0}, {"TIMESTAMP_DATA", results.date},       {"TIMESTAMP_DB", results.date}};
  const Json document = {{"empirical",
                          {{"metadata",
                            {{"ERT_VERSION", "roofline_bench " ROOFLINE_VERSION},
                             {"HOSTNAME", results.machine.name},
                             {"UNAME", Json::array()},
                             {"CONFIG", {{"COMMAND", {results.command_line}}}}}},
                           {"gflops", {{"data", flops}, {"metadata", metadata}}},
                           {"gbytes", {{"data", bytes}, {"metadata", metadata}}}}},
                         {"spec", {{"gflops", {{"data", spec_flops}}}, {"gbytes", {{"data", spec_bytes}}}}}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

namespace {
const ReportFile ert_json_file("roofline.json", ert_json);
const ConvertFormat to_ert("ert", "ERT's roofline.json", ert_json);
}  // namespace

}  // namespace roofline

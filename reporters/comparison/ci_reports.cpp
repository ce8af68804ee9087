#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "bench/text/clean.hpp"
#include "bench/text/csv.hpp"
#include "bench/text/output.hpp"
#include "reporters/comparison/outputs.hpp"
#include "reporters/drawing/svg.hpp"

namespace roofline {
namespace {

/// Characters that a workflow command would take as its end, or as the start of another one.
std::string command_text(std::string_view text, bool property) {
  std::string result;
  for (const char c : clean(text)) {
    if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ',')))
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      result += c;
  }
  return result;
}

std::string attribute(std::string_view text) { return escape_xml(clean(text)); }

/// The reasons for a job to fail. A time that is not gated is reported and fails nothing.
bool fails(const Finding& finding, const Gate& gate) {
  return is_gated(finding, gate) && (finding.verdict == Verdict::worse || finding.verdict == Verdict::invalid);
}

enum class Outcome { passed, failed, skipped };

Outcome outcome(const Finding& finding, const Gate& gate) {
  if (finding.informational || finding.verdict == Verdict::same || finding.verdict == Verdict::better)
    return Outcome::passed;
  return fails(finding, gate) ? Outcome::failed : Outcome::skipped;
}

std::string test_case(const Finding& finding, Outcome outcome, std::string_view suite) {
  std::string text = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.9f}\"", suite,
                                 attribute((finding.row.empty() ? "run" : finding.row) + " " + finding.metric),
                                 finding.metric == "time" && finding.next ? *finding.next : 0.0);
  const auto line = attribute(in_one_line(finding));
  if (outcome == Outcome::passed) return text + "/>\n";
  if (outcome == Outcome::failed)
    return text + fmt::format(">\n      <failure type=\"{}\" message=\"{}\"/>\n    </testcase>\n",
                              name(finding.verdict), line);
  return text + fmt::format(">\n      <skipped message=\"{}\"/>\n    </testcase>\n", line);
}

/// The schema knows no time zones, and every suite has a time.
std::string timestamp(const std::string& date) {
  constexpr std::string_view form = "dddd-dd-ddTdd:dd:dd";
  for (std::size_t i = 0; i < form.size(); ++i)
    if (i >= date.size() || (form[i] == 'd' ? !std::isdigit(static_cast<unsigned char>(date[i])) : date[i] != form[i]))
      return "1970-01-01T00:00:00";
  return date.substr(0, form.size());
}

using Json = nlohmann::ordered_json;

/// Metrics of the new side that services keep a history of.
bool is_kept(const Finding& finding) {
  return finding.next && std::isfinite(*finding.next) && !finding.row.empty() && !finding.informational &&
         (finding.metric == "time" || finding.metric == "flops" || finding.metric.starts_with("bytes_"));
}

std::string_view unit_of(const Finding& finding) {
  return finding.metric == "time" ? "s" : finding.metric == "flops" ? "FLOP" : "B";
}

/// A metric as services want it: times in nanoseconds, with what the ratio's interval says of them.
struct Kept {
  const Finding& finding;
  bool is_time;
  double value, low, high;
};
std::vector<Kept> kept(const Comparison& comparison) {
  std::vector<Kept> all;
  for (const auto& finding : comparison.findings) {
    if (!is_kept(finding)) continue;
    const bool time = finding.metric == "time";
    const double value = *finding.next * (time ? 1e9 : 1);
    const bool ranged = finding.ratio && finding.ratio->range && finding.ratio->estimate > 0;
    const auto range = ranged ? *finding.ratio->range : Range{};
    const double of_ratio = ranged ? value / finding.ratio->estimate : value;
    all.push_back({finding, time, value, of_ratio * range.low, of_ratio * range.high});
  }
  return all;
}

constexpr const char* history_columns = "time,row,metric,value,unit,machine,build\n";

}  // namespace

std::string junit_xml(const Comparison& comparison, const Gate& gate) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  int id = 0;
  for (const auto metric_class : {MetricClass::validity, MetricClass::exact, MetricClass::deterministic,
                                  MetricClass::counter, MetricClass::time}) {
    std::string cases;
    int tests = 0, failures = 0, skipped = 0;
    for (const auto& finding : comparison.findings) {
      if (finding.metric_class != metric_class) continue;
      const auto found = outcome(finding, gate);
      ++tests, failures += found == Outcome::failed, skipped += found == Outcome::skipped;
      cases += test_case(finding, found, name(metric_class));
    }
    if (tests == 0) continue;
    text += fmt::format(
        "  <testsuite name=\"{}\" package=\"roofline\" id=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" "
        "skipped=\"{}\" timestamp=\"{}\" hostname=\"localhost\" time=\"0\">\n    <properties/>\n{}"
        "    <system-out/>\n    <system-err/>\n  </testsuite>\n",
        name(metric_class), id++, tests, failures, skipped, timestamp(comparison.date), cases);
  }
  return text + "</testsuites>\n";
}

std::string github_annotations(const Comparison& comparison, const Gate& gate) {
  constexpr std::size_t most = 10;  // GitHub drops the others without a word
  std::map<std::string, std::vector<std::string>> lines;
  for (const auto* const finding : noteworthy(comparison)) {
    const bool warns = is_gated(*finding, gate) && finding->verdict == Verdict::undecided;
    const char* const kind = fails(*finding, gate) ? "error" : warns ? "warning" : "notice";
    lines[kind].push_back(fmt::format("::{} title={}::{}\n", kind,
                                      command_text(fmt::format("roofline {}", name(finding->verdict)), true),
                                      command_text(in_one_line(*finding), false)));
  }
  std::string text;
  for (const char* const kind : {"error", "warning", "notice"}) {
    const auto& all = lines[kind];
    const auto shown = all.size() > most ? most - 1 : all.size();
    for (std::size_t i = 0; i < shown; ++i) text += all[i];
    if (shown < all.size()) text += fmt::format("::{} title=roofline::{} more\n", kind, all.size() - shown);
  }
  return text;
}

const std::vector<ComparisonOutput>& comparison_outputs() {
  using C = const Comparison&;
  using G = const Gate&;
  using S = const std::string&;
  static const std::vector<ComparisonOutput> all{
      {"markdown", "a comment for a pull request", [](C c, G, S) { return comparison_markdown(c); }},
      {"junit", "JUnit XML", [](C c, G g, S) { return junit_xml(c, g); }},
      {"annotations", "GitHub workflow commands; /dev/stdout in a job",
       [](C c, G g, S) { return github_annotations(c, g); }},
      {"bencher", "Bencher Metric Format", [](C c, G, S) { return bencher_json(c); }},
      {"github-benchmark", "custom JSON of github-action-benchmark",
       [](C c, G, S) { return github_benchmark_json(c); }},
      {"json", "every finding; --print-schema describes it", [](C c, G g, S) { return verdict_json(c, g); }},
      {"history", "CSV that grows by one line per row and metric", [](C c, G, S s) { return history_csv(c, s); }, true},
      {"svg", "the roofline with an arrow from each kernel's old place to the new one",
       [](C c, G, S) { return arrows_svg(c); }}};
  return all;
}

std::string bencher_json(const Comparison& comparison) {
  Json document = Json::object();
  for (const auto& [finding, is_time, value, low, high] : kept(comparison)) {
    Json entry = {{"value", value}};
    if (is_time) entry["lower_value"] = low, entry["upper_value"] = high;
    document[clean(finding.row)][is_time ? "latency" : finding.metric] = entry;
  }
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string github_benchmark_json(const Comparison& comparison) {
  Json document = Json::array();
  for (const auto& [finding, is_time, value, low, high] : kept(comparison)) {
    Json entry = {{"name", clean(finding.row) + " " + finding.metric},
                  {"unit", is_time ? "ns" : unit_of(finding)},
                  {"value", value}};
    if (is_time) {
      entry["range"] = fmt::format("{:.4g}", (high - low) / 2);
      entry["extra"] = in_one_line(finding);
    }
    document.push_back(std::move(entry));
  }
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string history_csv(const Comparison& comparison, const std::string& earlier) {
  std::string text(history_columns);
  if (!earlier.empty() && std::filesystem::exists(earlier)) {
    text = read_file(earlier);
    if (!text.starts_with(history_columns))
      throw FileError(fmt::format("{}:1: not a history of this program: the columns {:.40} are expected", earlier,
                                  history_columns));
    if (!text.ends_with('\n')) text += '\n';
  }
  for (const auto& finding : comparison.findings)
    if (is_kept(finding))
      text += fmt::format("{},{},{},{},{},{},{}\n", csv_field(comparison.date), csv_field(finding.row), finding.metric,
                          *finding.next, unit_of(finding), csv_field(comparison.machine), csv_field(comparison.next));
  return text;
}

}  // namespace roofline

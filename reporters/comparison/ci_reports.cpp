#include <fmt/format.h>

#include <cctype>
#include <map>

#include "bench/text/clean.hpp"
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
  static const std::vector<ComparisonOutput> all{
      {.flag = "markdown",
       .about = "a comment for a pull request",
       .text = [](const Comparison& c, const Gate&) { return comparison_markdown(c); }},
      {.flag = "junit", .about = "JUnit XML", .text = junit_xml},
      {.flag = "annotations", .about = "GitHub workflow commands; /dev/stdout in a job", .text = github_annotations},
      {.flag = "json", .about = "every finding; roofline compare --print-schema describes it", .text = verdict_json}};
  return all;
}

}  // namespace roofline

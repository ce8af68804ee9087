#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/text/clean.hpp"
#include "bench/text/csv.hpp"
#include "reporters/cluster/outputs.hpp"
#include "reporters/drawing/svg.hpp"

namespace roofline::cluster {
namespace {

std::string number(const std::optional<double>& value) { return value ? fmt::format("{:.5g}", *value) : ""; }

std::string where_text(const NodeVerdict& node) {
  std::vector<std::string> parts;
  for (const auto part : node.where) parts.emplace_back(name(part));
  return fmt::format("{}", fmt::join(parts, " "));
}

std::string message(const NodeVerdict& node) {
  auto text = fmt::format("{}", name(node.verdict));
  if (node.loss) text += fmt::format(" {} {:.1f} %", where_text(node), 100 * *node.loss);
  for (const auto& also : node.also) text += "; " + also;
  return escape_xml(clean(text));
}

}  // namespace

std::string cluster_csv(const ClusterReport& report) {
  std::string text = "node,host,group,verdict,where,loss,loss_low,loss_high,z,rows_hit,rows,runs,memory,core,also\n";
  for (const auto& node : report.nodes)
    text +=
        fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(node.node), csv_field(node.host),
                    node.group + 1, name(node.verdict), where_text(node), number(node.loss), number(node.loss_low),
                    number(node.loss_high), number(node.z), node.rows_hit, node.rows, node.runs, number(node.memory),
                    number(node.core), csv_field(fmt::format("{}", fmt::join(node.also, "; "))));
  for (const auto& [file, why] : report.unread)
    text += fmt::format(",,,UNREADABLE,,,,,,,,,,,{}\n", csv_field(file + ": " + why));
  return text;
}

std::string cluster_junit(const ClusterReport& report) {
  std::string cases;
  int failures = 0, skipped = 0;
  const auto add = [&](const std::string& name, const char* element, const std::string& message) {
    cases += fmt::format("    <testcase classname=\"cluster\" name=\"{}\" time=\"0\"", escape_xml(clean(name)));
    cases += *element ? fmt::format(">\n      <{} message=\"{}\"/>\n    </testcase>\n", element, message) : "/>\n";
  };
  for (const auto& node : report.nodes) {
    const bool fails = node.verdict == Verdict::slow || node.verdict == Verdict::failed;
    const bool undecided =
        node.verdict == Verdict::suspect || node.verdict == Verdict::disturbed || node.verdict == Verdict::alone;
    failures += fails, skipped += undecided;
    add(node.node, fails ? "failure type=\"node\"" : undecided ? "skipped" : "", message(node));
  }
  for (const auto& [file, why] : report.unread) ++skipped, add(file, "skipped", escape_xml(clean("UNREADABLE " + why)));
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"cluster\" package=\"roofline\" "
      "id=\"0\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" timestamp=\"1970-01-01T00:00:00\" "
      "hostname=\"localhost\" time=\"0\">\n    <properties/>\n{}    <system-out/>\n    <system-err/>\n  "
      "</testsuite>\n</testsuites>\n",
      report.nodes.size() + report.unread.size(), failures, skipped, cases);
}

}  // namespace roofline::cluster

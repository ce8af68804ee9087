#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "bench/model/assessment.hpp"
#include "bench/result/reports.hpp"
#include "bench/text/format.hpp"
#include "reporters/claims/claim_result.hpp"
#include "reporters/claims/study.hpp"
#include "reporters/drawing/svg.hpp"
#include "reporters/plots/plots.hpp"
#include "reporters/view/explain.hpp"
#include "reporters/view/point_names.hpp"
#include "reporters/view/portability.hpp"
#include "reporters/view/roof_lines.hpp"

namespace roofline::claims {
namespace {

constexpr const char* page_style = R"(:root{color-scheme:light}
body{margin:0 auto;max-width:60rem;padding:0 1.2rem 4rem;font:16px/1.55 system-ui,"Noto Sans","DejaVu Sans",sans-serif;
color:#1b222c;background:#fff;font-variant-numeric:tabular-nums}
h1{font-size:1.6rem;line-height:1.2}h2{margin-top:2.4rem;font-size:1.2rem}h3{margin:1.6rem 0 .2rem;font-size:1rem}
p{max-width:72ch}a{color:#0a58a5}.soft{color:#525c69}svg{max-width:100%;height:auto}
table{border-collapse:collapse;margin:.6rem 0;font-size:.9rem}td,th{border-bottom:1px solid #dce1e7;padding:.2rem .6rem;
text-align:right}td:first-child,th:first-child{text-align:left}.scroll{overflow-x:auto}
.verdict{display:inline-block;border-radius:4px;padding:0 .5rem;font-size:.85rem;border:1px solid;margin-right:.4rem}
.reproduced{color:#0b6b43}.not-reproduced{color:#a8201a}.inconclusive{color:#8a5300}.not-applicable{color:#525c69}
code{font:13px/1.4 ui-monospace,"DejaVu Sans Mono",monospace;overflow-wrap:anywhere}
ul{margin:.2rem 0 .6rem;padding-left:1.2rem}li{margin:.1rem 0}
@media print{body{font-size:11pt}h3{break-after:avoid}}
)";

std::string html_table(const std::string& label, const std::vector<std::string>& heads,
                       const std::vector<std::vector<std::string>>& rows) {
  auto html = fmt::format("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table><thead><tr>",
                          escape_xml(label));
  for (const auto& head : heads) html += fmt::format("<th>{}</th>", escape_xml(head));
  html += "</tr></thead><tbody>\n";
  for (const auto& row : rows) {
    html += "<tr>";
    for (const auto& cell : row) html += fmt::format("<td>{}</td>", escape_xml(cell));
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string css_of(Verdict verdict) {
  auto css = name(verdict);
  for (auto& c : css) c = c == ' ' ? '-' : c;
  return css;
}

std::string milliseconds(const KernelPoint& point) {
  const double seconds = point.is_bound() ? point.time.median : point.known_seconds();
  return std::isfinite(seconds) ? (point.is_bound() ? ">= " : "") + significant(1e3 * seconds) : std::string(absent);
}

/// A figure of published.json; absent where the talk has none.
std::optional<double> published_number(const std::string& path) {
  const auto fact = published(path);
  return fact ? std::optional(fact->value.value) : std::nullopt;
}

/// All rows of a study with their times. Rows in the plot have its numbers.
std::string row_table(const StudyText& study, const Results& results) {
  const auto plotted = points_of(study, results);
  std::vector<std::vector<std::string>> rows;
  for (const auto& point : results.points) {
    if (!concerns_row(study, point)) continue;
    const auto found = std::find(plotted.begin(), plotted.end(), &point);
    const auto& roof = point.assessment.roof;
    rows.push_back({point.name, found == plotted.end() ? "-" : std::to_string(found - plotted.begin() + 1),
                    milliseconds(point), significant(point.counts.intensity(MemoryLevel::DRAM)),
                    point.counts.operations.flops() ? significant(giga(point.flop_rate())) : std::string(absent),
                    roof ? percent(roof->efficiency) : "-",
                    with_memory_name(roof               ? what_bounds(point.assessment)
                                     : point.is_bound() ? name(*point.bound_by)
                                                        : "-",
                                     results)});
  }
  if (rows.empty()) return {};
  return html_table("rows of the plot", {"row", "number", "ms", "FLOP/B", "GFLOP/s", "% of roof", "bound"}, rows);
}

/// Published times of the talk next to those of the rows of this run.
std::string time_ladder(const StudyText& study, const Results& results) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& time : study.times) {
    const auto there = published_number(time.published);
    const auto here = std::find_if(results.points.begin(), results.points.end(),
                                   [&](const KernelPoint& point) { return fits_row(time.row, point.name); });
    const bool found = here != results.points.end();
    if (there) rows.push_back({time.label, significant(*there), time.row, found ? milliseconds(*here) : "-"});
  }
  if (rows.empty()) return {};
  return "<h2>The ladder in milliseconds</h2>\n<p class=\"soft\">Grids differ: compare the steps, not the machines."
         "</p>\n" +
         html_table("times of all versions", {"version", "talk, ms", "row of this run", "this run, ms"}, rows);
}

/// Phi of the talk's two machines, and with this run as the third.
std::string portability_section(const Results& results) {
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const std::string& label, const std::string& row, const std::string& knl,
                       const std::string& v100, const std::string& phi) {
    const auto first = published_number(knl), second = published_number(v100), printed = published_number(phi);
    const auto* const here = find_point(results.points, row);
    const auto roof = here ? here->assessment.roof : std::nullopt;
    std::vector<double> all{first.value_or(0) / 100, second.value_or(0) / 100};
    const auto hundredth = [](double value) { return value > 0 ? fmt::format("{:.2f}", 100 * value) : "-"; };
    std::vector<std::string> cells{label, hundredth(all[0]), hundredth(all[1]), hundredth(performance_portability(all)),
                                   printed ? fmt::format("{:.2f}", *printed) : "-"};
    all.push_back(roof ? roof->efficiency : 0);
    cells.push_back(hundredth(all[2])), cells.push_back(hundredth(performance_portability(all)));
    rows.push_back(std::move(cells));
  };
  for (const auto& [build, key, fma] : {std::tuple("without FMA", "no_FMA", 0), std::tuple("FMA", "FMA", 1)})
    for (int i = 0; i < 6; ++i) {
      const auto at = [&](const char* machine) {
        return fmt::format("performance_portability/{}/{}/{}", key, machine, i);
      };
      add(fmt::format("nw {}, {}", i + 1, build), fmt::format("gpp/nw:{}/fma:{}/stride:1", i + 1, fma), at("KNL"),
          at("V100"), at("PP"));
    }
  for (int i = 0, stride = 1; i < 5; ++i, stride *= 2) {
    const auto at = [&](const char* machine) { return fmt::format("stride_experiment/{}/{}", machine, i); };
    add(fmt::format("nw 6, stride {}", stride), fmt::format("gpp/nw:6/fma:1/stride:{}", stride), at("KNL"), at("V100"),
        at("PP"));
  }
  return "<h2>Phi of the talk's machines, and with this run</h2>\n<p class=\"soft\">Efficiencies in percent of each "
         "machine's empirical roof; Phi is their harmonic mean, - where a machine has no result. The talk's "
         "efficiencies are of FLOPs that counters counted; --division-flops=measured takes the same account for this "
         "run where it has such counts.</p>\n" +
         html_table("performance portability",
                    {"kernel", "KNL", "V100", "Phi of both", "printed in the talk", "this run", "Phi of all three"},
                    rows);
}

/// The accounts of the talk and of this run, which a comparison of their points in one plot needs.
std::string accounts(const StudyText& study, const Results& results) {
  Results plotted;
  plotted.flop_convention = results.flop_convention;
  for (const auto* const point : points_of(study, results)) plotted.points.push_back(*point);
  std::string text;
  for (const auto& line : source_lines(plotted))
    if (line.starts_with("FLOPs")) text += " " + line + ".";
  return escape_xml(text + " " + study.account);
}

std::string section_of(const ClaimResult& result) {
  const auto& claim = *result.claim;
  auto html = fmt::format("<h3 id=\"{0}\">{0} {1}</h3>\n", claim.id, escape_xml(claim.statement));
  html +=
      fmt::format("<p><span class=\"verdict {}\">{}</span>{}</p>\n<p class=\"soft\">Published: {}</p>\n",
                  css_of(result.verdict), name(result.verdict), escape_xml(result.reason), escape_xml(claim.published));
  std::string lines;
  for (const auto& check : result.checks)
    for (const auto& line : evidence_lines(check)) lines += fmt::format("<li><code>{}</code></li>\n", escape_xml(line));
  if (!lines.empty()) html += "<ul>\n" + lines + "</ul>\n";
  const bool unlike = result.verdict == Verdict::not_reproduced || result.verdict == Verdict::inconclusive ||
                      result.verdict == Verdict::not_testable ||
                      (result.verdict == Verdict::not_applicable && !result.checks.empty());
  if (unlike && !claim.differs.empty())
    html += fmt::format("<p><strong>Why it differs here.</strong> {}</p>\n", escape_xml(claim.differs));
  return html;
}

std::vector<ClaimResult> judged(const StudyText& study, const Results& results) {
  return judge(claims_of(study), RunFacts(results));
}

std::string page(const StudyText& study, const Results& results) {
  const auto claims = judged(study, results);
  auto html =
      fmt::format("<h1>{}</h1>\n<p class=\"soft\">{}. {}. Date {}.</p>\n", escape_xml(study.title),
                  escape_xml(document_title(study.talk)), escape_xml(plot_title(results)), escape_xml(results.date));
  for (const auto& paragraph : study.introduction) html += fmt::format("<p>{}</p>\n", escape_xml(paragraph));
  html += "<h2>Where the kernels stand</h2>\n<p class=\"soft\">Red: this run at " + memory_name(results) + "." +
          accounts(study, results) + "</p>\n";
  html += case_study_plot(study, results) + row_table(study, results) + time_ladder(study, results);
  if (study.name == "portability") html += portability_section(results);
  html += fmt::format(
      "<h2>The talk's statements, and this run's results</h2>\n<p>{}.</p>\n<p class=\"soft\">After each comparison its "
      "left and its right side, with intervals.</p>\n",
      tally(claims));
  for (const auto& claim : claims) html += section_of(claim);
  html += fmt::format("<p class=\"soft\">Made by <code>{}</code></p>\n", escape_xml(results.command_line));
  return html_frame(study.title, page_style, html);
}

std::string file_of(const StudyText& study) { return "case-study-" + study.name + ".html"; }

std::string index_page(const Results& results) {
  auto html = fmt::format("<h1>Case studies</h1>\n<p class=\"soft\">{}</p>\n<ul>\n", escape_xml(plot_title(results)));
  for (const auto& study : studies())
    html += fmt::format("<li><a href=\"{}\">{}</a>: {}</li>\n", file_of(study), escape_xml(study.title),
                        tally(judged(study, results)));
  return html_frame("Case studies", page_style, html + "</ul>\n");
}

using Pages = std::vector<std::pair<std::string, std::string>>;

Pages pages(const Results& results, const std::string& wanted) {
  Pages pages;
  for (const auto& study : studies())
    if (wanted == "all" || wanted == study.name) pages.emplace_back(file_of(study), page(study, results));
  if (wanted == "all") pages.emplace_back("case-studies.html", index_page(results));
  return pages;
}

std::vector<CaseStudy> with_rows() {
  std::vector<CaseStudy> found;
  CaseStudy all{"all", "Every case study", {}, pages};
  for (const auto& study : studies()) {
    CaseStudy one{study.name, study.title, study.rows, pages};
    for (const auto* claim : claims_of(study))
      for (auto& row : rows_of(*claim)) one.rows.push_back(std::move(row));
    all.rows.insert(all.rows.end(), one.rows.begin(), one.rows.end());
    found.push_back(std::move(one));
  }
  found.push_back(std::move(all));
  return found;
}

const CaseStudySource rows_source(with_rows);

}  // namespace
}  // namespace roofline::claims

#include <fmt/format.h>

#include "bench/result/reports.hpp"
#include "bench/text/format.hpp"
#include "reporters/claims/claim_result.hpp"
#include "reporters/claims/study.hpp"
#include "reporters/drawing/svg.hpp"
#include "reporters/plots/plots.hpp"

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

std::string css_of(Verdict verdict) {
  auto css = name(verdict);
  for (auto& c : css) c = c == ' ' ? '-' : c;
  return css;
}

/// The rows behind the numbers in the plot.
std::string row_table(const StudyText& study, const Results& results) {
  std::string html =
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"rows of the plot\"><table><thead><tr>"
      "<th>row</th><th>number</th><th>FLOP/B</th><th>GFLOP/s</th><th>% of "
      "roof</th><th>bound</th></tr></thead><tbody>\n";
  int number = 0;
  for (const auto* const row : points_of(study, results)) {
    const auto& point = *row;
    const auto& roof = point.assessment.roof;
    html += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                        escape_xml(point.name), ++number, significant(point.counts.intensity(MemoryLevel::DRAM)),
                        significant(giga(point.flop_rate())), roof ? percent(roof->efficiency) : "-",
                        escape_xml(roof               ? name(roof->bound)
                                   : point.is_bound() ? name(*point.bound_by)
                                                      : "-"));
  }
  return number ? html + "</tbody></table></div>\n" : std::string();
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
  html += "<h2>Where the kernels stand</h2>\n<p class=\"soft\">Red: this run at DRAM. Grey: published.</p>\n";
  html += case_study_plot(study, results) + row_table(study, results);
  html += fmt::format(
      "<h2>What the talk says, and what this run says</h2>\n<p>{}.</p>\n<p class=\"soft\">After each "
      "comparison its left and its right side, with intervals.</p>\n",
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

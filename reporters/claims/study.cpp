#include "reporters/claims/study.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>

#include "bench/text/parse_json.hpp"
#include "reporters/claims/claim.hpp"
#include "reporters/claims/expression.hpp"
#include "reporters/drawing/plot_page.hpp"
#include "reporters/files/imported.hpp"
#include "reporters/plots/roofline_panel.hpp"
#include "reporters/view/point_names.hpp"

namespace roofline::claims {
namespace {

auto case_studies() { return parse_json(case_studies_file(), "case-studies.json"); }

std::vector<StudyText> read_studies() {
  const auto json = case_studies();
  std::vector<StudyText> all;
  for (const auto& entry : json.at("studies")) {
    const auto texts = [&](const char* key) { return entry.at(key).get<std::vector<std::string>>(); };
    all.push_back({entry.at("name"),
                   entry.at("title"),
                   entry.at("talk"),
                   texts("sections"),
                   texts("introduction"),
                   texts("rows"),
                   entry.contains("families") ? texts("families") : std::vector<std::string>(),
                   {},
                   {},
                   {}});
    for (const auto& point : entry.at("published"))
      all.back().published.push_back({point.at(0), point.at(1), point.at(2)});
    all.back().account = entry.at("account");
    for (const auto& time : entry.value("times", nlohmann::ordered_json::array()))
      all.back().times.push_back({time.at(0), time.at(1), time.at(2)});
  }
  return all;
}

PublishedRoofs read_roofs() {
  const auto json = case_studies().at("roofs");
  PublishedRoofs roofs{json.at("memory"), {}};
  for (const auto& roof : json.at("compute")) roofs.compute.emplace_back(roof.at("label"), roof.at("rate"));
  return roofs;
}

constexpr double width = 860, height = 470;
/// Published values are grey: thin roofs and hollow marks.
constexpr std::string_view published_style = ".hDRAM{fill:#9a9a9a;stroke:#fff;stroke-width:.7}.thin{stroke:#9a9a9a}\n";

std::optional<double> number(const std::string& expression, const Facts& facts) {
  Scope scope{.facts = facts};
  try {
    return evaluate(expression, scope).value;
  } catch (const Missing&) {
    return std::nullopt;
  }
}

}  // namespace

const std::vector<StudyText>& studies() {
  static const auto all = read_studies();
  return all;
}

const PublishedRoofs& published_roofs() {
  static const auto roofs = read_roofs();
  return roofs;
}

std::vector<const Claim*> claims_of(const StudyText& study) {
  const auto among = [](const std::vector<std::string>& all, const std::string& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
  };
  const auto concerns = [&](const Claim& claim) {
    const auto rows = rows_of(claim);
    return study.families.empty() || rows.empty() || std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
             return among(study.families, row.substr(0, row.find('/')));
           });
  };
  std::vector<const Claim*> found;
  for (const auto& claim : all_claims())
    if (among(study.sections, claim.section) && concerns(claim)) found.push_back(&claim);
  return found;
}

bool concerns_row(const StudyText& study, const KernelPoint& point) {
  return std::any_of(study.rows.begin(), study.rows.end(),
                     [&](const std::string& pattern) { return fits_row(pattern, point.name); });
}

std::vector<const KernelPoint*> points_of(const StudyText& study, const Results& results) {
  std::vector<const KernelPoint*> found;
  for (const auto& point : results.points)
    if (point.counts.intensity(MemoryLevel::DRAM).value_or(0) > 0 && point.time.median > 0 &&
        concerns_row(study, point))
      found.push_back(&point);
  return found;
}

std::string case_study_plot(const StudyText& study, const Results& results) {
  const RunFacts facts(results);
  std::vector<Ceiling> ours, theirs;
  for (const auto operation : {Operation::fma, Operation::nofma})
    if (const auto* const c = results.roofline.compute(operation)) ours.push_back(*c);
  // On the talk's own machine its roofs would lie under ours.
  const auto is_ours = [&](double rate) {
    return std::any_of(ours.begin(), ours.end(), [&](const Ceiling& c) { return std::abs(c.rate / rate - 1) < 0.02; });
  };
  for (const auto& [label, text] : published_roofs().compute)
    if (const auto rate = number(text, facts); rate && !is_ours(*rate * 1e9))
      theirs.push_back(imported_compute(label, *rate * 1e9, {}));
  if (const auto rate = number(published_roofs().memory, facts); rate && !theirs.empty())
    theirs.push_back(imported_bandwidth(MemoryLevel::DRAM, "V100 HBM", *rate * 1e9, {}));
  if (const auto* const c = results.roofline.bandwidth(MemoryLevel::DRAM)) ours.push_back(*c);
  const Roofline roofs(ours, results.roofline.threads()), published(theirs, 1);

  std::deque<KernelPoint> points;
  std::deque<Member> members;
  PanelContent content{"", {}, {}};
  content.behind = &published;
  const auto add = [&](KernelPoint point, Look look, const std::string& label) {
    members.push_back({&points.emplace_back(std::move(point)), 0, {}, {}});
    content.kernels.push_back({&members.back(), look, label, {}});
  };
  for (const auto* const point : points_of(study, results))
    add(at_level(*point, MemoryLevel::DRAM), {}, std::to_string(points.size() + 1));
  for (const auto& [label, x, y] : study.published)
    if (const auto intensity = number(x, facts), rate = number(y, facts); intensity && rate)
      add(imported_point(label, *rate * 1e9, {{MemoryLevel::DRAM, *intensity}}), {Shape::diamond, true}, label);
  Svg svg(width, height, std::string(plot_style) + std::string(published_style));
  svg.rectangle({0, 0, width, height}, "paper");
  draw_panel(svg, {panel_left + 8, panel_top, width - panel_left - 28, height - panel_top - panel_bottom}, content,
             roofs);
  auto text = svg.document(study.title);
  // Inside a page an XML declaration has no place.
  return text.erase(0, text.find("<svg"));
}

}  // namespace roofline::claims

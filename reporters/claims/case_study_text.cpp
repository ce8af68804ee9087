#include "reporters/claims/case_study_text.hpp"

#include <algorithm>

#include "bench/text/parse_json.hpp"
#include "reporters/claims/claim.hpp"
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
                   {}});
    for (const auto& point : entry.at("published"))
      all.back().published.push_back({point.at(0), point.at(1), point.at(2)});
  }
  return all;
}

PublishedRoofs read_roofs() {
  const auto json = case_studies().at("roofs");
  PublishedRoofs roofs{json.at("memory"), {}};
  for (const auto& roof : json.at("compute")) roofs.compute.emplace_back(roof.at("label"), roof.at("rate"));
  return roofs;
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
  std::vector<const Claim*> found;
  for (const auto& claim : all_claims())
    if (std::find(study.sections.begin(), study.sections.end(), claim.section) != study.sections.end())
      found.push_back(&claim);
  return found;
}

std::vector<const KernelPoint*> points_of(const StudyText& study, const Results& results) {
  std::vector<const KernelPoint*> found;
  for (const auto& point : results.points) {
    const auto fits = [&](const std::string& pattern) { return fits_row(pattern, point.name); };
    if (point.counts.intensity(MemoryLevel::DRAM).value_or(0) > 0 && point.time.median > 0 &&
        std::any_of(study.rows.begin(), study.rows.end(), fits))
      found.push_back(&point);
  }
  return found;
}

}  // namespace roofline::claims

#include "reporters/claims/case_study_text.hpp"

#include <algorithm>

#include "bench/text/parse_json.hpp"
#include "reporters/claims/files.hpp"

namespace roofline::claims {
namespace {

std::vector<StudyText> read_studies() {
  const auto json = parse_json(case_studies_file(), "case-studies.json");
  std::vector<StudyText> all;
  for (const auto& entry : json.at("studies")) {
    const auto texts = [&](const char* key) { return entry.at(key).get<std::vector<std::string>>(); };
    all.push_back({entry.at("name"),
                   entry.at("title"),
                   entry.at("talk"),
                   texts("sections"),
                   texts("introduction"),
                   texts("rows"),
                   {},
                   {},
                   {}});
    auto& study = all.back();
    for (const auto& point : entry.at("published")) study.published.push_back({point.at(0), point.at(1), point.at(2)});
    for (const auto& [name, text] : entry.at("roofs").at("compute").items()) study.compute.emplace_back(name, text);
    for (const auto& [name, text] : entry.at("roofs").at("memory").items()) study.memory.emplace_back(name, text);
  }
  return all;
}

}  // namespace

const std::vector<StudyText>& studies() {
  static const auto all = read_studies();
  return all;
}

std::vector<const Claim*> claims_of(const StudyText& study) {
  std::vector<const Claim*> found;
  for (const auto& claim : all_claims())
    if (std::find(study.sections.begin(), study.sections.end(), claim.section) != study.sections.end())
      found.push_back(&claim);
  return found;
}

}  // namespace roofline::claims

#include "bench/run/case_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "bench/text/pattern.hpp"

namespace roofline {

std::vector<CaseStudy>& case_studies() {
  static std::vector<CaseStudy> all;
  return all;
}

bool concerns(const CaseStudy& study, const std::string& row) {
  return std::any_of(study.rows.begin(), study.rows.end(),
                     [&](const std::string& pattern) { return fits(pattern, row); });
}

const CaseStudy& case_study(const std::string& name) {
  std::string names;
  for (const auto& study : case_studies()) {
    if (study.name == name) return study;
    names += (names.empty() ? "" : ", ") + study.name;
  }
  throw std::invalid_argument(fmt::format("--case-study={}: expected one of {}", name, names));
}

}  // namespace roofline

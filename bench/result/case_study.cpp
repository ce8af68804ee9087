#include "bench/result/case_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "bench/text/pattern.hpp"

namespace roofline {
namespace {

std::vector<std::vector<CaseStudy> (*)()>& sources() {
  static std::vector<std::vector<CaseStudy> (*)()> all;
  return all;
}

std::vector<CaseStudy> read_all() {
  std::vector<CaseStudy> all;
  for (auto* const read : sources())
    for (auto& study : read()) all.push_back(std::move(study));
  return all;
}

}  // namespace

CaseStudySource::CaseStudySource(std::vector<CaseStudy> (*read)()) { sources().push_back(read); }

const std::vector<CaseStudy>& case_studies() {
  static const auto all = read_all();
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

#include "bench/result/reports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "bench/result/results.hpp"
#include "bench/text/words.hpp"

namespace roofline {
namespace {

std::vector<std::vector<CaseStudy> (*)()>& sources() {
  static std::vector<std::vector<CaseStudy> (*)()> all;
  return all;
}

}  // namespace

Reports& reports() {
  static Reports all;
  return all;
}

ConvertFormat::ConvertFormat(const char* to, const char* what, std::string (*of)(const Results&))
    : name(to), about(what), content(of) {
  auto& formats = reports().formats;
  formats.push_back(*this);
  std::sort(formats.begin(), formats.end(),
            [](const auto& a, const auto& b) { return std::string_view(a.name) < b.name; });
}

ReportFile::ReportFile(const char* name, std::string (*content)(const Results&)) {
  auto& files = reports().files;
  files.emplace_back(name, [content](const Results& results) { return content(assessed(results)); });
  // The order in which sources are initialised is nobody's choice.
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
}

CaseStudySource::CaseStudySource(std::vector<CaseStudy> (*read)()) { sources().push_back(read); }

const std::vector<CaseStudy>& case_studies() {
  static const auto all = [] {
    std::vector<CaseStudy> studies;
    for (auto* const read : sources())
      for (auto& study : read()) studies.push_back(std::move(study));
    return studies;
  }();
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

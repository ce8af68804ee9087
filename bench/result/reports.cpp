#include "bench/result/reports.hpp"

#include <algorithm>
#include <string_view>

#include "bench/result/assess.hpp"

namespace roofline {

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

}  // namespace roofline

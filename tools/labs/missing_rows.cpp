#include "tools/labs/missing_rows.hpp"

#include <set>
#include <sstream>

namespace roofline::labs {

std::vector<std::string> rows_without_time(const Results& run) {
  std::vector<std::string> rows;
  for (const auto& line : run.left_out) {
    const auto reason = line.find(": no time left; --benchmark_filter=");
    if (reason != std::string::npos) rows.push_back(line.substr(0, reason));
  }
  return rows;
}

std::string counting_flags(const Lab& lab, const std::string& student) {
  std::istringstream words(filled(lab.flags, numbers_of(lab, student)));
  std::string flags;
  for (std::string word; words >> word;) {
    bool of_measuring = false;
    for (const auto* flag : {"--time-limit=", "--ceilings=", "--benchmark_filter="})
      of_measuring = of_measuring || word.rfind(flag, 0) == 0;
    if (!of_measuring) flags += (flags.empty() ? "" : " ") + word;
  }
  return flags;
}

std::optional<claims::Fact> RunAndCounts::find(const std::string& kind, const std::string& subject,
                                               claims::End end) const {
  if (const auto fact = RunFacts::find(kind, subject, end)) return fact;
  static const std::set<std::string> exact = {"flops", "add",   "mul",  "fma",     "div",
                                              "alpha", "bytes", "read", "written", "parameter"};
  return exact.contains(kind) ? counted_.find(kind, subject, end) : std::nullopt;
}

}  // namespace roofline::labs

#pragma once
#include <string>
#include <utility>
#include <vector>

#include "bench/result/results.hpp"

namespace roofline {

/// A talk, or a part of one, that a run can go through again: --case-study=NAME.
struct CaseStudy {
  std::string name, title;
  std::vector<std::string> rows;  ///< names of the kernels that its statements are about; '*' stands for anything
  /// What is written next to run.json, by file name; from assessed results.
  std::vector<std::pair<std::string, std::string>> (*pages)(const Results& results, const std::string& name) = nullptr;
};

/// A file-scope object of this type says where studies come from. They are read when one is asked for, and not by every
/// program start.
struct CaseStudySource {
  explicit CaseStudySource(std::vector<CaseStudy> (*read)());
};

/// Those that are linked in, in their order.
const std::vector<CaseStudy>& case_studies();

/// Whether a study is about the row of that name.
bool concerns(const CaseStudy& study, const std::string& row);

/// Throws std::invalid_argument, one line with the known names, when there is none of that name.
const CaseStudy& case_study(const std::string& name);

}  // namespace roofline

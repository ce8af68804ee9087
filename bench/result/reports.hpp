#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "bench/result/results.hpp"

namespace roofline {

/// The input of a run's screen.
struct Screen {
  bool utf8 = false;               ///< block and line-drawing characters
  bool colour = false;             ///< a terminal that may be coloured
  std::string folder;              ///< that the files are in; empty: none were written
  std::vector<std::string> files;  ///< their names, the run itself first
};

/// A format that stored runs are converted to: `roofline convert --to=NAME`. A file-scope object of this type stands in
/// Reports::formats.
struct ConvertFormat {
  const char* name;
  const char* about;  ///< in the help
  std::string (*content)(const Results&);

  ConvertFormat(const char* name, const char* about, std::string (*content)(const Results&));
};

/// The texts that a run prints when it is over, and the files that it writes. The folder reporters/ fills this in where
/// it is linked; the harness knows none of its tables and files.
struct Reports {
  /// At most 45 lines of 100 columns: the results of a run, and where to find the rest.
  std::string (*screen)(const Results&, const Screen&) = nullptr;
  /// Everything that is known, for `roofline show --all`.
  std::string (*everything)(const Results&, const Screen&) = nullptr;
  /// Files next to run.json, by name.
  std::vector<std::pair<std::string, std::function<std::string(const Results&)>>> files;
  /// The formats of `roofline convert`.
  std::vector<ConvertFormat> formats;

  /// A table of runs that differ in their number of threads, printed after the last of them.
  std::string (*sweep)(const std::vector<Results>& runs) = nullptr;
  /// Files next to the folders of these runs, by name.
  std::vector<std::pair<std::string, std::function<std::string(std::vector<Results>)>>> sweep_files;
};

/// The reports of this program.
Reports& reports();

/// A file-scope object of this type adds a file to every run. Its content is made of assessed results.
struct ReportFile {
  ReportFile(const char* name, std::string (*content)(const Results&));
};

/// A talk, or a part of one, that a run can go through again: --case-study=NAME.
struct CaseStudy {
  std::string name, title;
  std::vector<std::string> rows;  ///< names of the kernels that its statements are about; '*' stands for anything
  /// Files to write next to run.json, by name; made of assessed results.
  std::vector<std::pair<std::string, std::string>> (*pages)(const Results& results, const std::string& name) = nullptr;
};

/// A file-scope object of this type says where studies come from. They are read when one is asked for, and not by every
/// program start.
struct CaseStudySource {
  explicit CaseStudySource(std::vector<CaseStudy> (*read)());
};

/// The case studies that are linked in, in their order.
const std::vector<CaseStudy>& case_studies();

/// Whether a study is about the row of that name.
bool concerns(const CaseStudy& study, const std::string& row);

/// Throws std::invalid_argument, one line with the known names, when there is none of that name.
const CaseStudy& case_study(const std::string& name);

}  // namespace roofline

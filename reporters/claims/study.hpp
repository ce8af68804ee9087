#pragma once
#include <string>
#include <utility>
#include <vector>

#include "bench/result/results.hpp"
#include "reporters/claims/claim.hpp"

namespace roofline::claims {

/// The subject of a case study: sections of the claims, and facts that a reader should know before.
struct StudyText {
  std::string name, title, talk;
  std::vector<std::string> sections;      ///< of the claims
  std::vector<std::string> introduction;  ///< paragraphs
  std::vector<std::string> rows;          ///< besides those that its claims name
  /// If several studies share a section, each has the claims about rows of its families; empty: all claims.
  std::vector<std::string> families;
  struct Point {
    std::string label, intensity, rate;  ///< expressions: FLOP/B at DRAM, GFLOP/s
  };
  std::vector<Point> published;  ///< shown in grey next to the run's
  std::string account = {};      ///< how the FLOPs of these are counted, a sentence
  struct Time {
    std::string label, published, row;  ///< of a version; a path in published.json, ms; the row that repeats it
  };
  std::vector<Time> times = {};
};

/// The talks' machine, behind the points of every study: expressions, in GB/s and GFLOP/s.
struct PublishedRoofs {
  std::string memory;
  std::vector<std::pair<std::string, std::string>> compute;  ///< label and rate
};
const PublishedRoofs& published_roofs();

const std::vector<StudyText>& studies();

/// The claims of a study, in their order.
std::vector<const Claim*> claims_of(const StudyText& study);

/// Whether a study is about a row of a run.
bool concerns_row(const StudyText& study, const KernelPoint& point);

/// The points of a study that have a place in its plot, which numbers them.
std::vector<const KernelPoint*> points_of(const StudyText& study, const Results& results);

/// The rows of a study on this run's roofs at DRAM, and the published roofs and points in grey, as one SVG element.
std::string case_study_plot(const StudyText& study, const Results& results);

}  // namespace roofline::claims

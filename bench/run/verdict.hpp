#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

struct Results;

/// Whether a run's numbers can be trusted, said on the first screen, on the plot, in the page and in run.json.
struct RunVerdict {
  enum class Trust {
    quiet,      ///< nothing speaks against the numbers
    care,       ///< usable with care: some rows are not
    disturbed,  ///< do not quote
    modelled,   ///< nothing was measured: bounds
    none,       ///< nothing to judge: no results, or only those of other files
  };
  Trust trust = Trust::none;
  std::vector<std::string> facts;  ///< what decided it, the gravest first: at most three
  std::string advice;              ///< what to do

  bool quotable() const { return trust == Trust::quiet || trust == Trust::care; }
};

/// "quiet", "usable with care", "disturbed: do not quote", ...: what a stamp says.
std::string_view headline(RunVerdict::Trust trust);
/// One word of it, for JSON.
std::string_view name(RunVerdict::Trust trust);

/// From physics checks (Results::checks), drift of the ceilings, disturbed rows, and how the run ended.
///
/// Disturbed: interrupted; a check of the whole run failed; a kernel above its roof; more than a quarter of the rows
/// disturbed, or a roof's interval wider than 20 %. With care: any warning of a check, any disturbed row, DRAM off its
/// ceiling beside some kernels, or most rows not converged.
RunVerdict verdict_of(const Results& results);

}  // namespace roofline

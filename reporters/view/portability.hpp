#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "bench/model/statistics.hpp"
#include "bench/result/results.hpp"
#include "bench/text/table.hpp"

namespace roofline {

/// So many runs are still told apart in one picture or table; more are shown as bands.
inline constexpr std::size_t most_apart = 12;

/// Median, and the 5th and 95th percentile (the next value outwards), of a non-empty list.
Interval middle_ninety(std::vector<double> values);

/// Whether all runs have machines of one name, the same number of threads, roofs and rows. Only such runs are a fleet.
bool are_alike(const std::vector<Results>& runs);

/// Many runs as one: each roof and each row at its median over the runs that have it, from the 5th to the 95th
/// percentile. Counts are those of the run with the median time, machine, date and threads those of the first. A
/// warning says how many runs lack rows. At least one run.
Results many_machines(std::vector<Results> runs);

/// Performance portability: harmonic mean of efficiencies (Pennycook et al.); 0 when one platform is unsupported (e <=
/// 0) or none is given.
double performance_portability(const std::vector<double>& efficiencies);

/// A platform and how efficient each kernel is on it: fractions of its roof. A kernel that is missing,
/// or has 0, is not supported.
struct PlatformResult {
  std::string name;
  std::vector<std::string> kernels;  ///< in their order
  std::map<std::string, double> efficiency;
};

/// The efficiencies of a stored run; `mix`: against the roof of each kernel's own mix.
PlatformResult platform_of(const std::string& name, const Results& results, bool mix);

/// Platforms of a CSV file with columns kernel, platform, efficiency, or of one of the p3 library (what p3_csv()
/// writes, too): a fraction, or in percent with % behind the numbers or in the column's name. `warnings` gets which
/// column was taken, which cells are not numbers (the platform then lacks the kernel), and columns of sizes in which
/// rows of one kernel differ. Throws FileError with origin and line, also for a number above 1 that does not say that
/// it is percent.
std::vector<PlatformResult> parse_efficiencies(const std::string& text, const std::string& origin,
                                               std::vector<std::string>& warnings);

/// Gives kernels one name that differ between platforms by nothing but a size (stream/n:1000/triad), which names of
/// earlier versions had, where no platform has two of them. Returns what was joined, what could not be, and kernels
/// whose portability is 0 because a platform lacks them.
std::vector<std::string> join_sizes(std::vector<PlatformResult>& platforms);

/// Kernels x platforms in percent, and their performance portability (Pennycook et al.): the harmonic mean, 0 if a
/// platform does not support the kernel. With more than `most_apart` platforms, percentiles over the platforms that
/// have the kernel.
Table portability_table(const std::vector<PlatformResult>& platforms);

/// The input of the p3-analysis library. It rejects efficiencies above 1: "arch eff" is clipped for it, "arch eff raw"
/// is not, and "clipped" tells.
std::string p3_csv(const std::vector<PlatformResult>& platforms);

}  // namespace roofline

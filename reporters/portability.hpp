#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/run/results.hpp"
#include "bench/text/table.hpp"

namespace roofline {

/// A platform and how efficient each kernel is on it: fractions of its roof, never clamped. A kernel that is missing,
/// or has 0, is not supported.
struct PlatformResult {
  std::string name;
  std::vector<std::string> kernels;  ///< in their order
  std::map<std::string, double> efficiency;
};

/// Of a stored run; `mix`: against the roof of each kernel's own mix.
PlatformResult platform_of(const std::string& name, const Results& results, bool mix);

/// Platforms of a CSV file with columns kernel, platform, efficiency (a fraction, or with % in percent). Throws
/// FileError with origin and line.
std::vector<PlatformResult> parse_efficiencies(const std::string& text, const std::string& origin);

/// Every kernel that one of the platforms has, in the order in which they appear, with its efficiency on each platform;
/// 0 where it has none.
struct KernelEfficiencies {
  std::string kernel;
  std::vector<double> efficiencies;
};
std::vector<KernelEfficiencies> by_kernel(const std::vector<PlatformResult>& platforms);

/// Kernels x platforms in percent, and their performance portability (Pennycook et al.): the harmonic mean, 0 where a
/// platform does not support the kernel.
Table portability_table(const std::vector<PlatformResult>& platforms);

/// The input of the p3-analysis library. It rejects efficiencies above 1: "arch eff" is clipped for it, "arch eff raw"
/// is not, and "clipped" tells.
std::string p3_csv(const std::vector<PlatformResult>& platforms);

/// Data of a cascade plot: per kernel the platforms from its best to its worst, with the efficiency there and the
/// portability over those so far.
std::string cascade_csv(const std::vector<PlatformResult>& platforms);

}  // namespace roofline

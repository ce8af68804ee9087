#pragma once
#include <map>
#include <string>
#include <vector>

#include "reporters/view/portability.hpp"

namespace roofline {

/// Code divergence of kernels, 0 (one source for all platforms) to 1 (nothing shared): a CSV file with the columns
/// kernel, divergence. Throws FileError with origin and line.
std::map<std::string, double> parse_divergence(const std::string& text, const std::string& origin);

/// The navigation chart (Sewall et al., P3HPC 2020) as SVG: code convergence, 1 - divergence, against portability, both
/// to be large. Without divergences, which no run measures, portability over the best one, two, ... platforms of each
/// kernel takes its place. Kernels without a divergence are left out of the former, which the caption says.
std::string navigation_chart(const std::vector<PlatformResult>& platforms,
                             const std::map<std::string, double>& divergence);

}  // namespace roofline

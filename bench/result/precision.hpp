#pragma once
#include <string>
#include <vector>

#include "bench/model/kernel_point.hpp"

namespace roofline {

/// How well the shares of a run's rows are known.
struct RunPrecision {
  int rows = 0;           ///< with a share of a roof and a range of it
  int resolved = 0;       ///< of these: half the range is at most 5 % of the share
  double median = 0;      ///< half-width of the range relative to the share, the median over the rows
  double worst = 0;       ///< and the largest
  std::string worst_row;  ///< whose that is
  std::vector<std::string>
      contradictions;  ///< rows whose share is above 103 % in its whole range: a count or model is wrong
};

/// Of points that are assessed.
RunPrecision precision_of(const std::vector<KernelPoint>& points);

}  // namespace roofline

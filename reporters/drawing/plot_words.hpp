#pragma once
#include <string>
#include <vector>

namespace roofline {

/// What the axes of a log-log plot show.
struct PlotUnits {
  std::string x = "Arithmetic intensity [FLOP/B]", y = "Performance [GFLOP/s]";
  std::string intensity = "FLOP/B", compute = "GFLOP/s", bandwidth = "GB/s", moved = "bytes";
};

/// The texts of a whole plot.
struct PlotWords {
  std::string title, subtitle;
  std::vector<std::string> caption;  ///< paragraphs below it
  PlotUnits units = {};
};

}  // namespace roofline

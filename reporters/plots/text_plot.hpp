#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "bench/result/results.hpp"

namespace roofline {

enum class Characters { utf8, ascii };

/// A log-log roofline for the terminal: roofs as lines, kernels at their DRAM intensity (the outermost known one) as
/// letters, which the legend below explains; kernels in one character cell share a letter. A crowded run has one letter
/// and one line of the legend per family. Empty when there is nothing to draw.
std::string text_plot(const Results& results, Characters characters = Characters::utf8, std::size_t width = 90,
                      std::size_t height = 22);

/// The same of some points of a run, each with the label that the legend has for it, to the right of the plot: lines of
/// at most `width` columns. Empty when there is nothing to draw, or the legend leaves the plot no room.
using LabelledPoint = std::pair<std::string, const KernelPoint*>;
std::vector<std::string> plot_with_legend(const Results& results, const std::vector<LabelledPoint>& points,
                                          Characters characters, std::size_t width, std::size_t height);

}  // namespace roofline

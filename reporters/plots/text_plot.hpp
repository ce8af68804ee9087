#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "bench/result/results.hpp"

namespace roofline {

enum class Characters { utf8, ascii };

/// A log-log roofline for the terminal: roofs as lines, some points of a run at their DRAM intensity (the outermost
/// known one) as letters, 62 at most, each with the label that the legend to the right has for it; points in one
/// character cell share a letter. Lines of at most `width` columns. Empty when there is nothing to draw, or the legend
/// leaves the plot no room.
using LabelledPoint = std::pair<std::string, const KernelPoint*>;
std::vector<std::string> text_plot(const Results& results, const std::vector<LabelledPoint>& points,
                                   Characters characters, std::size_t width, std::size_t height);

}  // namespace roofline

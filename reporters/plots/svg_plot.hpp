#pragma once
#include <string>

#include "bench/result/results.hpp"
#include "reporters/drawing/plot_words.hpp"

namespace roofline {

/// The roofline as an SVG document: all kernels over all levels, a table that names every point by its number, one
/// small plot per family or sweep, and what the numbers rest on. In a crowded run the plot of all kernels shows
/// families and names only the best and the worst of each. Valid also without ceilings or without points.
std::string svg_plot(const Results& results);
/// The same picture with other words: what views of other quantities are drawn with.
std::string svg_plot(const Results& results, const PlotWords& words);
/// What a run's own plot says of itself.
PlotWords plot_words(const Results& results);

}  // namespace roofline

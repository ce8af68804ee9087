// Pictures of a run or of several, as SVG.
#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "bench/result/results.hpp"
#include "reporters/drawing/axes.hpp"
#include "reporters/drawing/plot_page.hpp"

namespace roofline {

/// The roofline as an SVG document: all kernels over all levels, a table that names every point by its number, one
/// small plot per family or sweep, and what the numbers rest on. In a crowded run the plot of all kernels shows
/// families and names only the best and the worst of each. Valid also without ceilings or without points.
std::string svg_plot(const Results& results);
/// Additions to a plot.
struct PlotAdditions {
  std::vector<std::string> mixes = {};  ///< the ceiling of the mix of rows of these names as a line; '*' is anything
  bool theory = false;                  ///< the theory of roofs, dotted, with the gap in percent
  std::vector<std::pair<double, std::string>> intensities = {};  ///< vertical lines, FLOP/B with a name
  const Results* before = nullptr;  ///< the same rows in another account, hollow, with an arrow to their marks
  LogRange x = {}, y = {};          ///< ranges of the large plot, FLOP/B and FLOP/s; empty: wide enough for everything
};
/// Throws std::invalid_argument where a pattern of a mix fits no row whose kinds are known.
std::string svg_plot(const Results& results, const PlotAdditions& additions);
/// The same picture with other words, for views of other quantities.
std::string svg_plot(const Results& results, const PlotWords& words, const PlotAdditions& additions = {});
/// The words of a run's own plot.
PlotWords plot_words(const Results& results);

/// One plot without title, table and caption, for a paper: the rows of a family, or of matching names ('*' stands for
/// anything), at every level; more than 16 rows are shown as their families. `width` in pixels; the height is two
/// thirds of it. Throws std::invalid_argument if no row with a place on a roofline matches.
std::string panel_plot(const Results& results, const std::string& rows, double width);

/// "Roofline of AMD EPYC, 2 threads"; for a modelled run it says that nothing was measured.
std::string plot_title(const Results& results);

/// Date, instruction set, clock, and where the ceilings are from.
std::string plot_subtitle(const Results& results);

/// The cache-aware roofline (Ilic, Pratas and Sousa, IEEE CAL 2014) as SVG: all points at the bytes that the core loads
/// and stores, whatever level they come from, below the bandwidths of all levels. Points without bytes of L1 are left
/// out, which the caption says. Throws std::invalid_argument where no point has any.
std::string cache_aware_plot(const Results& results);

/// The instruction roofline of GPUs (Ding and Williams, PMBS 2019) as a run: instructions of warps where FLOPs were,
/// transactions of 32 B where bytes were, and as ceilings the issue rate of the schedulers and bandwidths / 32 B. Rows
/// without instructions of warps are left out. For instruction_plot() and its tests.
Results as_instructions(const Results& results);

/// It as SVG: instructions per transaction at each level against instructions per second. Throws std::invalid_argument
/// where no row has what it needs: on a CPU there are no warps.
std::string instruction_plot(const Results& results);

/// Scaling trajectories (Ibrahim, Williams and Oliker, 2018) as SVG: runs of one machine with different numbers of
/// threads, one line per kernel through its points, from few threads to many, and the roofs of every run.
///
/// A plot per family, at the outermost level of each kernel; percentages are parallel efficiencies between the fewest
/// and the most threads. Throws std::invalid_argument where two runs have the same number of threads, or no kernel is
/// in two of them.
std::string scaling_plot(std::vector<Results> runs);

/// The time-based roofline as SVG: for each row the seconds that every resource needs by itself, on one logarithmic
/// axis, and the measured time. The longest bar is the roof. The cost of launching, an empty parallel region, is a bar
/// of its own where the run measured it. Throws std::invalid_argument if no row has a resource with a ceiling.
std::string time_plot(const Results& results);

/// The message roofline (Ding, Haseeb, Groves and Williams, P3HPC at SC 2023) as SVG, from the text of an mpi.json:
/// GB/s over the size of a message, for 1, 4 and 16 messages per synchronisation, below bytes x messages / latency and
/// the bandwidth, with halos as points at their mean message. `origin` names the file. Throws FileError if it is not an
/// mpi.json, std::invalid_argument if it has no messages.
std::string message_plot(const std::string& text, const std::string& origin);

enum class Characters { utf8, ascii };

/// A log-log roofline for the terminal: roofs as lines, some points of a run at their DRAM intensity (the outermost
/// known one) as letters, 62 at most, each with the label that the legend to the right has for it; points in one
/// character cell share a letter. Lines of at most `width` columns. Empty when there is nothing to draw, or the legend
/// leaves the plot no room.
using LabelledPoint = std::pair<std::string, const KernelPoint*>;
std::vector<std::string> text_plot(const Results& results, const std::vector<LabelledPoint>& points,
                                   Characters characters, std::size_t width, std::size_t height);

}  // namespace roofline

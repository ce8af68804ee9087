#pragma once
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "bench/result/results.hpp"
#include "bench/text/table.hpp"
#include "reporters/drawing/plot_page.hpp"

namespace roofline {

/// "fp64": "FP64"; "avx2": "AVX2".
std::string in_capitals(std::string text);

/// One line of a roofline plot: a bandwidth as a slope, or a compute ceiling as a level.
struct RoofLine {
  std::string name;                  ///< "DRAM", "FP64 no-FMA"
  double rate = 0;                   ///< B/s or FLOP/s
  std::optional<MemoryLevel> level;  ///< absent: compute
  bool thin = false;                 ///< a lower ceiling: add only, scalar, one chain, a slower access mix
  double from = 0;                   ///< FLOP/B where the line begins
  double to = std::numeric_limits<double>::infinity();
  std::optional<Operation> operation = {};  ///< that a compute line is the ceiling of
  bool tensor = false;                      ///< of instructions on whole matrices
  std::optional<double> theory = {};        ///< B/s or FLOP/s that the machine should have
  bool named_by_file = false;               ///< its name is a file's, not ours

  /// Its operations are on integers, so they are not FLOPs.
  bool of_integers() const { return tensor && name.starts_with("INT"); }
  /// FLOP/s of the line at an intensity.
  double at(double intensity) const { return level ? rate * intensity : rate; }
  /// "DRAM: 65.9 GB/s", "FP64 FMA: 258 GFLOP/s".
  std::string label(const PlotUnits& units = {}) const;
  /// The same for a small plot, whose axis has the unit: "FMA: 258".
  std::string short_label(const PlotUnits& units = {}) const;
};

/// The lines of a roofline, bandwidths from L1 outwards, then compute ceilings from the top.
///
/// As in the published plots a compute line begins where it meets the fastest bandwidth, and a bandwidth line ends
/// where it meets the highest compute ceiling. Below the roofs, thin: add, mul, div, scalar, one chain, and DRAM reads
/// where they are more than 5 % slower than the best mix.
std::vector<RoofLine> roof_lines(const Roofline& roofline);

/// The theory of a roof that has one, as a line.
RoofLine theory_of(const RoofLine& roof);

/// The ceiling of a point's own mix of instructions, called by `label`; absent where its kinds, or ceilings for them,
/// are not known.
std::optional<RoofLine> mix_line(const Roofline& roofline, const KernelPoint& point, const std::string& label);

/// The name of the outermost level: "HBM" if the file or the card has that, else "DRAM".
std::string memory_name(const Results& results);
/// A text with that name of the level, where the word is not part of a row's name. Columns behind it keep their place.
std::string with_memory_name(const std::string& text, const Results& results);
Table with_memory_name(Table table, const Results& results);

/// Compute lines within 4 % of one another as one, "FP64 FMA, no-FMA", at the higher rate: their labels would cover
/// each other and their distance says nothing.
std::vector<RoofLine> merged(std::vector<RoofLine> lines);

}  // namespace roofline

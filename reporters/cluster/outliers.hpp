#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "reporters/cluster/node_run.hpp"

namespace roofline::cluster {

/// Natural logarithms of the rates of equal machines, one run each: NaN where a node lacks a row.
struct Sheet {
  std::vector<Part> rows;                  ///< what each row tests
  std::vector<std::vector<double>> nodes;  ///< node by node, as many values as there are rows
};

struct Limits {
  double floor = 0.03;  ///< the smallest loss that is ever told, as a share
  double alpha = 0.01;  ///< sound nodes that may be called slow in a whole group; suspects three times as many
};

/// Where the values of equal machines lie: a median, and how far they scatter around it.
struct Spread {
  double centre = 0;
  double scale = 0;    ///< standard deviation, by the median of deviations
  double degrees = 0;  ///< of freedom with which the scale is known
  double low = 0;      ///< below this, relative to the centre, is a finding; negative
  std::size_t values = 0;
};

/// The reference for a group's nodes. Rows that fewer than three nodes have are not judged: their `low` is NaN.
struct Reference {
  std::vector<Spread> rows;
  std::array<Spread, all_parts.size()> parts;  ///< of each node's median over the rows of a part
  std::vector<bool> flagged;                   ///< nodes that centres and scales were taken without
};

/// Fewer equal machines have no verdicts, fewer values of a row no centre.
inline constexpr std::size_t fewest_nodes = 3;

/// How far one run is from the centres, in logarithms: -0.05 is 5 % slow. NaN: not measured.
struct Deviations {
  std::vector<double> rows;
  std::array<double, all_parts.size()> parts;
};

/// The mean of some runs in each row, over those that have it; NaN where none has.
std::vector<double> mean_of(const std::vector<const Deviations*>& runs);

/// Why a node is a suspect: in a part as a whole, or in one row of it.
struct Cause {
  Part part = Part::core;
  std::optional<std::size_t> row;
  double strength = 0;  ///< deviation over that from which it is a finding, 1 and more
};

/// Centre and scale of every row and part over the nodes. They are computed again without nodes that are then far
/// below, until there are no more. The scales of few nodes are rough. So those of all rows are drawn towards their
/// common value as far as they agree (empirical Bayes: Smyth, Stat. Appl. Genet. Mol. Biol. 3, 2004), and the remaining
/// doubt is in the quantile of Student's t that takes the place of the normal one.
Reference reference_of(const Sheet& sheet, const Limits& limits);

/// The deviations of one run in the rows of the reference, as logarithms.
Deviations deviations(const Reference& reference, const std::vector<Part>& rows, const std::vector<double>& logs);

/// The causes that make this run a suspect, the strongest first; empty: none.
std::vector<Cause> causes(const Reference& reference, const std::vector<Part>& rows, const Deviations& run);

/// Whether a cause holds in runs that were made because of it. In the best of them the value must still be as low as
/// sound nodes are with a chance of alpha over all `tests` of such causes together. Absent: none of them measured it.
std::optional<bool> is_confirmed(const Cause& cause, const Reference& reference, const std::vector<Deviations>& again,
                                 const Limits& limits, std::size_t tests);

}  // namespace roofline::cluster

#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "bench/counting/modelled.hpp"
#include "bench/options/options.hpp"
#include "bench/suite/suite.hpp"

namespace roofline {

/// The rows of one run, in order.
struct Plan {
  std::vector<const CeilingVariant*> ceilings;
  std::vector<const Variant*> kernels;
  bool with_ert = false;             ///< the swept ERT curve next to the ceilings
  std::vector<std::string> skipped;  ///< what a subset leaves out, one line each
};

/// Chooses the rows. --quick, the default and --full are subsets; a filter (see Filter) selects among the variants of
/// the subset, or among all of a family of which the subset has none that match. Ceilings that kernels need are added
/// whatever the filter says. Throws std::invalid_argument on a malformed expression.
Plan make_plan(const Suite& suite, const Options& options);

/// The kernels in an order that a seed gives, the same for equal seeds on any machine. The kernel before and the state
/// of the machine should not be the same in both of a kernel's turns. Kernels of --quick come before the others, so
/// that the most important rows are not left out if time is short.
std::vector<const Variant*> shuffled(std::vector<const Variant*> kernels, std::uint64_t seed);

/// One line for a name or filter that `flag` was given and that matches nothing, with the nearest name.
std::string no_match_message(const Suite& suite, const std::string& flag, const std::string& text);

/// The rows that can run on a target: its ceilings and every family that has a port to it, at the sizes that the
/// options ask for. With `model` (may be null) the ceilings are the model's. Throws std::invalid_argument on senseless
/// sizes.
Suite make_suite(const Target& target, const Options& options, const Model* model);

}  // namespace roofline

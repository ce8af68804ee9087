#pragma once
#include <string>

#include "apps/gsrb/box.hpp"
#include "bench/suite/suite.hpp"

namespace roofline::gsrb {

/// A level ready for a sweep: coefficients, x and a right-hand side without a pattern, ghost cells filled.
template <class Operator>
Level smoothing_problem(int number, std::uint64_t seed = 0, Rows rows = Rows::padded);

/// The values that a sweep of color000 = 0 leaves in `temp`, padding and ghosts included, from the formulas of x, rhs
/// and beta. Boxes, ghost cells and the timed kernel's bodies are not involved; only dinv is read from the level.
template <class Operator>
Check check_sweep(const Level& level, std::uint64_t seed = 0);

/// gsrb/METHOD/op:OPERATOR/level:N[/fma:0]
template <class Operator, class Method>
std::string row_name(int level, bool fma) {
  return "gsrb/" + std::string(Method::name) + "/op:" + std::string(Operator::name) +
         "/level:" + std::to_string(level) + (fma ? "" : "/fma:0");
}

/// FLOPs of a sweep over `cells` cells: operator and method of every cell that is computed.
template <class Operator, class Method>
std::uint64_t declared_flops(Index cells) {
  return static_cast<std::uint64_t>(cells / Method::cells_per_update) *
         (static_cast<std::uint64_t>(Operator::flops) + static_cast<std::uint64_t>(Method::flops));
}

extern template Level smoothing_problem<FourthOrder>(int, std::uint64_t, Rows);
extern template Level smoothing_problem<SevenPoint>(int, std::uint64_t, Rows);
extern template Check check_sweep<FourthOrder>(const Level&, std::uint64_t);
extern template Check check_sweep<SevenPoint>(const Level&, std::uint64_t);

}  // namespace roofline::gsrb

#pragma once
#include "apps/gsrb/box.hpp"
#include "bench/run/suite.hpp"

namespace roofline::gsrb {

/// A level ready for a sweep: coefficients, x and a right-hand side without a pattern, ghost cells filled.
template <class Operator>
Level smoothing_problem(int number, std::uint64_t seed = 0);

/// What a sweep of color000 = 0 leaves in `temp`, padding and ghosts included, from the formulas of x, rhs and beta: no
/// box, no ghost cell and no body of the timed kernel is involved, only dinv is read from the level.
template <class Operator>
Check check_sweep(const Level& level, std::uint64_t seed = 0);

extern template Level smoothing_problem<FourthOrder>(int, std::uint64_t);
extern template Level smoothing_problem<SevenPoint>(int, std::uint64_t);
extern template Check check_sweep<FourthOrder>(const Level&, std::uint64_t);
extern template Check check_sweep<SevenPoint>(const Level&, std::uint64_t);

}  // namespace roofline::gsrb

#include <fmt/format.h>

#include <memory>

#include "apps/mg/problem.hpp"
#include "bench/cache_model/set_launch.hpp"
#include "bench/suite/suite.hpp"
#include "bench/suite/tunings.hpp"

namespace roofline::mg {
namespace {

Workload make(const std::shared_ptr<Problem>& problem, Cycle cycle) {
  for (auto& level : problem->levels) level.x.zero();  // another row has left the result there
  Workload work;
  // Cells at a time: one, because those of the other colour are not to count.
  set_launch<true, 1>(work, [problem, cycle, grids = problem->grids()](auto space) {
    launch(grids, cycle, [space](const auto& pass) { execute(space, pass); });
  });
  work.check = [problem, cycle] { return problem->check(cycle); };
  work.declared_flops = declared_flops(cycle, static_cast<Index>(problem->levels.size()));
  return work;
}

Family describe() {
  return {
      .name = "mg",
      .flops =
          "V-cycle: 105 per cell of each level above 1, 84 of level 1; F-cycle: its V-cycles, and 12 per cell above 1",
      .bytes = "a V-cycle passes some 12 times over each level, 610 B per cell; an F-cycle runs one to each level",
      .teaches = "large levels are bound by memory, small ones by starting and ending parallel loops",
      .description =
          R"(Multigrid cycles of HPGMG's finite volumes, second order: the solver around the smoother of gsrb.
A x = -div(beta grad x) on a cube, x = 0 on its boundary, 2^l cells along each edge of level l.
v_cycle  on each level from the finest down: two red-black smooths (GSRB_BRANCH), the residual, and
         its mean over eight cells as the right-hand side below. On the 2^3 cells of level 1 four
         smooths. On the way up the correction, constant in a coarse cell, and two smooths
f_cycle  full multigrid: the right-hand side restricted to all levels, then from level 1 up a guess,
         linear along each axis, and a V-cycle. One F-cycle reaches the error of the discretisation
A cycle starts from x = 0. It is compared with the same cycle in plain loops, on every level. Tests
hold a V-cycle to its convergence rate, and an F-cycle to an error that falls by 4 per level.
HPGMG splits a level into boxes and exchanges their ghosts; here a level is one box. HPGMG restricts
beta from the finest level; here each level has the values at its faces. HPGMG solves the coarsest
level by a Krylov method.
FLOPs per cell: a red and a black sweep 21, residual 19, restriction 1, correction 1, linear
interpolation 11.
Look at: the time of each level, with --full or --mg=1 to --mg=8. An eighth of the cells takes an
eighth of the time while memory or arithmetic binds. On the smallest levels it takes much more,
because parallel loops cost more than their work. A launch on a GPU costs more still, so HPGMG-CUDA
leaves levels of up to 10,000 cells, 1 to 4, to the CPU.)",
      .size_names = "level",
      .size_range = "2^level cells along each edge, 1..8",
      .default_sizes = {5},
      .quick_sizes = {},
      .small_sizes = {4}};
}

void add_variants(Suite& suite, const Sizes& sizes) {
  const Index chosen = sizes.at(0);
  require_level(chosen, fmt::format("--mg={}", chosen));
  for (Index level = lowest_level; level <= highest_level; ++level) {
    if (suite.has_fixed_size("mg") && level != chosen) continue;
    const auto shared = made_once([=, seed = suite.seed()] { return std::make_shared<Problem>(level, seed); });
    for (const auto cycle : {Cycle::v, Cycle::f})
      suite.add({.name = row_name(cycle, level),
                 .family = "mg",
                 .selection = level == chosen && cycle == Cycle::f ? Selection::standard : Selection::full,
                 .make = [=] { return make(shared(), cycle); },
                 .about = fmt::format("{} on {}^3 cells, from a guess of zero",
                                      cycle == Cycle::v ? "a V-cycle" : "full multigrid", 1 << level)});
  }
}

const Registrar registrar(describe, add_variants);

}  // namespace
}  // namespace roofline::mg

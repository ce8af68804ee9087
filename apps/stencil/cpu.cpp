#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "apps/stencil/problem.hpp"
#include "apps/stencil/stencil.hpp"
#include "apps/stencil/sweep.hpp"
#include "apps/stencil/tuned.hpp"
#include "bench/cache_model/set_launch.hpp"
#include "bench/levels/levels.hpp"
#include "bench/machine/machine.hpp"
#include "bench/suite/suite.hpp"
#include "bench/suite/tunings.hpp"

namespace roofline::stencil {
namespace {

template <class Body>
Workload make(const std::shared_ptr<Problem>& problem, int flops, Index rows) {
  problem->v.zero();  // another row has left results there
  Workload work;
  const Body body{problem->u.view(), {problem->v.data()}, problem->pitch, problem->pitch * problem->n};
  set_launch<true>(work, [=](auto space) { sweep(space, *problem, rows, 1, body); });
  const auto in_blocks = [=](Pass* pass) { sweep(OpenMp<true>{pass}, *problem, warm_rows, 1, body); };
  work.in_core = in_core(in_blocks, problem->bytes_of_rows(warm_rows));
  work.check = [problem] { return check(*problem); };
  work.declared_flops = declared_flops(problem->n, flops);
  return work;
}

/// The tunings of the tuned row, which share their arrays.
std::vector<KernelTuning> tunings(const std::function<std::shared_ptr<Problem>()>& problem, Index n, Index rows_in_l2) {
  std::vector<KernelTuning> all;
  for (const auto& walk : tuned_walks(n, rows_in_l2))
    all.push_back({name_of(walk, n), [=] {
                     const auto shared = problem();
                     shared->v.zero();
                     return tuned_sweep(shared, walk);
                   }});
  return all;
}

Family describe() {
  return {
      .name = "stencil",
      .flops = "7 (v = -6 u + sum of six) or 8 (v = c0 u + c1 sum) per interior point",
      .bytes = "64 B at L1 (7 loads, 1 store); 24 B compulsory with write-allocate",
      .teaches = "caches move a point right: intensity 0.11 at L1, 0.29 at DRAM, and it is memory-bound all the same",
      .description = R"(7-point constant-coefficient stencil on a cube, out of place, in the two published forms.
Each point is used 7 times. While three planes fit in a cache, only the first use comes from memory
(layer condition), so DRAM has one read, one write-allocate and one write-back per point.
Look at: the DRAM point, 2.7 times as far right as the L1 point (reuse), near the DRAM roof in both
forms.)",
      .size_names = "n",
      .size_range = "points along each edge of the cube, 3 or more",
      .default_sizes = {0},
      .quick_sizes = {},
      .small_sizes = {35},
      .size_arguments = {"n"}};
}

/// Rows of a block whose three planes take half of L2, and that of a machine where L2 is unknown.
Index rows_for_l2(const Machine& machine, Index n) {
  double size = 1 << 20;
  for (const auto& cache : machine.caches)
    if (cache.level == MemoryLevel::L2) size = static_cast<double>(cache.size);
  return std::max<Index>(1, static_cast<Index>(size / 2 / (3 * 8.0 * static_cast<double>(n))));
}

void add_variants(Suite& suite, const Sizes& sizes) {
  // Two arrays, together at least three last-level caches, in steps of 32 interior points, so that rows are whole
  // packs; three planes still fit one core's share.
  const auto edge = std::cbrt(beyond_caches(suite.machine(), 3) / 16);
  const auto points = within_memory(suite, "stencil", Index{1} << 40, 16.0);
  const auto fits = static_cast<Index>(std::cbrt(static_cast<double>(points))) / 32 * 32 + 2;
  const Index n =
      sizes[0] == 0 ? std::min((std::max<Index>(162, static_cast<Index>(edge)) + 31) / 32 * 32 + 2, fits) : sizes[0];
  if (n < 3) throw std::invalid_argument(fmt::format("--stencil={}: the edge must be 3 or more", n));
  require_memory(16.0 * std::pow(static_cast<double>(n), 3), fmt::format("stencil of {0}^3 points", n));
  const auto problem = made_once([n, seed = suite.seed()] { return std::make_shared<Problem>(n, seed); });
  suite.add({.name = row_name(n, 7),
             .family = "stencil",
             .selection = Selection::quick,
             .make = [=] { return make<SevenFlops>(problem(), 7, n); },
             .about = "v = -6 u + sum of the six neighbours"});
  suite.add({.name = row_name(n, 8),
             .family = "stencil",
             .selection = Selection::standard,
             .make = [=] { return make<EightFlops>(problem(), 8, n); },
             .about = "v = c0 u + c1 (sum of the six neighbours)"});
  const Index rows = rows_for_l2(suite.machine(), n);
  suite.add({.name = row_name(n, 7) + "/blocked",
             .family = "stencil",
             .selection = Selection::full,
             .make = [=] { return make<SevenFlops>(problem(), 7, rows); },
             .about = "the first in blocks of rows: three planes of a block fit L2, so less comes from L3.\n"
                      "Look at: whether it waits for L3",
             .problem = fmt::format("rows:{}", rows)});
  suite.add({.name = row_name(n, 7) + "/tuned",
             .family = "stencil",
             .about =
                 "the first one row of several planes at a time, in blocks of rows, with prefetches and streaming\n"
                 "stores or without, as it is fastest here",
             .tunings = tunings(problem, n, rows)});
}

const Registrar registrar(describe, add_variants);

}  // namespace
}  // namespace roofline::stencil

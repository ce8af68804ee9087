#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "apps/stencil/problem.hpp"
#include "apps/stencil/stencil.hpp"
#include "bench/machine/machine.hpp"
#include "bench/run/forms.hpp"
#include "bench/run/suite.hpp"
#include "bench/simulator/set_launch.hpp"
#include "bench/space/streamed.hpp"

namespace roofline::stencil {
namespace {

constexpr Index warm_rows = 16;  ///< of a block whose slabs are to fit the caches of a core

/// Where and how a sweep goes.
struct Walk {
  Index rows;  ///< of a block that goes through all planes: of it three stay in a cache where whole ones do not
  Index rows_ahead = 0;  ///< of the plane that no other point has read, asked for while a row is computed; 0: none
};

/// The body, which asks for what it will need `ahead` elements further on in the plane above: a row is not much longer
/// than the pages at whose ends prefetchers stop, and each time they take some lines to find it again.
template <class Body>
struct Ahead {
  Body body;
  Index ahead;
  template <class At>
  ROOFLINE_BODY void operator()(At at) const {
    __builtin_prefetch(body.u.data + at.i + body.plane + ahead);
    body(at);
  }
};

template <class Space, class Body>
void for_each_interior(Space space, const Problem& p, Index rows, Body body) {
  const Index n = p.n, row_length = n - 2, pitch = p.pitch, first = p.at(1, 1, 1);
  for (Index begin = 0; begin < n - 2; begin += rows) {
    const Index end = std::min(begin + rows, n - 2);
    space.parallel(n - 2, [=](Index plane) mutable {
      for (Index j = begin; j < end; ++j) {
        const Index row = first + (plane * n + j) * pitch;
        space.lanes(row, row + row_length, body);
      }
    });
  }
}

template <class Body>
Workload make(const std::shared_ptr<Problem>& problem, int flops, const Walk& walk) {
  Workload work;
  const Body body{problem->u.view(), {problem->v.data()}, problem->pitch, problem->pitch * problem->n};
  set_launch<true>(work, [=](auto space) { for_each_interior(space, *problem, walk.rows, body); });
  const auto in_blocks = [=](WarmPass* warm) { for_each_interior(OpenMp<true>{warm}, *problem, warm_rows, body); };
  work.in_caches = {[=] { return warm_seconds(in_blocks); }, problem->bytes_of_rows(warm_rows)};
  if (walk.rows_ahead > 0)
    work.launch = [=, ahead = walk.rows_ahead * problem->pitch] {
      for_each_interior(OpenMp<true>{}, *problem, walk.rows, Ahead<Body>{body, ahead});
    };
  work.check = [problem] { return check(*problem); };
  work.declared_flops = declared_flops(problem->n, flops);
  return work;
}

/// The forms of the tuned row: blocks of rows x prefetch x stores.
std::vector<KernelForm> forms(Index n, std::uint64_t seed, Index rows_in_l2) {
  const auto problem = made_once([=] { return std::make_shared<Problem>(n, seed); });
  std::vector<KernelForm> all;
  std::vector<Index> blocks{n};
  for (const Index rows : {rows_in_l2, rows_in_l2 / 4})
    if (0 < rows && rows < blocks.back()) blocks.push_back(rows);
  for (const Index rows : blocks) {
    for (const Index ahead : {0, 1, 4}) {
      const Walk walk{rows, ahead};
      const auto name = (rows == n ? "whole planes" : fmt::format("{} rows", rows)) +
                        (ahead == 0 ? "" : fmt::format(", prefetch {} rows ahead", ahead));
      all.push_back({name, [=] { return make<SevenFlops>(problem(), 7, walk); }});
      all.push_back({name + ", streaming stores", [=] { return make<SevenFlopsTo<Streamed>>(problem(), 7, walk); }});
    }
  }
  return all;
}

Family describe() {
  return {
      .name = "stencil",
      .flops = "7 (v = -6 u + sum of six) or 8 (v = c0 u + c1 sum) per interior point",
      .bytes = "64 B at L1 (7 loads, 1 store); 24 B compulsory with write-allocate",
      .teaches = "caches move a point right: intensity 0.11 at L1, 0.29 at DRAM, and it is memory-bound all the same",
      .description = R"(7-point constant-coefficient stencil on a cube, out of place, in the two published forms.
The caches turn 8 references per point into one read, one write-allocate and one write-back as long as
three planes fit (layer condition).
Look at: L1 and DRAM intensities far apart (reuse), both points on or near the DRAM roof.)",
      .size_names = "n",
      .size_range = "points along each edge of the cube, 3 or more",
      .default_sizes = {0},
      .quick_sizes = {}};
}

/// Rows of a block whose three planes take half of L2, and that of a machine where L2 is unknown.
Index rows_for_l2(const Machine& machine, Index n) {
  double size = 1 << 20;
  for (const auto& cache : machine.caches)
    if (cache.level == MemoryLevel::L2) size = static_cast<double>(cache.size);
  return std::max<Index>(1, static_cast<Index>(size / 2 / (3 * 8.0 * static_cast<double>(n))));
}

void add_variants(Suite& suite, const Sizes& sizes) {
  // Two arrays, together at least four last-level caches, in steps of 32 interior points, so that rows are whole packs;
  // three planes still fit one core's share.
  const auto llc = std::max<std::uint64_t>(suite.machine().largest_llc, 16 << 20);
  const auto edge = std::cbrt(static_cast<double>(llc) * 4 / 16);
  const auto points = within_memory(suite, "stencil", Index{1} << 40, 16.0);
  const auto fits = static_cast<Index>(std::cbrt(static_cast<double>(points))) / 32 * 32 + 2;
  const Index n =
      sizes[0] == 0 ? std::min((std::max<Index>(256, static_cast<Index>(edge)) + 31) / 32 * 32 + 2, fits) : sizes[0];
  if (n < 3) throw std::invalid_argument(fmt::format("--stencil={}: the edge must be 3 or more", n));
  require_memory(16.0 * std::pow(static_cast<double>(n), 3), fmt::format("stencil of {0}^3 points", n));
  const auto seed = suite.seed();
  const auto problem = [n, seed] { return std::make_shared<Problem>(n, seed); };
  suite.add({.name = row_name(n, 7),
             .family = "stencil",
             .selection = Selection::quick,
             .make = [=] { return make<SevenFlops>(problem(), 7, {n}); },
             .about = "v = -6 u + sum of the six neighbours"});
  suite.add({.name = row_name(n, 8),
             .family = "stencil",
             .selection = Selection::standard,
             .make = [=] { return make<EightFlops>(problem(), 8, {n}); },
             .about = "v = c0 u + c1 (sum of the six neighbours)"});
  const Index rows = rows_for_l2(suite.machine(), n);
  suite.add({.name = fmt::format("{}/rows:{}", row_name(n, 7), rows),
             .family = "stencil",
             .selection = Selection::full,
             .make = [=] { return make<SevenFlops>(problem(), 7, {rows}); },
             .about =
                 "the first in blocks of rows, of which three planes fit L2: less comes from L3. Look at: whether\n"
                 "that is what it waits for"});
  suite.add(
      {.name = row_name(n, 7) + "/tuned",
       .family = "stencil",
       .about = "the first in blocks of rows, with prefetches and streaming stores or without, as it is fastest here",
       .forms = forms(n, seed, rows)});
}

const Registrar registrar(describe, add_variants);

}  // namespace
}  // namespace roofline::stencil

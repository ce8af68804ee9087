#include "apps/stencil/tuned.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "apps/stencil/planes.hpp"
#include "apps/stencil/sweep.hpp"
#include "bench/cache_model/set_launch.hpp"
#include "bench/space/dispatch.hpp"
#include "bench/space/real.hpp"

namespace roofline::stencil {
namespace {

constexpr Index line = 8;  ///< elements
constexpr int most_planes = 8;

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

using Space = OpenMp<true>;

/// A row of `planes` planes, of which the first has it from element `begin` to `end`.
template <Index planes, bool prefetches, class Output>
void sweep_row(const SevenFlopsTo<Output>& body, Index begin, Index end, Index ahead) {
  const Index done = sweep_packs<planes, prefetches, Space::Lane, true>(body, begin, end, ahead);
  for (Index k = 0; k < planes; ++k)
    for (Index i = done; i < end; ++i) body(At<Space::Single, true>{i + k * body.plane});
}

template <Index planes, bool prefetches, class Output>
void sweep_planes(Space space, const Problem& p, const Walk& walk, const SevenFlopsTo<Output>& body) {
  const Index first = p.at(1, 1, 1), length = p.n - 2, ahead = walk.lines_ahead * line;
  for_each_block(space, p.n, walk.rows, planes, [=](Index k, Index several, Index rows_begin, Index rows_end) {
    for (Index j = rows_begin; j < rows_end; ++j) {
      const Index begin = first + k * body.plane + j * body.row;
      if (several == planes)
        sweep_row<planes, prefetches>(body, begin, begin + length, ahead);
      else
        sweep_row<1, prefetches>(body, begin, begin + length, ahead);
    }
  });
}

/// One launch in a given space.
template <class Output>
std::function<void(Space)> launch_of(const std::shared_ptr<Problem>& problem, const Walk& walk,
                                     const SevenFlopsTo<Output>& body) {
  std::function<void(Space)> launch;
  with_bool(walk.lines_ahead > 0, [&](auto prefetches) {
    if (prefetches)
      launch = [=, ahead = walk.lines_ahead * line](Space space) {
        sweep(space, *problem, walk.rows, 1, Ahead<SevenFlopsTo<Output>>{body, ahead});
      };
    else
      launch = [=](Space space) { sweep(space, *problem, walk.rows, 1, body); };
    with_number<most_planes>(static_cast<int>(walk.planes), [&](auto planes) {
      if constexpr (planes == 4 || planes == 8)
        launch = [=](Space space) { sweep_planes<planes, prefetches>(space, *problem, walk, body); };
    });
  });
  return launch;
}

template <class Output>
Workload make(const std::shared_ptr<Problem>& problem, const Walk& walk) {
  Workload work;
  const Index planes = std::max<Index>(walk.planes, 1);
  const SevenFlopsTo<Output> body{problem->u.view(), {problem->v.data()}, problem->pitch, problem->pitch * problem->n};
  set_launch<true>(work, [=](auto space) { sweep(space, *problem, walk.rows, planes, body); });
  work.launch = [launch = launch_of(problem, walk, body)] { launch(Space{}); };
  const Index rows = planes == 1 ? warm_rows : 2 * warm_rows / planes;  // chunks of about one size
  const SevenFlops plain{body.u, problem->v.view(), body.row, body.plane};
  const auto in_blocks = launch_of(problem, {.rows = rows, .planes = walk.planes}, plain);
  work.in_core = in_core([=](Pass* pass) { in_blocks(Space{pass}); }, problem->bytes_of_rows(rows, planes));
  if (walk.planes > 0) forget_costly_loads(work);
  work.check = [problem] { return check(*problem); };
  work.declared_flops = declared_flops(problem->n, 7);
  return work;
}

}  // namespace

std::vector<Walk> tuned_walks(Index n, Index rows_in_l2) {
  const Index a_row = (n + line - 1) / line;  // lines
  std::vector<Walk> walks{{.rows = n},
                          {.rows = n, .streams = true},
                          {.rows = n, .lines_ahead = a_row, .streams = true},
                          {.rows = n, .planes = 4},
                          {.rows = n, .planes = 8},
                          {.rows = n, .planes = 8, .lines_ahead = 8},
                          {.rows = n, .planes = 4, .lines_ahead = 8, .streams = true},
                          {.rows = n, .planes = 8, .lines_ahead = 8, .streams = true},
                          {.rows = n, .planes = 8, .lines_ahead = 16, .streams = true}};
  const auto add_block = [&](Index planes, Index lines_ahead) {
    // The block takes as much of L2 as three planes would: `planes` and the ones below and above them.
    const Index rows = std::max<Index>(rows_in_l2 * 3 / (std::max<Index>(planes, 1) + 2), 1);
    if (rows < n) walks.push_back({rows, planes, lines_ahead, true});
  };
  add_block(0, a_row);
  add_block(4, 8);
  add_block(8, 8);
  add_block(8, 16);
  return walks;
}

std::string name_of(const Walk& walk, Index n) {
  auto name = walk.rows == n ? "whole planes" : fmt::format("{} rows", walk.rows);
  if (walk.planes > 0) name += fmt::format(", whole packs of {} planes", walk.planes);
  if (walk.lines_ahead > 0) name += fmt::format(", prefetch {} lines ahead", walk.lines_ahead);
  return name + (walk.streams ? ", streaming stores" : "");
}

Workload tuned_sweep(const std::shared_ptr<Problem>& problem, const Walk& walk) {
  return walk.streams ? make<Streamed>(problem, walk) : make<View>(problem, walk);
}

}  // namespace roofline::stencil

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "apps/spmv/problem.hpp"
#include "bench/cache_model/set_launch.hpp"
#include "bench/levels/levels.hpp"
#include "bench/space/prefetch.hpp"
#include "bench/suite/suite.hpp"
#include "bench/suite/tunings.hpp"

namespace roofline::spmv {

template <>
struct IndexAt<Counted> {
  static Index load(const int* p) {
    auto& to = *active_recording;
    ++to.loads;
    to.load_bytes += sizeof(int);
    if (to.caches) to.caches->load(reinterpret_cast<std::uintptr_t>(p), sizeof(int));
    return *p;
  }
};

namespace {

/// `ahead`: each row asks for the values and columns that many nonzeros further on; 0: it does not. The prefetchers of
/// a core stop at the ends of pages, and a page holds 73 rows of values.
Workload make(const std::shared_ptr<Problem>& problem, Index ahead) {
  const Index n = problem->n;
  problem->y.zero();  // another row has left the result there
  Workload work;
  const Row body{problem->begin(), problem->column(), problem->value.view(), problem->x.view(), problem->y.view()};
  const auto launch = [problem, body, n, ahead](auto space) {
    using Place = At<typename decltype(space)::Single, decltype(space)::fma>;
    space.parallel(n * n, [=](Index line) {
      for (Index row = line * n; row < (line + 1) * n; ++row) {
        if (ahead > 0) {
          const Index later = body.begin[row] + ahead;
          prefetch_line<Prefetch::into_l1>(body.value.data + later);
          prefetch_line<Prefetch::into_l1>(body.column + later);
        }
        body(Place{row});
      }
    });
  };
  set_launch<true>(work, launch, static_cast<double>(n) * (bytes_of_row + 4 * sizeof(double)));
  work.check = [problem] { return problem->check(); };
  work.declared_flops = declared_flops(n);
  return work;
}

Family describe() {
  return {.name = "spmv",
          .flops = "14 per row: 2 for each of seven nonzeros",
          .bytes = "156 B per row at L1; 112 B compulsory at DRAM, 84 of them values and columns",
          .teaches = "a matrix that is read once: at most 2 FLOP for 12 B, whatever the caches do",
          .description =
              R"(y = A x, the product of a sparse matrix and a vector: the main operation of most
iterative solvers.
A is the 7-point stencil on a periodic cube as a matrix in compressed sparse rows (CSR): values
have 8 B, columns and starts of rows 4 B. The family stencil reads the same
neighbours with constant coefficients, without a matrix.
FLOPs: 2 for each nonzero, 14 for a row.
Bytes of a row: seven times 8 + 4 of values and columns, 4 of the start, 8 of x, 16 of y (with
write-allocate).
tuned  the same loop, which asks for the matrix 256 or 512 nonzeros ahead where that is faster
Look at: the matrix alone bounds the intensity to 2 / 12 = 1/6 FLOP per byte; with the vectors it is
14 / 112 = 1/8. stencil has 0.29, since it need not read its coefficients. Caches save repeated
reads of x, as in the stencil; the matrix is read once, so they cannot help it.)",
          .size_names = "n",
          .size_range = "points along each edge of the cube, 3..674",
          .default_sizes = {0},
          .quick_sizes = {},
          .small_sizes = {5},
          .size_arguments = {"n"}};
}

void add_variants(Suite& suite, const Sizes& sizes) {
  // Three times the last cache, in lines of whole vectors.
  const double rows = beyond_caches(suite.machine(), 3) / bytes_of_row;
  const auto points = within_memory(suite, "spmv", static_cast<Index>(rows), bytes_of_row);
  const Index n = sizes[0] == 0 ? std::min((static_cast<Index>(std::cbrt(points)) + 7) / 8 * 8, Index{672}) : sizes[0];
  require_valid(n);
  require_memory(bytes_of_row * std::pow(static_cast<double>(n), 3), fmt::format("spmv of {0}^3 rows", n));
  const auto problem = made_once([n, seed = suite.seed()] { return std::make_shared<Problem>(n, seed); });
  suite.add({.name = row_name(n),
             .family = "spmv",
             .selection = Selection::standard,
             .make = [=] { return make(problem(), 0); },
             .about = "y = A x, compressed rows, one after the other"});
  std::vector<KernelTuning> tunings;
  for (const Index ahead : {0, 256, 512})
    tunings.push_back({fmt::format("prefetches {} nonzeros ahead", ahead), [=] { return make(problem(), ahead); }});
  suite.add({.name = row_name(n) + "/tuned",
             .family = "spmv",
             .about = "the fastest distance of prefetching",
             .tunings = tunings});
}

const Registrar registrar(describe, add_variants);

}  // namespace
}  // namespace roofline::spmv

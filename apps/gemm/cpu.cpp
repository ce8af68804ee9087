#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "apps/gemm/blas.hpp"
#include "apps/gemm/problem.hpp"
#include "bench/cache_model/set_launch.hpp"
#include "bench/suite/suite.hpp"
#include "bench/suite/tunings.hpp"

namespace roofline::gemm {
namespace {

/// A block of C, `block` rows and twice as many columns, stays in L2 with what it needs of A and B: 256 columns of the
/// one and rows of the other, 0.7 MB in all. Its tiles have 24 packs of sums where there are 32 vector registers.
template <class Space>
void multiply(Space space, const Matrices& m, Index n) {
  using Place = typename Space::At;
  using V = typename Space::Lane;
  constexpr int rows = V::lanes == 4 ? 4 : 8, packs = 3;  // AVX has 16 registers, the others 32
  constexpr Index depth = 256, width = 2 * block, across = packs * V::lanes;
  const Index down = n / block, along = (n + width - 1) / width;
  // No two blocks repeat where the last ones are narrow, so the whole loop is the period.
  space.parallel(
      down * along,
      [=](Index chunk) {
        const Index top = chunk / along * block, first = chunk % along * width, last = std::min(first + width, n);
        for (Index begin = 0; begin < n; begin += depth)
          for (Index row = top; row < top + block; row += rows)
            for (Index column = first; column < last; column += across)
              add_tile<rows, packs, 1, V::lanes>(m, row, Place{column}, begin, std::min(begin + depth, n));
      },
      down * along);
}

Workload make(const std::shared_ptr<Problem>& problem) {
  problem->c.zero();  // another row has left the result there
  Workload work;
  set_launch<true>(work, [problem](auto space) { multiply(space, problem->matrices(), problem->n); });
  work.check = [problem] { return problem->check(); };
  work.declared_flops = declared_flops(problem->n);
  return work;
}

Workload make_of(const Blas& blas, const std::shared_ptr<Problem>& problem) {
  auto work = make(problem);
  work.trace = {};
  work.launch = [blas, problem] {
    const auto& p = *problem;
    blas.multiply(p.n, p.a.data(), p.b.data(), p.c.data(), p.pitch());
  };
  return work;
}

Family describe() {
  return {.name = "gemm",
          .flops = "2 n^3",
          .bytes = "32 n^2 B compulsory at DRAM (with write-allocate); a tile in registers divides those of L1 by 6",
          .teaches = "n^3 FLOPs on n^2 numbers: with blocks for registers and caches it is compute-bound",
          .description = R"(C = A B of dense n x n matrices in double precision (DGEMM of BLAS, alpha 1, beta 0).
FLOPs: 2 n^3. Data: 3 n^2 numbers, so the intensity grows with n.
blocked  a tile of C, 8 rows x 3 vectors (4 x 3 where there are 16 registers), stays in registers:
         11 loads for 24 multiply-adds. A block of C and its parts of A and B stay in L2.
blas     dgemm of the installed library of BLAS, if there is one, by the library's own threads
         (OMP_NUM_THREADS). The model does not know its bytes.
The matrices have rank two and few digits, so the product is known exactly: any order of additions
gives the same bits.
Look at: the point sits under the roof of FMAs, far right of the ridge. If it does not, look at L1.)",
          .size_names = "n",
          .size_range = "rows, a multiple of 96; 0: chosen",
          .default_sizes = {0},
          .quick_sizes = {},
          .small_sizes = {96},
          .size_arguments = {"n"}};
}

void add_variants(Suite& suite, const Sizes& sizes) {
  // 768 on two cores: 0.9 GFLOP, and as many for every core where there are more.
  const double scale = std::max(1.0, std::cbrt(suite.threads() / 2.0));
  const Index n = sizes[0] == 0 ? block * static_cast<Index>(8 * scale) : sizes[0];
  require_valid(n);
  require_memory(24.0 * static_cast<double>(n) * static_cast<double>(n), fmt::format("gemm of {0} x {0}", n));
  const auto problem = made_once([n, seed = suite.seed()] { return std::make_shared<Problem>(n, seed); });
  suite.add({.name = row_name("blocked", n),
             .family = "gemm",
             .selection = Selection::standard,
             .make = [=] { return make(problem()); },
             .about = "blocks for registers and L2"});
  const auto blas = find_blas(blas_names());
  if (!blas.multiply)
    return suite.skip("gemm/blas", fmt::format("gemm/blas: no library of BLAS is installed (looked for {})",
                                               fmt::join(blas_names(), ", ")));
  suite.add({.name = row_name("blas", n),
             .family = "gemm",
             .make = [=] { return make_of(blas, problem()); },
             .about = fmt::format("dgemm of {}", blas.name)});
}

const Registrar registrar(describe, add_variants);

}  // namespace
}  // namespace roofline::gemm

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

/// C in blocks of 192 rows and 96 columns, each for one thread: the rows of A for it stay in L2.
constexpr Index tall = 2 * block;

Index blocks_of(Index n) { return (n + tall - 1) / tall * (n / block); }

/// Rows of a strip of B, and the doubles that it has room for: it stays in L1 while the tiles below one another take
/// turns.
constexpr Index depth = 128, strip_size = depth * 24;

/// A tile has 24 packs of sums where there are 32 vector registers, and 12 where there are 16. Rows of B lie pages
/// apart, so each strip is copied to where its rows lie one behind the other, as in a BLAS. `strips` has room for one
/// strip of each block of C.
template <class Space>
void multiply(Space space, const Matrices& m, Index n, View strips) {
  using Place = typename Space::At;
  using V = typename Space::Lane;
  constexpr int rows = V::lanes == 4 ? 4 : 8, packs = 3;  // AVX has 16 registers, the others 32
  constexpr Index across = packs * V::lanes;
  const Index blocks = blocks_of(n), along = n / block;
  // No two blocks repeat where the last ones are short, so the whole loop is the period.
  space.parallel(
      blocks,
      [=](Index chunk) {
        const Index top = chunk / along * tall, bottom = std::min(top + tall, n);
        const Index left = chunk % along * block, right = left + block;
        const View strip{strips.data + chunk * strip_size};
        for (Index begin = 0; begin < n; begin += depth) {
          const Index end = std::min(begin + depth, n);
          for (Index column = left; column < right; column += across) {
            for (Index k = begin; k < end; ++k)
              for (Index p = 0; p < across; p += V::lanes)
                strip.set(Place{(k - begin) * across + p}, m.b[Place{k * m.pitch + column + p}]);
            for (Index row = top; row < bottom; row += rows)
              add_tile<rows, packs, 1, V::lanes>(m, {strip, across}, row, Place{column}, begin, end);
          }
        }
      },
      blocks);
}

Workload make(const std::shared_ptr<Problem>& problem) {
  problem->c.zero();  // another row has left the result there
  Workload work;
  const Index n = problem->n;
  set_launch<true>(work, [=](auto space) { multiply(space, problem->matrices(), n, problem->strips.view()); });
  work.check = [problem] { return problem->check(); };
  work.declared_flops = declared_flops(n);
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
          .bytes = "32 n^2 B compulsory at DRAM (with write-allocate); a tile in registers divides those of L1 by 4",
          .teaches = "n^3 FLOPs on n^2 numbers: with blocks for registers and caches it is compute-bound",
          .description = R"(C = A B of dense n x n matrices in double precision (DGEMM of BLAS, alpha 1, beta 0).
FLOPs: 2 n^3. Data: 3 n^2 numbers, so the intensity grows with n.
blocked  a tile of C, 8 rows x 3 vectors (4 x 3 where there are 16 registers), stays in registers:
         11 loads for 24 multiply-adds. A number of A that all lanes use counts as a load of each
         lane. A strip of B is copied so that it stays in L1; the rows of A for a block of C stay in
         L2. On a GPU the tile of a thread is 6 x 6, and L1's bytes are divided by 6.
blas     dgemm of the installed library of BLAS, if there is one, by the library's own threads
         (OMP_NUM_THREADS). Its bytes are not modelled, because its source is not known.
The matrices have rank two and few digits, so the product is known exactly: any order of additions
gives the same bits.
Look at: the point of the farthest level sits under the roof of FMAs, far right of its ridge.
Matrices that the last cache holds have no point at DRAM. From DRAM the intensity is n / 16.)",
          .size_names = "n",
          .size_range = "rows, a multiple of 96",
          .default_sizes = {0},
          .quick_sizes = {},
          .small_sizes = {96},
          .size_arguments = {"n"}};
}

void add_variants(Suite& suite, const Sizes& sizes) {
  // 576 on two cores: 0.4 GFLOP, and as many for every core where there are more.
  const double scale = std::max(1.0, std::cbrt(suite.threads() / 2.0));
  const Index n = sizes[0] == 0 ? block * static_cast<Index>(6 * scale) : sizes[0];
  require_valid(n);
  // Three matrices, and the strips.
  require_memory(25.0 * static_cast<double>(n) * static_cast<double>(n), fmt::format("gemm of {0} x {0}", n));
  const auto problem =
      made_once([n, seed = suite.seed()] { return std::make_shared<Problem>(n, seed, blocks_of(n) * strip_size); });
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

#include <fmt/format.h>

#include <memory>

#include "apps/fft/problem.hpp"
#include "bench/cache_model/set_launch.hpp"
#include "bench/levels/levels.hpp"
#include "bench/suite/suite.hpp"

namespace roofline::fft {
namespace {

template <int R, class Space>
void pass(Space space, const double* x, double* y, const double* twiddles, Index n, Index s) {
  // The arrays are not written through this view.
  const Butterfly<R> body{{const_cast<double*>(x)}, {y}, twiddles, s, n / (s * R)};
  for (Index p = 0; p < body.m; ++p)
    for (Index q = 0; q < s; ++q) space.lanes(0, lanes, [&](auto lane) ROOFLINE_INLINED { body(lane, p, q); });
}

Workload make(Index n, Index batch, int radix, std::uint64_t seed) {
  auto problem = std::make_shared<Problem>(n, batch, seed);
  auto scratch = std::make_shared<Buffer>(omp_get_max_threads() * element * n);  // eight transforms of each thread
  Workload work;
  const auto launch = [problem, scratch, n, radices = passes(n, radix)](auto space) {
    space.parallel(problem->batch / lanes, [&](Index group) {
      const double* from = problem->x.data() + group * element * n;
      Index s = 1;
      for (std::size_t done = 0; done < radices.size(); ++done) {
        const bool to_result = (radices.size() - done) % 2 == 1;
        double* const to =
            to_result ? problem->y.data() + group * element * n : scratch->data() + omp_get_thread_num() * element * n;
        const auto* const twiddles = problem->twiddles.data();
        if (radices[done] == 8) pass<8>(space, from, to, twiddles, n, s);
        if (radices[done] == 4) pass<4>(space, from, to, twiddles, n, s);
        if (radices[done] == 2) pass<2>(space, from, to, twiddles, n, s);
        from = to;
        s *= radices[done];
      }
    });
  };
  set_launch<true>(work, launch, 3.0 * sizeof(double) * static_cast<double>(element * n), Neighbours::share_nothing);
  work.check = [problem] { return problem->check(); };
  work.declared_flops = declared_flops(n, batch, radix);
  return work;
}

Family describe() {
  return {.name = "fft",
          .flops = "radix 2: 5 n log2 n for each transform (the canonical account); radix 4: 4.25, radix 8: 4.08",
          .bytes = "48 B compulsory per number (with write-allocate) while eight transforms stay in L2 (384 n bytes)",
          .teaches = "intensity grows with log2 n; a higher radix has fewer FLOPs and fewer passes through the caches",
          .description = R"(Many discrete Fourier transforms of n complex numbers, out of place (Stockham's form).
FLOPs: a butterfly of radix 2 has 10 for two numbers, and a transform has n/2 log2 n butterflies. So
it has 5 n log2 n, the account in which FFTs are compared. A butterfly of radix 4 has 34 for four
numbers and replaces two levels, one of radix 8 has 98 for eight numbers and replaces three: 4.25
and 4.08 n log2 n. Where n is not a power of the radix, the last pass has a smaller one: radix 4 has
4.33 at n = 512. The GFLOP/s of a row are of the FLOPs that it executes, not of 5 n log2 n.
Bytes: a thread takes eight transforms through all passes while they lie in its caches. So DRAM sees
16 B read and 32 B written for each number (with write-allocate): 5/48 log2 n FLOP per byte in the
canonical account. Vectors go across the eight transforms, so no shuffles are needed.
Look at: radix 8 has 18 % fewer FLOPs than radix 2 and a third of the passes. So it may have fewer
GFLOP/s in less time: compare times, or GFLOP/s in the canonical account.)",
          .size_names = "n,batch",
          .size_range =
              "numbers of a transform, a power of two, and transforms, a multiple of 8 (on a CPU 0: by the machine)",
          .default_sizes = {512, 0},
          .quick_sizes = {},
          .small_sizes = {32, 16},
          .size_arguments = {"n", "batch"}};
}

void add_variants(Suite& suite, const Sizes& sizes) {
  const Index n = sizes[0];
  if (n > 0 && sizes[1] == 0) require_valid(n, lanes);
  // Input and output are together three times the last cache.
  const auto chosen = [&] {
    const auto numbers = static_cast<Index>(beyond_caches(suite.machine(), 3) / 32);
    return std::max<Index>(within_memory(suite, "fft", numbers, 32.0) / n / lanes, 1) * lanes;
  };
  const Index batch = sizes[1] == 0 && n > 0 ? chosen() : sizes[1];
  require_valid(n, batch);
  require_memory(32.0 * static_cast<double>(n) * static_cast<double>(batch),
                 fmt::format("fft of {} x {} numbers", batch, n));
  for (const int radix : {2, 4, 8})
    suite.add(
        {.name = row_name(radix, n, batch),
         .family = "fft",
         .selection = radix == 8 ? Selection::standard : Selection::full,
         .make = [=, seed = suite.seed()] { return make(n, batch, radix, seed); },
         .about = fmt::format("{} passes of radix {}", passes(n, radix).size(), fmt::join(passes(n, radix), ", "))});
}

const Registrar registrar(describe, add_variants);

}  // namespace
}  // namespace roofline::fft

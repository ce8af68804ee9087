#pragma once
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "bench/cache_model/set_launch.hpp"
#include "bench/space/buffer.hpp"
#include "bench/space/complex.hpp"
#include "bench/space/functions.hpp"
#include "bench/space/noise.hpp"
#include "bench/space/real.hpp"
#include "bench/space/workload.hpp"

// Kernels whose work is counted, not declared. The body is a template that reads like its formula; the space it runs in
// decides whether it computes in vector registers or counts. Link roofline::kernel, which keeps the compiler from
// fusing operations on its own.

namespace roofline {

/// One launch over elements 0..n-1: `body(at)` for each, shared by the threads of OpenMP, in packs as wide as the
/// vector registers. The body's views point into `data`, which lives as long as the workload. The caller still sets
/// `check`, and `declared_flops` if a formula is known.
template <bool Fma = true, class Data, class Body>
Workload elementwise(std::shared_ptr<Data> data, Index n, Body body) {
  constexpr Index chunk = 4096;  // elements: a whole number of packs and cache lines
  Workload work;
  set_launch<Fma>(work, [data, n, body](auto space) {
    space.parallel((n + chunk - 1) / chunk,
                   [=](Index i) mutable { space.lanes(i * chunk, std::min(n, (i + 1) * chunk), body); });
  });
  return work;
}

/// A kernel of a user's program: at file scope it registers a benchmark of Google Benchmark with a row per size. Every
/// row is verified on the buffers that were timed; with --roofline it is counted once, its bytes go through a model of
/// this machine's caches, and it appears in tables and plots like the kernels of the suite. A row whose check fails, or
/// whose counted FLOPs are not the declared ones, has no result, and the program returns 1.
class Kernel {
 public:
  /// `make(n)` sets up a problem of size n: data allocated and initialised, launch, check. `fma`: the mode of the
  /// body's space, which decides the compute ceiling that the row is compared with.
  Kernel(std::string name, Workload (*make)(Index n), std::vector<Index> sizes, bool fma = true);
};

namespace detail {
void require_separate_operations(bool contracts);
}
namespace {

/// Whether the compiler of this source fuses a multiplication and an addition that are written apart, as GCC does
/// unless it is told -ffp-contract=off. Then no count of operations would be right. Every source has its own, so the
/// namespace is unnamed.
[[maybe_unused]] const bool operations_are_separate = [] {
  volatile double x = 1 + 0x1p-30, one = 1, twice = 0x1p-29;
  const Real<Pack<1>, false> a = x, b = one, c = twice;
  detail::require_separate_operations((a * a - b - c).value.v != 0);
  return true;
}();

}  // namespace
}  // namespace roofline

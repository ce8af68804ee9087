#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "apps/stream/problem.hpp"
#include "bench/machine/machine.hpp"
#include "bench/run/suite.hpp"
#include "bench/simulator/set_launch.hpp"

namespace roofline::stream {
namespace {

constexpr Index slab = Index{1} << 15;  // elements; small against every cache level but L1

/// Three arrays of n doubles, as BabelStream has them.
struct Problem {
  Inputs inputs;
  Buffer a, b, c, partial;
  double sum = 0;

  Problem(Index n, Inputs given) : inputs(given), a(n), b(n), c(n), partial((n + slab - 1) / slab) {
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < n; ++i) a[i] = inputs.a(i), b[i] = inputs.b(i), c[i] = inputs.c(i);
  }
  Index size() const { return a.size(); }
};

/// Calls f(slab number, begin, end): whole slabs in parallel, then what remains, so that every slab does equal work.
template <class Space, class F>
void for_slabs(Space space, Index n, F f) {
  space.parallel(n / slab, [=](Index k) mutable { f(k, k * slab, (k + 1) * slab); });
  if (n % slab != 0) space.parallel(1, [=](Index) mutable { f(n / slab, n / slab * slab, n); });
}

template <class Space, class Body>
void for_each(Space space, Index n, Body body) {
  for_slabs(space, n, [=](Index, Index begin, Index end) mutable { space.lanes(begin, end, body); });
}

template <class MakeBody>
Workload elementwise(Index n, Inputs inputs, std::uint64_t flops, MakeBody body, Buffer Problem::*out,
                     Expected expected) {
  auto problem = std::make_shared<Problem>(n, inputs);
  Workload work;
  set_launch<true>(work, [problem, body](auto space) { for_each(space, problem->size(), body(*problem)); });
  work.check = [problem, out, expected] {
    return compare((problem.get()->*out).data(), [&](Index i) { return (problem->inputs.*expected)(i); },
                   problem->size(), 1e-15);
  };
  work.declared_flops = flops * static_cast<std::uint64_t>(n);
  return work;
}

Workload copy(Index n, Inputs inputs) {
  return elementwise(
      n, inputs, 0,
      [](Problem& p) {
        return Copy{p.a.view(), p.c.view()};
      },
      &Problem::c, &Inputs::copied);
}
Workload scale(Index n, Inputs inputs) {
  return elementwise(
      n, inputs, scale_flops,
      [](Problem& p) {
        return Scale{p.b.view(), p.c.view(), s};
      },
      &Problem::b, &Inputs::scaled);
}
Workload add(Index n, Inputs inputs) {
  return elementwise(
      n, inputs, add_flops,
      [](Problem& p) {
        return Add{p.a.view(), p.b.view(), p.c.view()};
      },
      &Problem::c, &Inputs::added);
}
Workload triad(Index n, Inputs inputs) {
  return elementwise(
      n, inputs, triad_flops,
      [](Problem& p) {
        return Triad{p.a.view(), p.b.view(), p.c.view(), s};
      },
      &Problem::a, &Inputs::triad);
}

Workload dot(Index n, Inputs inputs) {
  auto problem = std::make_shared<Problem>(n, inputs);
  Workload work;
  set_launch<true>(work, [problem](auto space) {
    auto& p = *problem;
    for_slabs(space, p.size(), [space, &p](Index k, Index begin, Index end) mutable {
      p.partial[k] = space.reduce(begin, end, Dot{p.a.view(), p.b.view()});
    });
    p.sum = 0;
    for (const double part : p.partial) p.sum += part;
  });
  work.check = [problem] {
    const double expected = problem->inputs.dot(problem->size());
    return compare(
        &problem->sum, [=](Index) { return expected; }, 1, 1e-12);
  };
  work.declared_flops = dot_flops * static_cast<std::uint64_t>(n);
  return work;
}

Family describe() {
  return {.name = "stream",
          .flops = "copy 0, scale 1, add 1, triad 2, dot 2 per element",
          .bytes = "16, 16, 24, 24, 16 B explicit; with write-allocate 24, 24, 32, 32, 16",
          .teaches = "streaming kernels sit on the DRAM roof; equal intensity at every level means no reuse",
          .description = R"(STREAM copy, scale, add, triad (McCalpin) and the dot product of BabelStream on arrays
several times larger than the last cache.
Look at: all intensities of a kernel nearly coincide (no reuse), and a store costs two transfers because
the line is read before it is written.)",
          .size_names = "n",
          .size_range = "elements of each array, 1 or more",
          .default_sizes = {0},
          .quick_sizes = {1 << 25}};
}

void add_variants(Suite& suite, const Sizes& sizes) {
  // Three arrays, together at least four last-level caches (STREAM's rule, with the larger opinion of its size).
  const auto llc = std::max<std::uint64_t>(suite.machine().largest_llc, 16 << 20);
  const Index automatic = std::max<Index>(1 << 22, static_cast<Index>(llc) * 4 / 24 / slab * slab);
  const Index n = within_memory(suite, "stream", sizes[0] == 0 ? automatic : sizes[0], 24.0);
  require_memory(24.0 * static_cast<double>(n), fmt::format("stream of {} elements", n));
  const auto register_kernel = [&](const char* kernel, Workload (*make)(Index, Inputs), const char* about) {
    suite.add({.name = row_name(kernel, n),
               .family = "stream",
               .selection = Selection::quick,
               .make = [make, n, inputs = Inputs{suite.seed()}] { return make(n, inputs); },
               .about = about});
  };
  register_kernel("copy", copy, "c = a");
  register_kernel("scale", scale, "b = s c");
  register_kernel("add", add, "c = a + b");
  register_kernel("triad", triad, "a = b + s c");
  register_kernel("dot", dot, "sum of a b");
}

const Registrar registrar(describe, add_variants);

}  // namespace
}  // namespace roofline::stream

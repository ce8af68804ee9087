#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "apps/stream/launch.hpp"
#include "bench/cache_model/set_launch.hpp"
#include "bench/levels/levels.hpp"
#include "bench/machine/machine.hpp"
#include "bench/space/real.hpp"
#include "bench/suite/suite.hpp"
#include "bench/suite/tunings.hpp"

namespace roofline::stream {
namespace {

constexpr double chunk_bytes = 3 * sizeof(double) * chunk;

using ProblemPointer = std::shared_ptr<Problem>;

template <class MakeBody>
Workload elementwise(const ProblemPointer& problem, std::uint64_t flops, MakeBody body, Buffer Problem::*out,
                     Expected expected) {
  Workload work;
  set_launch<true>(
      work, [problem, body](auto space) { for_each(space, problem->size(), body(*problem)); }, chunk_bytes,
      Neighbours::share_nothing);
  work.check = [problem, out, expected] {
    return compare((problem.get()->*out).data(), [&](Index i) { return (problem->inputs.*expected)(i); },
                   problem->size(), 1e-15);
  };
  work.declared_flops = flops * static_cast<std::uint64_t>(problem->size());
  return work;
}

template <class Output>
Workload copy(const ProblemPointer& problem) {
  return elementwise(problem, 0, copy_of<Output>, &Problem::c, &Inputs::copied);
}
template <class Output>
Workload scale(const ProblemPointer& problem) {
  return elementwise(problem, scale_flops, scale_of<Output>, &Problem::b, &Inputs::scaled);
}
template <class Output>
Workload add(const ProblemPointer& problem) {
  return elementwise(problem, add_flops, add_of<Output>, &Problem::c, &Inputs::added);
}
template <class Output>
Workload triad(const ProblemPointer& problem) {
  return elementwise(problem, triad_flops, triad_of<Output>, &Problem::a, &Inputs::triad);
}

Workload dot(const ProblemPointer& problem) {
  Workload work;
  const auto launch = [problem](auto space) {
    auto& p = *problem;
    for_chunks(space, p.size(), [space, &p](Index k, Index begin, Index end) mutable {
      p.partial[k] = space.reduce(begin, end, Dot{p.a.view(), p.b.view()});
    });
    p.sum = 0;
    for (const double part : p.partial) p.sum += part;
  };
  set_launch<true>(work, launch, chunk_bytes, Neighbours::share_nothing);
  work.check = [problem] {
    const double expected = problem->inputs.dot(problem->size());
    return compare(
        &problem->sum, [=](Index) { return expected; }, 1, 1e-12);
  };
  work.declared_flops = dot_flops * static_cast<std::uint64_t>(problem->size());
  return work;
}

Family describe() {
  return {.name = "stream",
          .flops = "copy 0, scale 1, add 1, triad 2, dot 2 per element",
          .bytes = "16, 16, 24, 24, 16 B explicit; with write-allocate 24, 24, 32, 32, 16",
          .teaches = "streaming kernels sit on the DRAM roof; equal intensity at every level means no reuse",
          .description =
              R"(STREAM copy, scale, add, triad (McCalpin) and the dot product of BabelStream on arrays at least
twice as large as the last cache.
Look at: the intensities of a kernel at L2, L3 and DRAM coincide (no reuse). At L1 it is higher by
up to a half where there is a store: beyond L1 it costs two transfers, because the line is read
before it is written.)",
          .size_names = "n",
          .size_range = "elements of each array, 1 or more",
          .default_sizes = {0},
          .quick_sizes = {0},
          .small_sizes = {4099},
          .size_arguments = {"n"}};
}

void add_variants(Suite& suite, const Sizes& sizes) {
  // Two arrays are four last caches, so copy touches as much memory as its ceiling's set has. With three arrays in that
  // size copy and dot stood at 105 to 112 % of their roof, because the last cache still held a part.
  const Index automatic = (static_cast<Index>(beyond_caches(suite.machine(), 4) / 16) / chunk + 1) * chunk;
  const Index n = within_memory(suite, "stream", sizes[0] == 0 ? automatic : sizes[0], 24.0);
  require_memory(24.0 * static_cast<double>(n), fmt::format("stream of {} elements", n));
  using Make = Workload (*)(const ProblemPointer&);
  const auto shared = made_once([n, inputs = Inputs{suite.seed()}] { return std::make_shared<Problem>(n, inputs); });
  const auto problem = [shared] {
    const auto arrays = shared();
    arrays->reset();
    return arrays;
  };
  const auto register_kernel = [&](const char* kernel, Make make, Make streamed, const char* about) {
    suite.add({.name = row_name(kernel, n),
               .family = "stream",
               .selection = Selection::quick,
               .make = [=] { return make(problem()); },
               .about = about});
    if (!streamed) return;
    suite.add({.name = row_name(kernel, n) + "/tuned",
               .family = "stream",
               .about = fmt::format("{} with plain or streaming stores, whichever is faster here", about),
               .tunings = {{"plain stores", [=] { return make(problem()); }}, {"streaming stores", [=] {
                                                                                 auto work = streamed(problem());
                                                                                 work.in_core = make(problem()).in_core;
                                                                                 return work;
                                                                               }}}});
  };
  register_kernel("copy", copy<View>, copy<Streamed>, "c = a");
  register_kernel("scale", scale<View>, scale<Streamed>, "b = s c");
  register_kernel("add", add<View>, add<Streamed>, "c = a + b");
  register_kernel("triad", triad<View>, triad<Streamed>, "a = b + s c");
  register_kernel("dot", dot, nullptr, "sum of a b");
}

const Registrar registrar(describe, add_variants);

}  // namespace
}  // namespace roofline::stream

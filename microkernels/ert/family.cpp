#include "microkernels/ert/family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "bench/cache_model/set_launch.hpp"
#include "bench/levels/levels.hpp"
#include "bench/machine/machine.hpp"
#include "bench/suite/tunings.hpp"
#include "microkernels/ert/kernel.hpp"
#include "microkernels/working_set.hpp"

namespace roofline {
namespace {

constexpr Index page = 512;  // doubles

/// An array in chunks of equal length and a shorter rest; a chunk sees all trials before the thread takes the next one.
struct Problem {
  ErtKernel kernel;
  Index chunk, pitch;  ///< elements of a chunk, distance between chunks
  Index chunks, rest;  ///< whole chunks, elements behind them
  Index trials;
  std::shared_ptr<Buffer> a;  ///< that rows may share

  Problem(const ErtKernel& ert, Index chunk_size, Index distance, Index n, Index remainder, Index t,
          std::shared_ptr<Buffer> array = {})
      : kernel(ert),
        chunk(chunk_size),
        pitch(distance),
        chunks(n),
        rest(remainder),
        trials(t),
        a(array ? std::move(array) : std::make_shared<Buffer>(distance * n + remainder)) {
#pragma omp parallel for schedule(static)
    for (Index k = 0; k < chunks; ++k) std::fill_n(begin(k), chunk, ErtConstants{}.initial);
    std::fill_n(begin(chunks), rest, ErtConstants{}.initial);
  }

  double* begin(Index k) const { return a->data() + k * pitch; }
  Index elements() const { return chunks * chunk + rest; }

  Check check() const {
    for (Index k = 0; k <= chunks; ++k) {
      const auto check = compare(
          begin(k), [](Index) { return ErtConstants{}.initial; }, k < chunks ? chunk : rest, 0);
      if (!check.ok) return {false, fmt::format("chunk {} of {}: {}", k, chunk, check.message)};
    }
    return {};
  }
};

template <bool Fma>
Workload make_workload(std::shared_ptr<Problem> problem) {
  using Lanes = typename Counting<Fma>::Lane;
  const auto launch = [problem](auto space, ErtFunction<double> sweep) {
    const auto& p = *problem;
    const auto run = [=, &p](Index k, Index n) { sweep(p.begin(k), n, p.trials, p.kernel.flops, ErtConstants{}); };
    space.parallel(p.chunks, [=, &p](Index k) { run(k, p.chunk); });
    if (p.rest > 0) space.parallel(1, [=, &p](Index) { run(p.chunks, p.rest); });
  };
  const auto timed = ert_function<double>(problem->kernel);
  const auto counted = problem->kernel.step == ErtStep::divide
                           ? ert_trials<0, ErtStep::divide, Fma, Lanes, Counted, double>
                           : ert_trials<0, ErtStep::multiply_add, Fma, Lanes, Counted, double>;
  Workload work;
  set_forms(
      work, [=](Pass* pass) { launch(OpenMp<Fma>{pass}, timed); },
      static_cast<double>(problem->chunk) * static_cast<double>(sizeof(double)), Neighbours::share_nothing);
  work.trace = [=](Sampler& sampler) { launch(Counting<Fma>{sampler}, counted); };
  work.check = [problem] { return problem->check(); };
  work.declared_flops = static_cast<std::uint64_t>(problem->kernel.flops) *
                        static_cast<std::uint64_t>(problem->elements() * problem->trials);
  return work;
}

Workload make_workload(std::shared_ptr<Problem> problem) {
  return problem->kernel.fma ? make_workload<true>(std::move(problem)) : make_workload<false>(std::move(problem));
}

/// One trial over a large array, in chunks that fit whole groups of packs.
Workload in_memory(const ErtKernel& kernel, Index n, std::shared_ptr<Buffer> array) {
  constexpr Index chunk = 128 * ert_packs * 8;
  return make_workload(std::make_shared<Problem>(kernel, chunk, chunk, n / chunk, n % chunk, 1, std::move(array)));
}

/// Many trials over arrays that stay in L1, one for each thread, and so many that a launch takes some ms: it is then
/// one parallel region, as its roof's samples are.
Workload in_l1(const ErtKernel& kernel, Index n, int threads) {
  const Index elements = std::clamp<Index>((Index{1} << 26) / kernel.flops, 1 << 17, 1 << 23);
  return make_workload(std::make_shared<Problem>(kernel, n, n / page * page + 2 * page, threads, 0, elements / n));
}

Family describe() {
  return {
      .name = "ert",
      .flops = "F per element: F/2 steps b = b A + a (div: b = A / b + a), one more addition when F is odd",
      .bytes = "16 B per element, one read and one write in place; no write-allocate",
      .teaches = "the roofline itself: rising F moves a point along the bandwidth slope, over the ridge, onto the roof",
      .description = R"(The micro-kernel of the Empirical Roofline Toolkit (ERT 1.1.0): every element is loaded, goes
through a chain of dependent operations, and is stored. Each element is A = -1. The chain starts
with b = 1; every step, with a = 2, gives 1 again, and -b is stored. So every element of the timed
array must still be exactly -1.
set:DRAM  one sweep over an array far larger than the caches: intensity F/16 at DRAM.
set:L1    many sweeps over an array in L1: the same chain without the memory's part.
On a GPU  a thread holds one element at a time, 2048 threads per SM; set:L1 gives each SM its own
          part of the array. Its L1 passes each store on to L2, so points below the ridge show the
          stores of L2. From DRAM 16 KiB are under way to an SM: by Little's law, at 0.8 us and
          with 30 % to spare, enough for 4.2 TB/s on 132 SMs, half of them writes. A faster memory
          is not reached this way.
div       the chain of divisions. On a CPU fma:1 and fma:0 execute the same divisions and additions
          here, since A / b + a has no product to fuse; on GPUs the division itself expands into
          fused operations.
Look at: DRAM points below the ridge lie on the slope of the read-modify-write mix, points far above
it reach the value of the same F in L1.)",
      .size_names = "n",
      .size_range = "elements of the DRAM array, 1 or more",
      .default_sizes = {0},
      .quick_sizes = {},
      .small_sizes = {5003}};
}

void add_variants(Suite& suite, const Sizes& sizes) {
  const auto& machine = suite.machine();
  const int threads = suite.threads();
  // As small as a set of DRAM may be: 512 FLOP per element take a tenth of a second for a larger one.
  const double dram = std::min(ceiling_working_set(machine, MemoryLevel::DRAM, threads), beyond_caches(machine, 4));
  const Index n = ert_elements(sizes, dram);
  const Index n_l1 = static_cast<Index>(ceiling_working_set(machine, MemoryLevel::L1, 1) / sizeof(double));
  require_memory(8.0 * static_cast<double>(n), fmt::format("ert of {} elements", n));
  const auto of_l1 = [=](const ErtKernel& kernel) { return in_l1(kernel, n_l1, threads); };
  const auto array = made_once([n] { return std::make_shared<Buffer>(n); });
  add_ert_variants(suite,
                   {[=](const ErtKernel& kernel) { return in_memory(kernel, n, array()); }, fmt::format("n:{}", n)},
                   n_l1 > 0 ? ErtSet{of_l1, fmt::format("n:{}/threads:{}", n_l1, threads)} : ErtSet{});
}

const Registrar registrar(describe, add_variants);

}  // namespace

Index ert_elements(const Sizes& sizes, double automatic_bytes) {
  if (sizes[0] < 0) throw std::invalid_argument(fmt::format("--ert={}: expected a number of elements", sizes[0]));
  return sizes[0] > 0 ? sizes[0] : static_cast<Index>(automatic_bytes / sizeof(double));
}

void add_ert_variants(Suite& suite, const ErtSet& in_memory, const ErtSet& in_l1) {
  const auto add = [&](const ErtKernel& kernel, const char* set, bool standard, const ErtSet& array) {
    if (!array.make) return;
    suite.add({.name = fmt::format("ert/{}flops:{}/fma:{}/set:{}", kernel.step == ErtStep::divide ? "div/" : "",
                                   kernel.flops, kernel.fma ? 1 : 0, set),
               .family = "ert",
               .selection = standard ? Selection::standard : Selection::full,
               .fma = kernel.fma,
               .make = [kernel, make = array.make] { return make(kernel); },
               .about = {},
               .problem = array.problem});
  };
  const auto add_both = [&](const ErtKernel& kernel, bool dram_standard, bool l1_standard) {
    add(kernel, "DRAM", dram_standard, in_memory);
    add(kernel, "L1", l1_standard, in_l1);
  };
  for (const bool fma : {true, false})
    for (int flops = 1; flops <= 1024; flops *= 2) {
      const bool slope = flops == 4, ridge = flops == 64, roof = flops == 512;
      add_both({.flops = flops, .fma = fma}, fma && (slope || ridge || roof), (fma && slope) || roof);
    }
  for (const bool fma : {true, false})
    for (const int flops : {2, 16, 128})
      add_both({.flops = flops, .fma = fma, .step = ErtStep::divide}, false, !fma && flops == 128);
}

}  // namespace roofline

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <roofline/kernel.hpp>
#include <stdexcept>

#include "bench/cache_model/sampler.hpp"
#include "bench/library/declared/declared.hpp"
#include "bench/library/machine_ceilings.hpp"
#include "bench/suite/launch_check.hpp"

namespace roofline {
namespace {

/// A registered kernel with the problem it is set up for: Google Benchmark calls a function several times per row.
class RegisteredKernel {
 public:
  RegisteredKernel(Workload (*make)(Index), bool fma) : make_(make), fma_(fma) {}

  void operator()(benchmark::State& state) {
    try {
      set_up(state.range(0));
      for (auto _ : state) work_->launch();
      if (const auto check = work_->check(); !check.ok) throw std::runtime_error(check.message + launches_repeat);
      if (collecting())
        put({.work = {.threads = static_cast<double>(omp_get_max_threads())}, .counted = count()}, state.counters);
    } catch (const std::exception& error) {
      note_wrong_result();
      state.SkipWithError(error.what());
    }
  }

 private:
  void set_up(Index n) {
    if (work_ && n_ == n) return;
    work_.reset();  // before the memory of the next one is taken
    auto work = make_(n);
    require_complete(work);
    work.launch();
    if (const auto check = work.check(); !check.ok) throw std::runtime_error(check.message);
    work_ = std::move(work), n_ = n;
  }

  /// Once per size, outside the timing.
  std::size_t count() {
    if (const auto known = counted_.find(n_); known != counted_.end()) return known->second;
    static const auto machine = library_machine(true);
    CountedKernel kernel{.counts = {}, .declared_flops = work_->declared_flops, .fma = fma_};
    const int threads = std::min(omp_get_max_threads(), std::max(1, static_cast<int>(machine.cpus.size())));
    const auto counts = CacheModel(machine.caches, threads).count("", *work_);
    if (!counts) throw std::runtime_error("its workload cannot be counted: elementwise() or set_launch() makes one");
    kernel.counts = *counts;
    const auto flops = kernel.counts.operations.flops();
    if (kernel.declared_flops == 0) kernel.declared_flops = flops;
    if (kernel.declared_flops != flops)
      throw std::runtime_error(fmt::format("{} FLOPs counted, {} declared: the source and its formula differ", flops,
                                           kernel.declared_flops));
    return counted_[n_] = keep_count(std::move(kernel));
  }

  Workload (*make_)(Index);
  bool fma_;
  std::optional<Workload> work_;
  Index n_ = 0;
  std::map<Index, std::size_t> counted_;
};

}  // namespace

Kernel::Kernel(std::string name, Workload (*make)(Index), std::vector<Index> sizes, bool fma) {
  const auto kernel = std::make_shared<RegisteredKernel>(make, fma);
  auto* const rows =
      benchmark::RegisterBenchmark(name.c_str(), [kernel](benchmark::State& state) { (*kernel)(state); });
  rows->UseRealTime();
  for (const Index n : sizes) rows->Arg(n);
}

namespace detail {

void require_separate_operations(bool contracts) {
  if (!contracts) return;
  fmt::print(stderr,
             "roofline: a source with counted kernels was compiled so that a * b + c is fused where the kernel says it "
             "is not: link roofline::kernel, or compile it with -ffp-contract=off\n");
  std::exit(2);
}

}  // namespace detail
}  // namespace roofline

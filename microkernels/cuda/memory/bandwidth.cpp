#include "microkernels/cuda/memory/bandwidth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "bench/cuda/error.hpp"
#include "bench/cuda/event_timer.hpp"
#include "bench/model/ceiling.hpp"
#include "bench/suite/suite.hpp"
#include "microkernels/cuda/flops/units.hpp"
#include "microkernels/cuda/measured.hpp"
#include "microkernels/cuda/memory/working_set.hpp"

namespace roofline {
namespace {

/// Arrays of vectors in the memory of the device, or of the host, from where the device reaches them over its bus.
class Arrays {
 public:
  Arrays(std::uint64_t vectors, int arrays, bool on_host) : vectors_(vectors) {
    const auto words = static_cast<Index>(vectors * static_cast<unsigned>(arrays) * (sizeof(Vector16) / sizeof(int)));
    if (on_host)
      pinned_ = PinnedMemory(static_cast<std::size_t>(words) * sizeof(int));
    else
      device_ = cuda::DeviceBuffer<int>(words);
  }
  Vector16* array(int which) const {
    auto* const memory = static_cast<Vector16*>(pinned_.data() ? pinned_.data() : static_cast<void*>(device_.data()));
    return memory + static_cast<std::uint64_t>(which) * vectors_;
  }

 private:
  std::uint64_t vectors_;
  cuda::DeviceBuffer<int> device_;
  PinnedMemory pinned_;
};

/// Sweeps over global memory.
struct SweepState {
  CudaMix mix;
  CudaCache cache;
  Arrays arrays;
  DeviceWords out, verdict;
  SweepLaunch launch;
  std::uint32_t swept = 0;  ///< sweeps of all launches

  SweepState(CudaMix m, CudaCache c, const VectorSweep& sweep, bool on_host)
      : mix(m),
        cache(c),
        arrays(sweep.all_vectors(), traits(m).arrays, on_host),
        out(Index{2} * sweep.blocks + (m == CudaMix::read ? Index{sweep.blocks} * sweep.threads : 0)),
        verdict(1) {
    // read has b only; write and update a only
    const bool reads_only = mix == CudaMix::read;
    launch.sweep = sweep;
    launch.a = reads_only ? nullptr : arrays.array(0);
    launch.b = reads_only ? arrays.array(0) : traits(mix).arrays > 1 ? arrays.array(1) : nullptr;
    launch.c = traits(mix).arrays > 2 ? arrays.array(2) : nullptr;
    launch.out = out.data();
    cuda::require(launch_fill(launch.a, launch.b, launch.c, sweep.all_vectors()), "launch of the fill kernel");
    cuda::finish();
  }

  void run(int sweeps) {
    launch.sweeps = sweeps;
    swept += static_cast<std::uint32_t>(sweeps);
    cuda::require(launch_sweep(mix, cache, launch), "launch of a bandwidth kernel");
  }

  Check check() const {
    const auto& sweep = launch.sweep;
    if (mix == CudaMix::read) {
      const auto words = out.download();
      std::uint32_t sum = 0, expected = 0;
      for (std::size_t i = static_cast<std::size_t>(2 * sweep.blocks); i < words.size(); ++i)
        sum += static_cast<std::uint32_t>(words[i]);
      // The sum of k words j = 0, 1, ...: k (k - 1) / 2 of them, modulo 2^32.
      const std::uint64_t k = 4 * sweep.all_vectors();
      expected = sweep_b(static_cast<std::uint32_t>(k / 2 * (k - 1))) * static_cast<std::uint32_t>(launch.sweeps);
      if (sum == expected) return {};
      return {false, fmt::format("the sum of {} words over {} sweeps is {}, expected {} (modulo 2^32)", k,
                                 launch.sweeps, sum, expected)};
    }
    cuda::require(launch_verify(mix, launch.a, sweep.all_vectors(), swept, verdict.data()), "launch of the check");
    const auto wrong = verdict.download();
    if (wrong[0] == 0) return {};
    return {false, fmt::format("{} of {} vectors are wrong after {} sweeps", wrong[0], sweep.all_vectors(), swept)};
  }
};

void set_theory(CeilingWork& work, const Gpu& gpu, MemoryLevel level, CudaMix mix, std::function<double()> clock) {
  work.clock = clock;
  const double per_clock = l1_bytes_per_clock(gpu) * gpu.sms;
  if (level == MemoryLevel::shared || (level == MemoryLevel::L1 && mix == CudaMix::read))
    work.theory = [=] { return per_clock * clock(); };
}

std::string shape_text(const VectorSweep& sweep, const Gpu& gpu, CudaCache cache = CudaCache::l1) {
  const bool one_chunk = sweep.per_block && sweep.vectors == sweep.chunk() && sweep.blocks > 32 * gpu.sms;
  return fmt::format("{} x 16 B in flight, {}{}", sweep.unroll,
                     one_chunk ? fmt::format("a block of {} for each chunk", sweep.threads)
                               : fmt::format("{} warps/SM", sweep.blocks / gpu.sms * sweep.threads / 32),
                     cache == CudaCache::l2_weak ? ", L1::no_allocate" : "");
}

/// The ways in which loads of a level may be made. Fewer vectors in flight are never the fastest for a memory beyond
/// L1.
std::vector<CudaCache> caches_of(MemoryLevel level, CudaMix mix, const VectorSweep& sweep) {
  if (level == MemoryLevel::L1) return {CudaCache::l1};
  const bool both = (level == MemoryLevel::L2 || level == MemoryLevel::DRAM) && mix != CudaMix::write;
  if (both && sweep.unroll >= 4) return {CudaCache::l2, CudaCache::l2_weak};
  return {CudaCache::l2};
}

CeilingWork global_workload(CudaMix mix, MemoryLevel level, CudaCache cache, const VectorSweep& sweep, const Gpu& gpu) {
  const bool once = level == MemoryLevel::DRAM || level == MemoryLevel::sysmem;
  const auto state = std::make_shared<SweepState>(mix, cache, sweep, level == MemoryLevel::sysmem);
  const int sweeps = once ? 1 : calibrate_cuda([&](int n) { state->run(n); });
  CeilingWork work;
  work.launch = [state, sweeps] { state->run(sweeps); };
  work.time = cuda::event_timer(work.launch);
  work.check = [state] { return state->check(); };
  work.work = 16.0 * traits(mix).accesses * static_cast<double>(sweep.all_vectors()) * sweeps;
  work.variant = shape_text(sweep, gpu, cache);
  set_theory(work, gpu, level, mix, [state] { return clock_of(state->out, state->launch.sweep.blocks); });
  return work;
}

/// Sweeps over arrays of every block in shared memory.
CeilingWork shared_workload(CudaMix mix, VectorSweep sweep, const Gpu& gpu) {
  const int fitting = shared_sweep_blocks_per_sm(mix, sweep);
  if (fitting == 0) throw cuda::Error("the shared-memory kernels were not built for this device");
  sweep.blocks = std::min(fitting, 1024 / sweep.threads) * gpu.sms;
  const auto out = std::make_shared<DeviceWords>(Index{2} * sweep.blocks + Index{sweep.blocks} * sweep.threads);
  const auto run = [=](int sweeps) {
    SweepLaunch launch{.sweep = sweep, .sweeps = sweeps, .out = out->data()};
    cuda::require(launch_shared_sweep(mix, launch), "launch of a shared-memory kernel");
  };
  const int sweeps = calibrate_cuda(run);
  CeilingWork work;
  work.launch = [=] { run(sweeps); };
  work.time = cuda::event_timer(work.launch);
  work.check = [=] {
    const auto words = out->download();
    const auto first = words.begin() + 2 * sweep.blocks;
    const auto bad = std::find_if(first, words.end(), [](auto wrong) { return wrong != 0; });
    if (bad == words.end()) return Check{};
    return Check{false, fmt::format("thread {}: {} words in shared memory are wrong after {} sweeps", bad - first, *bad,
                                    sweeps)};
  };
  work.work = 16.0 * traits(mix).accesses * static_cast<double>(sweep.vectors) * sweep.blocks * sweeps;
  work.variant = shape_text(sweep, gpu);
  set_theory(work, gpu, MemoryLevel::shared, mix, [=] { return clock_of(*out, sweep.blocks); });
  return work;
}

}  // namespace

void add_cuda_bandwidth_ceilings(Suite& suite, const Gpu& gpu) {
  const auto named = [&](MemoryLevel level, Mix mix) {
    CeilingVariant variant;
    auto& ceiling = variant.ceiling;
    ceiling.kind = Ceiling::Kind::bandwidth;
    ceiling.level = level;
    ceiling.mix = mix;
    ceiling.threads = suite.threads(), ceiling.whole_device = true;
    ceiling.name = ceiling_name(ceiling);
    if (level == MemoryLevel::DRAM) ceiling.theory = dram_theory(gpu);
    if (level == MemoryLevel::sysmem && (is_one_way(mix) || mix == Mix::both_ways))
      if (const auto rate = host_link_rate(gpu)) ceiling.theory = (is_one_way(mix) ? 1 : 2) * *rate;
    return variant;
  };
  for (const auto level :
       {MemoryLevel::L1, MemoryLevel::shared, MemoryLevel::L2, MemoryLevel::DRAM, MemoryLevel::sysmem})
    for (const auto mix : {CudaMix::read, CudaMix::write, CudaMix::copy, CudaMix::triad, CudaMix::update}) {
      auto variant = named(level, traits(mix).mix);
      for (const auto& sweep : cuda_sweeps(gpu, level, mix)) {
        variant.ceiling.working_set = 16.0 * traits(mix).arrays * static_cast<double>(sweep.all_vectors());
        if (level == MemoryLevel::shared)
          variant.make.push_back([=] { return shared_workload(mix, sweep, gpu); });
        else
          for (const auto cache : caches_of(level, mix, sweep))
            variant.make.push_back([=] { return global_workload(mix, level, cache, sweep, gpu); });
      }
      if (variant.make.empty()) continue;
      const bool hierarchy = level != MemoryLevel::shared && level != MemoryLevel::sysmem;
      variant.selection = hierarchy                                              ? Selection::quick
                          : level == MemoryLevel::shared && mix == CudaMix::read ? Selection::standard
                                                                                 : Selection::full;
      if (level == MemoryLevel::DRAM && mix == CudaMix::read) suite.add_sustained(variant, Selection::full);
      suite.add_ceiling(std::move(variant));
    }
  const auto add = [&](MemoryLevel level, std::vector<CudaMemoryCeiling> ceilings, Selection selection) {
    for (auto& [mix, set_bytes, make] : ceilings) {
      auto variant = named(level, mix);
      variant.ceiling.working_set = set_bytes;
      variant.make = std::move(make);
      variant.selection = mix == Mix::random || mix == Mix::chase ? Selection::full : selection;
      suite.add_ceiling(std::move(variant));
    }
  };
  add(MemoryLevel::DRAM, cuda_scattered(gpu), Selection::standard);
  add(MemoryLevel::sysmem, cuda_transfers(gpu), Selection::standard);
}

}  // namespace roofline

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "bench/machine/core_units.hpp"
#include "bench/machine/machine.hpp"
#include "bench/model/ceiling.hpp"
#include "bench/suite/suite.hpp"
#include "microkernels/calibrate.hpp"
#include "microkernels/ceilings.hpp"
#include "microkernels/cpu/array_sweep.hpp"
#include "microkernels/cpu/scattered.hpp"
#include "microkernels/one_region.hpp"
#include "microkernels/working_set.hpp"

namespace roofline {
namespace {

constexpr double window_bytes = 1 << 24;  // of one launch at DRAM: a fraction of a ms

/// The generated variants worth a trial: the widest vectors in all forms, the next narrower ones in one, and vectors
/// one by one at DRAM alone.
bool worth_trying(const BandwidthKernel& kernel, MemoryLevel level) {
  const int widest = widest_vector_bytes();
  if (kernel.mix == Mix::gather) return 2 * kernel.vector_bytes >= widest;
  if (kernel.lines_ahead > 0) return kernel.vector_bytes == widest && level == MemoryLevel::DRAM;
  const bool usual = kernel.unroll == 8 && kernel.streams == 1;
  if (kernel.vector_bytes == widest / 2) return usual;
  if (kernel.vector_bytes != widest) return false;
  if (kernel.unroll == 1) return level == MemoryLevel::DRAM;
  return usual || level != MemoryLevel::DRAM || kernel.streams > 1;
}

bool has_ceiling(MixFacts::Levels levels, MemoryLevel level) {
  using enum MixFacts::Levels;
  if (levels == l1) return level == MemoryLevel::L1;
  return levels == all || (levels == dram) == (level == MemoryLevel::DRAM);
}

/// Whether a kernel is a way to do what a ceiling is about.
bool is_way_of(const BandwidthKernel& kernel, Mix mix) {
  if (mix == Mix::gather_instructions) return kernel.mix == Mix::gather && kernel.gather_instructions;
  if (mix == Mix::read_no_prefetch) return kernel.mix == Mix::read && kernel.lines_ahead == 0;
  return kernel.mix == mix;
}

std::string vectors_text(const BandwidthKernel& kernel) {
  return fmt::format("{} bit, {} vectors, {} stream{}", 8 * kernel.vector_bytes, kernel.unroll, kernel.streams,
                     kernel.streams == 1 ? "" : "s") +
         (kernel.lines_ahead > 0 ? fmt::format(", prefetched {} lines ahead", kernel.lines_ahead) : "");
}

/// A small set is swept often enough for a launch of about a millisecond; at DRAM a launch goes once over a window.
CeilingWork mix_workload(std::shared_ptr<MemoryBlock> block, const BandwidthKernel& kernel, MemoryLevel level,
                         int threads, double set_bytes) {
  const bool dram = level == MemoryLevel::DRAM;
  const int windows = dram ? std::max(1, static_cast<int>(set_bytes / window_bytes)) : 1;
  long sweeps = 1;
  if (!dram) {
    // On one thread: a team that has to wait for a busy core says nothing about the work.
    ArraySweep alone(block, kernel, 1, set_bytes / threads, 1, true);
    sweeps = calibrate([&](long n) { alone.run(n); }, 1);
  }
  const auto arrays = std::make_shared<ArraySweep>(std::move(block), kernel, threads, set_bytes, windows, !dram);

  const auto& mix = facts(kernel.mix);
  CeilingWork work;
  work.from_cache = !dram;
  launch_in_one_region(work, [arrays, sweeps](int launches) { arrays->run(sweeps, launches); });
  work.check = [arrays] { return arrays->check(); };
  work.work = arrays->elements_per_run() * static_cast<double>(sweeps) *
              (level == MemoryLevel::L1 ? mix.explicit_bytes : mix.moved_bytes);
  work.variant = vectors_text(kernel);
  if (kernel.mix == Mix::gather)
    work.variant = fmt::format("{} bit, {} vectors, {}", 8 * kernel.vector_bytes, kernel.unroll,
                               kernel.gather_instructions ? "gather instructions" : "joined loads of 16 B");
  return work;
}

/// The same at DRAM, where each thread works on the part of another one.
CeilingWork remote_workload(std::shared_ptr<MemoryBlock> block, const BandwidthKernel& kernel, double set_bytes,
                            std::vector<int> parts) {
  const int windows = std::max(1, static_cast<int>(set_bytes / window_bytes));
  const auto arrays = std::make_shared<ArraySweep>(std::move(block), kernel, set_bytes, windows, std::move(parts));
  CeilingWork work;
  work.from_cache = false;
  launch_in_one_region(work, [arrays](int launches) { arrays->run(1, launches); });
  work.check = [arrays] { return arrays->check(); };
  work.work = arrays->elements_per_run() * facts(kernel.mix).moved_bytes;
  work.variant = vectors_text(kernel);
  return work;
}

/// Ceilings of one thread count. `dram` is the block that all ceilings of DRAM share.
class BandwidthCeilings {
 public:
  BandwidthCeilings(Suite& suite, int threads, std::shared_ptr<MemoryBlock> dram)
      : suite_(suite), threads_(threads), dram_(std::move(dram)) {}

  void add_mix(MemoryLevel level, Mix mix) {
    const double set_bytes = ceiling_working_set(suite_.machine(), level, threads_);
    if (set_bytes == 0) return;
    auto variant = of(level, mix);
    const bool explicit_bytes = level == MemoryLevel::L1;
    variant.ceiling.working_set = set_bytes;
    variant.ceiling.bytes_per_explicit_byte =
        explicit_bytes ? 1 : static_cast<double>(facts(mix).moved_bytes) / facts(mix).explicit_bytes;
    variant.ceiling.theory = theoretical_rate(variant.ceiling, suite_.machine());
    for (const auto& kernel : bandwidth_kernels_of_this_cpu()) {
      if (!is_way_of(kernel, mix) || !worth_trying(kernel, level)) continue;
      const auto shared = level == MemoryLevel::DRAM ? dram_ : nullptr;
      variant.make.push_back([=, threads = threads_] {
        const auto own = std::make_shared<MemoryBlock>(ArraySweep::block_size(set_bytes, threads));
        return mix_workload(shared ? shared : own, kernel, level, threads, set_bytes);
      });
    }
    if (variant.make.empty()) return;  // this CPU has no such instructions
    const bool all = threads_ == suite_.threads(), dram = level == MemoryLevel::DRAM;
    if (all && (is_roof(mix) || (is_of_costly_loads(mix) && level == MemoryLevel::L1)))
      variant.selection = Selection::quick;
    else if (dram && mix != Mix::read_no_prefetch && (all || is_roof(mix)))
      variant.selection = Selection::standard;
    if (all && dram && mix == Mix::triad) suite_.add_sustained(variant, Selection::full);
    suite_.add_ceiling(std::move(variant));
  }

  /// Reads of memory next to other cores, which is the roof of a program that places its data wrongly.
  void add_remote() {
    auto variant = of(MemoryLevel::DRAM, Mix::read_remote);
    variant.ceiling.working_set = ceiling_working_set(suite_.machine(), MemoryLevel::DRAM, threads_);
    const auto& machine = suite_.machine();
    const auto parts = parts_of_other_nodes(machine.nodes, threads_);
    const char* const why = machine.numa_nodes < 2 ? "this machine has one memory node"
                                                   : "more than half of the threads are next to one memory node";
    // Most machines have one node, and a default run need not say so each time.
    variant.selection = parts.empty() ? Selection::full : Selection::standard;
    if (parts.empty())
      variant.make.push_back([why]() -> CeilingWork { throw NoSuchCeiling(why); });
    else
      for (const auto& kernel : bandwidth_kernels_of_this_cpu())
        if (kernel.mix == Mix::read && worth_trying(kernel, MemoryLevel::DRAM))
          variant.make.push_back([=, block = dram_, set_bytes = variant.ceiling.working_set] {
            return remote_workload(block, kernel, set_bytes, parts);
          });
    suite_.add_ceiling(std::move(variant));
  }

  /// Strided, random and dependent reads of DRAM: in lines moved, of which a read uses 8 bytes (two loads of a line,
  /// 16).
  void add_scattered() {
    for (const auto& [mix, stride] :
         {std::pair{Mix::stride2, 2}, {Mix::stride4, 4}, {Mix::stride8, 8}, {Mix::stride16, 16}}) {
      const double set_bytes = static_cast<double>(dram_->size()) * sizeof(double);
      std::vector<std::function<CeilingWork()>> ways;
      for (const auto way : {Strided::plain, Strided::prefetched, Strided::in_streams, Strided::in_streams_prefetched,
                             Strided::in_streams_into_l1})
        ways.push_back(strided(stride, way));
      if (stride >= 8) ways.push_back(strided(stride, Strided::twice));
      add_lines(mix, set_bytes, std::min(stride, 8), std::move(ways));
    }
    const double set_bytes = scattered_working_set(*dram_, threads_);
    add_lines(Mix::random, set_bytes, 8, {[block = dram_, threads = threads_] { return random_read(block, threads); }});
    // The same in a block of its own, to show the effect of the reach of the TLBs. On a virtual machine the host's
    // pages are walked, too.
    add_lines(Mix::random_4k, set_bytes, 8, {[doubles = dram_->size(), threads = threads_] {
                return random_read(std::make_shared<MemoryBlock>(doubles, Pages::small), threads);
              }});
    // In a block of its own: it depends on what it reads, and other ceilings are sampled in between.
    add_lines(Mix::chase, set_bytes, 8, {[doubles = dram_->size(), threads = threads_] {
                return pointer_chase(std::make_shared<MemoryBlock>(doubles), threads);
              }});
  }

 private:
  CeilingVariant of(MemoryLevel level, Mix mix) const {
    CeilingVariant variant;
    variant.ceiling.kind = Ceiling::Kind::bandwidth;
    variant.ceiling.threads = threads_;
    variant.ceiling.level = level;
    variant.ceiling.mix = mix;
    variant.ceiling.name = ceiling_name(variant.ceiling);
    return variant;
  }

  std::function<CeilingWork()> strided(int stride, Strided way) const {
    return [block = dram_, threads = threads_, stride, way] { return strided_read(block, threads, stride, way); };
  }

  void add_lines(Mix mix, double set_bytes, double line_bytes_per_read_byte,
                 std::vector<std::function<CeilingWork()>> make) {
    auto variant = of(MemoryLevel::DRAM, mix);
    variant.ceiling.working_set = set_bytes;
    variant.ceiling.bytes_per_explicit_byte = line_bytes_per_read_byte;
    variant.make = std::move(make);
    const bool all = threads_ == suite_.threads() && mix != Mix::random_4k;
    // Unpaired lines are compared with reads that skip every second one, also in a run of one family.
    variant.selection = !all ? Selection::full : mix == Mix::stride16 ? Selection::quick : Selection::standard;
    suite_.add_ceiling(std::move(variant));
  }

  Suite& suite_;
  int threads_;
  std::shared_ptr<MemoryBlock> dram_;
};

}  // namespace

std::vector<BandwidthKernel> bandwidth_kernels_of_this_cpu() {
  std::vector<BandwidthKernel> kernels;
  const auto append = [&](BandwidthKernels more) { kernels.insert(kernels.end(), more.begin(), more.end()); };
  append(bandwidth_baseline());
  if (runs_vectors_of(32)) append(bandwidth_256());
  if (runs_vectors_of(64)) append(bandwidth_512());
  return kernels;
}

void add_bandwidth_ceilings(Suite& suite) {
  const int all = suite.threads();
  const double dram_bytes = ceiling_working_set(suite.machine(), MemoryLevel::DRAM, all);
  const auto dram = std::make_shared<MemoryBlock>(ArraySweep::block_size(dram_bytes, all));
  const std::vector<int> thread_counts = all > 1 ? std::vector{all, 1} : std::vector{1};
  for (const int threads : thread_counts) {
    BandwidthCeilings ceilings(suite, threads, dram);
    for (const auto level : memory_levels)
      for (std::size_t mix = 0; mix < mixes.size(); ++mix)
        if (mixes[mix].arrays > 0 && has_ceiling(mixes[mix].levels, level))
          ceilings.add_mix(level, static_cast<Mix>(mix));
    if (dram_bytes == 0) continue;  // there is no set that is DRAM's
    ceilings.add_scattered();
    if (threads == all && all > 1) ceilings.add_remote();
  }
}

}  // namespace roofline

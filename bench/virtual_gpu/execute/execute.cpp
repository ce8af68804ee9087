// A launch: blocks dealt to host threads, what they counted and found put together.
#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <thread>
#include <tuple>

#include "bench/machine/interrupt.hpp"
#include "bench/virtual_gpu/execute/launch.hpp"
#include "bench/virtual_gpu/execute/races.hpp"
#include "bench/virtual_gpu/execute/stepped_launch.hpp"
#include "bench/virtual_gpu/execute/thread_block.hpp"

namespace roofline::ptx {
namespace {

constexpr int64_t long_slice = 1 << 20;          // of a block that nobody else needs to wait for
constexpr int64_t short_slice = 20'000;          // of blocks that wait for each other
constexpr uint64_t slices_between_checks = 256;  // whether a block may be waiting for one that has not begun
constexpr std::size_t most_resident = 64;        // of these

struct Cpus {
  cpu_set_t set;
  bool known;
};

// Taken when the program or library is loaded: nobody has pinned a thread by then.
const Cpus at_begin = [] {
  Cpus cpus;
  CPU_ZERO(&cpus.set);
  cpus.known = sched_getaffinity(0, sizeof cpus.set, &cpus.set) == 0;
  return cpus;
}();

/// How many threads work on a launch where nobody says: one for each CPU that this process had when it began.
unsigned all_host_threads() {
  if (at_begin.known) return static_cast<unsigned>(std::max(1, CPU_COUNT(&at_begin.set)));
  return std::max(1u, std::thread::hardware_concurrency());
}

/// Lets the calling thread run on any of these CPUs. A thread begins on the CPUs of the one that made it, and who
/// launches may be pinned to one, as the first thread of OpenMP is: then all of them would share it.
void leave_the_launching_cpu() {
  // Where a sandbox refuses it, the work is done all the same.
  if (at_begin.known) sched_setaffinity(0, sizeof at_begin.set, &at_begin.set);
}

uint64_t product(const std::array<uint32_t, 3>& x) { return uint64_t{x[0]} * x[1] * x[2]; }

/// State that the host threads of a launch share.
struct Shared {
  std::atomic<uint64_t> next{0};  // block
  std::atomic<bool> cancelled{false};
  std::mutex mutex;
  std::optional<Fault> fault;
  uint64_t total = 0;

  /// Somebody met a fault, or nobody waits for the launch any more.
  bool stopped() {
    if (interrupted()) cancelled = true;
    return cancelled;
  }
};

/// Runs blocks on one host thread.
class BlockRunner {
 public:
  BlockRunner(Worker& worker, Shared& shared)
      : worker_(worker), shared_(shared), program_(*worker.launch->kernel->program) {}

  void run() {
    const bool cooperative = worker_.launch->cooperative;
    while (cooperative && begin_block()) {
    }
    while (!shared_.stopped() && (!resident_.empty() || begin_block())) {
      const int64_t slice = resident_.size() > 1 ? short_slice : long_slice;
      bool waiting = false;
      for (std::size_t n = 0; n < resident_.size() && !shared_.stopped();) {
        if (resident_[n].block->run(slice)) {
          end_block(n);
        } else {
          waiting |= ++resident_[n].slices % slices_between_checks == 0;
          ++n;
        }
      }
      if (waiting && !cooperative && resident_.size() < most_resident) begin_block();
    }
  }

 private:
  struct Resident {
    std::unique_ptr<ThreadBlock> block;
    uint64_t slices = 0;
  };

  bool begin_block() {
    const uint64_t number = shared_.next.fetch_add(1);
    if (number >= shared_.total) return false;
    if (idle_.empty()) idle_.push_back(std::make_unique<ThreadBlock>(worker_, program_));
    resident_.push_back({std::move(idle_.back()), 0});
    idle_.pop_back();
    ThreadBlock& block = *resident_.back().block;
    block.start(number);
    ++worker_.thread_blocks;
    worker_.warps += block.warps.size();
    return true;
  }

  void end_block(std::size_t n) {
    idle_.push_back(std::move(resident_[n].block));
    resident_.erase(resident_.begin() + static_cast<std::ptrdiff_t>(n));
  }

  Worker& worker_;
  Shared& shared_;
  const Program& program_;
  std::vector<Resident> resident_;
  std::vector<std::unique_ptr<ThreadBlock>> idle_;
};

void work(Worker& worker, Shared& shared) {
  try {
    BlockRunner(worker, shared).run();
  } catch (const Fault& fault) {
    const std::lock_guard lock(shared.mutex);
    const auto order = [](const Fault& f) { return std::tuple(f.place.block[2], f.place.block[1], f.place.block[0]); };
    if (!shared.fault || order(fault) < order(*shared.fault)) shared.fault = fault;
    shared.cancelled = true;
  }
}

std::optional<Execution> refusal(const Launch& launch) {
  Execution e;
  const Kernel& kernel = *launch.kernel;
  e.place.kernel = kernel.name;
  if (!kernel.unsupported.empty()) {
    const Unsupported& first = kernel.unsupported.front();
    e.outcome = Outcome::unsupported_instruction;
    e.message =
        fmt::format("{}: unsupported instruction in PTX line {}: {}", kernel.name, first.line, first.instruction);
    e.place.ptx_line = first.line;
    e.place.instruction = first.instruction;
    return e;
  }
  const uint64_t threads = product(launch.block), blocks = product(launch.grid);
  const char* const why = threads == 0 || blocks == 0 ? "an empty grid or block"
                          : threads > 1024            ? "more than 1024 threads in a block"
                          : kernel.max_threads && threads > kernel.max_threads
                              ? "more threads in a block than .maxntid allows"
                          : launch.dynamic_shared > (std::size_t{1} << 24) ? "more shared memory than any device has"
                          : kernel.parameter_bytes && launch.parameters == nullptr ? "no parameters"
                                                                                   : nullptr;
  if (!why) return {};
  e.outcome = Outcome::invalid_launch;
  e.message = fmt::format("{}: {}", kernel.name, why);
  return e;
}

/// Zeroed words through which cooperative blocks wait for each other (cooperative_groups::grid_group).
class GridWorkspace {
 public:
  GridWorkspace(GlobalMemory& memory, bool wanted) : memory_(memory) {
    if (!wanted) return;
    pointer_ = memory.allocate(64, Origin::host);
    if (pointer_) std::memset(pointer_, 0, 64);
  }
  ~GridWorkspace() {
    if (pointer_) memory_.free(pointer_);
  }
  GridWorkspace(const GridWorkspace&) = delete;
  uint64_t address() const { return reinterpret_cast<uint64_t>(pointer_); }

 private:
  GlobalMemory& memory_;
  void* pointer_ = nullptr;
};

}  // namespace

void prepare(Worker& worker, const Launch& launch, const ExecutionOptions& options, uint64_t number) {
  const Program& program = *launch.kernel->program;
  worker.launch = &launch;
  worker.options = &options;
  worker.checked = options.checks.any();
  const auto* const bytes = static_cast<const uint8_t*>(launch.parameters);
  worker.parameters.assign(bytes, bytes + launch.kernel->parameter_bytes);
  worker.blocks.resize(program.blocks.size());
  worker.guards.resize(program.guard_counters);
  worker.accesses.resize(program.counters);
  worker.random.seed(options.seed + number);
}

void Worker::report(Finding finding) {
  for (Finding& f : findings)
    if (f.kind == finding.kind && f.place.ptx_line == finding.place.ptx_line &&
        f.place.kernel == finding.place.kernel) {
      ++f.times;
      return;
    }
  findings.push_back(std::move(finding));
}

Execution execute(const Launch& launch, GlobalMemory& memory, const ExecutionOptions& options) {
  return execute_part(launch, 0, product(launch.grid), memory, options);
}

Execution execute_part(const Launch& launch, uint64_t first, uint64_t blocks, GlobalMemory& memory,
                       const ExecutionOptions& options) {
  if (auto refused = refusal(launch)) return std::move(*refused);
  Shared shared;
  shared.next = first;
  shared.total = std::min(product(launch.grid), first + blocks);
  // One thread tells a race of blocks from two that store one value: with more, neither may have stored it yet.
  const unsigned wanted = options.checks.race        ? 1
                          : options.host_threads > 0 ? static_cast<unsigned>(options.host_threads)
                                                     : all_host_threads();
  const auto threads =
      static_cast<std::size_t>(std::clamp<uint64_t>(shared.total - std::min(first, shared.total), 1, wanted));
  const GridWorkspace workspace(memory, launch.cooperative);
  std::unique_ptr<RaceShadow> races;
  if (options.checks.race) races = std::make_unique<RaceShadow>(0);
  std::mutex print_mutex;
  std::vector<Worker> workers(threads);
  for (std::size_t n = 0; n < threads; ++n) {
    Worker& w = workers[n];
    prepare(w, launch, options, n);
    w.memory = &memory;
    w.cancelled = &shared.cancelled;
    w.races = races.get();
    w.solo = threads == 1;
    w.print_mutex = &print_mutex;
    w.grid_workspace = workspace.address();
  }
  std::vector<std::thread> others;
  for (std::size_t n = 1; n < threads; ++n)
    others.emplace_back([&shared, &worker = workers[n]] {
      leave_the_launching_cpu();
      work(worker, shared);
    });
  work(workers[0], shared);
  for (std::thread& t : others) t.join();
  stop_if_interrupted();
  Execution e = tally(*launch.kernel->program, workers, options.per_instruction);
  if (shared.fault) {
    e.outcome = shared.fault->outcome;
    e.message = shared.fault->message;
    e.place = shared.fault->place;
  }
  return e;
}

}  // namespace roofline::ptx

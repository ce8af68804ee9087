#include "bench/library/declared/declared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <deque>
#include <roofline/work.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bench/cache_model/sampler.hpp"

namespace roofline {
namespace {

constexpr const char* mark = "roofline:row";  ///< how many threads have declared something
constexpr const char* single = "roofline:fp32";
constexpr const char* number = "roofline:counted";

struct Amount {
  const char* key;
  double DeclaredWork::*field;
};
constexpr std::array<Amount, 9> amounts{{{"roofline:add", &DeclaredWork::add},
                                         {"roofline:mul", &DeclaredWork::mul},
                                         {"roofline:fma", &DeclaredWork::fma},
                                         {"roofline:div", &DeclaredWork::div},
                                         {"roofline:sqrt", &DeclaredWork::sqrt},
                                         {"roofline:read", &DeclaredWork::read},
                                         {"roofline:written", &DeclaredWork::written},
                                         {"roofline:updated", &DeclaredWork::updated},
                                         {"roofline:threads", &DeclaredWork::threads}}};

std::deque<CountedKernel>& kernels() {
  static std::deque<CountedKernel> all;
  return all;
}

std::atomic<bool> wanted_by_run{false}, found_wrong{false};

constexpr double line = 64;

/// One array of what is declared: where it lies, and what is done to it.
struct Stream {
  std::uint64_t lines;
  std::uintptr_t base;
  bool reads, writes;
};

std::vector<Stream> streams_of(const DeclaredWork& work) {
  std::vector<Stream> streams;
  std::uintptr_t next = 1 << 20;
  const auto add = [&](double bytes, bool reads, bool writes) {
    const auto lines = static_cast<std::uint64_t>(std::ceil(bytes / line));
    if (lines == 0) return;
    streams.push_back({lines, next, reads, writes});
    next += (lines + 64) * static_cast<std::uint64_t>(line);
  };
  add(work.read, true, false), add(work.updated, true, true), add(work.written, false, true);
  return streams;
}

/// All streams side by side from begin to end, in chunks of a page of the longest.
void trace(const std::vector<Stream>& streams, Sampler& sampler) {
  std::uint64_t longest = 0;
  for (const auto& stream : streams) longest = std::max(longest, stream.lines);
  const auto chunks = static_cast<Index>((longest + 63) / 64);
  sampler.run(chunks, 1, [&](Index chunk) {
    auto& caches = *active_recording->caches;
    const auto part = static_cast<std::uint64_t>(chunk), parts = static_cast<std::uint64_t>(chunks);
    for (const auto& stream : streams)
      for (auto at = stream.lines * part / parts; at < stream.lines * (part + 1) / parts; ++at) {
        const auto address = stream.base + at * static_cast<std::uintptr_t>(line);
        if (stream.reads) caches.load(address, static_cast<unsigned>(line));
        if (stream.writes) caches.store(address, static_cast<unsigned>(line));
      }
  });
}

std::uint64_t whole(double amount, const char* kind) {
  if (!(amount >= 0) || amount > 9e18)
    throw std::invalid_argument(fmt::format("declares {} {}, which is impossible", amount, kind));
  return static_cast<std::uint64_t>(std::llround(amount));
}

using Row = benchmark::BenchmarkReporter::Run;

int threads_of(const Row& row, const DeclaredWork& work) {
  return static_cast<int>(std::clamp(work.threads, 0.0, 1e6) > 0 ? std::lround(work.threads)
                                                                 : static_cast<long>(row.threads));
}

}  // namespace

void put(const DeclaredRow& row, benchmark::UserCounters& counters) {
  counters[mark] = 1;
  for (const auto& [key, field] : amounts)
    if (row.work.*field != 0) counters[key] = row.work.*field;
  if (row.work.precision == Precision::fp32) counters[single] = 1;
  if (row.counted) counters[number] = static_cast<double>(*row.counted);
}

std::optional<DeclaredRow> take(benchmark::UserCounters& counters) {
  const auto value = [&](const char* key) {
    const auto found = counters.find(key);
    if (found == counters.end()) return 0.0;
    const double was = found->second.value;
    counters.erase(found);
    return was;
  };
  const bool is_counted = counters.contains(number);
  const bool declares = value(mark) > 0;
  DeclaredRow row;
  for (const auto& [key, field] : amounts) row.work.*field = value(key);
  if (value(single) > 0) row.work.precision = Precision::fp32;
  const double counted = value(number);
  if (is_counted) row.counted = static_cast<std::size_t>(std::lround(counted));
  return declares ? std::optional(row) : std::nullopt;
}

std::size_t keep_count(CountedKernel kernel) {
  kernels().push_back(std::move(kernel));
  return kernels().size() - 1;
}

const CountedKernel& counted_kernel(std::size_t number) { return kernels().at(number); }

bool collecting() { return wanted_by_run.load(std::memory_order_relaxed); }
void collect(bool wanted) { wanted_by_run = wanted; }
void note_wrong_result() { found_wrong = true; }
bool any_wrong_result() { return found_wrong; }

Work::~Work() {
  if (!wrong_.empty()) {
    note_wrong_result();
    state_.SkipWithError(wrong_.c_str());
  } else if (collecting()) {
    put({declared(), {}}, state_.counters);
  }
}

Counts declared_counts(const DeclaredWork& work, const Machine& machine, int threads) {
  const Operations operations{.add = whole(work.add, "additions"),
                              .mul = whole(work.mul, "multiplications"),
                              .fma = whole(work.fma, "FMAs"),
                              .div = whole(work.div, "divisions"),
                              .sqrt = whole(work.sqrt, "square roots")};
  const auto read = whole(work.read, "bytes read"), written = whole(work.written, "bytes written"),
             updated = whole(work.updated, "bytes updated");
  Counts counts;
  const auto streams = streams_of(work);
  if (!machine.caches.empty() && !streams.empty()) {
    std::vector<CacheHierarchy> cores(static_cast<std::size_t>(threads), CacheHierarchy(machine.caches));
    counts = count([&](Sampler& sampler) { trace(streams, sampler); }, cores);
    counts.modelled_device = "host";
    counts.regions.reset();  // that of the trace: Google Benchmark's threads open none
    counts.traffic_note = "declared arrays, streamed through " + counts.traffic_note;
  }
  counts.operations = operations;
  counts.operations_source = Source::analytic;
  if (work.precision == Precision::fp32) counts.precision = "fp32";
  if (read + written + updated > 0)
    counts.at(MemoryLevel::L1) = Traffic{static_cast<double>(read + updated), static_cast<double>(written + updated)};
  return counts;
}

std::string point_name(const Row& row) {
  auto name = row.run_name;
  name.iterations.clear(), name.repetitions.clear(), name.time_type.clear(), name.min_time.clear();
  return name.str();
}

/// Until 1.9.0 a row's time is the average over its threads of the time they took for their iterations, since then
/// their sum; the iterations are those of all threads.
double seconds_of(const Row& row) {
  const double per_iteration = row.real_accumulated_time / static_cast<double>(row.iterations);
  return ROOFLINE_BENCHMARK_VERSION < 10900 ? per_iteration * static_cast<double>(row.threads) : per_iteration;
}

KernelPoint declared_point(const Row& row, const DeclaredRow& declared, const Machine& machine) {
  KernelPoint point;
  point.name = point_name(row);
  point.family = point.name.substr(0, point.name.find('/'));
  point.threads = threads_of(row, declared.work);
  if (declared.counted) {
    const auto& kernel = counted_kernel(*declared.counted);
    point.counts = kernel.counts;
    point.declared_flops = kernel.declared_flops;
    point.fma = kernel.fma;
    return point;
  }
  if (declared.work.declares_nothing()) throw std::invalid_argument("its Work declares nothing");
  if (point.threads > static_cast<int>(machine.cpus.size()))
    throw std::invalid_argument("declares more threads than this process has CPUs");
  point.counts = declared_counts(declared.work, machine, point.threads);
  point.declared_flops = point.counts.operations.flops();
  return point;
}

}  // namespace roofline

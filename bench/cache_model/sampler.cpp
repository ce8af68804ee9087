#include "bench/cache_model/sampler.hpp"

#include <fmt/format.h>

#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include "bench/cache_model/cache_hierarchy.hpp"

namespace roofline {
namespace {

/// Makes a recording the active one for a scope.
class Activate {
 public:
  explicit Activate(Recording& recording) : before_(active_recording) { active_recording = &recording; }
  ~Activate() { active_recording = before_; }
  Activate(const Activate&) = delete;
  Activate& operator=(const Activate&) = delete;

 private:
  Recording* before_;
};

std::uint64_t scale(std::uint64_t count, std::uint64_t numerator, std::uint64_t denominator) {
  const auto scaled = static_cast<unsigned __int128>(count) * numerator;
  if (scaled % denominator != 0)
    throw std::logic_error(fmt::format("{} operations in {} chunks do not scale to {}", count, denominator, numerator));
  return static_cast<std::uint64_t>(scaled / denominator);
}

}  // namespace

std::uint64_t Sampler::memory_bytes() const {
  return live_.caches ? live_.caches->filled_from_memory() : live_.load_bytes;
}

Index Sampler::first_of(std::size_t core, Index n) const {
  const auto cores = static_cast<Index>(std::max<std::size_t>(1, cores_.size())), number = static_cast<Index>(core);
  return number * (n / cores) + std::min(number, n % cores);
}

void Sampler::run_all(Index n, const std::function<void(Index)>& chunk) {
  const auto cores = static_cast<Index>(std::max<std::size_t>(1, cores_.size()));
  std::vector<Recording> recordings(static_cast<std::size_t>(cores));
  std::vector<std::exception_ptr> failures(recordings.size());
  // Cores share no cache, and chunks no results: each is run by a thread, as in the loop that is counted.
#pragma omp parallel for schedule(static, 1)
  for (Index core = 0; core < cores; ++core) {
    const auto number = static_cast<std::size_t>(core);
    Recording own;  // every access writes to it: in lines of this thread alone
    own.caches = cores_.empty() ? nullptr : &cores_[number];
    try {
      const Activate active(own);
      for (Index i = first_of(number, n); i < first_of(number + 1, n); ++i) chunk(i);
    } catch (...) {
      failures[number] = std::current_exception();
    }
    recordings[number] = own;
  }
  for (const auto& failure : failures)
    if (failure) std::rethrow_exception(failure);
  for (const auto& part : recordings) live_ += part;
}

Sampler::Snapshot Sampler::snapshot() const {
  Snapshot now{live_, {}};
  for (const auto& caches : cores_)
    now.overwritten += caches.overwritten(), now.streamed += caches.streamed(), now.paired += caches.paired();
  for (const auto& caches : cores_)
    for (const auto level : memory_levels) {
      const auto moved = caches.traffic(level);
      auto& sum = now.traffic[static_cast<std::size_t>(level)];
      sum = {sum.read + moved.read, sum.written + moved.written};
    }
  return now;
}

void Sampler::add_scaled(const Snapshot& from, const Snapshot& to, std::uint64_t numerator, std::uint64_t denominator) {
  const auto part = [&](std::uint64_t Recording::*field) {
    total_.*field += scale(to.recording.*field - from.recording.*field, numerator, denominator);
  };
  const auto done = to.recording.operations - from.recording.operations;
  total_.operations += {.add = scale(done.add, numerator, denominator),
                        .mul = scale(done.mul, numerator, denominator),
                        .fma = scale(done.fma, numerator, denominator),
                        .div = scale(done.div, numerator, denominator),
                        .sqrt = scale(done.sqrt, numerator, denominator),
                        .logic = scale(done.logic, numerator, denominator)};
  part(&Recording::loads), part(&Recording::stores), part(&Recording::load_bytes), part(&Recording::store_bytes);
  // First the product, so that whole results are whole.
  const auto scaled = [&](double bytes) {
    return bytes * static_cast<double>(numerator) / static_cast<double>(denominator);
  };
  for (std::size_t level = 0; level < traffic_.size(); ++level) {
    traffic_[level].read += scaled(to.traffic[level].read - from.traffic[level].read);
    traffic_[level].written += scaled(to.traffic[level].written - from.traffic[level].written);
  }
  const auto bytes = [&](std::uint64_t Snapshot::*field) {
    return scaled(static_cast<double>(to.*field - from.*field));
  };
  overwritten_ += bytes(&Snapshot::overwritten), streamed_ += bytes(&Snapshot::streamed);
  paired_ += bytes(&Snapshot::paired);
  // Where a row begins within a line may differ from chunk to chunk: no exact scaling.
  const auto loaded = [&](std::uint64_t Recording::*field) {
    return scaled(static_cast<double>(to.recording.*field - from.recording.*field));
  };
  split_ += loaded(&Recording::split_bytes), gathered_ += loaded(&Recording::gathered_bytes);
}

void Sampler::run(Index n, Index period, const std::function<void(Index)>& chunk) {
  const Activate active(live_);
  ++regions_;
  // The first chunks of a window warm the caches: write-backs lag one last-level cache of traffic behind, a quarter
  // more because chunks do not fill its sets evenly (without it 7.07 instead of 8 B per element of a triad, 1 MiB/16).
  const std::uint64_t warm_up = cores_.empty() ? 0 : cores_.front().last_level_size() * 5 / 4;
  const std::uint64_t worth_measuring = std::max<std::uint64_t>(warm_up / 2, 1 << 20);
  // A window lies in the chunks of one core, behind their first quarter: repeated launches find others in its caches.
  const auto core = cores_.size() / 2;
  const Index first = first_of(core, n), end = first_of(core + 1, n);
  const auto run_whole = [&] {
    const auto before = snapshot();
    // After a window its core's caches are warm, those of the others have seen nothing and would swallow the writes.
    if (sampled_) {
      run_on(core);
      for (Index i = 0; i < n; ++i) chunk(i);
    } else {
      run_all(n, chunk);
    }
    add_scaled(before, snapshot(), 1, 1);
  };
  if (full_ || n % period != 0 || end - first < 8 * period) return run_whole();

  // The walk begins behind a quarter. If the end comes before the caches are warm the loop is small, and all of it is
  // run, in caches that have not seen what was walked: blocks of a kernel, each a loop, would find it there every time.
  run_on(core);
  std::optional<CacheHierarchy> unseen;
  if (!cores_.empty()) unseen = cores_[core];
  const auto cold = snapshot();
  const auto bytes_before = memory_bytes();
  Index i = (first + (end - first) / 4) / period * period;
  while (i + 4 * period <= end && memory_bytes() - bytes_before < warm_up)
    for (const Index to = i + period; i < to; ++i) chunk(i);
  if (memory_bytes() - bytes_before < warm_up) {
    if (unseen) cores_[core] = std::move(*unseen);
    live_ = cold.recording;
    return run_whole();
  }
  const auto warm = snapshot();
  const auto bytes_warm = memory_bytes();
  const Index measured_from = i;
  Recording one_period;
  while (i + period <= end && (i < measured_from + 2 * period || memory_bytes() - bytes_warm < worth_measuring)) {
    const auto before = live_;
    for (const Index to = i + period; i < to; ++i) chunk(i);
    Recording done{live_.operations - before.operations, live_.loads - before.loads, live_.stores - before.stores};
    done.split_bytes = live_.split_bytes - before.split_bytes;
    if (i == measured_from + period) one_period = done;
    if (done.split_bytes != one_period.split_bytes) knows_costly_loads_ = false;  // the window does not represent them
    if (done.operations != one_period.operations || done.loads != one_period.loads || done.stores != one_period.stores)
      throw std::logic_error(fmt::format("chunks {}..{} do other work than those before them: their period is not {}",
                                         i - period, i - 1, period));
  }
  add_scaled(warm, snapshot(), static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(i - measured_from));
  sampled_ = true;
  window_ = i - measured_from;
  window_of_ = n;
}

void Sampler::reset() {
  total_ = {};
  traffic_ = {};
  overwritten_ = streamed_ = paired_ = split_ = gathered_ = 0;
  regions_ = 0;
}

Counts Sampler::counts() const {
  Counts result;
  result.operations = total_.operations;
  result.regions = static_cast<double>(regions_);
  result.at(MemoryLevel::L1) = Traffic{static_cast<double>(total_.load_bytes), static_cast<double>(total_.store_bytes)};
  if (knows_costly_loads_) result.split = split_, result.gathered = gathered_;
  result.gathers_by_instructions = by_instructions_ && result.gathered.value_or(0) > 0;
  if (cores_.empty()) return result;
  for (const auto level : memory_levels)
    if (level != MemoryLevel::L1 && cores_.front().has(level))
      result.at(level) = traffic_[static_cast<std::size_t>(level)];
  result.overwritten = overwritten_, result.streamed = streamed_;
  // A line whose neighbour came in before the window may complete the pair in it.
  const double read = result.at(MemoryLevel::DRAM)->read;
  result.unpaired = std::clamp(read - paired_, 0.0, read);
  result.traffic_note = cores_.front().describe();
  if (sampled_) result.traffic_note += fmt::format(", {} of {} chunks after warm-up", window_, window_of_);
  return result;
}

Counts count(const std::function<void(Sampler&)>& trace, CacheHierarchy* caches, bool full) {
  return count(trace, std::span(caches, caches ? 1u : 0u), full);
}

Counts count(const std::function<void(Sampler&)>& trace, std::span<CacheHierarchy> cores, bool full) {
  if (!trace)
    throw std::invalid_argument(
        "its workload cannot be counted: set_launch(work, [](auto space) { ... }) gives it a launch in every space");
  Sampler sampler(cores, full);
  trace(sampler);
  // A window has warmed the caches itself. Anything else starts cold: only its second launch finds the caches, dirty
  // lines included, as a repeated launch does.
  if (!cores.empty() && !sampler.sampled()) {
    sampler.reset();
    trace(sampler);
  }
  return sampler.counts();
}

std::optional<Counts> CacheModel::count(const std::string&, const Workload& work) {
  if (!work.trace) return std::nullopt;
  if (caches_.empty()) return roofline::count(work.trace, nullptr);
  std::vector<CacheHierarchy> cores(static_cast<std::size_t>(threads_), CacheHierarchy(caches_));
  auto counts = roofline::count(work.trace, cores);
  counts.modelled_device = "host";
  return counts;
}

}  // namespace roofline

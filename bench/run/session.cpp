#include "bench/run/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>

#include "bench/machine/clock.hpp"
#include "bench/machine/interrupt.hpp"
#include "bench/model/assessment.hpp"
#include "bench/run/ceilings_file.hpp"
#include "bench/run/row_counters.hpp"
#include "bench/run/verify.hpp"
#include "bench/simulator/sampler.hpp"

namespace roofline {
namespace {

constexpr const char* measured_here = "measured in this run";
constexpr double drift_warning = 0.03, drift_unstable = 0.05;  // measuring.md P9

/// Google Benchmark runs a body until its loop ends: one iteration, whose time is the median of the samples.
void report_time(benchmark::State& state, double seconds) {
  for (auto _ : state) state.SetIterationTime(seconds);
}

template <class Body>
void register_row(const std::string& name, const Options& options, Body body) {
  auto* const row = benchmark::RegisterBenchmark(name.c_str(), body);
  row->Iterations(1)->UseManualTime()->Unit(benchmark::kMillisecond);
  if (options.repetitions > 1) row->Repetitions(options.repetitions);
}

/// Least time of the DRAM traffic at the ceiling of its mix; 0 when either is unknown.
double dram_seconds(const Roofline& roofline, const Counts& counts) {
  const auto* const ceiling = roofline.matching_dram(counts);
  return ceiling ? counts.at(MemoryLevel::DRAM)->total() / ceiling->rate : 0;
}

/// Adds another measurement of the same kernel.
void join(KernelPoint& point, const KernelPoint& other) {
  const auto both = [](auto n, auto m, auto a, auto b) { return (n * a + m * b) / (n + m); };
  point.contaminated = both(point.samples, other.samples, point.contaminated, other.contaminated);
  point.turns = {other.time, point.time};
  point.time = spanning(point.time, other.time);
  point.samples += other.samples;
  point.converged = point.time.relative_half_width() <= Budget{}.target_half_width;
  if (point.dram_pace && other.dram_pace) point.dram_pace = pooled(*point.dram_pace, *other.dram_pace);
}

std::size_t repetition_of(const benchmark::BenchmarkReporter::Run& run, std::size_t n) {
  return std::min<std::size_t>(n - 1, run.repetition_index < 0 ? 0 : static_cast<std::size_t>(run.repetition_index));
}

}  // namespace

CounterSource software_counter(const Machine& machine, int threads) {
  return [&machine, threads](const Variant&, const Workload& work) {
    if (machine.caches.empty()) return count(work.trace, nullptr);
    std::vector<CacheHierarchy> cores(static_cast<std::size_t>(threads), CacheHierarchy(machine.caches));
    auto counts = count(work.trace, cores);
    counts.modelled_device = "host";
    return counts;
  };
}

Session::Session(const Suite& suite, const Options& options, const Plan& plan, CounterSource counter)
    : suite_(suite),
      options_(options),
      plan_(plan),
      counter_(std::move(counter)),
      passes_(options.quick || options.repetitions > 1 || !options.model.empty() || suite.platform() == Platform::cuda
                  ? 1
                  : 2),
      dram_probe_(suite),
      progress_(static_cast<int>(plan.ceilings.size() + plan.kernels.size() * static_cast<std::size_t>(passes_)) *
                    options.repetitions +
                plan.with_ert) {
  kernel_budget_ = {
      .min_samples = 9, .min_seconds = options.min_time, .max_seconds = options.quick ? 0.15 : 0.6 / passes_};
  // A ceiling that a disturbance lowers would raise every efficiency: rather take longer.
  ceiling_budget_ = {
      .min_samples = 9, .min_seconds = options.min_time, .max_seconds = options.quick ? 0.05 : 0.25, .patience = 6};
  kernel_budget_.max_seconds = std::max(kernel_budget_.max_seconds, options.min_time);
  ceiling_budget_.max_seconds = std::max(ceiling_budget_.max_seconds, options.min_time);
  kernel_budget_.watch = ceiling_budget_.watch = suite.platform() != Platform::cuda;
  results_.machine = suite.machine();
  results_.command_line = options.command_line;
  results_.left_out = plan.left_out;
  results_.ceilings_origin = plan.ceilings.empty() ? "none" : measured_here;
  if (options.model.empty() && suite.platform() == Platform::cpu) {
    results_.timer.step = timer_step();
    results_.timer.known_time_error = known_time_error();
  }
}

Session::Session(const Suite& suite, const Options& options, const Plan& plan, const Model& model)
    : Session(suite, options, plan, CounterSource()) {
  model_ = model.count;
  results_.model = model.about;
  results_.ceilings_origin = model.ceilings_origin;
}

void Session::keep_journal(const RowJournal& journal, std::function<void()> after_failure) {
  journal_ = journal;
  after_failure_ = std::move(after_failure);
}

void Session::use_ceilings(std::vector<Ceiling> ceilings, std::string path) {
  for (auto& warning : ceilings_warnings(path, ceilings, suite_)) results_.warnings.push_back(std::move(warning));
  results_.roofline = Roofline(std::move(ceilings), suite_.threads());
  results_.ceilings_origin = std::move(path);
  imported_ = true;
}

void Session::run_ceilings(benchmark::BenchmarkReporter& to) {
  for (const auto* ceiling : plan_.ceilings)
    register_row(ceiling->ceiling.name, options_, [this, ceiling](benchmark::State& s) { run_ceiling(s, *ceiling); });
  if (!plan_.ceilings.empty()) benchmark::RunSpecifiedBenchmarks(&to, "all");
  benchmark::ClearRegisteredBenchmarks();
  std::vector<Ceiling> best;
  for (const auto* planned : plan_.ceilings) {
    const auto found = ceilings_.find(planned->ceiling.name);
    if (found == ceilings_.end()) continue;
    auto repetitions = found->second;  // of several repetitions the middle one
    std::sort(repetitions.begin(), repetitions.end(), [](const auto& a, const auto& b) { return a.rate < b.rate; });
    best.push_back(repetitions[repetitions.size() / 2]);
  }
  if (best.empty()) return;
  // Imported ones that were not measured again stay.
  for (const auto& known : results_.roofline.ceilings())
    if (std::none_of(best.begin(), best.end(), [&](const Ceiling& c) { return c.name == known.name; }))
      best.push_back(known);
  results_.roofline = Roofline(std::move(best), suite_.threads());
}

void Session::run_ert_sweeps() {
  if (!plan_.with_ert || interrupted()) return;
  const std::string row = "ERT sweep";
  progress_.begin(row);
  if (const auto why = journal_.failure(row); !why.empty()) {
    results_.failures.emplace_back(row, why);
    return;
  }
  journal_.begin(row);
  try {
    results_.ert = ceiling_source(suite_.platform())->sweep(suite_, suite_.platform() == Platform::cuda ? 15 : 12);
  } catch (const std::exception& error) {
    results_.failures.emplace_back(row, error.what());
    journal_.fail(row, error.what());
    if (after_failure_) after_failure_();
    return;
  }
  for (const auto& sweep : results_.ert->sweeps)
    if (!sweep.failure.empty())
      results_.failures.emplace_back(fmt::format("ERT sweep, F = {}", sweep.flops_per_element), sweep.failure);
}

void Session::run_kernels(benchmark::BenchmarkReporter& to) {
  if (passes_ > 1)
    for (const auto* kernel : shuffled(plan_.kernels, suite_.seed())) take_first_look(*kernel);
  for (const auto* kernel : plan_.kernels)
    register_row(kernel->name, options_, [this, kernel](benchmark::State& s) { run_kernel(s, *kernel); });
  if (!plan_.kernels.empty()) benchmark::RunSpecifiedBenchmarks(&to, "all");
  benchmark::ClearRegisteredBenchmarks();
  pool_repetitions();
  results_.timer.run_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  results_.complete = interrupted() == 0;
}

void Session::run_ceiling(benchmark::State& state, const CeilingVariant& variant) {
  const auto& name = variant.ceiling.name;
  if (interrupted()) return state.SkipWithError("interrupted");
  progress_.begin(name);
  if (recall_ceiling(state, name)) return;
  journal_.begin(name);
  try {
    std::string failure;
    const auto ceiling = variant.make.empty() ? variant.ceiling : measure_ceiling(variant, ceiling_budget_, &failure);
    if (!failure.empty()) return fail(state, name, failure);
    ceilings_[name].push_back(ceiling);
    journal_.add(name, ceiling);
    // Google Benchmark wants a time: that of one giga-unit of work.
    report_time(state, 1e9 / ceiling.rate);
  } catch (const NoSuchCeiling& why) {
    results_.left_out.push_back(fmt::format("{}: {}", name, why.what()));
    state.SkipWithError(why.what());
  } catch (const std::exception& error) {
    fail(state, name, error.what());
  }
}

void Session::model_kernel(benchmark::State& state, const Variant& variant) {
  // A repetition would find the same numbers.
  if (!kernels_.contains(variant.name)) {
    auto launch = model_(variant);
    auto point = bound_point(variant, launch, results_.roofline);
    kernels_[variant.name].push_back({std::move(point), {}, std::move(launch.warps)});
  }
  report_time(state, kernels_[variant.name].front().point.time.median);
}

void Session::run_kernel(benchmark::State& state, const Variant& variant) {
  if (interrupted()) return state.SkipWithError("interrupted");
  progress_.begin(variant.name);
  if (recall_kernel(state, variant.name)) return;
  journal_.begin(variant.name);
  try {
    if (model_) return model_kernel(state, variant);
    const auto work = variant.make();
    work.launch();
    auto [point, measurement, warps] = time_kernel(variant, work);
    if (const auto check = work.check(); !check.ok)
      return fail(state, variant.name, with_seed(check.message, suite_.seed()));
    if (const auto first = first_look_.find(variant.name); first != first_look_.end()) join(point, first->second);
    if (point.counts.operations.flops() != work.declared_flops)
      return fail(state, variant.name,
                  fmt::format("{} FLOPs counted, {} declared: the source and its formula differ",
                              point.counts.operations.flops(), work.declared_flops));
    report_time(state, point.time.median);
    journal_.add(variant.name, RowJournal::Kernel{point, measurement});
    kernels_[variant.name].push_back({std::move(point), std::move(measurement), std::move(warps)});
  } catch (const std::bad_alloc&) {
    fail(state, variant.name, "out of memory");
  } catch (const std::exception& error) {
    fail(state, variant.name, error.what());
  }
}

void Session::take_first_look(const Variant& variant) {
  if (interrupted()) return;
  progress_.begin(variant.name);
  try {
    const auto work = variant.make();
    work.launch();
    first_look_[variant.name] = time_kernel(variant, work).point;
  } catch (const std::exception&) {
    // The second look meets the same and reports it.
  }
}

Session::KernelRun Session::time_kernel(const Variant& variant, const Workload& work) {
  // On a GPU a counted launch meets other circumstances than a timed one and leaves others behind: afterwards.
  const bool on_gpu = suite_.platform() == Platform::cuda;
  auto counts = on_gpu ? Counts() : count_once(variant, work);
  const double launch_seconds = timer(work)(1);
  const bool depends_on_dram = dram_seconds(results_.roofline, counts) > launch_seconds / 4;
  const auto before = depends_on_dram ? dram_pace(counts) : std::nullopt;
  auto measurement = measure(timer(work), kernel_budget_);
  if (on_gpu) counts = count_once(variant, work);
  const auto after = before ? dram_pace(counts) : std::nullopt;
  KernelPoint point{.name = variant.name,
                    .family = variant.family,
                    .counts = std::move(counts),
                    .time = measurement.interval(),
                    .declared_flops = work.declared_flops,
                    .samples = static_cast<int>(measurement.seconds.size()),
                    .converged = measurement.converged,
                    .contaminated = measurement.contaminated,
                    .dram_pace = {},
                    .threads = suite_.threads(),
                    .fma = variant.fma};
  note_times(variant.name, measurement);
  if (before && after) point.dram_pace = {*before, *after};
  return {std::move(point), std::move(measurement), {}};
}

bool Session::recall_ceiling(benchmark::State& state, const std::string& row) {
  const auto& known = journal_.ceilings(row);
  const auto found = ceilings_.find(row);
  const auto next = found == ceilings_.end() ? 0 : found->second.size();
  if (next >= known.size()) return recall_failure(state, row);
  ceilings_[row].push_back(known[next]);
  report_time(state, 1e9 / known[next].rate);
  return true;
}

bool Session::recall_kernel(benchmark::State& state, const std::string& row) {
  const auto& known = journal_.kernels(row);
  const auto found = kernels_.find(row);
  const auto next = found == kernels_.end() ? 0 : found->second.size();
  if (next >= known.size()) return recall_failure(state, row);
  kernels_[row].push_back({known[next].point, known[next].measurement, {}});
  report_time(state, known[next].point.time.median);
  return true;
}

bool Session::recall_failure(benchmark::State& state, const std::string& row) {
  const auto why = journal_.failure(row);
  if (why.empty()) return false;
  results_.failures.emplace_back(row, why);
  state.SkipWithError(why.c_str());
  return true;
}

void Session::fail(benchmark::State& state, const std::string& name, const std::string& why) {
  results_.failures.emplace_back(name, why);
  state.SkipWithError(why.c_str());
  journal_.fail(name, why);
  if (after_failure_) after_failure_();
}

std::optional<double> Session::dram_pace(const Counts& counts) {
  const auto* const ceiling = results_.roofline.matching_dram(counts);
  if (!ceiling || !ceilings_of_this_machine()) return std::nullopt;
  std::optional<double> pace;
  try {
    pace = dram_probe_.pace(*ceiling);
  } catch (const std::invalid_argument&) {
    // without the memory for it, which measuring the ceiling had
  }
  if (!pace) warn_once(fmt::format("{} cannot be measured here: the pace of DRAM was not checked", ceiling->name));
  return pace;
}

void Session::warn_once(std::string line) {
  auto& known = results_.warnings;
  if (std::find(known.begin(), known.end(), line) == known.end()) known.push_back(std::move(line));
}

bool Session::ceilings_of_this_machine() const { return imported_ || results_.ceilings_origin == measured_here; }

void Session::note_times(const std::string& row, const Measurement& m) {
  auto& timer = results_.timer;
  for (const double seconds : m.seconds) {
    const double sample = seconds * m.batch;
    timer.sampled_seconds += sample;
    if (timer.shortest_sample == 0 || sample < timer.shortest_sample)
      timer.shortest_sample = sample, timer.shortest_row = row;
  }
}

Counts Session::count_once(const Variant& variant, const Workload& work) {
  const auto known = counts_.find(variant.name);
  if (known != counts_.end()) return known->second;
  return counts_[variant.name] = counter_(variant, work);
}

void Session::pool_repetitions() {
  results_.points.clear();
  for (const auto* planned : plan_.kernels) {
    const auto found = kernels_.find(planned->name);
    if (found == kernels_.end()) continue;
    const auto& repetitions = found->second;
    auto point = repetitions.front().point;
    if (repetitions.size() > 1) {
      auto all = repetitions.front().measurement.seconds;
      for (auto other = repetitions.begin() + 1; other != repetitions.end(); ++other) {
        join(point, other->point);
        all.insert(all.end(), other->measurement.seconds.begin(), other->measurement.seconds.end());
      }
      point.time = median_interval(all);
      point.samples = static_cast<int>(all.size());
    }
    results_.points.push_back(std::move(point));
  }
}

void Session::check_drift() {
  if (!ceilings_of_this_machine() || interrupted()) return;
  const auto& roofline = results_.roofline;
  for (const auto* before : {roofline.compute(Operation::fma), roofline.bandwidth(MemoryLevel::DRAM)}) {
    if (!before) continue;
    const auto* const variant = suite_.ceiling(before->name);
    if (!variant) continue;
    std::string failure;
    double drift = 0;
    try {
      drift = measure_ceiling(*variant, ceiling_budget_, &failure).rate / before->rate - 1;
    } catch (const std::invalid_argument& error) {
      warn_once(fmt::format("{} cannot be measured again, its drift was not checked: {}", before->name, error.what()));
      continue;
    }
    if (!failure.empty()) results_.failures.emplace_back(before->name, failure);
    results_.drifts.emplace_back(before->name, drift);
    if (std::abs(drift) <= drift_warning) continue;
    results_.warnings.push_back(fmt::format("{} moved by {:+.1f} % {}: {}", before->name, 100 * drift,
                                            imported_ ? "since " + results_.ceilings_origin : "during the run",
                                            std::abs(drift) > drift_unstable
                                                ? "the machine is not quiet, take no efficiency for granted"
                                                : "expect differences of this size"));
  }
}

void Session::annotate(benchmark::BenchmarkReporter::Run& run) const {
  const auto name = run.run_name.function_name;
  run.run_name.iterations.clear();  // they would become part of the name: gpp/nw:6/iterations:1/manual_time
  run.run_name.time_type.clear();
  run.run_name.repetitions.clear();
  if (run.error_occurred) return;
  if (model_) run.cpu_accumulated_time = 0;  // what the model took is not part of its answer
  const bool aggregate = run.run_type == benchmark::BenchmarkReporter::Run::RT_Aggregate;
  if (aggregate && run.aggregate_name != "mean" && run.aggregate_name != "median") return;
  if (const auto found = ceilings_.find(name); found != ceilings_.end()) {
    put_counters(run, found->second[repetition_of(run, found->second.size())]);
    return;
  }
  const auto found = kernels_.find(name);
  if (found == kernels_.end()) return;
  const auto& [point, measurement, warps] = found->second[repetition_of(run, found->second.size())];
  if (!aggregate) {
    const auto n = static_cast<double>(std::max(1, point.samples));
    run.iterations = std::max(1, point.samples);
    run.real_accumulated_time = point.time.median * n;
    run.cpu_accumulated_time = measurement.cpu_seconds * n;
  }
  put_counters(run, point, results_.roofline, warps ? &*warps : nullptr);
}

}  // namespace roofline

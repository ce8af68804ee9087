#include "bench/run/rounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "bench/machine/cgroup.hpp"
#include "bench/machine/clock.hpp"
#include "bench/machine/core_distance.hpp"
#include "bench/machine/interrupt.hpp"
#include "bench/space/buffer.hpp"
#include "bench/suite/launch_check.hpp"

namespace roofline {
namespace {

// Fewer rounds than the first have no interval; the second is what a run should have, and more than the third tell
// little. A user who filters rows waits for them, so a filtered run has fewer.
constexpr int first_rounds = 3, usual_rounds = 18, default_rounds = 36, filtered_rounds = 24;
// A row's roofs are chosen again until all ceilings have had some visits: a disturbed first one may have hidden the
// best.
constexpr int rounds_until_settled = 3;
constexpr int rounds_in_core = 3;         // the first ones have a launch with its data in the caches of a core
constexpr double trial_seconds = 0.15;    // of a tuned row, over all of its tunings
constexpr double memory_to_leave = 0.35;  // of what the process may have: rows beyond give theirs back at once

std::vector<const Variant*> variants_of(const std::vector<KernelRow>& rows) {
  std::vector<const Variant*> variants;
  for (const auto& row : rows) variants.push_back(&row.variant());
  return variants;
}

}  // namespace

Rounds::Rounds(RunState& run, std::shared_ptr<CounterSource> counter)
    // On a GPU rows are counted afterwards, because a counted launch changes the conditions for timed ones.
    : run_(run),
      counter_(std::move(counter)),
      ceilings_(run, most_rounds()),
      counted_last_(run.suite.platform() == Platform::cuda) {
  for (const auto* variant : run.plan.kernels) rows_.emplace_back(*variant, run.suite.threads());
  for (auto& row : rows_)
    if (const auto known = run.known_tunings.find(row.name()); known != run.known_tunings.end())
      row.point.tuning = known->second;
}

int Rounds::most_rounds() const {
  const bool as_many_as_fit = run_.time_limit() > 0;
  const int most = run_.options.has_filter() ? filtered_rounds : default_rounds;
  return (as_many_as_fit ? most : usual_rounds) * run_.options.repetitions;
}

DataSource Rounds::source_of(const KernelRow& row) const {
  if (run_.suite.platform() != Platform::cpu || !row.counted) return DataSource::own_cache;
  const auto &dram = row.point.counts.at(MemoryLevel::DRAM), &l3 = row.point.counts.at(MemoryLevel::L3);
  if (dram && dram->total() >= static_cast<double>(run_.suite.machine().largest_llc)) return DataSource::memory;
  return l3 && l3->total() > 0 ? DataSource::shared_cache : DataSource::own_cache;
}

double Rounds::distance_of_cores() const {
  return run_.suite.platform() == Platform::cpu ? core_distance(run_.suite.threads()) : 0;
}

void Rounds::note_missing_rounds(int round, double seconds_of_round) {
  if (round >= rounds_of_95_percent || interrupted() || rows_.empty()) return;
  const double more = (usual_rounds - round) * seconds_of_round;
  run_.warn(
      fmt::format("{} rounds fitted into the time, so shares have no interval; {} rounds need {:.0f} s more "
                  "(--time-limit={:.0f})",
                  round, usual_rounds, more, run_.elapsed() + more));
}

void Rounds::measure() {
  if (const auto& gpu = run_.suite.target().gpu) bus_ = gpu->bus;
  take_kept_counts();
  ceilings_.set_up();
  int round = 0;
  double last = 0;  // seconds of the last round
  const auto another_fits = [&, limit = run_.time_limit(), afterwards = seconds_after_rounds()] {
    return limit <= 0 || round < first_rounds || run_.elapsed() + last <= limit - afterwards;
  };
  for (; round < most_rounds() && another_fits() && !interrupted(); ++round) {
    sampling_seconds_ = 0;
    run_.records.say([&](Results& results) { results.rounds = round + 1; });
    const double begin = run_.elapsed();
    ceilings_.visit(round, [this] { return distance_of_cores(); });
    if (!run_.plan.ceilings.empty()) note_brakes("the ceilings", 0);
    const double ceilings = run_.elapsed() - begin;
    sample_rows(round);
    last = ceilings + sampling_seconds_;
  }
  keep_own_counts();
  run_.timer.sampled_seconds = ceilings_.works().sampled_seconds();
  note_missing_rounds(round, last);
  for (const auto& line : brakes_.lines()) run_.warn(line);
  if (const auto state = gpu_state(bus_); state && state->other_processes.value_or(0) > 0)
    run_.warn(
        fmt::format("the GPU had {} other process{} on it, which may have slowed rows and ceilings (nvidia-smi "
                    "names them)",
                    *state->other_processes, *state->other_processes == 1 ? "" : "es"));
  measure_power();
  if (const auto state = gpu_state(bus_)) note_gpu("state after", state->text());
}

std::vector<KernelRow*> Rounds::shuffled_rows(int round) {
  std::vector<KernelRow*> order;
  for (const auto* variant : shuffled(variants_of(rows_), run_.suite.seed() + static_cast<std::uint64_t>(round)))
    for (auto& row : rows_)
      if (&row.variant() == variant) order.push_back(&row);
  return order;
}

void Rounds::sample_rows(int round) {
  const auto order = shuffled_rows(round);
  if (round == 0) test_kept_counts(order);
  int n = 0;
  for (auto* row : order) {
    ++n;
    if (!row->failure.empty() || !row->skipped.empty()) continue;
    if (interrupted()) return;
    run_.progress.show(fmt::format("round {} of {}, row {} of {}", round + 1, most_rounds(), n, order.size()));
    sample_row(*row, round);
    const auto* const record = run_.records.of_round(row->name(), round);
    note_brakes(row->name(), record ? record->found->clock : 0);
  }
}

const Workload& Rounds::work_of(KernelRow& row) {
  const bool known = row.is_set_up();
  try {
    return row.work(trial_seconds);
  } catch (const std::exception&) {
    const bool others = std::any_of(rows_.begin(), rows_.end(), [&](const KernelRow& r) { return r.is_set_up(); });
    if (known || !others) throw;
  }
  for (auto& other : rows_) other.release();
  return row.work(trial_seconds);
}

void Rounds::guarded(KernelRow& row, const std::function<void()>& step) {
  const auto fail = [&](const std::string& why) {
    row.failure = why;
    row.release();
    run_.fail(row.name(), why);
  };
  const auto without_memory = [&](const std::string& why) {
    if (run_.suite.has_fixed_size(row.variant().family)) return fail(why);  // somebody chose this size
    row.skipped = why;
    row.release();
    run_.records.append({.row = row.name(), .skipped = fmt::format("{} (--{}=...)", why, row.variant().family)});
  };
  try {
    step();
  } catch (const Interrupted&) {
  } catch (const TooLarge& reason) {
    without_memory(reason.what());
  } catch (const std::bad_alloc&) {
    without_memory("out of memory: choose a smaller size");
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

void Rounds::sample_row(KernelRow& row, int round) {
  const auto& name = row.name();
  if (row.failure = run_.records.missing(name); !row.failure.empty()) return;
  if (const auto* const known = run_.records.of_round(name, round)) {
    if (run_.records.was("verified", name)) {
      row.point = *run_.records.kernel(name);
      row.verified = true;
      row.counted = !counted_last_;  // else written down before anything was counted
    }
    // Later rounds go on with the same roofs: a share is of what was sampled next to all of its rounds.
    auto& probes = probes_[name];
    probes.clear();
    for (const auto& ceiling : run_.roofline.ceilings())
      if (known->found->probes.contains(ceiling.name) && ceilings_.has(ceiling)) probes.push_back(ceiling.name);
    return;
  }
  run_.records.begin(name);
  guarded(row, [&] {
    work_of(row);
    if (!counted_last_) count(row);
    if (round < rounds_until_settled || !probes_.contains(name)) probes_[name] = probes_of(row);
    const double begin = run_.elapsed();
    const double least = std::max(sample_seconds, run_.options.min_time / most_rounds() / kernel_samples);
    auto found = row.take_round(
        round, probes_[name], ceilings_.works(), [&] { return run_.elapsed(); }, least, source_of(row),
        distance_of_cores());
    if (interrupted()) return;  // cut short
    sampling_seconds_ += run_.elapsed() - begin;
    run_.records.append({.row = name, .round = round, .found = std::move(found)});
    if (!row.verified) verify(row);
    if (!counted_last_ && round < rounds_in_core && row.verified) fill_caches(row);
  });
  const double limit = memory_limit();
  if (limit > 0 && memory_for_buffers() < memory_to_leave * limit) row.release();
}

void Rounds::verify(KernelRow& row) {
  const auto& work = work_of(row);
  if (row.samples_parts()) work.launch();  // after a part there is no sum over all chunks
  auto why = std::string();
  if (const auto check = work.check(); !check.ok)
    why = with_seed(why_wrong(
                        [&] {
                          row.release();
                          return row.work(trial_seconds);
                        },
                        check.message),
                    run_.suite.seed());
  else if (const auto counted = row.point.counts.operations.flops(); row.counted && counted != work.declared_flops)
    why = fmt::format("{} FLOPs counted, {} declared: the source and its formula differ", counted, work.declared_flops);
  row.verified = why.empty();
  if (row.verified) {
    run_.records.append({.row = row.name(), .event = "verified", .kernel = row.point});
    return;
  }
  row.failure = why;
  row.release();
  run_.fail(row.name(), why);
}

void Rounds::fill_caches(KernelRow& row) {
  const auto& work = work_of(row);
  if (run_.options.quick || !work.in_core.seconds) return;
  double own_cache = 0;  // of the outermost level that a core has alone
  for (const auto& cache : run_.suite.machine().caches)
    if (cache.level != MemoryLevel::L3 && cache.shared_by <= 1) own_cache = static_cast<double>(cache.size);
  if (work.in_core.chunk_bytes > own_cache) return;
  const auto from_beyond = [&](MemoryLevel level) {
    const auto& traffic = row.point.counts.at(level);
    return traffic && traffic->total() > 0;
  };
  if (!from_beyond(MemoryLevel::L3) && !from_beyond(MemoryLevel::DRAM)) return;  // the row itself is such a launch
  // Disturbances only lengthen a launch, and one may last longer than several launches.
  const double seconds = row.seconds_in_core();
  auto& shortest = row.point.in_core;
  shortest = shortest > 0 ? std::min(shortest, seconds) : seconds;
  run_.records.append({.row = row.name(), .kernel = row.point});
}

void Rounds::finish() {
  if (!counted_last_) return;
  count_rows();
  for (const auto& row : rows_)
    if (row.verified) run_.records.append({.row = row.name(), .kernel = row.point});
}

std::vector<std::string> Rounds::probes_of(const KernelRow& row) {
  const auto& roofline = run_.roofline;
  std::vector<const Ceiling*> binding;
  if (row.counted)
    binding = roofline.binding(row.point.counts, row.variant().fma);
  else  // counted after all timing; these bind most kernels
    binding = {roofline.bandwidth(MemoryLevel::DRAM), roofline.bandwidth(MemoryLevel::L2),
               roofline.compute(row.variant().fma ? Operation::fma : Operation::nofma)};
  std::vector<std::string> names;
  for (const auto* ceiling : binding) {
    if (ceiling && ceilings_.has(*ceiling)) names.push_back(ceiling->name);
  }
  return names;
}

}  // namespace roofline

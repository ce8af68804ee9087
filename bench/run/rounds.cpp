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

// Fewer rounds than the first have no interval; the second is what a run should have, and more than the last tell
// little.
constexpr int first_rounds = 3, usual_rounds = 12, default_rounds = 24;
// A row's roofs are chosen again until all ceilings have had some visits: a disturbed first one may have hidden the
// best.
constexpr int rounds_until_settled = 3;
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
  for (const auto* variant : run.plan.kernels) rows_.emplace_back(*variant);
  for (auto& row : rows_)
    if (const auto known = run.known_tunings.find(row.name()); known != run.known_tunings.end())
      row.choice.tuning = known->second;
}

int Rounds::most_rounds() const {
  const bool as_many_as_fit = run_.time_limit() > 0;
  return (as_many_as_fit ? default_rounds : usual_rounds) * run_.options.repetitions;
}

bool Rounds::is_from_cache(const KernelRow& row) const {
  if (run_.suite.platform() != Platform::cpu || !row.counts) return true;
  const auto& dram = row.counts->at(MemoryLevel::DRAM);
  return !dram || dram->total() < static_cast<double>(run_.suite.machine().largest_llc);
}

double Rounds::distance_of_cores() const {
  return run_.suite.platform() == Platform::cpu ? core_distance(run_.suite.threads()) : 0;
}

void Rounds::note_missing_rounds(int round, double seconds_of_round) {
  if (round >= rounds_of_95_percent || interrupted() || rows_.empty()) return;
  const double more = (usual_rounds - round) * seconds_of_round;
  run_.results.warnings.push_back(
      fmt::format("{} rounds fitted into the time, so shares have no interval; {} rounds need {:.0f} s more "
                  "(--time-limit={:.0f})",
                  round, usual_rounds, more, run_.elapsed() + more));
}

void Rounds::measure() {
  if (const auto& gpu = run_.suite.target().gpu) bus_ = gpu->bus;
  ceilings_.set_up();
  int round = 0;
  double last = 0;  // seconds of the last round
  const auto another_fits = [&, limit = run_.time_limit(), afterwards = seconds_after_rounds()] {
    return limit <= 0 || round < first_rounds || run_.elapsed() + last <= limit - afterwards;
  };
  for (; round < most_rounds() && another_fits() && !interrupted(); ++round) {
    sampling_seconds_ = 0;
    const double begin = run_.elapsed();
    ceilings_.visit(round, distance_of_cores());
    if (!run_.plan.ceilings.empty()) note_brakes("the ceilings", 0);
    const double ceilings = run_.elapsed() - begin;
    sample_rows(round);
    last = ceilings + sampling_seconds_;
  }
  run_.results.rounds = round;
  run_.results.timer.sampled_seconds = ceilings_.works().sampled_seconds();
  note_missing_rounds(round, last);
  for (auto& line : brakes_.lines()) run_.results.warnings.push_back(std::move(line));
  measure_power();
  if (const auto state = gpu_state(bus_)) run_.results.gpu_facts.emplace_back("state after", state->text());
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
  int n = 0;
  for (auto* row : order) {
    ++n;
    if (!row->failure.empty() || !row->skipped.empty()) continue;
    if (interrupted()) return;
    run_.progress.show(fmt::format("round {} of {}, row {} of {}", round + 1, most_rounds(), n, order.size()));
    sample_row(*row, round);
    note_brakes(row->name(), row->rounds.last_clock());
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
    run_.results.skipped.push_back(fmt::format("{}: {} (--{}=...)", row.name(), why, row.variant().family));
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
  if (const auto why = run_.journal.failure(name); !why.empty() && row.failure.empty()) {
    row.failure = why;
    run_.results.failures.emplace_back(name, why);
    return;
  }
  if (const auto* const known = run_.journal.kernel_round(name, round)) {
    const auto* const counts = run_.journal.counts(name);
    if (counts) row.declared_flops = counts->declared_flops, row.in_core = counts->in_core;
    if (counts && !counted_last_) row.counts = counts->counts;  // else written down before anything was counted
    if (counts) row.choice = {counts->tuning, counts->trials}, row.verified = true;
    // Later rounds go on with the same roofs: a share is of what was sampled next to all of its rounds.
    auto& probes = probes_[name];
    probes.clear();
    for (const auto& ceiling : run_.results.roofline.ceilings()) {
      const auto rates = known->probes.find(ceiling.name);
      if (rates == known->probes.end() || !ceilings_.has(ceiling)) continue;
      ceilings_.works().add(ceiling.name, {rates->second, known->core_distance});
      probes.push_back(ceiling.name);
    }
    return row.rounds.add(*known);
  }
  run_.journal.begin(name);
  guarded(row, [&] {
    work_of(row);
    if (!counted_last_) count(row), fill_caches_once(row);
    if (round < rounds_until_settled || !probes_.contains(name)) probes_[name] = probes_of(row);
    const double begin = run_.elapsed();
    const double least = std::max(sample_seconds, run_.options.min_time / most_rounds() / kernel_samples);
    auto found = row.take_round(
        round, probes_[name], ceilings_.works(), [&] { return run_.elapsed(); }, least, is_from_cache(row),
        distance_of_cores());
    if (interrupted()) return;  // cut short
    sampling_seconds_ += run_.elapsed() - begin;
    run_.journal.add(name, round, found);
    if (!row.verified) verify(row);
    if (row.failure.empty()) row.rounds.add(std::move(found));
  });
  const double limit = memory_limit();
  if (limit > 0 && memory_left() < memory_to_leave * limit) row.release();
}

void Rounds::count(KernelRow& row) {
  if (row.counts) return;
  if (const auto* const known = counted_last_ ? nullptr : run_.journal.counts(row.name())) {
    row.counts = known->counts;
    return;
  }
  row.counts = counter_->count(row.name(), work_of(row)).value_or(Counts());
  // Whatever else it executes, a build without FMA has none.
  if (auto& kinds = row.counts->operations; !row.counts->kinds_known && !row.variant().fma)
    kinds = {.add = kinds.flops() - kinds.flops() / 2, .mul = kinds.flops() / 2};
}

void Rounds::verify(KernelRow& row) {
  const auto& work = work_of(row);
  auto why = std::string();
  if (const auto check = work.check(); !check.ok)
    why = with_seed(why_wrong(
                        [&] {
                          row.release();
                          return row.work(trial_seconds);
                        },
                        check.message),
                    run_.suite.seed());
  else if (row.counts && row.counts->operations.flops() != work.declared_flops)
    why = fmt::format("{} FLOPs counted, {} declared: the source and its formula differ",
                      row.counts->operations.flops(), work.declared_flops);
  row.verified = why.empty();
  if (row.verified) {
    run_.journal.add(row.name(), RowJournal::Once{row.counts.value_or(Counts()), row.declared_flops, row.in_core,
                                                  row.choice.tuning, row.choice.trials});
    return;
  }
  row.failure = why;
  row.release();
  run_.fail(row.name(), why);
}

void Rounds::fill_caches_once(KernelRow& row) {
  const auto& work = work_of(row);
  if (run_.options.quick || row.in_core > 0 || !work.in_core.seconds) return;
  double own_cache = 0;  // of the outermost level that a core has alone
  for (const auto& cache : run_.suite.machine().caches)
    if (cache.level != MemoryLevel::L3 && cache.shared_by <= 1) own_cache = static_cast<double>(cache.size);
  if (work.in_core.chunk_bytes > own_cache) return;
  const auto from_beyond = [&](MemoryLevel level) {
    return row.counts->at(level) && row.counts->at(level)->total() > 0;
  };
  if (!from_beyond(MemoryLevel::L3) && !from_beyond(MemoryLevel::DRAM)) return;  // the row itself is such a launch
  // Disturbances only lengthen a launch, and without memory little else moves: a long one is known by itself.
  constexpr int launches = 3;
  constexpr double enough = 0.05;  // seconds
  row.in_core = work.in_core.seconds();
  for (int i = 1; i < launches && i * row.in_core < enough; ++i)
    row.in_core = std::min(row.in_core, work.in_core.seconds());
}

std::vector<std::string> Rounds::probes_of(const KernelRow& row) {
  const auto& roofline = run_.results.roofline;
  std::vector<const Ceiling*> binding;
  if (row.counts)
    binding = roofline.binding(*row.counts, row.variant().fma);
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

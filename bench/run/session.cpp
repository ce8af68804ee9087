#include "bench/run/session.hpp"

#include <fmt/format.h>

#include "bench/machine/cgroup.hpp"
#include "bench/machine/clock.hpp"
#include "bench/machine/interrupt.hpp"
#include "bench/machine/other_programs.hpp"
#include "bench/machine/pinning.hpp"
#include "bench/model/store_policy.hpp"
#include "bench/recovery/results_of.hpp"
#include "bench/run/verify.hpp"
#include "bench/suite/tunings.hpp"

namespace roofline {
Session::Session(const Suite& suite, const Options& options, const Plan& plan, Records& records,
                 std::shared_ptr<CounterSource> counter)
    : run_(suite, options, plan, records), counter_(std::move(counter)) {
  if (!suite.is_timed() || suite.platform() != Platform::cpu) return;
  auto& timer = run_.timer;
  timer.step = timer_step();
  timer.known_time_error = known_time_error();
  timer.nonlinearity = nonlinearity();
  timer.empty_region = empty_region_seconds();
  if (const double quota = suite.machine().quota; stops_one_thread(quota) && suite.threads() == 1)
    run_.warn(
        fmt::format("throttled: the CPU quota is {} of a core, which stops the only thread; times and rates count only "
                    "running time",
                    quota));
}

void Session::stand_for(const Model& model) {
  model_ = &model;
  run_.records.say([&](Results& results) {
    results.model = model.about;
    results.ceilings_origin = model.ceilings_origin;
    results.stores = model.stores;
  });
}

void Session::use_ceilings(EarlierRun earlier) {
  // The rows of both runs are counted alike.
  if (!earlier.stores && run_.suite.platform() == Platform::cpu)
    earlier.stores = store_policy(earlier.ceilings, run_.suite.threads());
  for (auto& ceiling : earlier.ceilings) run_.records.append({.row = ceiling.name, .ceiling = ceiling});
  run_.records.say([&](Results& results) {
    results.warnings = std::move(earlier.warnings);
    results.stores = std::move(earlier.stores);
    results.ceilings_origin = {CeilingsOrigin::Kind::imported, std::move(earlier.path)};
  });
}

void Session::enter_plan() {
  const auto enter = [&](Record record, bool is_known) {
    if (!is_known) run_.records.append(std::move(record));
  };
  for (const auto* variant : run_.plan.ceilings) {
    Record record{.row = variant->ceiling.name, .event = "planned", .ceiling = variant->ceiling};
    if (!variant->make.empty()) record.ceiling->rate = 0;
    enter(std::move(record), run_.records.was("planned", variant->ceiling.name));
  }
  for (const auto* variant : run_.plan.kernels)
    enter({.row = variant->name, .event = "planned", .kernel = KernelRow(*variant, run_.suite.threads()).point},
          run_.records.was("planned", variant->name));
}

void Session::measure() {
  enter_plan();
  run_.records.say([&](Results& results) { results.timer = run_.timer; });
  if (model_) {
    model_kernels();
  } else {
    Rounds rounds(run_, counter_);
    rounds.measure();
    sweep();
    rounds.finish();
    if (const auto others = noise_.other_programs_text(); !others.empty()) run_.warn(others);
  }
  run_.timer.run_seconds = run_.elapsed();
  run_.records.say([&](Results& results) {
    results.timer = run_.timer;
    if (const auto steal = noise_.steal(); steal && !model_)
      results.noise = HostNoise{*steal, noise_.throttled(), noise_.others(), nice_value()};
  });
  if (!interrupted()) run_.records.append({.event = "end"});
}

void Session::model_kernels() {
  const Roofline roofline(ceilings_of(run_.records.all()), run_.suite.threads());
  int n = 0;
  for (const auto* variant : run_.plan.kernels) {
    const auto& row = variant->name;
    ++n;
    if (interrupted() || run_.records.kernel(row)->is_bound() || !run_.records.missing(row).empty()) continue;
    run_.progress.show(fmt::format("modelling row {} of {}: {}", n, run_.plan.kernels.size(), row));
    run_.records.begin(row);
    try {
      const auto* const tuning = tuning_to_model(*variant, run_.known_tunings);
      const auto work = tuning ? tuning->make() : variant->make();
      auto counts = counter_->count(row, work).value_or(Counts());
      if (model_->stores) counts = restated(std::move(counts), *model_->stores);
      auto point = bound_point(*variant, counts, roofline);
      point.declared_flops = work.declared_flops;
      if (tuning) point.tuning = tuning->name;
      run_.records.append({.row = row, .kernel = std::move(point)});
    } catch (const Interrupted&) {
    } catch (const std::exception& error) {
      run_.fail(row, error.what());
    }
  }
}

void Session::sweep() {
  const auto* const source = ceiling_source(run_.suite.platform());
  const std::string row = "ERT sweep";
  if (!run_.plan.with_ert || !source || interrupted() || !run_.records.missing(row).empty()) return;
  run_.progress.show(row);
  run_.records.begin(row);
  ErtResult ert;
  try {
    ert = source->sweep(run_.suite);
  } catch (const std::exception& error) {
    return run_.fail(row, error.what());
  }
  for (const auto& sweep : ert.sweeps)
    if (!sweep.failure.empty())
      run_.records.append({.row = fmt::format("ERT sweep, F = {}", sweep.flops_per_element), .failed = sweep.failure});
  run_.records.say([&](Results& results) { results.ert = std::move(ert); });
}

}  // namespace roofline

// Additions for a run on a GPU: the reasons that hold the clock back, the power of rows, and counting after all timing.
#include <fmt/format.h>

#include <algorithm>

#include "bench/machine/interrupt.hpp"
#include "bench/model/statistics.hpp"
#include "bench/run/rounds.hpp"

namespace roofline {
namespace {

constexpr double reports_seconds = 0.4;   // that writing the results takes
constexpr double counting_seconds = 0.3;  // of a row, where that is done when all is timed
constexpr double power_seconds = 0.35;    // of a row's launches, while its power is measured
constexpr double share_for_power = 0.1;   // of a run with a limit, at most: rows beyond have none

}  // namespace

void Rounds::note_gpu(const std::string& what, const std::string& text) {
  run_.records.say([&](Results& results) { results.gpu_facts = {{what, text}}; });
}

void Rounds::note_brakes(const std::string& row, double clock) {
  constexpr double full = 0.98;
  if (bus_.empty() || clock >= full * run_.suite.target().gpu->clock_hz) return;
  if (const auto reasons = clock_reasons(bus_))
    brakes_.saw(row, *reasons);
  else
    bus_.clear();
}

double Rounds::counting_and_reports() const {
  return reports_seconds + (counted_last_ ? counting_seconds * static_cast<double>(rows_.size()) : 0);
}

double Rounds::seconds_after_rounds() const {
  const double for_power = bus_.empty() ? 0 : power_seconds * static_cast<double>(rows_.size());
  return counting_and_reports() + std::min(for_power, share_for_power * run_.time_limit());
}

void Rounds::measure_power() {
  constexpr double one_batch = 30e-3;
  const double limit = run_.time_limit();
  int counted = 0, read = 0;
  for (auto* row : shuffled_rows(0)) {
    if (bus_.empty() || interrupted()) break;
    if (limit > 0 && run_.elapsed() + power_seconds > limit - counting_and_reports()) break;
    if (!row->is_set_up() || !row->failure.empty()) continue;  // setting up again takes longer
    guarded(*row, [&] {
      if (work_of(*row).cold) return;  // what empties the caches takes power, too
      std::vector<double> launches;
      const auto power = power_under([&] { launches.push_back(row->keep_busy(one_batch)); }, bus_);
      if (!power) return bus_.clear();
      // A cap lowers the clock within that time, so the launches that took the energy count, not the samples.
      row->point.watts = power->watts;
      row->point.joules = power->watts * median(launches);
      ++(power->counted ? counted : read);
    });
  }
  if (counted + read == 0) {
    if (limit > 0 && gpu_state(bus_))
      note_gpu("power", "of no row: the time limit left none for it (--time-limit=120)");
    return;
  }
  note_gpu("power",
           fmt::format("launch after launch, by the card's counter of energy in {} rows, by a reading of its power "
                       "meter in {}",
                       counted, read));
}

void Rounds::count_rows() {
  int n = 0;
  for (auto& row : rows_) {
    ++n;
    if (!row.failure.empty() || !row.skipped.empty()) continue;
    if (interrupted()) {
      // A user who stops a run should not wait until the rest has been counted.
      if (!row.counted) row.point.counts = counts_of_formula(row.point.declared_flops);
      continue;
    }
    run_.progress.show(fmt::format("counting row {} of {}", n, rows_.size()));
    guarded(row, [&] { count(row); });
  }
  if (counter_) counter_->finish();
}

}  // namespace roofline

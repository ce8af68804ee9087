#include "bench/run/measure.hpp"

#include <algorithm>
#include <cmath>

#include "bench/machine/clocks.hpp"
#include "bench/machine/interrupt.hpp"
#include "bench/machine/watch.hpp"
#include "bench/model/assessment.hpp"
#include "bench/model/core_distance.hpp"
#include "bench/run/samples.hpp"

namespace roofline {
namespace {

constexpr int most_launches = 10000000;
constexpr int most_places = 4;  // of the cores, that samples are waited for
/// A launch of so many seconds moves gigabytes: what it finds in caches of some ten megabytes does not matter.
constexpr double fills_caches_itself = 0.1;
constexpr double most_slower = 20;  // a sample than it would have been; more is no bound that says anything

/// Launches of `one` second each that take `seconds` together.
int launches_for(double seconds, double one) {
  return static_cast<int>(std::clamp(std::ceil(seconds / std::max(1e-9, one)), 1.0, 1.0 * most_launches));
}

double thread_cpu_seconds() { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }

/// Mean distance from the median, relative to it.
double scatter(const std::vector<double>& values) {
  const double middle = median(values);
  double sum = 0;
  for (const double value : values) sum += std::abs(value - middle);
  return sum / static_cast<double>(values.size()) / middle;
}

std::vector<double> at_paces(std::vector<double> seconds, const std::vector<double>& paces) {
  for (std::size_t i = 0; i < seconds.size(); ++i) seconds[i] *= paces[i];
  return seconds;
}

Interval scaled(const Interval& time, double factor) {
  return {factor * time.median, factor * time.low, factor * time.high};
}

}  // namespace

Interval interval_of(const std::vector<double>& values, double contaminated, const std::vector<double>& least) {
  if (contaminated <= contamination_limit) return median_interval(values);
  auto range = range_interval(values);
  for (const double value : least) range.low = std::min(range.low, value);
  return range;
}

double least_time(double seconds, double waited) { return std::max(seconds - waited, seconds / most_slower); }

int launches_in(const Timer& time, double seconds) {
  // The first launch can be slow: a second look decides.
  return time(1) >= seconds ? 1 : launches_for(seconds, time(1));
}

Measurement measure(const Timer& time, const Budget& budget, const Beside& beside) {
  const auto& pace = beside.pace;
  auto* const placement = beside.placement;
  const auto distance = [&] { return placement ? placement->look() : 0; };
  Measurement m;
  m.batch = launches_in(time, budget.min_interval);
  const auto start = Clock::now();
  const double cpu_start = thread_cpu_seconds();
  Samples samples;
  int launches = 0;
  double seconds = 0, distance_before = distance();
  for (;;) {
    const double pace_now = pace ? pace() : 1;
    if (pace && seconds < fills_caches_itself) time(1);  // what was asked beside the sample has taken the caches
    const Watch watch;
    seconds = time(m.batch) / m.batch;
    const auto disturbance = budget.watch ? watch.disturbance() : Disturbance{};
    launches += m.batch;
    const double distance_now = distance(), home = placement ? placement->home() : 0;
    const bool moved = distance_now > 0 && !same_distance(distance_before, distance_now);
    distance_before = distance_now;
    const double least = least_time(seconds, disturbance.waited / m.batch);
    samples.add({seconds, pace_now, distance_now, moved, least}, disturbance);
    const double elapsed = seconds_since(start);
    if (seconds * m.batch < budget.min_interval / 2 && m.batch < most_launches) {
      // The looks that decided on the batch were disturbed: it is too small.
      m.batch = launches_for(budget.min_interval, seconds);
      samples = {};
      continue;
    }
    // On a machine that is busy beyond reason a launch of a millisecond takes a hundred.
    const bool too_long = budget.give_up_seconds > 0 && elapsed > budget.give_up_seconds && samples.size() >= 3;
    const bool enough = samples.of_one_place(budget.min_samples, home) >= budget.min_samples ||
                        samples.size() >= most_places * budget.min_samples;
    if (!enough && !too_long) continue;
    const bool may_replace = elapsed < budget.replace_seconds && !interrupted() && !too_long;
    if (may_replace && samples.undisturbed(home) < budget.min_samples) continue;
    const auto kept = samples.chosen(budget.min_samples, budget.replace_seconds > 0, home);
    m.seconds.clear(), m.paces.clear(), m.least.clear();
    for (const auto& sample : kept.samples) {
      m.seconds.push_back(sample.seconds), m.least.push_back(sample.least);
      if (pace) m.paces.push_back(sample.pace);
    }
    m.distance = kept.samples.back().distance;
    m.contaminated = kept.disturbed_share;
    m.replaced = samples.size() - static_cast<int>(kept.samples.size());
    const double half_width = median_interval(m.seconds).relative_half_width();
    m.converged = half_width <= budget.target_half_width;
    if (interrupted() || too_long || elapsed >= budget.max_seconds * (half_width > 0.03 ? budget.patience : 1)) break;
    if (m.converged && elapsed >= budget.min_seconds) break;
  }
  m.cpu_seconds = (thread_cpu_seconds() - cpu_start) / std::max(1, launches);
  return m;
}

bool is_refuted(const std::vector<double>& seconds, const std::vector<double>& paces) {
  constexpr std::size_t fewest = 3;
  constexpr double steady = 0.05, much_more = 2;
  if (paces.size() != seconds.size() || seconds.size() < fewest) return false;
  const double paced = scatter(at_paces(seconds, paces));
  return paced > steady && paced > much_more * scatter(seconds);
}

double held_pace(std::vector<double> paces) {
  std::sort(paces.begin(), paces.end());
  return paces[paces.size() - 1 - paces.size() / 4];
}

void hold_pace(KernelPoint& point) {
  point.pace_refuted = point.pace_refuted || is_refuted(point.sample_seconds, point.sample_paces);
  if (!point.pace_refuted || point.sample_paces.empty()) return;
  const double held = held_pace(point.sample_paces);
  point.dram_pace = Pace{held, held};
  point.paced_time = scaled(point.time, held);
  if (point.turns) point.paced_turns = Turns{scaled(point.turns->first, held), scaled(point.turns->second, held)};
}

void note_samples(KernelPoint& point, const Measurement& m) {
  point.sample_seconds = m.seconds;
  point.sample_paces = m.paces;
  if (m.paces.size() != m.seconds.size() || m.paces.empty()) return;
  point.paced_time = interval_of(at_paces(m.seconds, m.paces), m.contaminated, at_paces(m.least, m.paces));
  const auto middle = m.paces.begin() + static_cast<std::ptrdiff_t>((m.paces.size() + 1) / 2);
  point.dram_pace = {median({m.paces.begin(), middle}),
                     median({m.paces.end() - (middle - m.paces.begin()), m.paces.end()})};
  hold_pace(point);
}

void add_samples(Measurement& to, const Measurement& of) {
  to.seconds.insert(to.seconds.end(), of.seconds.begin(), of.seconds.end());
  to.least.insert(to.least.end(), of.least.begin(), of.least.end());
}

void join(KernelPoint& point, const KernelPoint& other) {
  const auto both = [](auto n, auto m, auto a, auto b) { return (n * a + m * b) / (n + m); };
  point.contaminated = both(point.samples, other.samples, point.contaminated, other.contaminated);
  point.turns = {other.time, point.time};
  point.core_clock = (point.core_clock + other.core_clock) / 2;  // of times that count alike
  if (other.in_caches > 0 && !(point.in_caches > 0 && point.in_caches < other.in_caches))
    point.in_caches = other.in_caches;
  point.time = spanning(point.time, other.time);
  point.samples += other.samples, point.replaced += other.replaced;
  point.converged = point.time.relative_half_width() <= Budget{}.target_half_width;
  if (point.dram_pace && other.dram_pace) point.dram_pace = pooled(*point.dram_pace, *other.dram_pace);
  if (point.paced_time && other.paced_time) {
    point.paced_turns = {*other.paced_time, *point.paced_time};
    point.paced_time = spanning(*point.paced_time, *other.paced_time);
  }
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  append(point.sample_seconds, other.sample_seconds), append(point.sample_paces, other.sample_paces);
  point.pace_refuted = point.pace_refuted || other.pace_refuted;
  hold_pace(point);
}

Measurement measure_sustained(const Timer& time, double seconds) {
  constexpr double sample_seconds = 0.02;  // long against the pause between two samples
  auto m = measure(time, {.min_samples = 20,
                          .min_seconds = seconds,
                          .max_seconds = seconds,
                          .watch = false,
                          .min_interval = sample_seconds});
  for (auto* const times : {&m.seconds, &m.least})
    times->erase(times->begin(), times->begin() + static_cast<std::ptrdiff_t>(times->size() / 2));
  return m;
}

}  // namespace roofline

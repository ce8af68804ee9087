#include "bench/run/ceiling_measurement.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "bench/machine/interrupt.hpp"
#include "bench/model/assessment.hpp"
#include "bench/model/store_policy.hpp"
#include "bench/run/clock_beside.hpp"

namespace roofline {
namespace {

constexpr double load_seconds = 4;  // of sustained ceilings: power limits and heat have acted by then

/// A load of some seconds, and what the clock does meanwhile: at its first launch, and typically in its second half.
Measurement under_load(const CeilingWork& work, Ceiling& ceiling) {
  const auto time = timer(work);
  std::vector<double> clocks;
  const auto with_clock = [&](int batch) {
    const double seconds = time(batch);
    if (work.clock) clocks.push_back(work.clock());
    return seconds;
  };
  auto m = measure_sustained(with_clock, load_seconds);
  if (clocks.empty()) return m;
  ceiling.clock_begin = clocks.front();
  clocks.erase(clocks.begin(), clocks.end() - static_cast<std::ptrdiff_t>(m.seconds.size()));
  ceiling.clock_end = median(clocks);
  return m;
}

/// The variants, the fastest of a short trial first.
std::vector<std::size_t> by_rate(const CeilingVariant& variant, const Budget& budget, const Beside& beside) {
  std::vector<std::pair<double, std::size_t>> tried;
  Budget trial = budget;
  trial.max_seconds = budget.max_seconds / 4;
  trial.patience = 1;
  trial.give_up_seconds = budget.give_up_seconds / 4;
  trial.replace_seconds = budget.replace_seconds / 8;
  for (std::size_t i = 0; i < variant.make.size(); ++i) {
    double rate = 0;
    if (variant.make.size() > 1 && !interrupted()) {
      const auto work = variant.make[i]();
      work.launch();
      rate = work.work / measure(timer(work), trial, beside).interval().median;
    }
    tried.emplace_back(-rate, i);
  }
  std::sort(tried.begin(), tried.end());
  std::vector<std::size_t> order;
  for (const auto& [rate, i] : tried) order.push_back(i);
  return order;
}

/// By a short trial, of those that leave the right values; `known` where none of the others does.
std::size_t fastest_that_is_right(const CeilingVariant& variant, std::size_t known) {
  constexpr Budget brief{.min_samples = 3, .max_seconds = 0.2};
  for (const auto number : by_rate(variant, brief, {})) {
    const auto work = variant.make[number]();
    work.launch();
    if (work.check().ok) return number;
  }
  return known;
}

/// The cores' own caches come along when they move.
bool depends_on_placement(const Ceiling& ceiling) {
  const bool shared = ceiling.level == MemoryLevel::L3 || ceiling.level == MemoryLevel::DRAM;
  return ceiling.kind == Ceiling::Kind::bandwidth && shared && ceiling.threads > 1;
}

Beside beside_of(const Ceiling& ceiling, Placement* placement) {
  return {.placement = depends_on_placement(ceiling) ? placement : nullptr};
}

}  // namespace

Ceiling measure_variant(const CeilingVariant& variant, std::size_t number, const Budget& budget, std::string& failure,
                        Placement* placement) {
  Ceiling result = variant.ceiling;
  const auto work = variant.make[number]();
  work.launch();
  // A CPU's clock can change while a ceiling is measured: theory is that of the faster one. A GPU tells the clock of
  // the launches themselves.
  const double theory_before = work.theory && !work.clock ? work.theory() : 0;
  ClockBeside clock(work.core_clock);
  const auto m = result.sustained ? under_load(work, result)
                                  : measure(clock.watching(timer(work)), budget, beside_of(result, placement));
  const auto check = work.check();
  failure = check.ok ? "" : check.message;
  const auto time = m.interval();
  result.rate = work.work / time.median;
  result.rate_low = work.work / time.high;
  result.rate_high = work.work / time.low;
  result.samples = static_cast<int>(m.seconds.size());
  result.replaced = m.replaced;
  result.disturbed = m.contaminated;
  result.variant = work.variant;
  result.winner = number;
  result.core_clock = clock.mean();
  result.core_distance = m.distance;
  if (work.theory)
    result.theory =
        std::max(theory_before, work.theory() * (result.clock_end > 0 ? result.clock_end / work.clock() : 1));
  return result;
}

Ceiling measure_ceiling(const CeilingVariant& variant, const Budget& budget, std::string* failure,
                        Placement* placement) {
  std::string first_complaint;
  Ceiling result = variant.ceiling;
  for (const auto number : by_rate(variant, budget, beside_of(variant.ceiling, placement))) {
    std::string complaint;
    result = measure_variant(variant, number, budget, complaint, placement);
    if (complaint.empty()) return result;
    // A wrong variant is often a fast one: the next one is the ceiling.
    if (first_complaint.empty()) first_complaint = complaint;
  }
  *failure = first_complaint;
  return result;
}

const CeilingWork* DramProbe::made(const Ceiling& ceiling, bool elsewhere) {
  const auto key = std::pair(ceiling.name, elsewhere);
  if (const auto known = made_.find(key); known != made_.end()) return &known->second;
  const auto* const variant = suite_.ceiling(ceiling.name);
  if (!variant || variant->make.empty()) return nullptr;
  auto work = variant->make.at(elsewhere ? fastest_that_is_right(*variant, ceiling.winner) : ceiling.winner)();
  // A file names the winner and does not know its number here.
  for (std::size_t i = 0; !elsewhere && work.variant != ceiling.variant; ++i) {
    if (i == variant->make.size()) return nullptr;
    work = variant->make[i]();
  }
  work.launch();
  return &(made_[key] = std::move(work));
}

std::function<double()> DramProbe::pace(const Ceiling& ceiling, bool elsewhere) {
  const auto* const work = made(ceiling, elsewhere);
  if (!work) return {};
  // The work is in the bytes that the kernel was written to move, the ceiling in those that it was found to move.
  const double rate = in_account_of(ceiling, suite_.ceiling(ceiling.name)->ceiling).rate;
  // Another kernel may have changed what the memory holds: times do not depend on it, and nothing is verified here.
  return [work, time = timer(*work), rate] { return work->work / time(1) / rate; };
}

double shared_seconds(const Roofline& roofline, const Counts& counts) {
  double longest = 0;
  for (const auto level : {MemoryLevel::L3, MemoryLevel::DRAM})
    if (const auto& bytes = counts.at(level); bytes && bytes->total() > 0)
      if (const auto* const ceiling = roofline.bandwidth(level))
        longest = std::max(longest, bytes->total() / ceiling->rate);
  return longest;
}

double dram_seconds(const Roofline& roofline, const Counts& counts) {
  const auto time = roofline.level_time(MemoryLevel::DRAM, counts);
  return time ? time->seconds : 0;
}

void rescale_pace(KernelPoint& point, const Roofline& before, const Roofline& now) {
  const auto *const old_ceiling = paced_ceiling(before, point), *const ceiling = paced_ceiling(now, point);
  if (!point.dram_pace || !old_ceiling || !ceiling || old_ceiling->rate == ceiling->rate) return;
  const double factor = ceiling->rate / old_ceiling->rate;
  point.dram_pace = Pace{point.dram_pace->before / factor, point.dram_pace->after / factor};
  for (auto& pace : point.sample_paces) pace /= factor;
  if (auto& paced = point.paced_time)
    paced = Interval{paced->median / factor, paced->low / factor, paced->high / factor};
}

}  // namespace roofline

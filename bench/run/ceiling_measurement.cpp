#include "bench/run/ceiling_measurement.hpp"

#include <vector>

#include "bench/machine/interrupt.hpp"

namespace roofline {
namespace {

constexpr double load_seconds = 4;  // of sustained ceilings: measuring.md R4

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

}  // namespace

Ceiling measure_ceiling(const CeilingVariant& variant, const Budget& budget, std::string* failure) {
  Ceiling best = variant.ceiling;
  Budget trial = budget;
  trial.max_seconds = budget.max_seconds / 4;
  trial.patience = 1;
  trial.give_up_seconds = budget.give_up_seconds / 4;
  trial.replace_seconds = budget.replace_seconds / 8;
  double best_rate = 0;
  std::size_t winner = 0;
  // With several generated variants a short trial names the winner, which is then measured in full.
  for (std::size_t i = 0; variant.make.size() > 1 && i < variant.make.size() && !interrupted(); ++i) {
    const auto work = variant.make[i]();
    work.launch();
    const double rate = work.work / measure(timer(work), trial).interval().median;
    if (rate > best_rate) best_rate = rate, winner = i;
  }
  const auto work = variant.make[winner]();
  work.launch();
  const auto m = best.sustained ? under_load(work, best) : measure(timer(work), budget);
  if (const auto check = work.check(); !check.ok) *failure = check.message;
  const auto time = m.interval();
  best.rate = work.work / time.median;
  best.rate_low = work.work / time.high;
  best.rate_high = work.work / time.low;
  best.samples = static_cast<int>(m.seconds.size());
  best.replaced = m.replaced;
  best.disturbed = m.contaminated;
  best.variant = work.variant;
  best.winner = winner;
  if (work.theory) best.theory = work.theory() * (best.clock_end > 0 ? best.clock_end / work.clock() : 1);
  return best;
}

const CeilingWork* DramProbe::made(const Ceiling& ceiling) {
  if (const auto known = made_.find(ceiling.name); known != made_.end()) return &known->second;
  const auto* const variant = suite_.ceiling(ceiling.name);
  if (!variant || variant->make.empty()) return nullptr;
  auto work = variant->make.at(ceiling.winner)();
  // A file names the winner and does not know its number here.
  for (std::size_t i = 0; work.variant != ceiling.variant; ++i) {
    if (i == variant->make.size()) return nullptr;
    work = variant->make[i]();
  }
  work.launch();
  return &(made_[ceiling.name] = std::move(work));
}

std::function<double()> DramProbe::pace(const Ceiling& ceiling) {
  const auto* const work = made(ceiling);
  if (!work) return {};
  // Another kernel may have changed what the memory holds: times do not depend on it, and nothing is verified here.
  return [work, time = timer(*work), rate = ceiling.rate] { return work->work / time(1) / rate; };
}

}  // namespace roofline

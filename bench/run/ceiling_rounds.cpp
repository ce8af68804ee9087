#include "bench/run/ceiling_rounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "bench/machine/core_distance.hpp"
#include "bench/machine/interrupt.hpp"
#include "bench/model/assessment.hpp"
#include "bench/recovery/results_of.hpp"

namespace roofline {
namespace {

// Samples next to rows come besides. A roof at DRAM is the best of its mixes, so each of them is visited as often as
// one next to a row; a run of a few seconds has time for every third round.
constexpr int later_visits = 4, later_visits_of_a_short_run = 2, rounds_between_dram = 1,
              rounds_between_dram_of_a_short_run = 3;

/// A run of a few seconds has no time for many visits.
bool is_short(const Options& options) { return options.quick || options.has_filter(); }

}  // namespace

CeilingRounds::CeilingRounds(RunState& run, int most_rounds) : run_(run) {
  const int visits = is_short(run.options) ? later_visits_of_a_short_run : later_visits;
  rounds_between_visits_ = std::max(1, most_rounds / visits);
  rounds_between_dram_ = is_short(run.options) ? rounds_between_dram_of_a_short_run : rounds_between_dram;
}

void CeilingRounds::set_up() {
  auto& records = run_.records;
  update_roofline();
  const auto known = kept_winners(run_.suite.machine(), run_.suite.threads());
  int n = 0;
  for (const auto* variant : run_.plan.ceilings) {
    const auto& name = variant->ceiling.name;
    ++n;
    const auto* const before = records.ceiling(name);
    const bool is_known = before && before->sustained && before->rate > 0;
    if (variant->make.empty() || is_known || !records.missing(name).empty() || interrupted()) continue;
    run_.progress.show(fmt::format("setting up ceiling {} of {}", n, run_.plan.ceilings.size()));
    records.begin(name);
    std::string failure;
    try {
      if (!variant->ceiling.sustained)
        failure = set_up(*variant, known);
      else if (auto ceiling = sustained(*variant, failure); failure.empty())
        records.append({.row = name, .ceiling = std::move(ceiling)});
    } catch (const Interrupted&) {
    } catch (const NoSuchCeiling& why) {
      records.append({.row = name, .skipped = why.what()});
    } catch (const std::bad_alloc&) {
      records.append({.row = name, .skipped = "out of memory"});
    } catch (const std::exception& error) {
      failure = error.what();
    }
    if (works_.has(name)) {
      records.append({.row = name, .ceiling = works_.ceiling(name)});
      if (const auto& why = works_.rejected(name); !why.empty())
        run_.warn(fmt::format("{}: a variant was left out, its values are wrong: {}", name, why));
    }
    if (!failure.empty()) run_.fail(name, failure);
  }
}

std::string CeilingRounds::set_up(const CeilingVariant& variant, const Winners& known) {
  const auto winner = known.find(variant.ceiling.name);
  return winner == known.end() ? works_.set_up(variant)
                               : works_.set_up(variant, winner->second.variant, winner->second.number);
}

int CeilingRounds::visits_before(int round, Ceiling ceiling, double distance) const {
  std::vector<double> best;
  for (int earlier = 0; earlier < round; ++earlier)
    if (const auto* const record = run_.records.of_round(ceiling.name, earlier);
        record && lay_alike(record->visit->core_distance, distance))
      best.push_back(std::ranges::max(record->visit->rates));
  if (best.empty()) return 0;
  // is_disturbed() compares a rate with the highest, here of the visits with the cores where they are now.
  ceiling.rate_high = std::ranges::max(best);
  return static_cast<int>(std::ranges::count_if(best, [&](double rate) { return !is_disturbed(ceiling, rate); }));
}

void CeilingRounds::visit(int round, const std::function<double()>& core_distance) {
  for (std::size_t number = 0; number < run_.plan.ceilings.size(); ++number) {
    const auto& ceiling = run_.plan.ceilings[number]->ceiling;
    const auto& name = ceiling.name;
    if (!works_.has(name) || run_.records.of_round(name, round)) continue;
    if (interrupted()) break;
    const bool may_be_roof = ceiling.kind == Ceiling::Kind::bandwidth && ceiling.level == MemoryLevel::DRAM &&
                             is_roof(ceiling.mix) && ceiling.threads == run_.suite.threads();
    const int between = may_be_roof ? rounds_between_dram_ : rounds_between_visits_;
    const int due = 1 + (round + static_cast<int>(number) % between) / between;
    const double distance = core_distance();
    if (visits_before(round, ceiling, distance) >= due) continue;
    run_.records.append({.row = name, .round = round, .visit = works_.visit(name, distance)});
  }
  update_roofline();
}

void CeilingRounds::update_roofline() {
  run_.roofline = Roofline(ceilings_of(run_.records.all()), run_.suite.threads());
}

bool CeilingRounds::has(const Ceiling& ceiling) {
  if (works_.has(ceiling.name)) return true;
  const auto* const variant = run_.suite.ceiling(ceiling.name);
  if (!variant || variant->make.empty() || !run_.records.missing(ceiling.name).empty()) return false;
  try {
    works_.set_up(*variant, ceiling);
  } catch (const std::exception&) {
    // Rows are then compared with the ceiling as it was measured.
  }
  return works_.has(ceiling.name);
}

}  // namespace roofline

#include "bench/run/ceiling_rounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "bench/machine/interrupt.hpp"

namespace roofline {
namespace {

// Samples next to rows come besides.
constexpr int later_visits = 4, later_visits_of_a_short_run = 2;

/// A run of a few seconds has no time to try variants again, or for many visits.
bool is_short(const Options& options) { return options.quick || options.has_filter(); }

}  // namespace

CeilingRounds::CeilingRounds(RunState& run, int most_rounds) : run_(run) {
  const int visits = is_short(run.options) ? later_visits_of_a_short_run : later_visits;
  rounds_between_visits_ = static_cast<std::size_t>(std::max(1, most_rounds / visits));
}

void CeilingRounds::set_up() {
  fixed_ = run_.results.roofline.ceilings();
  const auto known = is_short(run_.options) ? kept_winners(run_.suite.machine(), run_.suite.threads()) : Winners();
  int n = 0;
  for (const auto* variant : run_.plan.ceilings) {
    const auto& name = variant->ceiling.name;
    ++n;
    if (variant->make.empty()) {
      fixed_.push_back(variant->ceiling);
      continue;
    }
    if (const auto why = run_.journal.failure(name); !why.empty()) {
      run_.results.failures.emplace_back(name, why), missing_[name] = why;
      continue;
    }
    if (interrupted()) {
      missing_[name] = {};
      continue;
    }
    run_.progress.show(fmt::format("setting up ceiling {} of {}", n, run_.plan.ceilings.size()));
    run_.journal.begin(name);
    std::string failure;
    try {
      if (!variant->ceiling.sustained)
        failure = set_up(*variant, known);
      else if (!run_.journal.ceilings(name).empty())
        fixed_.push_back(run_.journal.ceilings(name).front());
      else if (auto ceiling = sustained(*variant, failure); failure.empty())
        run_.journal.add(name, ceiling), fixed_.push_back(std::move(ceiling));
    } catch (const Interrupted&) {
      missing_[name] = {};
    } catch (const NoSuchCeiling& why) {
      run_.results.skipped.push_back(fmt::format("{}: {}", name, why.what()));
      missing_[name] = why.what();
    } catch (const std::bad_alloc&) {
      missing_[name] = "out of memory";
      run_.results.skipped.push_back(name + ": out of memory");
    } catch (const std::exception& error) {
      failure = error.what();
    }
    if (works_.has(name) && !works_.rejected(name).empty())
      run_.results.warnings.push_back(
          fmt::format("{}: a variant was left out, its values are wrong: {}", name, works_.rejected(name)));
    if (failure.empty()) continue;
    missing_[name] = failure;
    run_.fail(name, failure);
  }
}

std::string CeilingRounds::set_up(const CeilingVariant& variant, const Winners& known) {
  const auto winner = known.find(variant.ceiling.name);
  return winner == known.end() ? works_.set_up(variant)
                               : works_.set_up(variant, winner->second.variant, winner->second.number);
}

void CeilingRounds::visit(int round, double core_distance) {
  for (std::size_t number = 0; number < run_.plan.ceilings.size(); ++number) {
    const auto& name = run_.plan.ceilings[number]->ceiling.name;
    const bool its_turn = round == 0 || (number + static_cast<std::size_t>(round)) % rounds_between_visits_ == 0;
    if (!works_.has(name) || !its_turn) continue;
    if (const auto known = run_.journal.ceiling_round(name, round); !known.rates.empty()) {
      works_.add(name, known);
      continue;
    }
    if (interrupted()) break;
    run_.journal.add(name, round, works_.visit(name, core_distance));
  }
  update_roofline();
}

void CeilingRounds::update_roofline(double usual_distance) {
  auto all = fixed_;
  for (const auto* variant : run_.plan.ceilings)
    if (works_.has(variant->ceiling.name)) {
      auto measured = works_.result(variant->ceiling.name, usual_distance);
      const auto known =
          std::find_if(all.begin(), all.end(), [&](const Ceiling& c) { return c.name == measured.name; });
      if (measured.samples == 0) continue;
      if (known == all.end())
        all.push_back(std::move(measured));
      else
        *known = std::move(measured);
    }
  run_.results.roofline = Roofline(std::move(all), run_.suite.threads());
}

bool CeilingRounds::has(const Ceiling& ceiling) {
  if (works_.has(ceiling.name)) return true;
  const auto* const variant = run_.suite.ceiling(ceiling.name);
  if (!variant || variant->make.empty() || missing_.contains(ceiling.name)) return false;
  try {
    works_.set_up(*variant, ceiling.variant, ceiling.winner);
  } catch (const std::exception&) {
    // Rows are then compared with the ceiling as it was measured.
  }
  return works_.has(ceiling.name);
}

std::string CeilingRounds::missing(const std::string& name) const {
  const auto found = missing_.find(name);
  return found == missing_.end() ? std::string() : found->second;
}

}  // namespace roofline

#include "bench/run/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/model/assessment.hpp"
#include "bench/run/physics.hpp"
#include "bench/run/results.hpp"

namespace roofline {
namespace {

using Trust = RunVerdict::Trust;

/// Facts as they are found: the gravest one decides.
class Finding {
 public:
  void care(std::string fact) { add(Trust::care, std::move(fact)); }
  void disturbed(std::string fact) { add(Trust::disturbed, std::move(fact)); }

  Trust trust() const { return trust_; }
  /// The gravest first, at most three.
  std::vector<std::string> facts() const {
    auto all = disturbed_;
    all.insert(all.end(), care_.begin(), care_.end());
    all.resize(std::min<std::size_t>(all.size(), 3));
    return all;
  }

 private:
  void add(Trust trust, std::string fact) {
    trust_ = std::max(trust_, trust);
    (trust == Trust::care ? care_ : disturbed_).push_back(std::move(fact));
  }

  Trust trust_ = Trust::quiet;
  std::vector<std::string> disturbed_, care_;
};

constexpr double least_share = 0.05;  // of the samples, to be named as what disturbed the run

template <class Applies>
std::size_t count(const Results& results, Applies applies) {
  return static_cast<std::size_t>(std::count_if(results.points.begin(), results.points.end(), applies));
}

/// What a failed or warned check says of the run; rows to themselves (P6, P12) are looked at one by one.
void see_checks(const Results& results, Finding& finding) {
  for (const auto& check : results.checks) {
    if (check.id == "P6" || check.id == "P12") continue;
    const auto text = fmt::format("{} {}: {}{}", check.id, check.what, value_text(check),
                                  check.where.empty() ? "" : " (" + check.where + ")");
    if (check.verdict == PhysicsCheck::Verdict::fail) finding.disturbed(text);
    if (check.verdict == PhysicsCheck::Verdict::warn) finding.care(text);
  }
}

void see_rows(const Results& results, Finding& finding) {
  const auto rows = results.points.size();
  if (rows == 0) return;
  const auto of_rows = [&](std::size_t n) { return fmt::format("{} of {} kernels", n, rows); };
  if (const auto above = count(results, [](const auto& p) { return above_roof(p.assessment); }))
    finding.disturbed(of_rows(above) + " above their roof, which cannot be");
  const auto disturbed = count(results, [](const auto& p) { return p.contaminated > contamination_limit; });
  const auto text = of_rows(disturbed) + " disturbed in more than a fifth of their samples";
  if (4 * disturbed > rows)
    finding.disturbed(text);
  else if (disturbed > 0)
    finding.care(text);
  const auto taken_again = count(results, [](const auto& p) { return p.replaced > p.samples; });
  if (4 * taken_again > rows)
    finding.care(of_rows(taken_again) + " had most of their samples disturbed and taken again");
  if (const auto moved = count(results, [](const auto& p) { return p.assessment.elsewhere; }))
    finding.care(of_rows(moved) + " measured while the hypervisor had the cores elsewhere than for the ceilings");
  const auto off_its_ceiling = [](const auto& p) {
    return !p.assessment.elsewhere && p.dram_pace && p.dram_pace->differs();
  };
  if (const auto off = count(results, off_its_ceiling))
    finding.care(of_rows(off) + " ran while DRAM was more than 5 % off its ceiling");
  const auto wide = count(results, [](const auto& p) { return p.time.relative_half_width() > wide_interval; });
  if (4 * wide > rows) finding.care(of_rows(wide) + " have an interval wider than +-5 %");
}

/// Roofs are what everything is held against.
void see_roofs(const Results& results, Finding& finding) {
  std::vector<const Ceiling*> roofs{results.roofline.compute(Operation::fma),
                                    results.roofline.compute(Operation::nofma)};
  for (const auto level : all_memory_levels) roofs.push_back(results.roofline.bandwidth(level));
  for (const auto* const roof : roofs)
    if (roof && roof->samples > 0 && roof->rate_high - roof->rate_low > 0.2 * roof->rate)
      finding.disturbed(fmt::format("the interval of {} is {:.0f} % wide", roof->name,
                                    100 * (roof->rate_high - roof->rate_low) / roof->rate));
}

/// All of it comes from other files, which say nothing of how it was measured.
bool only_imported(const Results& results) {
  const auto& ceilings = results.roofline.ceilings();
  return std::all_of(results.points.begin(), results.points.end(),
                     [](const auto& p) { return p.counts.operations_source == Source::imported; }) &&
         std::none_of(ceilings.begin(), ceilings.end(), [](const auto& c) { return c.samples > 0; });
}

/// Nothing that this machine can see of itself was disturbed, and its cores are those of a hypervisor, which the run
/// has looked at: what moves then may be the host.
bool host_may_be_to_blame(const Results& results) {
  return results.core_distances && count(results, [](const KernelPoint& p) {
                                     return p.contaminated > contamination_limit || p.replaced > p.samples;
                                   }) == 0;
}

std::string advice(Trust trust, const Results& results) {
  switch (trust) {
    case Trust::quiet:
      return "Quote the numbers with their intervals.";
    case Trust::care:
      return "Quote numbers with their intervals, and none of a row that carries a mark.";
    case Trust::disturbed:
      if (host_may_be_to_blame(results))
        return "Nothing was seen to disturb it on this machine; its host may have: measure at another time or on "
               "another host; quote nothing from this run.";
      if (const auto& seen = results.watched;
          results.machine.virtual_machine && seen && seen->hypervisor > std::max(seen->others, least_share * seen->all))
        return fmt::format(
            "The hypervisor of this machine took time from {:.0f} % of what was sampled: measure at another time or on "
            "another host; quote nothing from this run.",
            100 * seen->hypervisor / seen->all);
      return "Stop what else runs on this machine and measure again; quote nothing from this run.";
    case Trust::modelled:
      return "Read every time as the least possible one; measure on the device for anything else.";
    case Trust::none:
      break;
  }
  return {};
}

}  // namespace

std::string_view headline(Trust trust) {
  constexpr std::string_view headlines[] = {"quiet", "usable with care", "disturbed: do not quote",
                                            "modelled: bounds, nothing was measured", "not judged"};
  return headlines[static_cast<std::size_t>(trust)];
}

std::string_view name(Trust trust) {
  constexpr std::string_view names[] = {"quiet", "care", "disturbed", "modelled", "none"};
  return names[static_cast<std::size_t>(trust)];
}

RunVerdict verdict_of(const Results& results) {
  RunVerdict verdict;
  Finding finding;
  if (!results.times_note.empty()) finding.disturbed(results.times_note);
  if (!results.complete) finding.disturbed("the run was interrupted and is incomplete");
  if (!results.model) see_roofs(results, finding);
  see_checks(results, finding);
  if (!results.model) see_rows(results, finding);
  verdict.facts = finding.facts();
  verdict.trust = finding.trust();
  if (results.model && verdict.trust != Trust::disturbed)
    verdict.trust = Trust::modelled;
  else if (only_imported(results))
    verdict.trust = Trust::none, verdict.facts.clear();
  verdict.advice = advice(verdict.trust, results);
  if (!results.times_note.empty()) verdict.advice = "It shows that the way of a run works: quote nothing from it.";
  // Nothing on the machine is to blame for that alone.
  if (!results.complete && verdict.facts.size() == 1)
    verdict.advice = results.model ? "Run it to its end, with --resume from where it was; what is here are bounds."
                                   : "Run it to its end, with --resume from where it was; quote nothing from this run.";
  return verdict;
}

}  // namespace roofline

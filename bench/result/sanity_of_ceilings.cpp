#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/result/sanity_meter.hpp"

namespace roofline {
namespace {

using Verdict = SanityCheck::Verdict;

/// Several conditions under one number: the one that is furthest off speaks for all.
SanityCheck worst_of(std::vector<SanityCheck> checks) {
  const auto severity = [](const SanityCheck& check) {
    return check.verdict == Verdict::not_applicable ? -1 : static_cast<int>(check.verdict);
  };
  return *std::max_element(checks.begin(), checks.end(),
                           [&](const auto& a, const auto& b) { return severity(a) < severity(b); });
}

SanityCheck level_order(const Results& results) {
  SanityMeter check("bandwidth_by_level", "read bandwidth of a level / of the nearer one", "<= 1.03");
  const Ceiling* nearer = nullptr;
  for (const auto level : memory_levels) {
    const auto* const read = results.roofline.bandwidth(level, Mix::read);
    if (!read) continue;
    if (nearer) check.see(read->rate / nearer->rate, read->name);
    nearer = read;
  }
  return std::move(check).judged(1.03);
}

/// In lines moved, no stride should beat reading all of them: where one does, memory changed its speed in between or
/// the read ceiling is not the best. Scalar strided loads were up to 1.6 times as fast on a Zen 5, hence the wide
/// limit.
SanityCheck strides_below_reads(const Results& results) {
  SanityMeter check("bandwidth_by_level", "strided reads of DRAM / unit-stride reads", "<= 1.05, fails above 2.00");
  const auto* const read = results.roofline.bandwidth(MemoryLevel::DRAM, Mix::read);
  for (const auto& c : results.roofline.ceilings())
    if (read && c.kind == Ceiling::Kind::bandwidth && c.level == MemoryLevel::DRAM && c.threads == read->threads &&
        !c.sustained && is_strided(c.mix))
      check.see(c.rate / read->rate, c.name);
  return std::move(check).judged(1.05, 2);
}

SanityCheck below_theory(const Results& results) {
  SanityMeter check("compute_ceilings", "compute ceiling / units x lanes x measured clock", "<= 1.02");
  for (const auto& ceiling : results.roofline.ceilings())
    if (ceiling.kind == Ceiling::Kind::compute && ceiling.warps == 0 && ceiling.theory)
      check.see(ceiling.rate / *ceiling.theory, ceiling.name);
  return std::move(check).judged(1.02);
}

/// A roof far below theory does not prove an error in arithmetic, but it is hardly the machine's best.
SanityCheck roofs_near_theory(const Results& results) {
  SanityMeter check("compute_ceilings", "compute roof / units x lanes x measured clock", ">= 0.70, fails below 0.50",
                    SanityMeter::is_less);
  for (const auto operation : {Operation::fma, Operation::nofma})
    if (const auto* const roof = results.roofline.compute(operation); roof && roof->theory)
      check.see(roof->rate / *roof->theory, roof->name);
  return std::move(check).judged(0.7, 0.5);
}

/// A dependent chain has nothing but its latency, which no disturbance shorter than its samples hides: where it is
/// slow, the clock that theory is made of, or the latency, is not what it is taken for. Few warps on each SM of a GPU
/// are not compared with a theory of full ones.
SanityCheck chains_near_theory(const Results& results) {
  SanityMeter check("compute_ceilings", "one dependent chain / 1 instruction per latency at the measured clock",
                    ">= 0.90", SanityMeter::is_less);
  for (const auto& ceiling : results.roofline.ceilings())
    if (ceiling.kind == Ceiling::Kind::compute && !ceiling.ilp && ceiling.warps == 0 && !ceiling.sustained &&
        ceiling.theory)
      check.see(ceiling.rate / *ceiling.theory, ceiling.name);
  return std::move(check).judged(0.9, -INFINITY);
}

/// An FMA is at least as fast as what it replaces; equal to a pair of MUL and ADD where additions have their own units.
SanityCheck fma_is_fastest(const Results& results) {
  SanityMeter check("compute_ceilings", "FMA ceiling / those without FMA", ">= 0.98, fails below 0.95",
                    SanityMeter::is_less);
  const auto& ceilings = results.roofline.ceilings();
  const auto plain = [](const Ceiling& c) { return c.kind == Ceiling::Kind::compute && c.full_rate(); };
  for (const auto& fma : ceilings) {
    if (!plain(fma) || fma.operation != Operation::fma) continue;
    for (const auto& other : ceilings)
      if (plain(other) && other.isa == fma.isa && other.precision == fma.precision && other.threads == fma.threads &&
          (other.operation == Operation::nofma || other.operation == Operation::add ||
           other.operation == Operation::mul))
        check.see(fma.rate / other.rate, fma.name);
  }
  return std::move(check).judged(0.98, 0.95);
}

}  // namespace

SanityCheck bandwidths_agree(const Results& results) {
  return worst_of({level_order(results), strides_below_reads(results)});
}

SanityCheck compute_ceilings_plausible(const Results& results) {
  return worst_of(
      {below_theory(results), roofs_near_theory(results), chains_near_theory(results), fma_is_fastest(results)});
}

SanityCheck dram_below_theory(const Results& results) {
  SanityMeter check("dram_below_theory", "DRAM bandwidth / bus width x rate", "<= 1.00");
  const auto* const dram = results.roofline.bandwidth(MemoryLevel::DRAM);
  if (!dram || !dram->theory) return std::move(check).without_value("the memory's rate is not known");
  check.see(dram->rate / *dram->theory, dram->name);
  return std::move(check).judged(1.0);
}

}  // namespace roofline

#include "bench/model/store_policy.hpp"

#include <algorithm>
#include <cmath>

namespace roofline {
namespace {

constexpr double clear_margin = 1.15;

/// Bytes that a plain mix loads and stores per element where it stores to lines which it does not read; else 0.
double explicit_bytes(Mix mix) {
  const bool allocates = facts(mix).stored_bytes > 0 && facts(mix).moved_bytes > facts(mix).explicit_bytes;
  return allocates ? facts(mix).explicit_bytes : 0;
}

bool is_of_dram(const Ceiling& ceiling, int threads) {
  return ceiling.kind == Ceiling::Kind::bandwidth && ceiling.level == MemoryLevel::DRAM && ceiling.threads == threads &&
         !ceiling.whole_device && !ceiling.external;
}

Ceiling with_bytes(Ceiling ceiling, double bytes_per_explicit_byte) {
  if (!(ceiling.bytes_per_explicit_byte > 0)) return ceiling;
  const double factor = bytes_per_explicit_byte / ceiling.bytes_per_explicit_byte;
  ceiling.rate *= factor, ceiling.rate_low *= factor, ceiling.rate_high *= factor, ceiling.rate_median *= factor;
  ceiling.bytes_per_explicit_byte = bytes_per_explicit_byte;
  return ceiling;
}

std::optional<Ceiling> dram_ceiling(const std::vector<Ceiling>& ceilings, Mix mix, int threads) {
  for (const auto& ceiling : ceilings)
    if (is_of_dram(ceiling, threads) && ceiling.mix == mix && !ceiling.sustained && ceiling.rate_low > 0)
      return ceiling;
  return std::nullopt;
}

/// Why a ceiling can say nothing; empty where it can.
std::string objection(const std::optional<Ceiling>& ceiling, Mix mix) {
  const auto which = "the ceiling of DRAM " + std::string(name(mix));
  if (!ceiling || ceiling->samples == 0) return which + " was not measured";
  if (mix == Mix::write && ceiling->bytes_per_explicit_byte != 2) return which + " does not count a line read for each";
  return {};
}

}  // namespace

StorePolicy store_policy(const std::vector<Ceiling>& ceilings, int threads) {
  const auto write = dram_ceiling(ceilings, Mix::write, threads), update = dram_ceiling(ceilings, Mix::update, threads),
             streaming = dram_ceiling(ceilings, Mix::write_nt, threads);
  StorePolicy policy;
  policy.threads = threads;
  if (write) policy.write = write->rate;
  if (update) policy.update = update->rate;
  if (streaming) policy.write_nt = streaming->rate;
  policy.why = objection(write, Mix::write);
  if (policy.why.empty()) policy.why = objection(update, Mix::update);
  // Streaming stores are a second witness, which --quick does not call.
  const bool two = objection(streaming, Mix::write_nt).empty();
  if (!policy.why.empty()) return policy;

  const auto of_known_bytes = [&](double Ceiling::*rate) {
    return two ? std::max((*update).*rate, (*streaming).*rate) : (*update).*rate;
  };
  if (write->rate_low > clear_margin * of_known_bytes(&Ceiling::rate_high)) {
    policy.outcome = StorePolicy::Outcome::evades;
    policy.evaded = std::min(1.0, 2 * (1 - of_known_bytes(&Ceiling::rate) / write->rate));
  } else if (write->rate_high <= clear_margin * of_known_bytes(&Ceiling::rate_low)) {
    policy.outcome = StorePolicy::Outcome::allocates;
  } else {
    policy.why = "the intervals of its ceilings are too wide to tell";
  }
  return policy;
}

std::vector<Ceiling> restated(std::vector<Ceiling> ceilings, const StorePolicy& policy) {
  if (policy.evaded <= 0) return ceilings;
  for (auto& ceiling : ceilings)
    if (const double bytes = explicit_bytes(ceiling.mix); bytes > 0 && is_of_dram(ceiling, policy.threads))
      ceiling = with_bytes(std::move(ceiling), (bytes + 8 * (1 - policy.evaded)) / bytes);
  return ceilings;
}

Counts restated(Counts counts, const StorePolicy& policy) {
  auto& dram = counts.at(MemoryLevel::DRAM);
  if (!dram || !counts.overwritten || counts.evaded > 0) return counts;
  // Whole bytes: read + evaded is again, bit for bit, what a machine whose stores allocate reads.
  counts.evaded = std::floor(policy.evaded * std::min(*counts.overwritten, dram->read));
  dram->read -= counts.evaded;
  return counts;
}

}  // namespace roofline

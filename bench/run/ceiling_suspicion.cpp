#include "bench/run/ceiling_suspicion.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/model/core_distance.hpp"
#include "bench/model/instruction_set.hpp"

namespace roofline {
namespace {

constexpr double tolerance = 0.98;  // of two ceilings that may be equal
constexpr double least_of_theory = 0.93, least_of_theory_of_a_chain = 0.95;
constexpr double most_disturbed = 0.5;

int width(const Ceiling& c) { return vector_bytes(c.isa, 8); }

bool is_compute(const Ceiling& c) { return c.kind == Ceiling::Kind::compute; }

/// Whether `a` cannot be slower than `b`, all else equal.
bool dominates(const Ceiling& a, const Ceiling& b) {
  if (a.kind != b.kind || !a.full_rate() || !b.full_rate() || a.whole_device || b.whole_device) return false;
  if (!is_compute(a)) {
    if (a.mix != b.mix || is_strided(a.mix) || a.threads < b.threads) return false;
    if (!may_be_same_distance(a.core_distance, b.core_distance)) return false;  // two machines, as it were
    return a.level == b.level ? a.threads > b.threads
                              : a.level < b.level && a.mix == Mix::read && a.threads == b.threads;
  }
  if (a.precision != b.precision) return false;
  const bool same_operation = a.operation == b.operation, same_isa = a.isa == b.isa;
  if (a.threads > b.threads) return same_operation && same_isa;
  if (a.threads < b.threads) return false;
  if (same_operation) return width(b) > 0 && width(a) > width(b);
  return same_isa && a.operation == Operation::fma &&
         (b.operation == Operation::nofma || b.operation == Operation::add || b.operation == Operation::mul);
}

/// The strongest reason against one ceiling; a rate of 0: none.
Suspicion against(const Ceiling& ceiling, const std::vector<Ceiling>& all) {
  Suspicion strongest;
  const auto say = [&](double least, const std::string& why) {
    if (ceiling.rate < least && least > strongest.rate) strongest = {ceiling.name, why, least};
  };
  for (const auto& other : all)
    if (dominates(ceiling, other)) say(tolerance * other.rate, "below " + other.name);
  if (ceiling.theory && is_compute(ceiling) && ceiling.warps == 0 && !ceiling.sustained)
    say((ceiling.ilp ? least_of_theory : least_of_theory_of_a_chain) * *ceiling.theory,
        "far below its theoretical rate");
  if (strongest.rate == 0 && ceiling.disturbed > most_disturbed)
    strongest = {ceiling.name, "made of samples that were disturbed", ceiling.rate};
  return strongest;
}

}  // namespace

std::vector<Suspicion> suspicious_ceilings(const std::vector<Ceiling>& ceilings) {
  std::vector<Suspicion> result;
  for (const auto& ceiling : ceilings)
    if (auto suspicion = against(ceiling, ceilings); suspicion.rate > 0) result.push_back(std::move(suspicion));
  return result;
}

}  // namespace roofline

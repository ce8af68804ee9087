// The rate that the arithmetic units allow for a mix of instructions.
#include <algorithm>

#include "bench/model/roofline.hpp"

namespace roofline {

std::optional<double> Roofline::division_slots(const std::string& precision) const {
  const auto *const fma = compute(Operation::fma, precision), *const div = compute(Operation::div, precision),
                    *const both = compute(Operation::fma48div, precision);
  if (!fma || !both) return std::nullopt;
  constexpr double flops = 2 * fmas_beside_division + 1;  // of one division and the FMAs next to it
  constexpr double nearly = 1.05;
  if (div && flops / both->rate < nearly / div->rate) return std::nullopt;  // the divider is what they wait for
  // Older files do not have the ratio, only rates of different moments.
  double slots = flops / (both->of_fma > 0 ? both->of_fma : both->rate / fma->rate) / 2 - fmas_beside_division;
  // Both at once never take longer than one after the other: a ceiling that says so met a disturbance.
  if (div) slots = std::min(slots, fma->rate / 2 / div->rate);
  return std::max(0.0, slots);
}

std::optional<Bound> Roofline::compute_mix(const Operations& operations, const std::string& precision,
                                           const Moment& moment) const {
  // Instruction-lanes per second; an absent ceiling does not bind.
  const auto rate_of = [&](Operation operation, double flops_per_instruction) {
    const auto* const ceiling = compute(operation, precision);
    return ceiling ? rate_at(*ceiling, moment) / flops_per_instruction : 0.0;
  };
  const double fma = rate_of(Operation::fma, 2), mul = rate_of(Operation::mul, 1), add = rate_of(Operation::add, 1),
               pair = rate_of(Operation::nofma, 1), div = rate_of(Operation::div, 1);
  const auto n = [](std::uint64_t count) { return static_cast<double>(count); };
  const double flops = n(operations.flops()), divisions = n(operations.div + operations.sqrt);
  if (flops == 0) return std::nullopt;

  using Kind = Resource::Kind;
  std::optional<Bound> bound;
  const auto limit = [&](double instructions, double rate, Resource::Kind units, Operation operation) {
    if (!(instructions > 0 && rate > 0)) return;
    const double most_flops = flops * rate / instructions;
    // If two differ only by rounding, the first one.
    if (!bound || most_flops < bound->rate * (1 - 1e-9))
      bound = Bound{most_flops, units, {}, compute(operation, precision)};
  };
  const double multiplied = n(operations.fma + operations.mul);
  const double taken = division_slots(precision).value_or(0) * divisions;
  // FMAs alone have the roof that is named after them, though multiplications may have been a little faster.
  const bool fmas_alone = operations.mul == 0 && fma > 0;
  limit(multiplied + taken, fmas_alone ? fma : std::max(fma, mul),
        taken > 0.01 * multiplied ? Kind::multipliers_in_div
        : fmas_alone              ? Kind::fma
                                  : Kind::multipliers,
        fmas_alone || fma >= mul ? Operation::fma : Operation::mul);
  limit(n(operations.add), add, Kind::adders, Operation::add);
  const double others = std::max({mul, add, pair}), most = std::max(fma, others);
  const auto fastest_other = others == mul ? Operation::mul : others == add ? Operation::add : Operation::nofma;
  constexpr double shared_pipes = 1.25;  // where additions have pipes of their own, it is 2
  const double fmas = n(operations.fma) + taken, rest = n(operations.add + operations.mul);
  if (fma > 0 && others > 0 && others < shared_pipes * fma) {
    const double seconds = fmas / fma + rest / others;
    limit(fmas + rest, (fmas + rest) / seconds, Kind::issue,
          fmas / fma >= rest / others ? Operation::fma : fastest_other);
  } else {
    limit(fmas + rest, most, Kind::issue, most == fma ? Operation::fma : fastest_other);
  }
  limit(divisions, div, operations.sqrt > operations.div ? Kind::roots : Kind::divider, Operation::div);
  return bound;
}

}  // namespace roofline

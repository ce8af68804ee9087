#include "bench/model/roofline.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace roofline {
namespace {

bool on_matrices(const Ceiling& ceiling) { return ceiling.isa.rfind("tensor", 0) == 0; }

/// Written share of the bytes a mix moves: of those loaded and stored (L1, GPUs), of these and the lines that stores
/// read first (write-allocate), or of something between.
double written_share_of(const Ceiling& ceiling) {
  const double moved = ceiling.bytes_per_explicit_byte;
  switch (ceiling.mix) {
    case Mix::triad:
    case Mix::triad_nt:
      return 1 / (3 * moved);
    case Mix::copy:
    case Mix::copy_nt:
      return 1 / (2 * moved);
    case Mix::update:
      return 1.0 / 2;
    case Mix::write:
    case Mix::write_nt:
      return 1 / moved;
    default:
      return 0;
  }
}

void lower(std::optional<Bound>& bound, double rate, std::string name, std::optional<MemoryLevel> level = {}) {
  if (!bound || rate < bound->rate) bound = Bound{rate, std::move(name), level};
}

}  // namespace

double rate_at(const Ceiling& ceiling, const Moment& moment) {
  if (ceiling.kind == Ceiling::Kind::bandwidth && ceiling.level == MemoryLevel::DRAM)
    return ceiling.rate * moment.dram_pace;
  const bool known = ceiling.core_clock > 0 && moment.core_clock > 0;
  return ceiling.rate * (known ? moment.core_clock / ceiling.core_clock : 1);
}

const Ceiling* Roofline::compute(Operation operation, const std::string& precision) const {
  const Ceiling* best = nullptr;
  for (const auto& ceiling : ceilings_)
    if (ceiling.kind == Ceiling::Kind::compute && ceiling.operation == operation && ceiling.precision == precision &&
        ceiling.full_rate() && !on_matrices(ceiling) && is_ours(ceiling) && (!best || ceiling.rate > best->rate))
      best = &ceiling;
  return best;
}

const Ceiling* Roofline::bandwidth(MemoryLevel level) const {
  const Ceiling* best = nullptr;
  for (const auto& ceiling : ceilings_)
    if (ceiling.kind == Ceiling::Kind::bandwidth && ceiling.level == level && is_ours(ceiling) &&
        is_roof(ceiling.mix) && (!best || ceiling.rate > best->rate))
      best = &ceiling;
  return best;
}

const Ceiling* Roofline::front_end() const {
  for (const auto& ceiling : ceilings_)
    if (ceiling.kind == Ceiling::Kind::instructions && is_ours(ceiling)) return &ceiling;
  return nullptr;
}

const Ceiling* Roofline::bandwidth(MemoryLevel level, Mix mix) const {
  for (const auto& ceiling : ceilings_)
    if (ceiling.kind == Ceiling::Kind::bandwidth && ceiling.level == level && is_ours(ceiling) && ceiling.mix == mix)
      return &ceiling;
  return nullptr;
}

const Ceiling* Roofline::matching_mix(MemoryLevel level, double written_share) const {
  const Ceiling* best = nullptr;
  double best_distance = 0;
  for (const auto& ceiling : ceilings_) {
    if (ceiling.kind != Ceiling::Kind::bandwidth || ceiling.level != level || !is_ours(ceiling) ||
        !is_roof(ceiling.mix))
      continue;
    const double distance = std::abs(written_share_of(ceiling) - written_share);
    if (!best || distance < best_distance - 1e-9 || (distance < best_distance + 1e-9 && ceiling.rate > best->rate))
      best = &ceiling, best_distance = distance;
  }
  return best;
}

const Ceiling* Roofline::matching_dram(const Counts& counts) const {
  const auto& traffic = counts.at(MemoryLevel::DRAM);
  if (!traffic || traffic->total() <= 0) return nullptr;
  return matching_mix(MemoryLevel::DRAM, traffic->written / traffic->total());
}

std::optional<double> Roofline::ridge(MemoryLevel level) const {
  const auto* const flops = compute(Operation::fma);
  const auto* const bytes = bandwidth(level);
  if (!flops || !bytes) return std::nullopt;
  return flops->rate / bytes->rate;
}

std::optional<Bound> Roofline::attainable(const Counts& counts, bool fma, const Moment& moment) const {
  std::optional<Bound> bound;
  const auto operation = fma ? Operation::fma : Operation::nofma;
  if (const auto* const flops = compute(operation, counts.precision))
    lower(bound, rate_at(*flops, moment), std::string(name(operation)));
  for (const auto level : all_memory_levels) {
    const auto intensity = counts.intensity(level);
    const auto* const bytes = bandwidth(level);
    if (intensity && bytes) lower(bound, *intensity * rate_at(*bytes, moment), std::string(name(level)), level);
  }
  return bound;
}

std::optional<Bound> Roofline::attainable_mix(const Counts& counts, const Moment& moment) const {
  auto bound = compute_mix(counts.operations, counts.precision, moment);
  for (const auto level : all_memory_levels) {
    const auto intensity = counts.intensity(level);
    if (!intensity) continue;
    const auto& traffic = *counts.at(level);
    if (const auto* const bytes = matching_mix(level, traffic.written / traffic.total()))
      lower(bound, *intensity * rate_at(*bytes, moment), std::string(name(level)) + " " + std::string(name(bytes->mix)),
            level);
  }
  const auto instructions = counts.instructions();
  const auto flops = static_cast<double>(counts.operations.flops());
  if (const auto* const delivered = front_end(); delivered && instructions && flops > 0)
    lower(bound, flops * rate_at(*delivered, moment) / *instructions, "front end");
  return bound;
}

std::optional<Bound> Roofline::compute_mix(const Operations& operations, const std::string& precision,
                                           const Moment& moment) const {
  // Instruction-lanes per second; an absent ceiling puts no bound.
  const auto rate_of = [&](Operation operation, double flops_per_instruction) {
    const auto* const ceiling = compute(operation, precision);
    return ceiling ? rate_at(*ceiling, moment) / flops_per_instruction : 0.0;
  };
  const double fma = rate_of(Operation::fma, 2), mul = rate_of(Operation::mul, 1), add = rate_of(Operation::add, 1),
               pair = rate_of(Operation::nofma, 1), div = rate_of(Operation::div, 1);
  const auto n = [](std::uint64_t count) { return static_cast<double>(count); };
  const double flops = n(operations.flops());
  if (flops == 0) return std::nullopt;

  std::optional<Bound> bound;
  const auto limit = [&](double instructions, double rate, const char* units) {
    if (instructions > 0 && rate > 0) lower(bound, flops * rate / instructions, units);
  };
  limit(n(operations.fma + operations.mul), std::max(fma, mul), "fma+mul");
  limit(n(operations.add), add, "add");
  limit(n(operations.fma + operations.mul + operations.add), std::max({fma, mul, add, pair}), "issue");
  limit(n(operations.div + operations.sqrt), div, operations.sqrt > operations.div ? "sqrt" : "div");
  return bound;
}

double weighted_ceiling(double alpha, double fma_rate, double nofma_rate) {
  return (1 + alpha) / (2 * alpha / fma_rate + (1 - alpha) / nofma_rate);
}

double performance_portability(const std::vector<double>& efficiencies) {
  double sum = 0;
  for (const double e : efficiencies) {
    if (e <= 0) return 0;
    sum += 1 / e;
  }
  return efficiencies.empty() ? 0 : static_cast<double>(efficiencies.size()) / sum;
}

}  // namespace roofline

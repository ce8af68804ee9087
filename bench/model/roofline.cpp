#include "bench/model/roofline.hpp"

#include <algorithm>
#include <cmath>

namespace roofline {
namespace {

/// Written share of the bytes that a mix moves: of the bytes loaded and stored (L1, GPUs), of these and the lines that
/// stores read first (write-allocate), or of something between.
double written_share_of(const Ceiling& ceiling) {
  const auto& mix = facts(ceiling.mix);
  if (mix.stored_bytes == 0) return 0;
  return 1.0 / (mix.explicit_bytes / mix.stored_bytes * ceiling.bytes_per_explicit_byte);
}

/// Traffic of DRAM without its unpaired lines, which have a ceiling of their own.
struct DramParts {
  Traffic others;
  double unpaired = 0, streamed = 0;
};

DramParts dram_parts(const Counts& counts, bool unpaired_apart) {
  DramParts parts{counts.at(MemoryLevel::DRAM).value_or(Traffic{})};
  parts.streamed = std::min(counts.streamed.value_or(0), parts.others.written);
  if (unpaired_apart) parts.unpaired = std::min(counts.unpaired.value_or(0), parts.others.read);
  parts.others.read -= parts.unpaired;
  return parts;
}

double share(double part, double of) { return of > 0 ? part / of : 0; }

void lower(std::optional<Bound>& bound, double rate, const Resource& resource, const Ceiling* ceiling = nullptr) {
  if (!bound || rate < bound->rate) bound = Bound{rate, resource, resource.level, ceiling};
}

/// Counts of unknown precision have a bound where it is the same for double and single: memory's.
std::optional<Bound> whatever_precision(Counts counts, const auto& bound_of) {
  counts.precision = "fp64";
  const auto fp64 = bound_of(counts);
  counts.precision = "fp32";
  const auto fp32 = bound_of(counts);
  return fp64 && fp32 && fp64->level && fp64->rate == fp32->rate ? fp64 : std::nullopt;
}

}  // namespace

double& part_of(Moment& moment, const Ceiling& ceiling) {
  if (ceiling.kind == Ceiling::Kind::overhead) return moment.regions;
  if (ceiling.kind != Ceiling::Kind::bandwidth) return moment.core;
  if (ceiling.level == MemoryLevel::L3) return moment.l3;
  if (ceiling.level != MemoryLevel::DRAM) return moment.core;
  if (ceiling.mix != Mix::stride16) return moment.dram;
  if (!moment.unpaired) moment.unpaired = 1;
  return *moment.unpaired;
}

double rate_at(const Ceiling& ceiling, const Moment& moment) {
  auto copy = moment;
  return ceiling.rate * part_of(copy, ceiling);
}

template <class Matches>
const Ceiling* Roofline::best(Ceiling::Kind kind, Matches matches) const {
  const Ceiling* best = nullptr;
  for (const auto& ceiling : ceilings_)
    if (ceiling.kind == kind && is_ours(ceiling) && matches(ceiling) && (!best || ceiling.rate > best->rate))
      best = &ceiling;
  return best;
}

const Ceiling* Roofline::compute(Operation operation, const std::string& precision) const {
  return best(Ceiling::Kind::compute, [&](const Ceiling& c) {
    return c.operation == operation && c.precision == precision && c.full_rate() && !c.on_matrices();
  });
}

const Ceiling* Roofline::tensor(const std::string& precision) const {
  return best(Ceiling::Kind::compute,
              [&](const Ceiling& c) { return c.on_matrices() && c.precision == precision && c.full_rate(); });
}

const Ceiling* Roofline::bandwidth(MemoryLevel level) const {
  return best(Ceiling::Kind::bandwidth, [&](const Ceiling& c) { return c.level == level && is_roof(c.mix); });
}

const Ceiling* Roofline::bandwidth(MemoryLevel level, Mix mix) const {
  return best(Ceiling::Kind::bandwidth, [&](const Ceiling& c) { return c.level == level && c.mix == mix; });
}

const Ceiling* Roofline::front_end() const {
  return best(Ceiling::Kind::instructions, [](const Ceiling&) { return true; });
}

const Ceiling* Roofline::fork_join() const {
  return best(Ceiling::Kind::overhead, [](const Ceiling&) { return true; });
}

const Ceiling* Roofline::matching_mix(MemoryLevel level, double written_share, double streamed_share) const {
  const Ceiling* best = nullptr;
  double best_distance = 0;
  for (const auto& ceiling : ceilings_) {
    const bool streams = facts(ceiling.mix).streams;
    if (ceiling.kind != Ceiling::Kind::bandwidth || ceiling.level != level || !is_ours(ceiling) ||
        !(is_roof(ceiling.mix) || (streams && streamed_share > 0)))
      continue;
    const double written = written_share_of(ceiling);
    const double distance = std::abs(written - written_share) + std::abs((streams ? written : 0) - streamed_share);
    if (!best || distance < best_distance - 1e-9 || (distance < best_distance + 1e-9 && ceiling.rate > best->rate))
      best = &ceiling, best_distance = distance;
  }
  return best;
}

const Ceiling* Roofline::matching_dram(const Counts& counts) const {
  const auto& traffic = counts.at(MemoryLevel::DRAM);
  if (!traffic || traffic->total() <= 0) return nullptr;
  const auto [others, unpaired, streamed] = dram_parts(counts, bandwidth(MemoryLevel::DRAM, Mix::stride16) != nullptr);
  return matching_mix(MemoryLevel::DRAM, share(others.written, others.total()), share(streamed, others.total()));
}

std::optional<LevelTime> Roofline::level_time(MemoryLevel level, const Counts& counts, const Moment& moment) const {
  const auto& traffic = counts.at(level);
  if (!traffic || traffic->total() <= 0) return std::nullopt;
  if (level == MemoryLevel::L1) return l1_time(counts, moment);
  if (level != MemoryLevel::DRAM) {
    const auto* const bytes = matching_mix(level, traffic->written / traffic->total());
    if (!bytes) return std::nullopt;
    return LevelTime{
        .seconds = traffic->total() / rate_at(*bytes, moment), .resource = {level, bytes->mix}, .ceiling = bytes};
  }
  const auto* const bytes = matching_dram(counts);
  if (!bytes) return std::nullopt;
  const auto* const skipping = bandwidth(level, Mix::stride16);
  const auto parts = dram_parts(counts, skipping != nullptr);
  const double others = parts.others.total() / rate_at(*bytes, moment);
  if (parts.unpaired <= 0) return LevelTime{.seconds = others, .resource = {level, bytes->mix}, .ceiling = bytes};
  // They do not follow the bandwidth of streams: on a Zen 4 guest whose cores were moved, 62 and 36 GB/s of streams
  // went with 40 and 24 of unpaired lines. Where they were not sampled next to the launch, memory that brings lines one
  // by one has no lower rate for them.
  const double skipping_rate =
      moment.unpaired ? skipping->rate * *moment.unpaired : std::min(skipping->rate, rate_at(*bytes, moment));
  const double unpaired = parts.unpaired / skipping_rate;
  const bool mostly = unpaired > others;
  return LevelTime{.seconds = others + unpaired,
                   .unpaired = unpaired,
                   .pairing = rate_at(*bytes, moment) / skipping_rate,
                   .resource = mostly ? Resource(Resource::Kind::unpaired_lines, level) : Resource(level, bytes->mix),
                   .ceiling = mostly ? skipping : bytes};
}

std::optional<LevelTime> Roofline::l1_time(const Counts& counts, const Moment& moment) const {
  Traffic others = *counts.at(MemoryLevel::L1);
  LevelTime time;
  const auto take_out = [&](std::optional<double> bytes, Mix mix) {
    const auto* const ceiling = bandwidth(MemoryLevel::L1, mix);
    if (!ceiling || !bytes) return 0.0;
    const double taken = std::min(*bytes, others.read);
    others.read -= taken;
    return taken / rate_at(*ceiling, moment);
  };
  time.split = take_out(counts.split, Mix::read_split);
  // Without a ceiling of their own, gather instructions count as the fastest way to gather.
  const bool by_instructions = counts.gathers_by_instructions && bandwidth(MemoryLevel::L1, Mix::gather_instructions);
  const auto gathers = by_instructions ? Mix::gather_instructions : Mix::gather;
  time.gathered = take_out(counts.gathered, gathers);
  const auto* const bytes = matching_mix(MemoryLevel::L1, share(others.written, others.total()));
  if (!bytes) return std::nullopt;
  const double rest = others.total() / rate_at(*bytes, moment);
  time.seconds = rest + time.split + time.gathered;
  if (time.gathered > std::max(rest, time.split))
    time.resource = {Resource::Kind::gathers, MemoryLevel::L1}, time.ceiling = bandwidth(MemoryLevel::L1, gathers);
  else if (time.split > std::max(rest, time.gathered))
    time.resource = {Resource::Kind::split_loads, MemoryLevel::L1},
    time.ceiling = bandwidth(MemoryLevel::L1, Mix::read_split);
  else
    time.resource = {MemoryLevel::L1, bytes->mix}, time.ceiling = bytes;
  return time;
}

std::optional<double> Roofline::region_time(const Counts& counts, const Moment& moment) const {
  const auto* const ceiling = fork_join();
  if (!ceiling || !counts.regions) return std::nullopt;
  return *counts.regions / rate_at(*ceiling, moment);
}

std::vector<Roofline::Need> Roofline::other_needs(const Counts& counts) const {
  std::vector<Need> needs;
  const auto add = [&](Resource::Kind resource, Ceiling::Kind kind, const std::optional<double>& amount) {
    const auto* const ceiling = best(kind, [](const Ceiling&) { return true; });
    if (ceiling && amount) needs.push_back({resource, *amount, ceiling});
  };
  add(Resource::Kind::front_end, Ceiling::Kind::instructions, counts.instructions);
  add(Resource::Kind::fork_join, Ceiling::Kind::overhead, counts.regions);
  return needs;
}

std::vector<const Ceiling*> Roofline::binding(const Counts& counts, bool fma) const {
  std::vector<std::pair<double, const Ceiling*>> needs;
  const auto need = [&](double seconds, const Ceiling* ceiling) {
    if (ceiling && seconds > 0) needs.emplace_back(-seconds, ceiling);
  };
  const auto flops = static_cast<double>(counts.operations.flops());
  if (const auto compute = compute_mix(counts.operations, counts.precision))
    need(flops / compute->rate, compute->ceiling);
  if (const auto* const roof = compute(fma ? Operation::fma : Operation::nofma, counts.precision))
    need(flops / roof->rate, roof);
  for (const auto level : all_memory_levels)
    if (const auto time = level_time(level, counts)) need(time->seconds, time->ceiling);
  for (const auto& [resource, amount, ceiling] : other_needs(counts)) need(amount / ceiling->rate, ceiling);
  std::stable_sort(needs.begin(), needs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  constexpr double nearly_as_long = 0.8;
  std::vector<const Ceiling*> binding;
  Moment moment;
  for (const auto& [minus_seconds, ceiling] : needs) {
    if (minus_seconds > nearly_as_long * needs.front().first) break;
    auto& part = part_of(moment, *ceiling);
    if (part != 1) continue;  // another ceiling tells of this part
    part = 2;
    binding.push_back(ceiling);
  }
  return binding;
}

std::optional<double> Roofline::ridge(MemoryLevel level) const {
  const auto* const flops = compute(Operation::fma);
  const auto* const bytes = bandwidth(level);
  if (!flops || !bytes) return std::nullopt;
  return flops->rate / bytes->rate;
}

std::optional<Bound> Roofline::attainable(const Counts& counts, bool fma, const Moment& moment) const {
  if (!counts.knows_precision())
    return whatever_precision(counts, [&](const Counts& as) { return attainable(as, fma, moment); });
  std::optional<Bound> bound;
  const auto operation = fma ? Operation::fma : Operation::nofma;
  if (const auto* const flops = compute(operation, counts.precision))
    lower(bound, rate_at(*flops, moment), fma ? Resource::Kind::fma : Resource::Kind::nofma);
  for (const auto level : all_memory_levels) {
    const auto intensity = counts.intensity(level);
    const auto* const bytes = bandwidth(level);
    if (intensity && bytes) lower(bound, *intensity * rate_at(*bytes, moment), level);
  }
  return bound;
}

std::optional<Bound> Roofline::attainable_mix(const Counts& counts, const Moment& moment) const {
  if (!counts.knows_precision())
    return whatever_precision(counts, [&](const Counts& as) { return attainable_mix(as, moment); });
  if (!counts.kinds_known) return std::nullopt;
  auto bound = compute_mix(counts.operations, counts.precision, moment);
  const auto flops = static_cast<double>(counts.operations.flops());
  for (const auto level : all_memory_levels)
    if (const auto time = level_time(level, counts, moment)) lower(bound, flops / time->seconds, time->resource);
  for (const auto& [resource, amount, ceiling] : other_needs(counts))
    if (amount > 0 && flops > 0) lower(bound, flops * rate_at(*ceiling, moment) / amount, resource);
  return bound;
}

std::optional<LeastTime> least_time(const Roofline& roofline, const Counts& counts, const Operations& executed) {
  std::optional<LeastTime> result;
  const auto need = [&](double seconds, const Resource& bound) {
    if (!result || seconds > result->seconds) result = LeastTime{seconds, bound};
  };
  if (const auto compute = roofline.compute_mix(executed, counts.precision))
    need(static_cast<double>(executed.flops()) / compute->rate, compute->resource);
  for (const auto level : memory_levels)
    if (const auto time = roofline.level_time(level, counts)) need(time->seconds, level);
  if (const auto seconds = roofline.region_time(counts); seconds && *seconds > 0)
    need(*seconds, Resource::Kind::fork_join);
  return result;
}

Counts at_end(Counts counts, double Span::*end) {
  for (const auto level : memory_levels) {
    auto& bytes = counts.at(level);
    const auto& range = counts.range[static_cast<std::size_t>(level)];
    if (!bytes || !range || bytes->total() <= 0) continue;
    const double factor = (*range).*end / bytes->total();
    bytes = Traffic{bytes->read * factor, bytes->written * factor};
  }
  return counts;
}

}  // namespace roofline

#include "bench/model/assessment.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace roofline {
namespace {

/// The resource that takes longest at its ceiling, of a kernel without FLOPs.
class ByTime {
 public:
  explicit ByTime(double seconds) : measured_(seconds) {}
  void need(double seconds, const Resource& bound) {
    if (!slowest_ || seconds / measured_ > slowest_->efficiency)
      slowest_ = Judgement{{}, seconds / measured_, bound, bound.level};
  }
  const std::optional<Judgement>& slowest() const { return slowest_; }

 private:
  double measured_;
  std::optional<Judgement> slowest_;
};

/// One round of a point: the machine's rates, and the time of a launch.
struct Round {
  Moment moment;
  double seconds = 0;
};

/// Against the best mix of each level.
std::optional<Judgement> judge_by_bytes(const Roofline& roofline, const Counts& counts, const Round& round) {
  ByTime time(round.seconds);
  for (const auto level : memory_levels) {
    const auto& traffic = counts.at(level);
    const auto* const ceiling = roofline.bandwidth(level);
    if (traffic && traffic->total() > 0 && ceiling)
      time.need(traffic->total() / rate_at(*ceiling, round.moment), level);
  }
  return time.slowest();
}

/// Against the mixes that the kernel resembles.
std::optional<Judgement> judge_by_mixes(const Roofline& roofline, const Counts& counts, const Round& round) {
  ByTime time(round.seconds);
  for (const auto level : memory_levels)
    if (const auto needed = roofline.level_time(level, counts, round.moment))
      time.need(needed->seconds, needed->resource);
  if (const auto seconds = roofline.region_time(counts, round.moment); seconds && time.slowest())
    time.need(*seconds, Resource::Kind::fork_join);
  return time.slowest();
}

std::optional<Judgement> judge_by_flops(const std::optional<Bound>& bound, const Counts& counts, const Round& round) {
  if (!bound) return std::nullopt;
  const double rate = static_cast<double>(counts.operations.flops()) / round.seconds;
  return Judgement{bound->rate, rate / bound->rate, bound->resource, bound->level};
}

/// The ceiling of a probe; null where this roofline has none of its name.
const Ceiling* ceiling_of(const Roofline& roofline, const Probe& probe) {
  for (const auto& ceiling : roofline.ceilings())
    if (ceiling.name == probe.ceiling) return &ceiling;
  return nullptr;
}

struct Rounds {
  std::vector<Round> used;
  int left_out = 0;
};

Rounds rounds_of(const Roofline& roofline, const KernelPoint& point) {
  const auto times = point.seconds_of_rounds();
  if (point.probes.empty() || times.empty()) return {{{{}, point.time.median}}};
  Rounds rounds;
  std::vector<Round> disturbed;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i] <= 0) continue;
    Round round{{}, times[i]};
    bool is_disturbed_round = false;
    for (const auto& probe : point.probes) {
      const auto* const ceiling = ceiling_of(roofline, probe);
      if (!ceiling || i >= probe.rates.size() || probe.rates[i] <= 0) continue;
      part_of(round.moment, *ceiling) = probe.rates[i] / ceiling->rate;
      is_disturbed_round = is_disturbed_round || is_disturbed(*ceiling, probe.rates[i]);
    }
    (is_disturbed_round ? disturbed : rounds.used).push_back(round);
  }
  // Where all are disturbed, they are what there is.
  if (rounds.used.empty()) return {std::move(disturbed), 0};
  rounds.left_out = static_cast<int>(disturbed.size());
  return rounds;
}

/// By how much shares of two runs differ on one machine beyond the scatter of their rounds, relative: pages and places
/// are others in each run. With this much more a range holds the share of another run in four of five cases
/// (results/precision).
constexpr double between_runs = 0.02;

Interval range_of(const std::vector<double>& shares) {
  auto range = middle_interval(shares);
  range.low *= 1 - between_runs;
  range.high *= 1 + between_runs;
  return range;
}

/// The bound of the round in the middle, with the share and the interval of all; empty without rounds.
std::optional<Judgement> over_rounds(std::vector<Judgement> rounds, int left_out, const KernelPoint& point) {
  if (rounds.empty()) return std::nullopt;
  std::sort(rounds.begin(), rounds.end(),
            [](const Judgement& a, const Judgement& b) { return a.efficiency < b.efficiency; });
  std::vector<double> shares;
  for (const auto& round : rounds) shares.push_back(round.efficiency);
  const bool several = shares.size() >= rounds_of_95_percent;
  const auto range = range_of(shares);
  // A launch that is faster than the roof next to it met a disturbed roof: at least all of the roof. Only where the
  // rounds agree on more does the model contradict itself.
  const bool contradiction = several ? range.low > at_roof_limit : point.probes.empty();
  const double highest = contradiction ? std::numeric_limits<double>::infinity() : 1;
  for (auto& share : shares) share = std::min(share, highest);
  auto judgement = rounds[rounds.size() / 2];
  judgement.efficiency = several ? std::min(range.median, highest) : median(shares);
  judgement.rounds = static_cast<int>(shares.size());
  judgement.left_out = left_out;
  if (several) judgement.range = {judgement.efficiency, std::min(range.low, highest), std::min(range.high, highest)};
  // So that the rate that tables show divided by this roof is the share.
  if (judgement.attainable) judgement.attainable = point.flop_rate() / judgement.efficiency;
  return judgement;
}

}  // namespace

bool is_disturbed(const Ceiling& ceiling, double rate) {
  constexpr double factor = 1.5;
  const bool memory = ceiling.kind == Ceiling::Kind::bandwidth && ceiling.level == MemoryLevel::DRAM;
  return !memory && rate * factor < ceiling.rate_high;
}

Moment typical_moment(const Roofline& roofline, const KernelPoint& point) {
  Moment moment;
  for (const auto& probe : point.probes) {
    auto rates = probe.rates;
    std::erase(rates, 0.0);
    if (const auto* const ceiling = ceiling_of(roofline, probe); ceiling && !rates.empty())
      part_of(moment, *ceiling) = median(rates) / ceiling->rate;
  }
  return moment;
}

Assessment assess(const Roofline& roofline, const KernelPoint& point) {
  if (point.is_bound()) return {};  // it lies on its bound by construction
  if (!can_be_judged(roofline, point.counts)) return {};
  if (roofline.empty() || point.threads != roofline.threads() || !(point.time.median > 0)) return {};
  const auto& counts = point.counts;
  std::vector<Judgement> roof, mix;
  const auto add = [](std::vector<Judgement>& to, const std::optional<Judgement>& judgement) {
    if (judgement) to.push_back(*judgement);
  };
  const auto rounds = rounds_of(roofline, point);
  for (const auto& round : rounds.used) {
    if (counts.operations.flops() == 0) {
      add(roof, judge_by_bytes(roofline, counts, round));
      add(mix, judge_by_mixes(roofline, counts, round));
    } else {
      add(roof, judge_by_flops(roofline.attainable(counts, point.fma, round.moment), counts, round));
      add(mix, judge_by_flops(roofline.attainable_mix(counts, round.moment), counts, round));
    }
  }
  return {over_rounds(std::move(roof), rounds.left_out, point), over_rounds(std::move(mix), rounds.left_out, point),
          point.in_core / point.least_seconds()};
}

void assess(const Roofline& roofline, std::vector<KernelPoint>& points) {
  for (auto& point : points)
    point.assessment = point.threads == roofline.threads()
                           ? assess(roofline, point)
                           : assess(Roofline(roofline.ceilings(), point.threads), point);
}

bool can_be_judged(const Roofline& roofline, const Counts& counts) {
  return std::any_of(all_memory_levels.begin(), all_memory_levels.end(), [&](MemoryLevel level) {
    const auto& traffic = counts.at(level);
    return traffic && (traffic->total() <= 0 || roofline.bandwidth(level));
  });
}

double highest_share(const Assessment& assessment) {
  const auto &roof = assessment.roof, &mix = assessment.mix;
  const auto sure = [](const Judgement& judgement) {
    return judgement.range ? judgement.range->low : judgement.efficiency;
  };
  return std::max(roof ? sure(*roof) : 0, mix && is_proven(*mix) ? sure(*mix) : 0);
}

bool is_proven(const Judgement& judgement) { return judgement.bound.kind != Resource::Kind::split_loads; }

bool core_bounds(const Assessment& assessment) {
  constexpr double hardly_faster = 0.9, none_is_full = 0.8, memory_is_full = 0.895;
  constexpr double disturbed = 1.05;  // memory cannot have made the row faster
  if (!assessment.mix || assessment.in_core < hardly_faster || assessment.in_core > disturbed) return false;
  const auto share = assessment.mix->efficiency;
  const auto& level = assessment.mix->level;
  const bool memory = level && *level != MemoryLevel::L1 && *level != MemoryLevel::L2;
  return share < (memory ? 1 : none_is_full) * std::min(1.0, assessment.in_core) && share < memory_is_full;
}

std::string what_bounds(const Assessment& assessment) {
  const auto &roof = assessment.roof, &mix = assessment.mix;
  if (core_bounds(assessment)) return "core";
  using enum Resource::Kind;
  for (const auto unknown_to_roofs :
       {unpaired_lines, gathers, split_loads, fork_join, front_end, divider, roots, multipliers_in_div})
    if (mix && mix->bound.kind == unknown_to_roofs) return std::string(name(unknown_to_roofs));
  return roof ? name(roof->bound) : std::string();
}

bool above_roof(const Assessment& assessment) { return highest_share(assessment) > at_roof_limit; }

const char* const above_roof_causes =
    "its share of a roof is above 103 % in its whole interval, which is impossible. Possible reasons: a wrong count of "
    "bytes or FLOPs, data in a faster level than in the model, a ceiling of another access mix or thread count, "
    "skipped work; for DRAM in a virtual machine up to 112 % may come from faster pages than the ceiling's";

std::optional<double> bandwidth(const KernelPoint& point, MemoryLevel level) {
  const auto& traffic = point.counts.at(level);
  if (!traffic || !(point.time.median > 0)) return std::nullopt;
  return traffic->total() / point.time.median;
}

std::optional<MemoryLevel> outermost_level(const Counts& counts) {
  std::optional<MemoryLevel> outermost;
  for (const auto level : memory_levels)
    if (counts.intensity(level)) outermost = level;
  return outermost;
}

std::optional<MemoryLevel> reported_level(const KernelPoint& point, const Assessment& assessment) {
  if (assessment.roof && assessment.roof->level) return assessment.roof->level;
  return outermost_level(point.counts);
}

}  // namespace roofline

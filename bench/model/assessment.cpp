#include "bench/model/assessment.hpp"

#include <algorithm>

#include "bench/model/core_distance.hpp"

namespace roofline {
namespace {

Judgement judge(const KernelPoint& point, const Bound& bound) {
  return {bound.rate, point.flop_rate() / bound.rate, bound.name, bound.level};
}

/// The resource that takes longest at its ceiling, of a kernel without FLOPs.
class ByTime {
 public:
  explicit ByTime(const KernelPoint& point) : measured_(point.time.median) {}
  void need(double seconds, const std::string& bound, std::optional<MemoryLevel> level) {
    if (!slowest_ || seconds / measured_ > slowest_->efficiency)
      slowest_ = Judgement{{}, seconds / measured_, bound, level};
  }
  const std::optional<Judgement>& slowest() const { return slowest_; }

 private:
  double measured_;
  std::optional<Judgement> slowest_;
};

/// Against the best mix of each level.
std::optional<Judgement> judge_by_bytes(const Roofline& roofline, const KernelPoint& point) {
  ByTime time(point);
  for (const auto level : memory_levels) {
    const auto& traffic = point.counts.at(level);
    const auto* const ceiling = roofline.bandwidth(level);
    if (traffic && traffic->total() > 0 && ceiling)
      time.need(traffic->total() / rate_at(*ceiling, moment_of(point)), std::string(name(level)), level);
  }
  return time.slowest();
}

/// Against the mixes that the kernel resembles.
std::optional<Judgement> judge_by_mixes(const Roofline& roofline, const KernelPoint& point) {
  ByTime time(point);
  for (const auto level : memory_levels)
    if (const auto needed = roofline.level_time(level, point.counts, moment_of(point)))
      time.need(needed->seconds, std::string(name(level)) + " " + needed->mix, level);
  if (const auto seconds = roofline.region_time(point.counts); seconds && time.slowest())
    time.need(*seconds, "fork-join", {});
  return time.slowest();
}

/// The cores lay otherwise beside the point than for a roof that they share.
bool elsewhere(const Roofline& roofline, const KernelPoint& point) {
  for (const auto level : {MemoryLevel::L3, MemoryLevel::DRAM})
    if (const auto* const roof = roofline.bandwidth(level);
        roof && !may_be_same_distance(point.core_distance, roof->core_distance))
      return true;
  return false;
}

}  // namespace

double dram_pace(const KernelPoint& point) {
  // The median of the products is what both had together; the product of the medians may never have been.
  if (point.paced_time && point.time.median > 0) return point.paced_time->median / point.time.median;
  return point.dram_pace ? point.dram_pace->mean() : 1;
}

Moment moment_of(const KernelPoint& point) {
  if (point.lone_pace) return {1, point.core_clock, dram_pace(point)};
  return {dram_pace(point), point.core_clock};
}

const Ceiling* paced_ceiling(const Roofline& roofline, const KernelPoint& point) {
  return point.lone_pace ? roofline.bandwidth(MemoryLevel::DRAM, Mix::stride16) : roofline.matching_dram(point.counts);
}

Assessment assess(const Roofline& roofline, const KernelPoint& point) {
  if (point.is_bound()) return {};  // it lies on its bound by construction
  if (roofline.empty() || point.threads != roofline.threads() || !(point.time.median > 0)) return {};
  Assessment assessment;
  assessment.elsewhere = elsewhere(roofline, point);
  assessment.in_caches = point.in_caches / point.time.median;
  if (point.counts.operations.flops() == 0) {
    assessment.roof = judge_by_bytes(roofline, point);
    assessment.mix = judge_by_mixes(roofline, point);
    return assessment;
  }
  if (const auto bound = roofline.attainable(point.counts, point.fma, moment_of(point)))
    assessment.roof = judge(point, *bound);
  if (const auto bound = roofline.attainable_mix(point.counts, moment_of(point))) assessment.mix = judge(point, *bound);
  return assessment;
}

void assess(const Roofline& roofline, std::vector<KernelPoint>& points) {
  for (auto& point : points)
    point.assessment = point.threads == roofline.threads()
                           ? assess(roofline, point)
                           : assess(Roofline(roofline.ceilings(), point.threads), point);
}

double highest_share(const Assessment& assessment) {
  if (assessment.elsewhere) return 0;  // the roofs are of another placement: it may be above
  const auto &roof = assessment.roof, &mix = assessment.mix;
  return std::max(roof ? roof->efficiency : 0, mix && is_proven(*mix) ? mix->efficiency : 0);
}

bool is_proven(const Judgement& judgement) { return judgement.bound != "L1 split loads"; }

bool is_of_lone_lines(const Judgement& judgement) { return judgement.bound == "DRAM lone lines"; }

bool core_bounds(const Assessment& assessment) {
  constexpr double hardly_faster = 0.9, none_is_full = 0.8;
  if (!assessment.mix || assessment.in_caches < hardly_faster) return false;
  const auto& [attainable, share, bound, level] = *assessment.mix;
  const bool memory = level && *level != MemoryLevel::L1 && *level != MemoryLevel::L2;
  return share < (memory ? 1 : none_is_full) * std::min(1.0, assessment.in_caches);
}

std::string what_bounds(const Assessment& assessment) {
  const auto &roof = assessment.roof, &mix = assessment.mix;
  if (core_bounds(assessment)) return "core";
  if (mix && is_of_lone_lines(*mix)) return "lone lines";
  if (mix && mix->bound == "L1 gathers") return "gathers";
  if (mix && mix->bound == "L1 split loads") return "split loads";
  if (mix && (mix->bound == "fork-join" || mix->bound == "front end")) return mix->bound;
  return roof ? roof->bound : std::string();
}

bool above_roof(const Assessment& assessment) { return highest_share(assessment) > at_roof_limit; }

const char* const above_roof_causes =
    "above 105 % of a roof, which cannot be: most often a ceiling that was measured while disturbed, or memory that "
    "changed its speed since; else a wrong count of bytes or FLOPs, data in a faster level than the model puts them, a "
    "ceiling of another access mix, clock or thread count, or work that was skipped";

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

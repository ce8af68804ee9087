#include "reporters/view/family_summary.hpp"

#include <algorithm>

#include "bench/model/assessment.hpp"
#include "bench/text/format.hpp"

namespace roofline {
namespace {

std::string from_to(const std::string& low, const std::string& high) { return low == high ? low : low + ".." + high; }

FamilySummary summary_of(const FamilyGroup& group) {
  FamilySummary family;
  family.group = &group;
  const bool any_drawable =
      std::any_of(group.members.begin(), group.members.end(), [](const auto& m) { return drawable(*m.point); });
  const Member* fastest = nullptr;
  for (const auto& member : group.members) {
    const KernelPoint& point = *member.point;
    if (any_drawable && !drawable(point)) continue;
    if (const auto level = outermost_level(point.counts))
      if (const auto intensity = point.counts.intensity(*level)) family.intensity.include(*intensity);
    if (any_drawable && point.flop_rate() > family.best_rate) family.best_rate = point.flop_rate(), fastest = &member;
    const auto& roof = point.assessment.roof;
    if (!roof) continue;
    if (!family.best_efficiency || roof->efficiency > *family.best_efficiency)
      family.best_efficiency = roof->efficiency, family.best = &member;
    if (!family.worst_efficiency || roof->efficiency < *family.worst_efficiency)
      family.worst_efficiency = roof->efficiency, family.worst = &member;
  }
  if (family.worst == family.best) family.worst = nullptr;
  if (!family.best) family.best = fastest;
  return family;
}

}  // namespace

bool drawable(const KernelPoint& point) { return point.counts.operations.flops() > 0 && point.time.median > 0; }

std::vector<FamilySummary> summarise(const std::vector<FamilyGroup>& groups) {
  std::vector<FamilySummary> families;
  for (const auto& group : groups) families.push_back(summary_of(group));
  return families;
}

std::vector<std::string> cells_of(const FamilySummary& family) {
  const auto& [low, high] = family.intensity;
  return {family.group->heading, std::to_string(family.group->members.size()),
          family.intensity.empty() ? std::string(absent) : from_to(significant(low), significant(high)),
          family.best_rate > 0 ? significant(giga(family.best_rate)) : std::string(absent),
          from_to(percent(family.worst_efficiency), percent(family.best_efficiency))};
}

}  // namespace roofline

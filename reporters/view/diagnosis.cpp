#include <algorithm>
#include <cmath>

#include "bench/model/assessment.hpp"
#include "reporters/view/explain.hpp"
#include "reporters/view/time_breakdown.hpp"

namespace roofline {
namespace {

/// From here on a resource is called the bound; below, none is busy for most of the time.
constexpr double bounds_from = 0.6, done_from = 0.895;  // 90 % as it is printed

/// Bytes of DRAM that streaming stores would not read.
double spared_by_streaming(const Counts& counts) {
  return std::max(0.0, counts.overwritten.value_or(0) - counts.evaded);
}

/// The part of the bytes of DRAM that streaming stores would not read; 0 where it is not worth a word, and where lines
/// are stored to several times before they leave the caches: such stores would write them as often.
double spared_part(const Counts& counts) {
  constexpr double worth_it = 0.1, once = 1.1;
  const auto &source = counts.at(MemoryLevel::L1), &traffic = counts.at(MemoryLevel::DRAM);
  if (source && traffic && source->written > once * traffic->written) return 0;
  const double part = traffic && traffic->total() > 0 ? spared_by_streaming(counts) / traffic->total() : 0;
  return part > worth_it ? part : 0;
}

/// The bytes of a level beside those that the source loads and stores, apart from lines that are overwritten: the same
/// where nothing is used twice and nothing is moved in vain.
TimeCause cause_of_bytes(const Counts& counts, MemoryLevel level) {
  constexpr double tolerance = 0.05;
  const auto &source = counts.at(MemoryLevel::L1), &moved = counts.at(level);
  if (!source || !moved || level == MemoryLevel::L1) return TimeCause::bytes;
  // Where nobody knows which lines are overwritten it may be all that are written.
  const double least = moved->total() - counts.overwritten.value_or(moved->written);
  const double most = moved->total() - counts.overwritten.value_or(0);
  if (least > (1 + 2 * tolerance) * source->total()) return TimeCause::in_vain;
  const bool alike = least <= (1 + tolerance) * source->total() && most >= (1 - tolerance) * source->total();
  // Lines that are read to be overwritten are not needed, whether or not other stores would be faster.
  return alike && spared_part(counts) == 0 ? TimeCause::compulsory : TimeCause::bytes;
}

/// The time of the bytes of DRAM, relative to now, if stores that overwrite whole lines were streaming ones: 1 where
/// they then resemble no mix of such stores. Absent where no ceiling has any.
std::optional<double> time_with_streaming(const Roofline& roofline, const Counts& counts) {
  auto streaming = counts;
  const double spared = spared_by_streaming(counts);
  auto& traffic = *streaming.at(MemoryLevel::DRAM);
  traffic.read -= std::min(spared, traffic.read);
  streaming.streamed = std::min(counts.streamed.value_or(0) + spared, traffic.written);
  const auto now = roofline.level_time(MemoryLevel::DRAM, counts),
             then = roofline.level_time(MemoryLevel::DRAM, streaming);
  const auto streams = [](const Ceiling& c) { return c.kind == Ceiling::Kind::bandwidth && facts(c.mix).streams; };
  const auto& all = roofline.ceilings();
  if (!now || !then || std::none_of(all.begin(), all.end(), streams)) return std::nullopt;
  return then->ceiling && streams(*then->ceiling) ? then->seconds / now->seconds : 1;
}

/// The cause behind a resource that binds, and the part of its time that would stay without the cause; absent: nobody
/// knows.
std::pair<TimeCause, std::optional<double>> cause_of(const ResourceShare& top, const Roofline& roofline,
                                                     const Counts& counts) {
  using enum Resource::Kind;
  const auto kind = top.resource.kind;
  constexpr double faster = 1.1;
  if (kind == divider || kind == roots) return {TimeCause::divider, 0};
  if (top.resource.is_arithmetic()) return {TimeCause::arithmetic, 0};
  if (kind == front_end) return {TimeCause::front_end, 0};
  if (kind == fork_join) return {TimeCause::fork_join, 0};
  if (top.unpaired > top.share / 2 && top.pairing > faster)
    return {TimeCause::unpaired, 1 - top.unpaired / top.share * (1 - 1 / top.pairing)};
  if (top.gathered > top.share / 2) return {TimeCause::gathers, 1 - top.gathered / top.share};
  if (top.split > top.share / 2) return {TimeCause::split, 1 - top.split / top.share};
  const auto level = top.resource.level.value_or(MemoryLevel::L1);
  constexpr double worth_it = 0.95;
  // Among several loops the next one may read what the one before has written.
  if (level == MemoryLevel::DRAM && spared_part(counts) > 0 && counts.regions.value_or(1) < 2)
    if (const auto then = time_with_streaming(roofline, counts); !then || *then < worth_it)
      return {TimeCause::overwritten, then};
  return {cause_of_bytes(counts, level), std::nullopt};
}

/// Without its cause the time is not less than what stays of the top resource, what the next one needs, and, of a row
/// that waits for memory, what its core was measured to need.
void limit_gain(Diagnosis& d, double stays, double core) {
  const double second = d.second ? d.second->share : 0, least = std::max({stays, second, core});
  if (least <= 0) return;
  d.gain = std::max(1.0, 1 / least);
  d.then_core = core > 0 && core == least;
  if (d.then_core || stays > second) d.second.reset();
}

/// Units and front end work side by side, and what helps the one helps the other.
bool is_of_instructions(const ResourceShare& r) {
  return r.resource.is_arithmetic() || r.resource.kind == Resource::Kind::front_end;
}

bool is_in_core(const ResourceShare& r) {
  const auto& level = r.resource.level;
  return level ? *level <= MemoryLevel::L2 : is_of_instructions(r);
}

/// The resource that binds when `top` does no more.
std::optional<ResourceShare> next_of(const std::vector<ResourceShare>& resources) {
  const auto& top = resources.front();
  const auto second = std::find_if(resources.begin() + 1, resources.end(), [&](const auto& r) {
    return r.share > 0 && !(is_of_instructions(top) && is_of_instructions(r));
  });
  return second == resources.end() ? std::nullopt : std::optional(*second);
}

}  // namespace

std::vector<ResourceShare> resource_shares(const Roofline& roofline, const KernelPoint& point) {
  std::vector<ResourceShare> resources;
  if (!(point.time.median > 0)) return resources;
  const auto account = time_breakdown(roofline, point);
  if (account.compute)
    resources.push_back({compute_bound(roofline, point)->resource, *account.compute / point.time.median});
  const auto part = [&](MemoryLevel level, MemoryLevel of, const std::optional<double>& seconds) {
    return level == of ? seconds.value_or(0) / point.time.median : 0;
  };
  for (const auto level : memory_levels)
    if (const auto& seconds = account.levels[static_cast<std::size_t>(level)])
      resources.push_back({.resource = level,
                           .share = *seconds / point.time.median,
                           .unpaired = part(level, MemoryLevel::DRAM, account.unpaired),
                           .pairing = account.pairing,
                           .gathered = part(level, MemoryLevel::L1, account.gathered),
                           .split = part(level, MemoryLevel::L1, account.split)});
  if (account.front_end) resources.push_back({Resource::Kind::front_end, *account.front_end / point.time.median});
  if (account.regions) resources.push_back({Resource::Kind::fork_join, *account.regions / point.time.median});
  std::stable_sort(resources.begin(), resources.end(), [](const auto& a, const auto& b) { return a.share > b.share; });
  return resources;
}

std::optional<Diagnosis> diagnose(const Roofline& roofline, const KernelPoint& point) {
  const auto resources = resource_shares(roofline, point);
  if (resources.empty()) return std::nullopt;
  Diagnosis d{.cause = TimeCause::latency, .top = resources.front(), .second = next_of(resources)};
  const auto account = time_breakdown(roofline, point);
  const double core = account.in_core.value_or(0) / point.time.median;
  const auto [cause, stays] = cause_of(d.top, roofline, point.counts);
  if (!point.is_bound() && d.top.share > disturbed_from) {
    d.cause = TimeCause::disturbed;
  } else if (!point.is_bound() && d.top.share >= done_from && cause != TimeCause::overwritten) {
    d.cause = TimeCause::done;
    if (d.top.resource.level) d.of_bytes = cause_of_bytes(point.counts, *d.top.resource.level);
  } else if (core_bounds(point.assessment)) {
    d.cause = TimeCause::core;
  } else if (!point.is_bound() && d.top.share < bounds_from) {
    constexpr double nearly_all = 0.9;
    const bool known = !account.parts(point.time.median).empty();
    d.cause = known && account.sum() >= nearly_all * point.time.median ? TimeCause::waiting : TimeCause::latency;
    if (point.counts.regions.value_or(1) >= 2) d.cause = TimeCause::loops;
    if (core >= bounds_from && core <= 1) {
      d.cause = TimeCause::mostly_core;
      const auto most = std::find_if(resources.begin(), resources.end(), is_in_core);
      if (most != resources.end()) d.in_core = *most;
    }
    // Its bytes stay as they are, and so do its operations.
    d.second = d.top;
    if (d.cause == TimeCause::waiting || d.cause == TimeCause::mostly_core) limit_gain(d, 0, core);
  } else {
    d.cause = cause;
    const auto level = d.top.resource.level;
    if (cause == TimeCause::overwritten) {
      // The rest of the time stays, and other resources need theirs.
      const double rest = 1 - d.top.share * (1 - stays.value_or(1));
      if (stays) d.gain = std::max(1.0, 1 / std::max({rest, core, d.second ? d.second->share : 0}));
      d.second.reset();
    } else if (stays)
      limit_gain(d, *stays * d.top.share, level && *level >= MemoryLevel::L3 ? core : 0);
  }
  if (d.cause == TimeCause::overwritten) d.spared = spared_part(point.counts);
  return d;
}

}  // namespace roofline

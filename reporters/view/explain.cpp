#include "reporters/view/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bench/model/assessment.hpp"
#include "bench/text/format.hpp"
#include "reporters/view/time_breakdown.hpp"

namespace roofline {
namespace {

/// From here on a resource is called the bound; below, no single one is.
constexpr double bounds_from = 0.6, at_roof_from = 0.85;

std::string whole_percent(double fraction) { return fmt::format("{:.0f} %", 100 * fraction); }

bool is_plural(Resource::Kind kind) {
  using enum Resource::Kind;
  return kind == fma || kind == multipliers || kind == multipliers_in_div || kind == adders;
}

/// "only fewer bytes help, up to 3.6 times (then the adders)".
std::string what_lifts(const std::vector<ResourceShare>& resources) {
  using enum Resource::Kind;
  const auto& top = resources.front();
  const std::string text =
      top.resource.is_arithmetic()     ? "fewer or wider instructions help, not bandwidth"
      : top.resource.kind == fork_join ? "fewer and longer parallel loops help, nothing else"
      : top.unpaired > top.share / 2   ? "it reads one line of each pair, and using both helps, not FLOP/s"
      : top.gathered > top.share / 2   ? "it gathers numbers that lie apart, and neighbours in memory help, not FLOP/s"
      : top.split > top.share / 2      ? "its vectors cross the ends of lines, and aligned loads help, not FLOP/s"
      : top.resource.kind == front_end ? "fewer or wider instructions help"
                                       : "fewer bytes help, not FLOP/s";
  // Units and front end work side by side, and what helps the one helps the other.
  const auto of_instructions = [](const ResourceShare& r) {
    return r.resource.is_arithmetic() || r.resource.kind == front_end;
  };
  const auto second = std::find_if(resources.begin() + 1, resources.end(), [&](const auto& r) {
    return r.share > 0 && !(of_instructions(top) && of_instructions(r));
  });
  const double factor = second == resources.end() ? 100 : top.share / second->share;
  if (factor >= 20) return text;
  if (factor < 1.15)
    return fmt::format("{}, and only together with {}, which {} nearly as much of the time", text,
                       in_words(second->resource), is_plural(second->resource.kind) ? "need" : "needs");
  return fmt::format("{}, up to {} times the speed (then {})", text, significant(factor, 2),
                     in_words(second->resource));
}

/// A kernel that no single resource explains.
std::string unexplained(const TimeBreakdown& account, double seconds) {
  const auto parts = in_percents(account.parts(seconds));
  if (account.sum() >= 0.9 * seconds)
    return fmt::format(
        "No single resource bounds it. Its time: {}. The parts seem to wait for one another: more loads in flight or "
        "prefetching would help.",
        parts);
  return fmt::format(
      "Far from every roof. Its time: {}. The rest is latency, instructions that are not counted, or start and end of "
      "the loops.",
      parts);
}

std::string of_bound(const KernelPoint& point, const std::vector<ResourceShare>& resources) {
  auto text =
      fmt::format("At least {}, which {} needs at its ceiling", duration(point.time.median), in_words(*point.bound_by));
  if (resources.empty()) return text + ".";
  return text + ": " + what_lifts(resources) + ".";
}

std::string above(const Judgement& judgement) {
  return fmt::format(
      "At {} of its {} roof, which cannot be. A count of its bytes or FLOPs is wrong, or its data lie in a faster "
      "level than the model puts them.",
      whole_percent(judgement.efficiency), in_words(judgement.bound));
}

/// What the experiment without memory says.
std::string without_memory(const Assessment& assessment) {
  if (!(assessment.in_core > 0)) return {};
  if (core_bounds(assessment))
    return fmt::format(
        " With its data in the caches of the core it takes {} of this time: the core binds it, by latencies or "
        "instructions that have no ceiling here.",
        whole_percent(assessment.in_core));
  return fmt::format(" With its data in the caches of the core it takes {} of this time.",
                     whole_percent(assessment.in_core));
}

/// Of a row whose clock the load itself has lowered: how far it is from the roof at that clock.
std::string at_its_clock(const Roofline& roofline, const KernelPoint& point) {
  constexpr double same_clock = 0.02;
  const auto* const ceiling = roofline.compute(point.fma ? Operation::fma : Operation::nofma);
  const auto& roof = point.assessment.roof;
  if (!roof || roof->level || !ceiling || point.clock <= 0 || ceiling->clock_end * (1 - same_clock) <= point.clock)
    return {};
  return fmt::format(" It ran at {:.2f} GHz, its ceiling at {:.2f}: at that clock it is at {} of the roof.",
                     1e-9 * point.clock, 1e-9 * ceiling->clock_end,
                     whole_percent(roof->efficiency * ceiling->clock_end / point.clock));
}

/// How well the share is known, where that is not well.
std::string unresolved(const Assessment& assessment) {
  const auto& roof = assessment.roof;
  if (!roof || !roof->range || roof->resolved()) return {};
  return fmt::format(" Over the rounds its share was {:.0f} .. {}.", 100 * roof->range->low,
                     whole_percent(roof->range->high));
}

}  // namespace

std::string in_words(const Resource& resource) {
  using enum Resource::Kind;
  static const std::map<Resource::Kind, const char*> words{{fma, "the FMA units"},
                                                           {nofma, "arithmetic without FMA"},
                                                           {multipliers, "the FMA and multiply units"},
                                                           {multipliers_in_div, "the FMA units, with divisions"},
                                                           {adders, "the adders"},
                                                           {issue, "instruction issue"},
                                                           {divider, "the divider"},
                                                           {roots, "the divider, by square roots"},
                                                           {front_end, "fetching and decoding instructions"},
                                                           {fork_join, "starting threads and waiting for them"}};
  const auto found = words.find(resource.kind);
  return found == words.end() ? name(resource) : found->second;
}

std::vector<ResourceShare> resource_shares(const Roofline& roofline, const KernelPoint& point) {
  std::vector<ResourceShare> resources;
  if (!(point.time.median > 0)) return resources;
  const auto account = time_breakdown(roofline, point);
  if (account.compute)
    resources.push_back({roofline.compute_mix(point.counts.operations, point.counts.precision)->resource,
                         *account.compute / point.time.median});
  const auto part = [&](MemoryLevel level, MemoryLevel of, const std::optional<double>& seconds) {
    return level == of ? seconds.value_or(0) / point.time.median : 0;
  };
  for (const auto level : memory_levels)
    if (const auto& seconds = account.levels[static_cast<std::size_t>(level)])
      resources.push_back({.resource = level,
                           .share = *seconds / point.time.median,
                           .unpaired = part(level, MemoryLevel::DRAM, account.unpaired),
                           .gathered = part(level, MemoryLevel::L1, account.gathered),
                           .split = part(level, MemoryLevel::L1, account.split)});
  if (account.front_end) resources.push_back({Resource::Kind::front_end, *account.front_end / point.time.median});
  if (account.regions) resources.push_back({Resource::Kind::fork_join, *account.regions / point.time.median});
  std::stable_sort(resources.begin(), resources.end(), [](const auto& a, const auto& b) { return a.share > b.share; });
  return resources;
}

std::string explain(const Roofline& roofline, const KernelPoint& point) {
  const auto resources = resource_shares(roofline, point);
  if (point.is_bound()) return of_bound(point, resources);
  if (roofline.empty()) return "This run has no ceilings to compare it with.";
  if (!(point.time.median > 0)) return "Not judged: its time is not known.";
  if (point.threads != roofline.threads())
    return fmt::format("Not judged: it ran with {}, the ceilings with {}.", threads_text(point.threads),
                       roofline.threads());
  if (resources.empty()) return "Not judged: nothing that it needs has a ceiling.";
  const auto &roof = point.assessment.roof, &mix = point.assessment.mix;
  if (above_roof(point.assessment)) {
    const bool of_mix = mix && mix->efficiency > at_roof_limit && is_proven(*mix);
    return above(of_mix ? *mix : *roof);
  }
  const auto& top = resources.front();
  const auto account = time_breakdown(roofline, point);
  if (top.share < bounds_from)
    return unexplained(account, point.time.median) + without_memory(point.assessment) + at_its_clock(roofline, point) +
           unresolved(point.assessment);
  const auto bound =
      top.resource.is_arithmetic() ? "Bound by " + in_words(top.resource) : name(top.resource) + "-bound";
  const auto parts = in_percents(account.parts(point.time.median));
  const auto lost = top.share < at_roof_from && !parts.empty() ? fmt::format(" Its time: {}.", parts) : "";
  return fmt::format("{} at {} of the roof of its mix: {}.{}{}{}{}", bound, whole_percent(top.share),
                     what_lifts(resources), lost, without_memory(point.assessment), at_its_clock(roofline, point),
                     unresolved(point.assessment));
}

}  // namespace roofline

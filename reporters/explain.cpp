#include "reporters/explain.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/model/assessment.hpp"
#include "bench/text/format.hpp"
#include "reporters/time_account.hpp"

namespace roofline {
namespace {

/// From here on a resource is called the bound; below, no single one is.
constexpr double bounds_from = 0.6, at_roof_from = 0.85;

std::string whole_percent(double fraction) { return fmt::format("{:.0f} %", 100 * fraction); }

/// "only fewer bytes help, up to 3.6 times (then the adders)".
std::string what_lifts(const std::vector<ResourceShare>& resources) {
  const auto& top = resources.front();
  const std::string text =
      top.compute                    ? "fewer or wider instructions help, not bandwidth"
      : top.name == "fork-join"      ? "fewer and longer parallel loops help, nothing else"
      : top.lone > top.share / 2     ? "it reads one line of each pair, and using both helps, not FLOP/s"
      : top.gathered > top.share / 2 ? "it gathers numbers that lie apart, and neighbours in memory help, not FLOP/s"
      : top.split > top.share / 2    ? "its vectors cross the ends of lines, and aligned loads help, not FLOP/s"
      : top.name == "front end"      ? "fewer or wider instructions help"
                                     : "fewer bytes help, not FLOP/s";
  // Units and front end work side by side, and what helps the one helps the other.
  const auto of_instructions = [](const ResourceShare& r) { return r.compute || r.name == "front end"; };
  const auto second = std::find_if(resources.begin() + 1, resources.end(), [&](const auto& r) {
    return r.share > 0 && !(of_instructions(top) && of_instructions(r));
  });
  const double factor = second == resources.end() ? 100 : top.share / second->share;
  if (factor >= 20) return text;
  if (factor < 1.15)
    return fmt::format("{}, and only together with {}, which {} nearly as much of the time", text,
                       in_words(second->name),
                       second->compute && second->name != "issue" && second->name != "div" ? "need" : "needs");
  return fmt::format("{}, up to {} times the speed (then {})", text, significant(factor, 2), in_words(second->name));
}

/// A kernel that no single resource explains; `sum` of what all need, relative to its time.
std::string unexplained(const std::vector<ResourceShare>& resources, double sum) {
  std::string list;
  for (const auto& resource : resources) {
    if (&resource - resources.data() < 3 && resource.share > 0.05)
      list += fmt::format("{}{} {}", list.empty() ? "" : ", ", in_words(resource.name), whole_percent(resource.share));
  }
  if (sum >= 0.9)
    return fmt::format(
        "No single resource bounds it ({}), but together they need {} of the time: they seem to wait for one another, "
        "and more loads in flight or prefetching would help.",
        list, whole_percent(sum));
  return fmt::format(
      "Far from every roof: all that is counted needs {} of the time ({}). The rest is latency, instructions "
      "that are not counted, or start and end of the loops.",
      whole_percent(sum), list);
}

std::string of_bound(const KernelPoint& point, const std::vector<ResourceShare>& resources) {
  auto text =
      fmt::format("At least {}, which {} needs at its ceiling", duration(point.time.median), in_words(point.bound_by));
  if (resources.empty()) return text + ".";
  return text + ": " + what_lifts(resources) + ".";
}

std::string above(const KernelPoint& point, const Judgement& judgement) {
  auto text = fmt::format("At {} of its {} roof, which cannot be: ", whole_percent(judgement.efficiency),
                          in_words(judgement.bound));
  if (point.dram_pace && point.dram_pace->moved())
    text += "DRAM changed its speed while it ran";
  else if (point.contaminated > contamination_limit || !point.converged)
    text += "its time or the ceiling was measured while disturbed";
  else
    text += "the ceiling was measured while disturbed, or the count of bytes or FLOPs is wrong";
  return text + ". Measure both again.";
}

/// What the experiment without memory says.
std::string without_memory(const Assessment& assessment) {
  if (!(assessment.in_caches > 0)) return {};
  if (core_bounds(assessment))
    return fmt::format(
        " With its data in the caches of the core it takes {} of this time: the core binds it, by latencies or "
        "instructions that have no ceiling here.",
        whole_percent(assessment.in_caches));
  return fmt::format(" With its data in the caches of the core it takes {} of this time.",
                     whole_percent(assessment.in_caches));
}

/// What the reader must know before quoting it.
std::string caveat(const KernelPoint& point) {
  if (point.contaminated > contamination_limit)
    return fmt::format(" Disturbed in {} of its samples.", whole_percent(point.contaminated));
  if (point.assessment.elsewhere)
    return " The hypervisor had the cores elsewhere than for the ceilings of L3 and DRAM: their shares are of another "
           "placement.";
  if (point.dram_pace && point.dram_pace->differs())
    return fmt::format(" DRAM ran at {} of its ceiling beside it.", whole_percent(point.dram_pace->mean()));
  return {};
}

}  // namespace

std::string in_words(const std::string& resource) {
  if (resource == "fma+mul") return "the FMA and multiply units";
  if (resource == "fma+mul+div") return "the FMA units, with divisions";
  if (resource == "add") return "the adders";
  if (resource == "mul") return "the multipliers";
  if (resource == "issue") return "instruction issue";
  if (resource == "div") return "the divider";
  if (resource == "fma") return "the FMA units";
  if (resource == "nofma") return "arithmetic without FMA";
  if (resource == "front end") return "fetching and decoding instructions";
  if (resource == "fork-join") return "starting threads and waiting for them";
  return resource;
}

std::vector<ResourceShare> resource_shares(const Roofline& roofline, const KernelPoint& point) {
  std::vector<ResourceShare> resources;
  if (!(point.time.median > 0)) return resources;
  const auto account = time_account(roofline, point);
  if (account.compute)
    resources.push_back(
        {roofline.compute_mix(point.counts.operations)->name, true, *account.compute / point.time.median});
  const auto part = [&](MemoryLevel level, MemoryLevel of, const std::optional<double>& seconds) {
    return level == of ? seconds.value_or(0) / point.time.median : 0;
  };
  for (const auto level : memory_levels)
    if (const auto& seconds = account.levels[static_cast<std::size_t>(level)])
      resources.push_back({.name = std::string(name(level)),
                           .share = *seconds / point.time.median,
                           .lone = part(level, MemoryLevel::DRAM, account.lone),
                           .gathered = part(level, MemoryLevel::L1, account.gathered),
                           .split = part(level, MemoryLevel::L1, account.split)});
  if (account.front_end) resources.push_back({"front end", false, *account.front_end / point.time.median});
  if (account.regions) resources.push_back({"fork-join", false, *account.regions / point.time.median});
  std::stable_sort(resources.begin(), resources.end(), [](const auto& a, const auto& b) { return a.share > b.share; });
  return resources;
}

std::string explain(const Roofline& roofline, const KernelPoint& point) {
  const auto resources = resource_shares(roofline, point);
  if (point.is_bound()) return of_bound(point, resources);
  if (roofline.empty()) return "This run has no ceilings to hold it against.";
  if (resources.empty())
    return fmt::format("Not judged: it ran with {}, the ceilings with {}.", threads_text(point.threads),
                       roofline.threads());
  const auto &roof = point.assessment.roof, &mix = point.assessment.mix;
  if (above_roof(point.assessment)) {
    const bool of_mix = mix && mix->efficiency > at_roof_limit && is_proven(*mix);
    return above(point, of_mix ? *mix : *roof);
  }
  const auto& top = resources.front();
  if (top.share < bounds_from)
    return unexplained(resources, time_account(roofline, point).sum() / point.time.median) +
           without_memory(point.assessment) + caveat(point);
  const auto bound = top.compute ? "Bound by " + in_words(top.name) : top.name + "-bound";
  const auto lost =
      top.share < at_roof_from ? fmt::format(" {} of the time goes elsewhere.", whole_percent(1 - top.share)) : "";
  return fmt::format("{} at {} of the roof of its mix: {}.{}{}{}", bound, whole_percent(top.share),
                     what_lifts(resources), lost, without_memory(point.assessment), caveat(point));
}

}  // namespace roofline

#include "reporters/view/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bench/model/assessment.hpp"
#include "bench/text/format.hpp"
#include "reporters/view/time_breakdown.hpp"

namespace roofline {
namespace {

/// From here on a resource is called the bound; below, none is busy for most of the time.
constexpr double bounds_from = 0.6, done_from = 0.895;  // 90 % as it is printed

/// A remedy for a cause. The advice is never to use wider vectors: the ceilings are measured with the widest ones, and
/// code with narrower ones reaches at most half of them.
struct Advice {
  TimeCause cause;
  const char* helps;
};

constexpr Advice advice[] = {
    {TimeCause::arithmetic, "fewer arithmetic instructions help"},
    {TimeCause::divider, "fewer divisions help, or one reciprocal that is used several times"},
    {TimeCause::front_end, "fewer instructions help"},
    {TimeCause::fork_join, "fewer and longer parallel loops help"},
    {TimeCause::bytes, "only fewer bytes would help, if any are moved more than once"},
    {TimeCause::compulsory, "the bytes cannot be fewer, for it needs each of them and moves it once"},
    {TimeCause::overwritten, "streaming stores would spare the lines that are read only to be overwritten"},
    {TimeCause::unpaired, "it reads one line of each pair, and using both helps"},
    {TimeCause::gathers, "it gathers numbers that lie apart, and neighbours in memory help"},
    {TimeCause::split, "its vectors cross the ends of lines, and aligned loads help"},
    {TimeCause::core, "more independent operations in flight would help"},
    {TimeCause::waiting, "its parts seem to wait for one another, and more loads in flight or prefetching would help"},
    {TimeCause::latency, "the rest is latency, instructions that are not counted, or start and end of the loops"},
};

std::string whole_percent(double fraction) { return fmt::format("{:.0f} %", 100 * fraction); }

bool is_plural(Resource::Kind kind) {
  using enum Resource::Kind;
  return kind == fma || kind == multipliers || kind == multipliers_in_div || kind == adders;
}

/// Bytes of DRAM that streaming stores would not read.
double spared_by_streaming(const Counts& counts) {
  return std::max(0.0, counts.overwritten.value_or(0) - counts.evaded);
}

/// Whether a level moves what the source loads and stores, apart from lines that are overwritten: nothing is used
/// twice, and nothing is moved in vain.
bool uses_each_byte_once(const Counts& counts, MemoryLevel level) {
  constexpr double tolerance = 0.05;
  const auto &source = counts.at(MemoryLevel::L1), &moved = counts.at(level);
  if (!source || !moved || level == MemoryLevel::L1) return false;
  // Where nobody knows which lines are overwritten it may be all that are written.
  const double least = moved->total() - counts.overwritten.value_or(moved->written);
  const double most = moved->total() - counts.overwritten.value_or(0);
  return least <= (1 + tolerance) * source->total() && most >= (1 - tolerance) * source->total();
}

/// The cause behind a resource that binds, and which part of what it does would stay without the cause.
std::pair<TimeCause, double> cause_of(const ResourceShare& top, const Counts& counts) {
  using enum Resource::Kind;
  const auto kind = top.resource.kind;
  if (kind == divider || kind == roots) return {TimeCause::divider, 0};
  if (top.resource.is_arithmetic()) return {TimeCause::arithmetic, 0};
  if (kind == front_end) return {TimeCause::front_end, 0};
  if (kind == fork_join) return {TimeCause::fork_join, 0};
  if (top.unpaired > top.share / 2) return {TimeCause::unpaired, 1 - top.unpaired / top.share};
  if (top.gathered > top.share / 2) return {TimeCause::gathers, 1 - top.gathered / top.share};
  if (top.split > top.share / 2) return {TimeCause::split, 1 - top.split / top.share};
  const auto level = top.resource.level.value_or(MemoryLevel::L1);
  constexpr double worth_it = 0.1;
  if (const double spared = spared_by_streaming(counts), all = counts.at(level) ? counts.at(level)->total() : 0;
      level == MemoryLevel::DRAM && spared > worth_it * all)
    return {TimeCause::overwritten, 1 - spared / all};
  if (uses_each_byte_once(counts, level)) return {TimeCause::compulsory, 1};
  return {TimeCause::bytes, 0};
}

/// Units and front end work side by side, and what helps the one helps the other.
bool is_of_instructions(const ResourceShare& r) {
  return r.resource.is_arithmetic() || r.resource.kind == Resource::Kind::front_end;
}

/// The resource that binds when `top` does no more.
std::optional<ResourceShare> next_of(const std::vector<ResourceShare>& resources) {
  const auto& top = resources.front();
  const auto second = std::find_if(resources.begin() + 1, resources.end(), [&](const auto& r) {
    return r.share > 0 && !(is_of_instructions(top) && is_of_instructions(r));
  });
  return second == resources.end() ? std::nullopt : std::optional(*second);
}

std::string limit_of(const Diagnosis& d) {
  constexpr double no_limit = 20, hardly = 1.15;
  if (d.gain == 0 || d.gain >= no_limit) return {};
  if (!d.second) return fmt::format(", up to {} times the speed", significant(d.gain, 2));
  const auto& second = d.second->resource;
  if (d.gain < hardly)
    return fmt::format(", and only together with {}, which {} nearly as much of the time", in_words(second),
                       is_plural(second.kind) ? "need" : "needs");
  return fmt::format(", up to {} times the speed (then {})", significant(d.gain, 2), in_words(second));
}

std::string bound_text(const Resource& resource) {
  return resource.level ? std::string(name(*resource.level)) + "-bound" : "Bound by " + in_words(resource);
}

std::string time_text(const TimeBreakdown& account, double seconds) {
  const auto parts = in_percents(account.parts(seconds));
  return parts.empty() ? parts : fmt::format(" Its time: {}.", parts);
}

std::string above(const Judgement& judgement) {
  return fmt::format(
      "At {} of its {} roof, which is impossible. A count of its bytes or FLOPs is wrong, or its data lie in a faster "
      "level than in the model.",
      whole_percent(judgement.efficiency), in_words(judgement.bound));
}

/// For a row whose own load has lowered the clock: its distance from the roof at that clock.
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

/// For a launch that leaves SMs of a GPU without work.
std::string few_sms(const KernelPoint& point) {
  constexpr double nearly_all = 0.9;
  const auto found = point.counts.details.find("sms_with_work");
  if (found == point.counts.details.end() || found->second >= nearly_all) return {};
  return fmt::format(" At most {} of the GPU's SMs had work at a time: the grid is small or the launch is short.",
                     whole_percent(found->second));
}

/// How well the share is known, where that is not well.
std::string unresolved(const Assessment& assessment) {
  const auto& mix = assessment.mix ? assessment.mix : assessment.roof;
  if (!mix || !mix->range || mix->resolved()) return {};
  return fmt::format(" Over the rounds this share was {:.0f} .. {}.", 100 * mix->range->low,
                     whole_percent(mix->range->high));
}

/// Whether the rounds leave open that a row at its roof is far from it.
bool seems_done(const Assessment& assessment) {
  constexpr double far_from = 0.8;
  const auto& mix = assessment.mix ? assessment.mix : assessment.roof;
  return mix && mix->range && !mix->resolved() && mix->range->low < far_from;
}

/// Why nothing can be said; empty: it can.
std::string not_judged(const Roofline& roofline, const KernelPoint& point) {
  if (roofline.empty()) return "This run has no ceilings to compare it with.";
  if (!(point.time.median > 0)) return "Not judged: its time is not known.";
  if (point.threads != roofline.threads())
    return fmt::format("Not judged: it ran with {}, the ceilings with {}.", threads_text(point.threads),
                       roofline.threads());
  return {};
}

/// Where the kinds of operations are not known there is no roof of their mix.
std::string roof_text(const Diagnosis& d, const KernelPoint& point) {
  if (point.counts.kinds_known) return "the roof of its mix";
  return d.top.resource.is_arithmetic() ? "its roof (the kinds of its operations are not known)" : "its roof";
}

/// The sentence of a measured row that can be judged.
std::string of_measured(const Diagnosis& d, const KernelPoint& point, const TimeBreakdown& account) {
  const auto share = whole_percent(d.top.share), words = in_words(d.top.resource);
  const std::string helps = what_helps(d.cause);
  const auto* const verb = is_plural(d.top.resource.kind) ? "need" : "needs";
  switch (d.cause) {
    case TimeCause::disturbed:
      return fmt::format(
          "Disturbed: {} alone would need {} of its time. The machine was slower while the ceiling was sampled than "
          "while the row was. Measure it again.",
          words, share);
    case TimeCause::done:
      return fmt::format("{}at {} of {}, bound by {}. Only less work would be faster.",
                         seems_done(point.assessment) ? "Perhaps done: " : "Done: ", share, roof_text(d, point), words);
    case TimeCause::core:
      return fmt::format(
          "Bound by the core: with its data in the core's caches it takes {} of this time. Latencies or instructions "
          "that have no ceiling here bind it; {}.",
          whole_percent(std::min(1.0, point.assessment.in_core)), helps);
    case TimeCause::waiting:
    case TimeCause::latency:
      return fmt::format("Far from every roof: {} {} most, {} of its time.{} {}{}.", words, verb, share,
                         time_text(account, point.time.median), static_cast<char>(std::toupper(helps.front())),
                         helps.substr(1));
    default:
      return fmt::format("{} at {} of {}: {}{}.{}", bound_text(d.top.resource), share, roof_text(d, point), helps,
                         limit_of(d), time_text(account, point.time.median));
  }
}

}  // namespace

const char* what_helps(TimeCause cause) {
  for (const auto& [of, helps] : advice)
    if (of == cause) return helps;
  return "";
}

std::string in_words(const Resource& resource) {
  using enum Resource::Kind;
  static const std::map<Resource::Kind, const char*> words{{fma, "the FMA units"},
                                                           {nofma, "arithmetic without FMA"},
                                                           {multipliers, "the FMA and multiply units"},
                                                           {multipliers_in_div, "the FMA units and their divisions"},
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
    resources.push_back({compute_bound(roofline, point)->resource, *account.compute / point.time.median});
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

std::optional<Diagnosis> diagnose(const Roofline& roofline, const KernelPoint& point) {
  const auto resources = resource_shares(roofline, point);
  if (resources.empty()) return std::nullopt;
  Diagnosis d{.cause = TimeCause::latency, .top = resources.front(), .second = next_of(resources)};
  const auto account = time_breakdown(roofline, point);
  if (!point.is_bound() && d.top.share > disturbed_from) {
    d.cause = TimeCause::disturbed;
  } else if (!point.is_bound() && d.top.share >= done_from) {
    d.cause = TimeCause::done;
  } else if (core_bounds(point.assessment)) {
    d.cause = TimeCause::core;
  } else if (!point.is_bound() && d.top.share < bounds_from) {
    constexpr double nearly_all = 0.9;
    const bool known = !account.parts(point.time.median).empty();
    d.cause = known && account.sum() >= nearly_all * point.time.median ? TimeCause::waiting : TimeCause::latency;
  } else {
    const auto [cause, stays] = cause_of(d.top, point.counts);
    d.cause = cause;
    // The time cannot be less than what the next resource needs, and what stays takes its part of it.
    const double least = std::max(stays, d.second ? d.second->share : 0);
    if (cause != TimeCause::compulsory && least > 0) d.gain = 1 / least;
    if (d.second && stays > d.second->share) d.second.reset();
  }
  return d;
}

std::string explain(const Roofline& roofline, const KernelPoint& point) {
  const auto d = diagnose(roofline, point);
  if (point.is_bound()) {
    const auto text = fmt::format("At least {}, which {} needs at its ceiling", duration(point.time.median),
                                  in_words(*point.bound_by));
    return (d ? fmt::format("{}: {}{}.", text, what_helps(d->cause), limit_of(*d)) : text + ".") + few_sms(point);
  }
  if (const auto why = not_judged(roofline, point); !why.empty()) return why;
  if (!d) return "Not judged: nothing that it needs has a ceiling.";
  const auto& [roof, mix, in_core] = point.assessment;
  if (above_roof(point.assessment)) {
    const bool of_mix = mix && mix->efficiency > at_roof_limit && is_proven(*mix);
    return above(of_mix ? *mix : *roof);
  }
  const auto text = of_measured(*d, point, time_breakdown(roofline, point));
  if (d->cause == TimeCause::disturbed) return text;
  return text + few_sms(point) + at_its_clock(roofline, point) + unresolved(point.assessment);
}

}  // namespace roofline

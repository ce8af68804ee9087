#include "reporters/view/explain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bench/model/assessment.hpp"
#include "bench/text/format.hpp"
#include "reporters/view/time_breakdown.hpp"

namespace roofline {
namespace {

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
    {TimeCause::bytes, "fewer bytes, if any are moved more than once, or more overlap with the core's work would help"},
    {TimeCause::in_vain, "it moves more bytes than it loads and stores, and using whole lines would help"},
    {TimeCause::compulsory, "the bytes cannot be fewer, for it needs each of them and moves it once"},
    {TimeCause::overwritten,
     "streaming stores would spare lines that are read only to be overwritten, unless it reads them back soon"},
    {TimeCause::unpaired, "it reads one line of each pair, and using both helps"},
    {TimeCause::gathers, "it gathers numbers that lie apart, and neighbours in memory help"},
    {TimeCause::split, "its vectors cross the ends of lines, and aligned loads help"},
    {TimeCause::core, "more independent operations in flight would help"},
    {TimeCause::mostly_core, "more independent or fewer instructions may help"},
    {TimeCause::waiting, "its parts seem to wait for one another, and more loads in flight or prefetching would help"},
    {TimeCause::loops, "its parallel loops run one after another, and each may have a bound of its own"},
    {TimeCause::latency, "the rest may be latency"},
};

constexpr double wholly_done_from = 0.945;  // 95 % as it is printed

std::string whole_percent(double fraction) { return fmt::format("{:.0f} %", 100 * fraction); }

bool is_plural(Resource::Kind kind) {
  using enum Resource::Kind;
  return kind == fma || kind == multipliers || kind == multipliers_in_div || kind == adders || kind == issue;
}

/// A limit in print, never above itself.
std::string at_most(double gain) {
  const double digits = gain < 2 ? 100 : gain < 10 ? 10 : 1;
  return significant(std::floor(gain * digits) / digits);
}

std::string limit_of(const Diagnosis& d) {
  constexpr double no_limit = 20, hardly = 1.15;
  const auto spared =
      d.cause == TimeCause::overwritten ? fmt::format(": {} fewer bytes", whole_percent(d.spared)) : std::string();
  if (d.gain == 0 || d.gain >= no_limit) return spared;
  const auto next = d.then_core ? "the core" : d.second ? in_words(d.second->resource) : std::string();
  if (!spared.empty()) return fmt::format("{}, about {} times the speed", spared, significant(d.gain, 2));
  if (next.empty()) return fmt::format(", up to {} times the speed", at_most(d.gain));
  if (d.gain < hardly)
    return fmt::format(", and only together with {}, which {} nearly as much of the time", next,
                       d.second && is_plural(d.second->resource.kind) ? "need" : "needs");
  return fmt::format(", up to {} times the speed (then {})", at_most(d.gain), next);
}

/// The operations of a row that fill the units.
std::string operations_of(const Diagnosis& d, const Counts& counts) {
  using enum Resource::Kind;
  const auto& o = counts.operations;
  if (!counts.kinds_known) return "operations";
  const auto kind = d.top.resource.kind;
  if (kind == adders) return "additions";
  if (kind == fma) return "FMAs";
  if (kind == divider || kind == roots) return "divisions";
  if (kind != multipliers && kind != multipliers_in_div) return "operations";
  std::vector<const char*> names;
  if (o.fma > 0) names.push_back("FMAs");
  if (o.mul > 0) names.push_back("multiplications");
  if (kind == multipliers_in_div) names.push_back("divisions");
  const char* const last = names.back();
  names.pop_back();
  return names.empty() ? last : fmt::format("{} and {}", fmt::join(names, ", "), last);
}

/// The advice of a row: fewer of the operations that fill the units.
std::string helps_of(const Diagnosis& d, const Counts& of_row) {
  const auto operations = operations_of(d, of_row);
  return d.cause == TimeCause::arithmetic && operations != "operations"
             ? fmt::format("fewer {} would help, if it can do without some", operations)
             : what_helps(d.cause);
}

/// Other causes that the rest of a row's time may have. A measured core would show some of them, and without bytes
/// beyond L1 nothing is prefetched in vain.
std::string other_rest(const Counts& counts, bool core_is_known) {
  const auto bytes_beyond_l1 = [&](MemoryLevel level) {
    return level != MemoryLevel::L1 && counts.at(level) && counts.at(level)->total() > 0;
  };
  std::string text;
  if (!core_is_known) text += ", instructions that are not counted, start and end of the loops";
  if (std::any_of(memory_levels.begin(), memory_levels.end(), bytes_beyond_l1))
    text += ", prefetched lines that nobody uses";
  if (const auto last = text.rfind(", "); last != text.npos) text.replace(last, 2, " or ");
  return text;
}

/// The way to make a row faster that is at its roof, or nearly so.
std::string what_is_left(const Diagnosis& d, const Counts& of_row) {
  const bool memory = d.top.resource.level.has_value();
  if (memory && d.of_bytes == TimeCause::compulsory)
    return "Its bytes cannot be fewer: it needs each of them and moves it once.";
  const auto less = d.top.resource.is_arithmetic() ? "fewer " + operations_of(d, of_row)
                    : memory                       ? "fewer bytes"
                                                   : "less work";
  return d.top.share < wholly_done_from
             ? fmt::format("Without {} at most {} times the speed is left.", less, significant(1 / d.top.share, 3))
             : fmt::format("Only {} would make it faster.", less);
}

std::string bound_text(const Resource& resource) {
  return resource.level ? std::string(name(*resource.level)) + "-bound" : "Bound by " + in_words(resource);
}

std::string time_text(const TimeBreakdown& account, double seconds) {
  const auto parts = in_percents(account.parts(seconds));
  if (parts.empty()) return parts;
  return fmt::format(" Its time{}: {}.", account.in_core ? "" : ", if its core ran at the ceilings", parts);
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
  const auto* const roof = assessment.mix ? "the roof of its mix" : "its roof";
  const auto range = interval_text(mix);
  return range.starts_with("+-") ? fmt::format(" The share of {} is known to {} points.", roof, range)
                                 : fmt::format(" The share of {} is known to lie in {} %.", roof, range);
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

/// "; L1 alone would need 33 %": the resource that needs most of a row in its core.
std::string core_needs(const ResourceShare& r) {
  const bool split = r.split > r.share / 2, gathered = r.gathered > r.share / 2;
  return fmt::format("; {} alone would need {}",
                     split      ? "L1, mostly by split loads,"
                     : gathered ? "L1, mostly by gathers,"
                                : in_words(r.resource),
                     whole_percent(r.share));
}

/// The sentence of a measured row that can be judged.
std::string of_measured(const Diagnosis& d, const KernelPoint& point, const TimeBreakdown& account) {
  const auto share = whole_percent(d.top.share), words = in_words(d.top.resource);
  const auto helps = helps_of(d, point.counts);
  const auto* const verb = is_plural(d.top.resource.kind) ? "need" : "needs";
  switch (d.cause) {
    case TimeCause::disturbed:
      return fmt::format(
          "Disturbed: {} alone would need {} of its time. The machine was slower while the ceiling was sampled than "
          "while the row was. Measure it again.",
          words, share);
    case TimeCause::done:
      return fmt::format("{}at {} of {}, bound by {}. {}",
                         seems_done(point.assessment)     ? "Perhaps done: "
                         : d.top.share < wholly_done_from ? "Nearly done: "
                                                          : "Done: ",
                         share, roof_text(d, point), words, what_is_left(d, point.counts));
    case TimeCause::core:
      return fmt::format(
          "Bound by the core: with its data in the core's caches it takes {} of this time. Latencies or instructions "
          "that have no ceiling here bind it; {}.",
          whole_percent(std::min(1.0, point.assessment.in_core)), helps);
    case TimeCause::mostly_core:
      return fmt::format(
          "Mostly in its core: with its data in the core's caches it takes {} of this time{}. The rest there is "
          "latency "
          "or instructions that have no ceiling here: {}. Without L3 and DRAM it would be at most {} times as fast.",
          whole_percent(account.in_core.value_or(0) / point.time.median), d.in_core ? core_needs(*d.in_core) : "",
          helps, at_most(d.gain));
    case TimeCause::loops:
    case TimeCause::waiting:
    case TimeCause::latency:
      return fmt::format(
          "Far from every roof: {}, the nearest, {} {} of its time.{} {}{}{}.", words, verb, share,
          time_text(account, point.time.median), static_cast<char>(std::toupper(helps.front())), helps.substr(1),
          d.cause == TimeCause::latency ? other_rest(point.counts, account.in_core.has_value()) : limit_of(d));
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
  static const std::map<Resource::Kind, const char*> words{
      {fma, "the FMA units"},
      {nofma, "arithmetic without FMA"},
      {multipliers, "the FMA and multiply units"},
      {multipliers_in_div, "the FMA and multiply units, with divisions"},
      {adders, "the adders"},
      {issue, "the multiply and add units together"},
      {divider, "the divider"},
      {roots, "the divider, by square roots"},
      {front_end, "fetching and decoding instructions"}};
  const auto found = words.find(resource.kind);
  return found == words.end() ? name(resource) : found->second;
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

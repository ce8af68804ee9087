#include "reporters/view/time_breakdown.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>

#include "bench/model/assessment.hpp"
#include "bench/text/format.hpp"
#include "reporters/view/families.hpp"

namespace roofline {

namespace {

constexpr std::array part_names{"core alone", "core and memory", "memory alone", "fork-join", "rest"};

constexpr std::size_t index_of(MemoryLevel level) { return static_cast<std::size_t>(level); }

/// Bytes of a level, without streaming stores at DRAM, which bypass the caches.
double cached_bytes(const Counts& counts, MemoryLevel level) {
  const auto& traffic = counts.at(level);
  if (!traffic) return 0;
  return traffic->total() - (level == MemoryLevel::DRAM ? std::min(counts.streamed.value_or(0), traffic->written) : 0);
}

/// The share of a cache's bytes that it holds itself.
double served_share(const Counts& counts, MemoryLevel level) {
  const double bytes = cached_bytes(counts, level);
  for (auto beyond = index_of(level) + 1; beyond <= index_of(MemoryLevel::DRAM); ++beyond)
    if (counts.at(memory_levels[beyond])) return 1 - std::min(1.0, cached_bytes(counts, memory_levels[beyond]) / bytes);
  return 1;
}

}  // namespace

double TimeBreakdown::core() const {
  if (in_core) return *in_core;
  const double units =
      std::max({compute.value_or(0), front_end.value_or(0), levels[index_of(MemoryLevel::L1)].value_or(0)});
  return units + served[index_of(MemoryLevel::L2)].value_or(0);
}

double TimeBreakdown::beyond() const {
  return served[index_of(MemoryLevel::L3)].value_or(0) + served[index_of(MemoryLevel::DRAM)].value_or(0);
}

double TimeBreakdown::largest() const {
  double most = std::max({compute.value_or(0), front_end.value_or(0), regions.value_or(0), in_core.value_or(0)});
  for (const auto& level : levels) most = std::max(most, level.value_or(0));
  return most;
}

double TimeBreakdown::sum() const { return core() + beyond() + regions.value_or(0); }

double TimeBreakdown::overlap(double seconds) const { return std::max(0.0, sum() - seconds); }

double TimeBreakdown::rest(double seconds) const { return std::max(0.0, seconds - sum()); }

Explained TimeBreakdown::explains(double seconds) const {
  constexpr double tolerance = 0.1;
  if (largest() > (1 + tolerance) * seconds) return Explained::too_fast;
  return rest(seconds) > tolerance * seconds ? Explained::no : Explained::yes;
}

std::vector<TimePart> TimeBreakdown::parts(double seconds) const {
  if (!(sum() > 0) || explains(seconds) == Explained::too_fast) return {};
  const double at_once = overlap(seconds), both = std::min({at_once, core(), beyond()});
  // Overlap beyond that of core and memory belongs to fork-join.
  const double forks = std::max(0.0, regions.value_or(0) - (at_once - both));
  const double of_parts[] = {core() - both, both, beyond() - both, forks, rest(seconds)};
  std::vector<TimePart> parts;
  for (std::size_t i = 0; i < part_names.size(); ++i) parts.push_back({part_names[i], of_parts[i]});
  double all = 0;  // more than the time where a resource needs a little more than it
  for (const auto& part : parts) all += part.seconds;
  for (auto& part : parts) part.seconds *= seconds / all;
  return parts;
}

std::string in_percents(const std::vector<TimePart>& parts) {
  double all = 0;
  for (const auto& part : parts) all += part.seconds;
  std::vector<double> exact, whole;
  for (const auto& part : parts) exact.push_back(100 * part.seconds / all), whole.push_back(std::floor(exact.back()));
  // Each is rounded down; the parts that lose most get the percents that are then left.
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return exact[a] - whole[a] > exact[b] - whole[b]; });
  const auto left = static_cast<std::size_t>(std::lround(100 - std::accumulate(whole.begin(), whole.end(), 0.0)));
  for (std::size_t i = 0; i < std::min(left, order.size()); ++i) ++whole[order[i]];
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (whole[i] == 0) continue;
    const bool is_rest = std::string_view(parts[i].name) == "rest";
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", is_rest ? "a rest of" : parts[i].name, whole[i]);
  }
  return text;
}

namespace {

/// Where a breakdown has the seconds of a resource; null where it has none.
std::optional<double>* seconds_of(TimeBreakdown& account, const Resource& resource) {
  if (resource.is_arithmetic()) return &account.compute;
  if (resource.kind == Resource::Kind::front_end) return &account.front_end;
  if (resource.kind == Resource::Kind::fork_join) return &account.regions;
  return resource.level && index_of(*resource.level) < account.levels.size()
             ? &account.levels[index_of(*resource.level)]
             : nullptr;
}

void scale(std::optional<double>& seconds, double factor) {
  if (seconds) *seconds *= factor;
}

/// A level of memory, with all that is part of it.
void scale_level(TimeBreakdown& account, MemoryLevel level, double factor) {
  scale(account.levels[index_of(level)], factor);
  scale(account.served[index_of(level)], factor);
  if (level == MemoryLevel::DRAM) scale(account.unpaired, factor);
  if (level != MemoryLevel::L1) return;
  scale(account.split, factor);
  scale(account.gathered, factor);
}

/// The share of a row is a median over rounds; the ratio of two medians differs from it. So the resource that was
/// judged to bind gets the seconds of its judgement, and no other resource gets more.
void agree_with_judgement(TimeBreakdown& account, const KernelPoint& point) {
  const auto& mix = point.assessment.mix ? point.assessment.mix : point.assessment.roof;
  auto* const judged = mix ? seconds_of(account, mix->bound) : nullptr;
  if (!judged || !*judged || !(**judged > 0)) return;
  const double most = mix->efficiency * point.time.median, factor = most / **judged;
  const auto level = mix->bound.level;
  if (level)
    scale_level(account, *level, factor);
  else
    scale(*judged, factor);
  for (auto* const other : {&account.compute, &account.front_end, &account.regions})
    if (*other) *other = std::min(**other, most);
  for (const auto other : memory_levels)
    if (const auto& seconds = account.levels[index_of(other)]; seconds && *seconds > most)
      scale_level(account, other, most / *seconds);
}

}  // namespace

std::optional<Bound> compute_bound(const Roofline& roofline, const KernelPoint& point, const Moment& moment) {
  const auto& counts = point.counts;
  if (counts.kinds_known) return roofline.compute_mix(counts.operations, counts.precision, moment);
  const auto* const roof = roofline.compute(point.fma ? Operation::fma : Operation::nofma, counts.precision);
  if (!roof || counts.operations.flops() == 0) return std::nullopt;
  return Bound{rate_at(*roof, moment), point.fma ? Resource::Kind::fma : Resource::Kind::nofma, {}, roof};
}

TimeBreakdown time_breakdown(const Roofline& roofline, const KernelPoint& point) {
  TimeBreakdown account;
  if (point.threads != roofline.threads()) return account;
  const auto& operations = point.counts.operations;
  const auto moment = typical_moment(roofline, point);
  if (const auto bound = compute_bound(roofline, point, moment))
    account.compute = static_cast<double>(operations.flops()) / bound->rate;
  for (const auto level : memory_levels) {
    const auto time = roofline.level_time(level, point.counts, moment);
    if (!time) continue;
    account.levels[index_of(level)] = time->seconds;
    account.served[index_of(level)] =
        level == MemoryLevel::DRAM ? time->seconds : time->seconds * served_share(point.counts, level);
    if (time->unpaired > 0) account.unpaired = time->unpaired, account.pairing = time->pairing;
    if (time->split > 0) account.split = time->split;
    if (time->gathered > 0) account.gathered = time->gathered;
  }
  const auto* const delivered = roofline.front_end();
  if (const auto& instructions = point.counts.instructions; delivered && instructions)
    account.front_end = *instructions / rate_at(*delivered, moment);
  account.regions = roofline.region_time(point.counts, moment);
  if (point.in_core > 0 && !roofline.empty() && point.in_core <= disturbed_from * point.time.median)
    account.in_core = point.in_core;
  agree_with_judgement(account, point);
  return account;
}

namespace {

/// A column of a row: a part of its time in seconds.
struct Column {
  std::string header;
  std::optional<double> seconds;
  bool always = true;  ///< else only where a row needs it for more than nothing
};

std::vector<Column> columns_of(const TimeBreakdown& account, double seconds) {
  std::vector<Column> all{{"compute %", account.compute}, {"front end %", account.front_end, false}};
  for (const auto level : memory_levels) {
    all.push_back({fmt::format("{} %", name(level)), account.levels[index_of(level)]});
    if (level == MemoryLevel::L1)
      all.insert(all.end(), {{"(gathers %)", account.gathered, false}, {"(split %)", account.split, false}});
  }
  all.push_back({"(unpaired %)", account.unpaired, false});
  const auto parts = account.parts(seconds);
  for (std::size_t i = 0; i < part_names.size(); ++i)
    all.push_back({fmt::format("{} %", part_names[i]), parts.empty() ? std::nullopt : std::optional(parts[i].seconds)});
  return all;
}

struct Line {
  const KernelPoint* point;
  TimeBreakdown account;
  std::vector<Column> columns = columns_of(account, point->time.median);

  std::optional<double> share(std::size_t column) const {
    const auto& seconds = columns[column].seconds;
    return seconds ? std::optional(*seconds / point->time.median) : std::nullopt;
  }
};

/// How many of the measured rows their ceilings explain, and which not.
std::string explained(const std::vector<Line>& lines) {
  std::size_t measured = 0;
  std::vector<std::string> less, more;
  for (const auto& [point, account, columns] : lines) {
    if (point->is_bound()) continue;
    ++measured;
    const auto says = account.explains(point->time.median);
    if (says == Explained::no)
      less.push_back(point->name + " (" + percent(account.rest(point->time.median) / point->time.median) + ")");
    if (says == Explained::too_fast)
      more.push_back(point->name + " (" + percent(account.largest() / point->time.median) + ")");
  }
  if (measured == 0) return {};
  auto text = fmt::format("explained: {} of {} rows, with a rest of at most a tenth and nothing above 110 %; ",
                          measured - less.size() - more.size(), measured);
  text +=
      less.empty() ? "none has a larger rest" : fmt::format("with a larger rest (its %): {}", fmt::join(less, ", "));
  if (!more.empty()) text += fmt::format("; faster than a ceiling (its %): {}", fmt::join(more, ", "));
  return text;
}

}  // namespace

Table time_breakdown_table(const Results& results) {
  std::vector<Line> lines;
  for (const auto& point : results.points)
    if (auto account = time_breakdown(results.roofline, point); account.sum() > 0) lines.push_back({&point, account});
  constexpr double something = 0.005;  // of the time: less is rounded to 0 percent
  std::vector<std::size_t> used;
  for (std::size_t i = 0; !lines.empty() && i < lines.front().columns.size(); ++i)
    if (lines.front().columns[i].always || std::any_of(lines.begin(), lines.end(), [&](const Line& line) {
          return line.share(i).value_or(0) >= something;
        }))
      used.push_back(i);
  Table table{"Where the time goes", table_columns("<kernel|time")};
  for (const auto column : used) table.columns.push_back({lines.front().columns[column].header});
  add_by_family(table, results.points, [&](const KernelPoint& point) -> std::vector<std::string> {
    const auto line = std::find_if(lines.begin(), lines.end(), [&](const Line& l) { return l.point == &point; });
    if (line == lines.end()) return {};
    std::vector<std::string> cells{duration(point.is_bound() ? point.time.median : point.known_seconds())};
    for (const auto column : used) cells.push_back(percent(line->share(column)));
    return cells;
  });
  if (lines.empty()) return table;
  table.notes.push_back(
      "share of the measured time that each resource needs by itself, at the ceiling of the kernel's own mix: one near "
      "100 % is the roof");
  table.notes.push_back(
      "the last five sum to 100 %: the core alone with its data in its own caches, core and memory at once, L3 and "
      "DRAM alone for the bytes that they serve, starting threads and waiting for them, and a rest that the ceilings "
      "do not describe: latencies, or prefetched lines that nobody uses. They are absent if a resource needs more than "
      "the time");
  table.notes.push_back(
      "core: measured, the same launch with each part of it computed twice in a row and timed the second time; without "
      "this measurement, the largest of compute, front end and L1, and the time of the bytes from L2");
  const auto note = [&](const char* header, const char* text) {
    if (std::any_of(table.columns.begin(), table.columns.end(), [&](const auto& c) { return c.header == header; }))
      table.notes.push_back(fmt::format("{}: {}", header, text));
  };
  note("front end %", "all counted instructions");
  note("(gathers %)", "the part of L1 % that goes into numbers gathered from separate places");
  note("(split %)", "the part of L1 % that goes into vectors that cross the end of a line");
  note("(unpaired %)", "the part of DRAM % for lines with an unused neighbour");
  if (auto text = explained(lines); !text.empty()) table.notes.push_back(std::move(text));
  return table;
}

}  // namespace roofline

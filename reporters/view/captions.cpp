#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "bench/model/assessment.hpp"
#include "bench/text/format.hpp"
#include "reporters/view/explain.hpp"
#include "reporters/view/point_names.hpp"

namespace roofline {
namespace {

/// The number of points whose share has an interval; 0 if none has.
int fewest_rounds(const Results& results) {
  int fewest = 0;
  for (const auto& point : results.points)
    if (const auto& roof = point.assessment.roof; roof && roof->range)
      fewest = fewest == 0 ? point.rounds() : std::min(fewest, point.rounds());
  return fewest;
}

/// "1.8 %", from ten on "12 %", and "> 100 %": a larger number than the share itself has no meaning.
std::string within(double fraction) {
  return fraction > 1 ? "> 100 %" : fmt::format("{} %", significant(100 * fraction, 2));
}

/// The common beginning of all notes, up to a comma: the model. Notes without such a part are listed, three at most.
std::string common_note(const std::vector<std::string>& notes) {
  const std::string& first = notes.front();
  std::size_t same = first.size();
  for (const auto& note : notes)
    same = std::min<std::size_t>(
        same, std::mismatch(first.begin(), first.end(), note.begin(), note.end()).first - first.begin());
  const auto ends_there = [&](const std::string& note) { return same == note.size() || note[same] == ','; };
  if (!std::all_of(notes.begin(), notes.end(), ends_there)) {
    const auto comma = first.substr(0, same).rfind(',');
    same = comma == first.npos ? 0 : comma;
  }
  if (same > 0) return first.substr(0, same);
  constexpr std::size_t shown = 3;
  const std::vector<std::string> some(notes.begin(), notes.begin() + std::min(shown, notes.size()));
  return fmt::format("{}{}", fmt::join(some, "; "), notes.size() > shown ? "; ..." : "");
}

}  // namespace

std::string interval_text(const std::optional<Judgement>& judgement) {
  if (!judgement || !judgement->range) return std::string(absent);
  const double low = 100 * judgement->range->low, high = 100 * judgement->range->high;
  const double below = 100 * judgement->efficiency - low, above = high - 100 * judgement->efficiency;
  if (std::abs(above - below) >= 1) return fmt::format("{:.0f}..{:.0f}", low, high);
  const double half = (below + above) / 2;
  return fmt::format("+-{:.{}f}", half, half < 9.95 ? 1 : 0);
}

bool contradicts(const KernelPoint& point) { return !point.is_bound() && above_roof(point.assessment); }

std::string rounds_text(const Results& results) {
  const int rounds = fewest_rounds(results);
  if (rounds == 0) return {};
  return fmt::format("95 % interval of the share over {} rounds, and 2 % by which runs differ", rounds);
}

std::string precision_text(const Results& results, std::size_t width) {
  const auto& precision = results.precision;
  if (precision.rows == 0) return {};
  const auto text = fmt::format("Shares hold to {}{} (", precision.median > 1 ? "" : "+-", within(precision.median));
  const auto rounds = fmt::format("{} rounds).", fewest_rounds(results));
  if (precision.rows == 1) return text + rounds;
  const auto rows = fmt::format("{}median; {} of {} rows to {:.0f} %; ", text, precision.resolved, precision.rows,
                                100 * Judgement::resolved_half_width);
  const auto shorter = [](const std::string& name) {
    const auto last = name.rfind('/');
    return last == name.npos ? std::string() : name.substr(0, last);
  };
  const auto shortest = kernel_of(precision.worst_row).size();
  for (auto name = precision.worst_row; name.size() >= shortest && !name.empty(); name = shorter(name))
    if (auto line = fmt::format("{}worst {}: {}; {}", rows, name, within(precision.worst), rounds);
        line.size() <= width)
      return line;
  return rows + rounds;
}

std::string moved_roofs_text(const Results& results) {
  constexpr double steady = 0.1;
  if (results.ceilings_origin.kind != CeilingsOrigin::Kind::measured) return {};
  std::map<std::string, const Ceiling*> moved;
  for (const auto& point : results.points) {
    const auto& roof = point.assessment.roof;
    if (!roof || point.probes.empty() || point.threads != results.roofline.threads()) continue;
    double share = 0;  // of the roof that is printed
    const Ceiling* ceiling = nullptr;
    std::string resource;
    if (point.counts.operations.flops() > 0) {
      const auto bound = results.roofline.attainable(point.counts, point.fma);
      if (!bound) continue;
      share = point.flop_rate() / bound->rate, ceiling = bound->ceiling, resource = name(bound->resource);
    } else if (roof->level && results.roofline.bandwidth(*roof->level)) {
      ceiling = results.roofline.bandwidth(*roof->level), resource = name(*roof->level);
      share = bandwidth(point, *roof->level).value_or(0) / ceiling->rate;
    }
    if (ceiling && std::abs(share / roof->efficiency - 1) > steady) moved[resource] = ceiling;
  }
  if (moved.empty()) return {};
  std::vector<std::string> ranges;
  for (const auto& [resource, ceiling] : moved)
    ranges.push_back(fmt::format("{} {} to {} {}", resource, significant(giga(ceiling->rate_low)),
                                 significant(giga(ceiling->rate_high)),
                                 ceiling->kind == Ceiling::Kind::bandwidth ? "GB/s" : "GFLOP/s"));
  return fmt::format("Roofs moved in the run, so shares are of the roof next to each sample: {}.",
                     fmt::join(ranges, ", "));
}

std::string origin_text(const std::string& file, const Results& run) {
  const auto& precision = run.precision;
  if (precision.rows == 0) return fmt::format("from {} (which does not say how precise it is)", file);
  return fmt::format("from {} ({} rounds, {} of {} rows to {:.0f} %)", file, fewest_rounds(run), precision.resolved,
                     precision.rows, 100 * Judgement::resolved_half_width);
}

namespace {

/// How the FLOPs of a point are counted, in words.
std::string account_of(const Results& results, const KernelPoint& point) {
  switch (point.counts.account) {
    case FlopAccount::canonical:
      return "canonical account (FMA = 2, division = 1)";
    case FlopAccount::expanded:
      return results.flop_convention;
    case FlopAccount::counted:
      break;
  }
  return point.counts.operations_source == Source::imported
             ? "as the file counts them"
             : "empirical account (FMA = 2, a division = the operations executed for it)";
}

struct AccountUse {
  std::string account;
  std::vector<std::string> sources, rows;
};

std::string line_of(const AccountUse& use, bool alone) {
  const auto text = fmt::format("{}, source: {}", use.account, fmt::join(use.sources, ", "));
  if (alone) return "FLOPs: " + text;
  constexpr std::size_t shown = 3;
  const std::vector<std::string> some(use.rows.begin(), use.rows.begin() + std::min(shown, use.rows.size()));
  return fmt::format("FLOPs of {} rows ({}{}): {}", use.rows.size(), fmt::join(some, ", "),
                     use.rows.size() > shown ? ", ..." : "", text);
}

}  // namespace

std::vector<std::string> source_lines(const Results& results) {
  std::vector<AccountUse> uses;
  std::map<std::string, std::vector<std::string>> bytes;  // notes by source
  const auto add_once = [](std::vector<std::string>& list, std::string text) {
    if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(std::move(text));
  };
  for (const auto& point : results.points) {
    const auto account = account_of(results, point);
    auto use = std::find_if(uses.begin(), uses.end(), [&](const auto& u) { return u.account == account; });
    if (use == uses.end()) use = uses.insert(uses.end(), AccountUse{account, {}, {}});
    add_once(use->sources, std::string(name(point.counts.operations_source)));
    use->rows.push_back(point.name);
    const auto& traffic = point.counts.traffic;
    if (std::none_of(traffic.begin(), traffic.end(), [](const auto& t) { return t.has_value(); })) continue;
    auto& notes = bytes[point.counts.traffic_label()];
    if (!point.counts.traffic_note.empty()) add_once(notes, point.counts.traffic_note);
  }
  std::vector<std::string> lines;
  for (const auto& use : uses) lines.push_back(line_of(use, uses.size() == 1));
  if (uses.size() > 1)
    lines.push_back("These accounts differ for kernels that divide: do not compare their rates with one another.");
  for (const auto& [source, notes] : bytes) {
    std::string line = "bytes: " + source;
    if (!notes.empty()) line += " (" + common_note(notes) + ")";
    if (notes.size() > 1) line += ", each kernel's sampling in efficiency.csv";
    lines.push_back(line);
  }
  return lines;
}

}  // namespace roofline

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bench/model/assessment.hpp"
#include "reporters/comparison/judging.hpp"
#include "reporters/explain.hpp"

namespace roofline::judging {
namespace {

/// How far a ceiling may be from the other side's.
constexpr double most_apart = 0.05;
/// A resource that needs this share of a row's time is one that the row depends on, beside the one that needs most.
constexpr double depends_from = 0.5;
/// One that needs less than this is hidden behind the others.
constexpr double hidden_below = 0.3;

const char* const compute = "compute";
const char* const fork_join = "fork-join";
const char* const front_end = "front end";

/// Shares of a row's time that its resources need: of memory levels, fork-join, front end, and `compute`. What the row
/// depends on has 1.
using Shares = std::map<std::string, double>;

void add_shares(const Side& side, const KernelPoint& point, Shares& all) {
  const auto shares = resource_shares(side.results.roofline, point);
  for (const auto& resource : shares) {
    const bool depends = &resource == shares.data() || resource.share >= depends_from;
    if (!depends && resource.share < hidden_below) continue;
    auto& share = all[resource.compute ? compute : resource.name];
    share = std::max(share, depends ? 1 : resource.share);
  }
}

/// The speed of a resource.
std::optional<double> speed(const Side& side, const KernelPoint& point, const std::string& resource) {
  const auto& roofline = side.results.roofline;
  const Ceiling* ceiling = nullptr;
  if (const auto level = level_of(resource))
    ceiling = roofline.bandwidth(*level);
  else if (resource == fork_join)
    ceiling = roofline.fork_join();
  else if (resource == front_end)
    ceiling = roofline.front_end();
  else
    ceiling = roofline.compute(point.fma ? Operation::fma : Operation::nofma, point.counts.precision);
  if (!ceiling || !(ceiling->rate > 0)) return std::nullopt;
  return ceiling->rate;
}

bool has_own_ceilings(const Side& side) {
  return side.results.ceilings_origin.kind == CeilingsOrigin::Kind::measured && !side.results.roofline.empty();
}

}  // namespace

Control control_of(const SidePair& pair, const KernelPoint& base, const KernelPoint& next, bool interleaved) {
  Control control;
  if (pair.in_turns) return control;  // both met the same machine
  if (!has_own_ceilings(pair.base) || !has_own_ceilings(pair.next)) {
    if (!interleaved)
      control.moved = "no ceilings", control.detail = "a run did not measure ceilings, which would tell a drift";
    return control;
  }
  Shares shares;
  add_shares(pair.base, base, shares), add_shares(pair.next, next, shares);
  double worst = 0;
  for (const auto& [resource, share] : shares) {
    const auto before = speed(pair.base, base, resource), after = speed(pair.next, next, resource);
    if (!before || !after) continue;
    const double change = std::log(*after / *before);
    // What the change makes of the whole time, if nothing hides it.
    const double of_time = -std::log1p(share * std::expm1(-change));
    control.slower = std::min(control.slower, of_time), control.faster = std::max(control.faster, of_time);
    if (share < 1) continue;
    if (std::abs(change) > std::log1p(most_apart) && std::abs(change) > worst)
      worst = std::abs(change), control.moved = "drift of " + resource,
      control.detail = fmt::format("{} {:+.1f} % between the sides", resource, 100 * std::expm1(change));
  }
  return control;
}

std::string invalid_time(const KernelPoint& point, bool in_turns) {
  if (!(point.time.median > 0) || !std::isfinite(point.time.median)) return "no time";
  if (!(point.time.low <= point.time.median && point.time.median <= point.time.high && point.time.low > 0))
    return "an interval that does not hold its median";
  if (in_turns) return {};
  if (above_roof(point.assessment)) return "above its roof";
  return {};
}

double clock_of(const Side& side) {
  // Of a GPU the highest clock is known, not the one it had.
  return side.results.gpu || side.results.model ? 0 : side.results.machine.clock_hz;
}

const KernelPoint* PairedRow::base() const {
  for (const auto& [base, next] : points)
    if (base) return base;
  return nullptr;
}
const KernelPoint* PairedRow::next() const {
  for (const auto& [base, next] : points)
    if (next) return next;
  return nullptr;
}

}  // namespace roofline::judging

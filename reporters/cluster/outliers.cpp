#include "reporters/cluster/outliers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/model/statistics.hpp"

namespace roofline::cluster {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double middle(const std::vector<double>& values) { return values.empty() ? nan : median(values); }

/// By how much the median deviation of n normal values is too small (Croux and Rousseeuw, COMPSTAT 1992).
double small_sample_factor(std::size_t n) {
  constexpr double factors[] = {1, 1, 1.196, 1.495, 1.363, 1.206, 1.200, 1.140, 1.129, 1.107};
  const auto count = static_cast<double>(n);
  return n < std::size(factors) ? factors[n] : count / (count - 0.8);
}

/// Share of the information on the scale of normal values that their median deviation has.
constexpr double efficiency_of_median_deviation = 0.37;

double degrees_of(std::size_t n) {
  return std::max(1.0, efficiency_of_median_deviation * (static_cast<double>(n) - 1));
}

Spread spread_of(std::vector<double> values) {
  const auto n = values.size();
  if (n < fewest_nodes) return {nan, nan, 0, nan, n};
  Spread spread{middle(values), 0, degrees_of(n), 0, n};
  for (auto& value : values) value = std::abs(value - spread.centre);
  constexpr double of_normal_values = 1.4826;
  spread.scale = of_normal_values * small_sample_factor(n) * middle(values);
  return spread;
}

/// The second derivative of ln Gamma, and the first: by recurrence and asymptotic series (Abramowitz, Stegun 6.4, 6.3).
double trigamma(double x) {
  double sum = 0;
  for (; x < 8; ++x) sum += 1 / (x * x);
  const double y = 1 / (x * x);
  return sum + 1 / x + y / 2 + y / x * (1.0 / 6 - y * (1.0 / 30 - y / 42));
}
double digamma(double x) {
  double sum = 0;
  for (; x < 8; ++x) sum -= 1 / x;
  const double y = 1 / (x * x);
  return sum + std::log(x) - 1 / (2 * x) - y * (1.0 / 12 - y * (1.0 / 120 - y / 252));
}

constexpr double all_known = 1e6;  ///< degrees of freedom

/// x with trigamma(x) = value.
double inverse_trigamma(double value) {
  double low = 1e-3, high = all_known;
  for (int step = 0; step < 80; ++step) {
    const double between = std::sqrt(low * high);
    (trigamma(between) > value ? low : high) = between;
  }
  return high;
}

/// The common scale of the rows: s0, and with how many degrees of freedom each row obeys it.
struct CommonScale {
  double scale = 0, degrees = 0;
};

CommonScale common_scale(const std::vector<Spread>& rows) {
  std::vector<double> logs;
  double own = 0;
  for (const auto& row : rows)
    if (row.scale > 0) logs.push_back(2 * std::log(row.scale)), own += row.degrees;
  if (logs.size() < 3) return {};
  const auto n = static_cast<double>(logs.size());
  own /= n;
  double mean = 0, squares = 0;
  for (const double log : logs) mean += log / n;
  for (const double log : logs) squares += (log - mean) * (log - mean);
  // By chance alone the variance of n logarithms is so much larger in one case of six.
  const double by_chance = trigamma(own / 2) * (1 + std::sqrt(2 / (n - 1)));
  const double excess = squares / (n - 1) - by_chance;
  const double degrees = excess > 0 ? 2 * inverse_trigamma(excess) : all_known;
  const double bias = digamma(own / 2) - std::log(own / 2);
  const double bias_of_common = digamma(degrees / 2) - std::log(degrees / 2);
  return {std::exp((mean - bias + bias_of_common) / 2), degrees};
}

/// A row's own scale drawn towards the common one.
void moderate(Spread& row, const CommonScale& common) {
  if (!(row.scale > 0) || !(common.degrees > 0)) return;
  const double together = row.degrees + common.degrees;
  row.scale =
      std::sqrt((row.degrees * row.scale * row.scale + common.degrees * common.scale * common.scale) / together);
  row.degrees = together;
}

/// How equal machines usually scatter, known before one is measured. GPUs of one kind differ by 8 % on average and by
/// 22 % at most (Sinha et al., SC22): a standard deviation of 5 % is usual, and weighs as much as four nodes.
constexpr CommonScale usual_machines{0.05, 3};

/// The loss from which it is told, as a negative logarithm. The scatter of three or four values is hardly known, so
/// that no loss would be told by it alone: what is usual joins it there, and is drowned by the values of many.
double bar(const Spread& spread, double chance, const Limits& limits) {
  auto with_usual = spread;
  moderate(with_usual, usual_machines);
  const auto lowest = [&](const Spread& s) { return -student_quantile(2 * chance, s.degrees) * s.scale; };
  return std::min(std::max(lowest(spread), lowest(with_usual)), std::log1p(-limits.floor));
}

struct Estimate {
  const Sheet& sheet;
  const Limits& limits;

  /// The values of a row without those of flagged nodes, or all where too few would be left.
  std::vector<double> column(std::size_t row, const std::vector<bool>& flagged) const {
    std::vector<double> values, all;
    for (std::size_t node = 0; node < sheet.nodes.size(); ++node)
      if (const double value = sheet.nodes[node][row]; !std::isnan(value)) {
        all.push_back(value);
        if (!flagged[node]) values.push_back(value);
      }
    return values.size() < fewest_nodes ? all : values;
  }

  Reference operator()(const std::vector<bool>& flagged) const {
    Reference reference;
    reference.flagged = flagged;
    for (std::size_t row = 0; row < sheet.rows.size(); ++row) reference.rows.push_back(spread_of(column(row, flagged)));
    const auto common = common_scale(reference.rows);
    for (auto& row : reference.rows) moderate(row, common);
    judge_parts(reference, flagged);
    set_bars(reference);
    return reference;
  }

  /// Medians over the rows of a part, centred and scaled likewise. No median scatters more than its rows do: with few
  /// nodes that is the better known bound.
  void judge_parts(Reference& reference, const std::vector<bool>& flagged) const {
    std::array<std::vector<double>, all_parts.size()> values;
    for (std::size_t node = 0; node < sheet.nodes.size(); ++node) {
      if (flagged[node]) continue;
      const auto run = deviations(reference, sheet.rows, sheet.nodes[node]);
      for (const auto part : all_parts)
        if (!std::isnan(run.parts[index(part)])) values[index(part)].push_back(run.parts[index(part)]);
    }
    for (const auto part : all_parts) reference.parts[index(part)] = spread_of(values[index(part)]);
  }

  /// Faults hit parts more often than rows, and there are few parts: they get a third of alpha. A suspect costs two
  /// more runs, which decide: three times alpha finds slow nodes that few or scattered ones hide.
  void set_bars(Reference& reference) const {
    constexpr double of_parts = 1.0 / 3;
    const double alpha = 3 * limits.alpha;
    const auto nodes = static_cast<double>(sheet.nodes.size());
    const auto rows = static_cast<double>(
        std::count_if(reference.rows.begin(), reference.rows.end(), [](const auto& r) { return r.degrees > 0; }));
    for (auto& row : reference.rows)
      if (row.degrees > 0) row.low = bar(row, (1 - of_parts) * alpha / (nodes * rows), limits);
    const double chance = of_parts * alpha / (nodes * static_cast<double>(all_parts.size()));
    for (const auto part : all_parts) {
      auto& spread = reference.parts[index(part)];
      if (!(spread.degrees > 0)) continue;
      spread.low = bar(spread, chance, limits);
      const auto of_rows = together(reference, part);
      if (const double low = bar(of_rows, chance, limits); low > spread.low)
        spread.scale = of_rows.scale, spread.degrees = of_rows.degrees, spread.low = low;
    }
  }

  /// The mean scatter of a part's rows: each row's own degrees of freedom, and once the common ones.
  Spread together(const Reference& reference, Part part) const {
    Spread all;
    double squares = 0, n = 0;
    for (std::size_t row = 0; row < sheet.rows.size(); ++row) {
      const auto& spread = reference.rows[row];
      if (sheet.rows[row] != part || !(spread.degrees > 0)) continue;
      const double own = degrees_of(spread.values), common = std::max(0.0, spread.degrees - own);
      squares += spread.scale * spread.scale, ++n, all.degrees += own + (n == 1 ? common : 0);
    }
    all.scale = std::sqrt(squares / n);
    return all;
  }
};

}  // namespace

std::vector<double> mean_of(const std::vector<const Deviations*>& runs) {
  std::vector<double> mean(runs.front()->rows.size(), nan);
  for (std::size_t row = 0; row < mean.size(); ++row) {
    double sum = 0;
    int n = 0;
    for (const auto* run : runs)
      if (const double x = run->rows[row]; !std::isnan(x)) sum += x, ++n;
    if (n > 0) mean[row] = sum / n;
  }
  return mean;
}

Deviations deviations(const Reference& reference, const std::vector<Part>& rows, const std::vector<double>& logs) {
  Deviations run;
  run.rows.resize(rows.size(), nan);
  std::array<std::vector<double>, all_parts.size()> values;
  std::array<std::size_t, all_parts.size()> judged{};
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!(reference.rows[row].degrees > 0)) continue;
    ++judged[index(rows[row])];
    if (std::isnan(logs[row])) continue;
    run.rows[row] = logs[row] - reference.rows[row].centre;
    values[index(rows[row])].push_back(run.rows[row]);
  }
  for (const auto part : all_parts) {
    auto& of_part = values[index(part)];
    // A median of few rows scatters more than those it would be compared with.
    run.parts[index(part)] = 2 * of_part.size() < judged[index(part)] ? nan : middle(of_part);
    const auto& spread = reference.parts[index(part)];
    if (spread.degrees > 0) run.parts[index(part)] -= spread.centre;
  }
  return run;
}

std::vector<Cause> causes(const Reference& reference, const std::vector<Part>& rows, const Deviations& run) {
  std::vector<Cause> found;
  for (const auto part : all_parts)
    if (const auto& spread = reference.parts[index(part)]; run.parts[index(part)] < spread.low)
      found.push_back({part, {}, run.parts[index(part)] / spread.low});
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (const auto& spread = reference.rows[row]; run.rows[row] < spread.low)
      found.push_back({rows[row], row, run.rows[row] / spread.low});
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.strength > b.strength; });
  return found;
}

Reference reference_of(const Sheet& sheet, const Limits& limits) {
  const Estimate estimate{sheet, limits};
  std::vector<bool> flagged(sheet.nodes.size(), false);
  for (;;) {
    auto reference = estimate(flagged);
    std::vector<std::pair<double, std::size_t>> found;
    for (std::size_t node = 0; node < flagged.size(); ++node) {
      if (flagged[node]) continue;
      const auto why = causes(reference, sheet.rows, deviations(reference, sheet.rows, sheet.nodes[node]));
      if (!why.empty()) found.emplace_back(why.front().strength, node);
    }
    const auto left = flagged.size() - static_cast<std::size_t>(std::count(flagged.begin(), flagged.end(), true));
    const auto out = flagged.size() - left + found.size();
    // Where most would be far from the rest there is no rest.
    if (found.empty() || 2 * out > flagged.size() || left <= fewest_nodes) return reference;
    // So many stay that there is a centre: the farthest go first.
    std::sort(found.rbegin(), found.rend());
    found.resize(std::min(found.size(), left - fewest_nodes));
    for (const auto& [strength, node] : found) flagged[node] = true;
  }
}

std::optional<bool> is_confirmed(const Cause& cause, const Reference& reference, const std::vector<Deviations>& again,
                                 const Limits& limits, std::size_t tests) {
  double best = -std::numeric_limits<double>::infinity();
  int runs = 0;
  for (const auto& run : again) {
    const double x = cause.row ? run.rows[*cause.row] : run.parts[index(cause.part)];
    if (!std::isnan(x)) best = std::max(best, x), ++runs;
  }
  if (runs == 0) return std::nullopt;
  const double chance = std::pow(limits.alpha / static_cast<double>(std::max<std::size_t>(tests, 1)), 1.0 / runs);
  const auto& spread = cause.row ? reference.rows[*cause.row] : reference.parts[index(cause.part)];
  return best < bar(spread, chance, limits);
}

}  // namespace roofline::cluster

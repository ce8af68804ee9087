#include "bench/levels/ladder.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>

namespace roofline {
namespace {

/// Squared deviations of log2(rate) that are worth one more piece: four rungs that are 1.13 x off.
constexpr double price_of_a_piece = 0.12;
constexpr std::size_t rungs_of_a_level = rungs_per_octave, rungs_at_the_end = 2;

/// Rungs begin..end - 1.
struct Piece {
  std::size_t begin, end;
};

/// The cheapest cut of `y` into constant pieces, by dynamic programming over where the last one begins.
std::vector<Piece> constant_pieces(const std::vector<double>& y) {
  const auto n = y.size();
  std::vector<double> sum(n + 1), squares(n + 1), cheapest(n + 1, std::numeric_limits<double>::infinity());
  std::vector<std::size_t> begin_of(n + 1);
  for (std::size_t i = 0; i < n; ++i) sum[i + 1] = sum[i] + y[i], squares[i + 1] = squares[i] + y[i] * y[i];
  cheapest[0] = 0;
  for (std::size_t end = 1; end <= n; ++end)
    for (std::size_t begin = 0; begin < end; ++begin) {
      const double d = sum[end] - sum[begin], rungs = static_cast<double>(end - begin);
      const double price = cheapest[begin] + squares[end] - squares[begin] - d * d / rungs + price_of_a_piece;
      if (price < cheapest[end]) cheapest[end] = price, begin_of[end] = begin;
    }
  std::vector<Piece> pieces;
  for (std::size_t end = n; end > 0; end = begin_of[end]) pieces.push_back({begin_of[end], end});
  std::reverse(pieces.begin(), pieces.end());
  return pieces;
}

double median_rate(const std::vector<Rung>& ladder, Piece piece) {
  std::vector<double> rates;
  for (auto i = piece.begin; i < piece.end; ++i) rates.push_back(ladder[i].rate);
  const auto middle = rates.begin() + std::ssize(rates) / 2;
  std::nth_element(rates.begin(), middle, rates.end());
  return *middle;
}

}  // namespace

std::vector<Rung> climb(const ReadProbe& probe, const LadderPlan& plan) {
  constexpr double vectors = 512;            // bytes: whole iterations of any read loop
  constexpr double times_for_the_first = 3;  // of the first round, next to other programs
  std::vector<Rung> rungs;
  for (int i = 0;; ++i) {
    const double bytes = least_rung * std::exp2(static_cast<double>(i) / rungs_per_octave);
    if (bytes > 1.001 * plan.most) break;
    rungs.push_back({std::floor(bytes / vectors) * vectors, 0});
  }
  const auto begin = std::chrono::steady_clock::now();
  const auto beyond = [&](double limit) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() > limit;
  };
  for (int round = 0; round < plan.rounds; ++round)
    for (auto& rung : rungs) {
      if (round > 0 && beyond(plan.time_limit)) return rungs;
      if (beyond(times_for_the_first * plan.time_limit))
        throw std::runtime_error("other programs leave no time for a ladder of working sets");
      rung.rate = std::max(rung.rate, probe(rung.bytes, plan.sample));
    }
  return rungs;
}

double largest_rung(double memory, int threads) {
  constexpr double most = 256 << 20;
  return memory > 0 ? std::min(most, memory / 4 / std::max(1, threads)) : most;
}

double rounded_edge(double bytes) {
  const double power = std::exp2(std::floor(std::log2(bytes)));
  double best = power;
  for (const double step : {1.25, 1.5, 1.75, 2.0})
    if (std::abs(std::log(step * power / bytes)) < std::abs(std::log(best / bytes))) best = step * power;
  return best;
}

std::vector<Plateau> plateaus(const std::vector<Rung>& ladder) {
  std::vector<double> y;
  for (const auto& rung : ladder) y.push_back(std::log2(rung.rate));
  std::vector<Plateau> levels;
  for (const auto piece : constant_pieces(y)) {
    const bool last = piece.end == ladder.size();
    const bool is_short = piece.end - piece.begin < (last ? rungs_at_the_end : rungs_of_a_level);
    const double rate = median_rate(ladder, piece), to = ladder[piece.end - 1].bytes;
    const double edge = last ? 0 : rounded_edge(std::sqrt(to * ladder[piece.end].bytes));
    const bool falls = levels.empty() || least_fall * rate <= levels.back().rate;
    if (!falls)
      levels.back() = {is_short ? levels.back().rate : std::max(levels.back().rate, rate), levels.back().from, to,
                       edge};
    else if (!is_short)
      levels.push_back({rate, ladder[piece.begin].bytes, to, edge});
  }
  if (!levels.empty()) levels.back().edge = 0;
  return levels;
}

}  // namespace roofline

#include "microkernels/cuda/memory/l2_sides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace roofline {
namespace {

constexpr double least_separation = 5, least_share = 0.25;
constexpr int power_steps = 30;

/// Latencies without what belongs to a whole row or column.
struct Centred {
  int sms, chunks;
  std::vector<double> value;

  double at(int sm, int chunk) const { return value[static_cast<std::size_t>(sm * chunks + chunk)]; }
  double& at(int sm, int chunk) { return value[static_cast<std::size_t>(sm * chunks + chunk)]; }
};

Centred centred(std::span<const float> latency, int sms, int chunks) {
  std::vector<float> sorted(latency.begin(), latency.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  Centred c{sms, chunks, {}};
  // A page walk or an interrupt takes longer than any distance.
  for (const float cycles : latency) c.value.push_back(std::min(cycles, 2 * *middle));
  for (int sm = 0; sm < sms; ++sm) {
    double mean = 0;
    for (int chunk = 0; chunk < chunks; ++chunk) mean += c.at(sm, chunk) / chunks;
    for (int chunk = 0; chunk < chunks; ++chunk) c.at(sm, chunk) -= mean;
  }
  for (int chunk = 0; chunk < chunks; ++chunk) {
    double mean = 0;
    for (int sm = 0; sm < sms; ++sm) mean += c.at(sm, chunk) / sms;
    for (int sm = 0; sm < sms; ++sm) c.at(sm, chunk) -= mean;
  }
  return c;
}

void normalize(std::vector<double>& x) {
  const double length = std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
  if (length > 0)
    for (double& value : x) value /= length;
}

/// The factors of the strongest product (sm) x (chunk) in the matrix.
struct Factors {
  std::vector<double> sm, chunk;
};
Factors strongest(const Centred& c) {
  Factors f{std::vector<double>(static_cast<std::size_t>(c.sms)),
            std::vector<double>(static_cast<std::size_t>(c.chunks))};
  for (int sm = 0; sm < c.sms; ++sm) f.sm[static_cast<std::size_t>(sm)] = c.at(sm, 0);
  for (int step = 0; step < power_steps; ++step) {
    normalize(f.sm);
    std::fill(f.chunk.begin(), f.chunk.end(), 0);
    for (int sm = 0; sm < c.sms; ++sm)
      for (int chunk = 0; chunk < c.chunks; ++chunk)
        f.chunk[static_cast<std::size_t>(chunk)] += c.at(sm, chunk) * f.sm[static_cast<std::size_t>(sm)];
    normalize(f.chunk);
    for (int sm = 0; sm < c.sms; ++sm) {
      double sum = 0;
      for (int chunk = 0; chunk < c.chunks; ++chunk) sum += c.at(sm, chunk) * f.chunk[static_cast<std::size_t>(chunk)];
      f.sm[static_cast<std::size_t>(sm)] = sum;
    }
  }
  return f;
}

/// Two values that a set of numbers gathers around, as far as it does: the division with the least variance within.
struct TwoClusters {
  double threshold = 0;    ///< numbers above it belong to the upper cluster
  double separation = 0;   ///< Ashman's D = sqrt(2) |m1 - m2| / sqrt(s1^2 + s2^2); infinite without any spread
  double upper_share = 0;  ///< of the numbers
};

/// An even spread has D = 3.5, a normal distribution 2.6. With fewer than two different numbers D = 0.
TwoClusters two_clusters(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  const double n = static_cast<double>(x.size());
  double all = 0, squares = 0;
  for (const double value : x) all += value, squares += value * value;
  TwoClusters best;
  double least = std::numeric_limits<double>::infinity(), sum = 0, sum_squares = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    sum += x[i], sum_squares += x[i] * x[i];
    if (x[i] == x[i + 1]) continue;
    const double lower = static_cast<double>(i + 1), upper = n - lower;
    const double m1 = sum / lower, m2 = (all - sum) / upper;
    const double v1 = std::max(0.0, sum_squares / lower - m1 * m1);
    const double v2 = std::max(0.0, (squares - sum_squares) / upper - m2 * m2);
    if (const double within = lower * v1 + upper * v2; within < least) {
      least = within;
      best = {(x[i] + x[i + 1]) / 2, std::sqrt(2) * (m2 - m1) / std::sqrt(v1 + v2), upper / n};
    }
  }
  return best;
}

bool halves(const TwoClusters& clusters) {
  return clusters.separation > least_separation && clusters.upper_share >= least_share &&
         clusters.upper_share <= 1 - least_share;
}

}  // namespace

std::optional<L2Halves> find_l2_halves(std::span<const float> latency, int sms, int chunks, std::string& why_none) {
  if (!can_tell_l2_halves(sms, chunks) ||
      latency.size() != static_cast<std::size_t>(sms) * static_cast<std::size_t>(chunks))
    throw std::invalid_argument(
        fmt::format("L2 halves: {} latencies of {} SMs x {} chunks", latency.size(), sms, chunks));
  const auto matrix = centred(latency, sms, chunks);
  const auto factors = strongest(matrix);
  const auto by_sm = two_clusters(factors.sm), by_chunk = two_clusters(factors.chunk);
  if (!halves(by_sm) || !halves(by_chunk)) {
    why_none = fmt::format("all SMs reach all of L2 alike: no two groups (separation {:.1f} of SMs, {:.1f} of memory)",
                           by_sm.separation, by_chunk.separation);
    return std::nullopt;
  }
  L2Halves found;
  // The factors' product is the time beyond the mean: negative near each other.
  for (const double factor : factors.sm) found.side_of_sm.push_back(factor > by_sm.threshold);
  for (const double factor : factors.chunk) found.side_of_chunk.push_back(factor < by_chunk.threshold);
  std::array<double, 2> cycles{}, pairs{};
  for (int sm = 0; sm < sms; ++sm)
    for (int chunk = 0; chunk < chunks; ++chunk) {
      const auto at = static_cast<std::size_t>(sm * chunks + chunk);
      const std::size_t far =
          found.side_of_sm[static_cast<std::size_t>(sm)] != found.side_of_chunk[static_cast<std::size_t>(chunk)];
      cycles[far] += latency[at], pairs[far] += 1;
    }
  found.near_cycles = cycles[0] / pairs[0], found.far_cycles = cycles[1] / pairs[1];
  return found;
}

ChunkDeal deal_chunks(const L2Halves& halves, bool far, int unit) {
  std::array<std::vector<int>, 2> of_side;
  for (std::size_t chunk = 0; chunk < halves.side_of_chunk.size(); ++chunk)
    of_side[static_cast<std::size_t>(halves.side_of_chunk[chunk])].push_back(static_cast<int>(chunk));
  const auto list = [&](int side) -> const std::vector<int>& {
    return of_side[static_cast<std::size_t>(far ? 1 - side : side)];
  };
  ChunkDeal deal;
  std::array<int, 2> sms{};
  for (const int side : halves.side_of_sm) ++sms[static_cast<std::size_t>(side)];
  int most = static_cast<int>(halves.side_of_chunk.size());
  for (const int side : {0, 1})
    if (const int n = sms[static_cast<std::size_t>(side)]; n > 0)
      most = std::min(most, static_cast<int>(list(side).size()) / n);
  deal.per_sm = most / unit * unit;
  std::array<std::size_t, 2> next{};
  for (const int side : halves.side_of_sm)
    for (int i = 0; i < deal.per_sm; ++i) deal.chunk.push_back(list(side)[next[static_cast<std::size_t>(side)]++]);
  return deal;
}

}  // namespace roofline

#pragma once
#include <cstddef>
#include <vector>

#include "bench/model/statistics.hpp"

namespace roofline::mpi {

/// Between two ranks, one way: half of round trips, for each size of a message. Seconds; bytes are those of the sizes
/// that were measured.
struct Link {
  int a = 0, b = 0;
  std::vector<double> bytes;
  std::vector<Interval> seconds;

  double rate(std::size_t size) const { return bytes[size] / seconds[size].median; }
};

/// t = latency + bytes / bandwidth (Hockney, Parallel Computing 20, 1994): the latency of the smallest messages, the
/// bandwidth of what the largest takes longer than the next smaller one, so that what precedes the steady flow (bursts
/// that a limiter lets through, a change of protocol) drops out.
struct LinkFit {
  double latency = 0, bandwidth = 0;
  double half_bytes = 0;                ///< n1/2: with so many the rate is half of the bandwidth
  double misfit = 1, misfit_bytes = 0;  ///< where the measured time is farthest from the fit: their ratio
  double seconds(double bytes) const { return latency + bytes / bandwidth; }
};
LinkFit fit(const Link& link);

/// Pairs of 0 ... n - 1 in rounds of disjoint ones. Up to 64 ranks every pair is measured once, in n - 1 rounds (n for
/// odd n). Above 64 there are `partners` seeded rounds.
using Pairs = std::vector<std::pair<int, int>>;
std::vector<Pairs> disjoint_rounds(int n, int partners = 8);

/// Links that are far below the others by the rule that finds slow nodes (reporters/cluster). The finding is either a
/// rank, which is slow if the best of its links is, or one link between ranks that are not.
struct LinkFinding {
  int a = 0, b = -1;       ///< b -1: all links of a
  bool latency = false;    ///< small messages are late, else large ones are slow
  double loss = 0;         ///< share of the usual rate
  bool confirmed = false;  ///< in two more measurements, too
};

/// Finds suspect links and ranks; needs three of them at least. `again`: links of two more measurements, which decide
/// whether a suspect is confirmed. A suspect that was not measured again is not confirmed.
std::vector<LinkFinding> judge_links(const std::vector<Link>& links, const std::vector<std::vector<Link>>& again = {});

}  // namespace roofline::mpi

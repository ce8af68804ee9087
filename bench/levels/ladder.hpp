#pragma once
#include <functional>
#include <vector>

namespace roofline {

/// One size of a ladder of working sets.
struct Rung {
  double bytes = 0;  ///< of the set of one thread
  double rate = 0;   ///< B/s that all threads together read from their sets
};

/// Reads a set of `bytes` per thread, all threads at once, again and again for about `seconds`; B/s of all threads.
using ReadProbe = std::function<double(double bytes, double seconds)>;

/// How a ladder is climbed.
struct LadderPlan {
  double most = 0;          ///< bytes per thread of the largest set
  int rounds = 4;           ///< over all sizes, so that a disturbance of seconds spoils no rung
  double sample = 2.5e-3;   ///< seconds of a sample
  double time_limit = 2.0;  ///< seconds of all rounds; the first round alone may take three times as long
};

inline constexpr double least_rung = 4096;  ///< bytes per thread
inline constexpr int rungs_per_octave = 4;  ///< rungs in a factor of two

/// The best of all rounds at each size, from least_rung up to plan.most. Takes some 0.3 s a round on two cores. Throws
/// std::runtime_error where the time is up before one round is complete: half a ladder shows nothing.
std::vector<Rung> climb(const ReadProbe& probe, const LadderPlan& plan);

/// Bytes per thread of the largest set that a ladder takes: 256 MiB, within a quarter of `memory` (bytes that the
/// process may still have; 0: unknown) over all threads.
double largest_rung(double memory, int threads);

/// Levels of which one is less than this faster than the next are one level.
inline constexpr double least_fall = 1.2;

/// Sizes of a ladder that one level of the hierarchy serves.
struct Plateau {
  double rate = 0;  ///< B/s of all threads
  double from = 0;  ///< bytes per thread of its first and last rung
  double to = 0;
  double edge = 0;  ///< bytes per thread where it ends, {1, 1.25, 1.5, 1.75} x 2^k; 0 of the last one
};

/// The plateaus of a ladder, the fastest first: the fit of piecewise constant logarithms with the least sum of squared
/// deviations plus a price for each piece. A fall over less than a factor of two is a slope between levels. A rise, or
/// a fall smaller than least_fall, belongs to the level. Empty for an empty ladder.
std::vector<Plateau> plateaus(const std::vector<Rung>& ladder);

/// The nearest of {1, 1.25, 1.5, 1.75} x 2^k, by ratio.
double rounded_edge(double bytes);

}  // namespace roofline

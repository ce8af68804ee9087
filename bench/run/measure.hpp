#pragma once
#include <functional>
#include <vector>

#include "bench/machine/timer.hpp"
#include "bench/model/kernel_point.hpp"
#include "bench/model/statistics.hpp"
#include "bench/run/placement.hpp"

namespace roofline {

/// When sampling a launch may stop.
struct Budget {
  int min_samples = 9;              ///< a 95 % rank interval of the median wants at least 6
  double min_seconds = 0;           ///< sample at least this long
  double max_seconds = 1;           ///< stop here, converged or not, once min_samples are there
  double target_half_width = 0.01;  ///< of the interval, relative to the median
  double patience = 1;              ///< times max_seconds that may be spent while the half-width is above 3 %
  double give_up_seconds = 0;       ///< stop here with min_samples or not, from 3 on; 0: never
  double replace_seconds = 0;       ///< that may go into taking disturbed samples again
  bool watch = true;                ///< ask whether this thread had its core to itself; a GPU does not mind
  double min_interval = 1e-3;       ///< seconds; shorter launches are batched (>= 1000 timer steps)
};

/// What is asked beside every sample.
struct Beside {
  std::function<double()> pace = {};  ///< of DRAM, see DramProbe; empty: the launch does not depend on it
  Placement* placement = nullptr;     ///< of the cores; null: it does not matter to the launch
};

/// Of values that belong to samples: the rank interval of their median. Where more than contamination_limit of the
/// samples were disturbed: their range, and below it what they would have been at least (`least`, one per value or
/// none) had no thread waited for its core.
Interval interval_of(const std::vector<double>& values, double contaminated, const std::vector<double>& least = {});

/// Seconds that a launch of `seconds` would have taken at least had threads not `waited` for cores so long, all
/// together: no less than a twentieth, as nothing is done in no time.
double least_time(double seconds, double waited);

/// Samples of one launch.
struct Measurement {
  std::vector<double> seconds;     ///< of one launch, one entry per sample
  int batch = 1;                   ///< launches per sample
  double cpu_seconds = 0;          ///< of the calling thread, per launch
  double contaminated = 0;         ///< share of `seconds` in which this thread did not have its core to itself
  int replaced = 0;                ///< disturbed samples that were taken again, not among `seconds`
  bool converged = true;           ///< target_half_width reached
  std::vector<double> paces = {};  ///< of DRAM beside each sample, where it was asked for
  double distance = 0;             ///< of the cores from one another in all of them; 0: not looked at
  std::vector<double> least = {};  ///< one per `seconds`: without what a thread waited for its core; empty: not known

  Interval interval() const { return interval_of(seconds, contaminated, least); }
};

/// Times a launch that is already warm: batches it above the timer's resolution, samples until the interval of the
/// median is narrow enough or the budget is spent.
///
/// While `replace_seconds` lasts, a disturbed sample is taken again instead of kept. When it is spent with fewer than
/// min_samples undisturbed ones, the least disturbed of the others fill up: those during which the machine was busy
/// before those in which this process lost its cores; `contaminated` is their share.
///
/// All samples are of one placement of the cores; those of others count as taken again.
Measurement measure(const Timer& time, const Budget& budget, const Beside& beside = {});

/// Launches of which one sample of `seconds` is made, of a launch whose first run may be slow.
int launches_in(const Timer& time, double seconds);

/// Whether a launch keeps its time while the pace beside it jumps: the core binds it, or it works on other memory than
/// what is asked, as the pages of a guest may lie in several of its host. Either way its time says nothing of the
/// slower paces.
bool is_refuted(const std::vector<double>& seconds, const std::vector<double>& paces);
/// What is left of such paces, of one or more: the upper quartile.
double held_pace(std::vector<double> paces);
/// Puts that in the place of paces that the launch refutes, or a turn of it has refuted.
void hold_pace(KernelPoint& point);

/// Puts samples into the point that is made of them, and the time at the ceiling's pace where there are paces.
void note_samples(KernelPoint& point, const Measurement& measurement);

/// Adds the times of another measurement of the same launch.
void add_samples(Measurement& to, const Measurement& of);

/// Adds another measurement of the same kernel.
void join(KernelPoint& point, const KernelPoint& other);

/// The second half of the samples under a load of at least `seconds`: what is left when power and heat have lowered the
/// clock.
Measurement measure_sustained(const Timer& time, double seconds);

}  // namespace roofline

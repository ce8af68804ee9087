#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bench/result/results.hpp"

namespace roofline {

/// One resource of a kernel: the time that it would need by itself.
struct ResourceShare {
  Resource resource;
  double share = 0;                ///< of the kernel's time, at the ceiling of its own mix
  double unpaired = 0;             ///< of this share for unpaired lines of DRAM
  double pairing = 1;              ///< how many times as fast these would come as a stream
  double gathered = 0, split = 0;  ///< of this share for gathers and split loads of L1
};

/// The resources of a point that are known, the one that needs most first. The share of the resource that the
/// assessment names is the share in the assessment.
std::vector<ResourceShare> resource_shares(const Roofline& roofline, const KernelPoint& point);

/// Why a point is not faster (diagnosis.cpp). One table in explain.cpp says what helps against each.
enum class TimeCause {
  disturbed,    ///< a resource would need more than 105 % of the time: nothing is concluded
  done,         ///< at 90 % of the roof of its mix
  arithmetic,   ///< slots of the units
  divider,      ///< divisions and square roots
  front_end,    ///< instructions
  fork_join,    ///< parallel regions
  bytes,        ///< of a level, which may be moved more than once
  in_vain,      ///< bytes of a level, more than the source loads and stores
  compulsory,   ///< bytes of a level, each of which is used and moved once
  overwritten,  ///< lines of DRAM that are read before stores overwrite them
  unpaired,     ///< lines of DRAM whose neighbour is not used
  gathers,      ///< loads of numbers that lie apart
  split,        ///< loads that cross the end of a line
  core,         ///< as slow with its data in the core's caches, and no unit is full
  mostly_core,  ///< the core alone takes most of the time, and no resource does
  loops,        ///< several loops, one after another, each of which may have a bound of its own
  waiting,      ///< no resource is busy for most of the time, and all of them together are
  latency,      ///< all resources together need less than the time
};

/// "fewer divisions help, ...": the advice against a cause; empty where nothing follows from it.
const char* what_helps(TimeCause cause);

/// One cause, and the resource that is next.
struct Diagnosis {
  TimeCause cause;
  TimeCause of_bytes = TimeCause::bytes;      ///< of a row that is done and bound by memory
  ResourceShare top;                          ///< the largest share of the time
  std::optional<ResourceShare> second;        ///< the resource that binds without the cause; absent: none, or the same
  std::optional<ResourceShare> in_core = {};  ///< of a row that is mostly in its core, what needs most there
  bool then_core = false;                     ///< the core binds then, as measured with the data in its caches
  double gain = 0;                            ///< how many times as fast the row is then at most; 0: not known
  double spared = 0;                          ///< of the bytes of DRAM, what streaming stores would not read
};

/// Absent where nothing that a point needs has a ceiling.
std::optional<Diagnosis> diagnose(const Roofline& roofline, const KernelPoint& point);

/// The resource that bounds a point, by how much, and the remedy: one or two plain sentences.
std::string explain(const Roofline& roofline, const KernelPoint& point);

/// "the adders", "the divider", "DRAM": a resource in words.
std::string in_words(const Resource& resource);

/// The 95 % interval of a share in percent: "+-1.3" where it is symmetric to within a point, else "46..55"; "-" with
/// too few rounds.
std::string interval_text(const std::optional<Judgement>& judgement);

/// Whether the share of a measured point is above every roof in its whole interval: a count or the model is wrong.
bool contradicts(const KernelPoint& point);

/// The meaning of a run's intervals: "95 % interval of the share over 6 rounds, and 2 % by which runs differ"; with
/// fewer rounds an interval is not called 95 %. Empty if no point has one.
std::string rounds_text(const Results& results);

/// How well the shares are known: "Shares hold to +-1.8 % (median; 12 of 14 rows to 5 %; worst gsrb/fp: 6 %; 6
/// rounds)." in `width` columns, for which names are shortened. Empty where no share has an interval.
std::string precision_text(const Results& results, std::size_t width = 1000);

/// Says so where the rate of a row divided by the roof that is printed differs by more than a tenth from the row's
/// share, with the range of that roof: it moved during the run, and a share is of the roof next to each sample. Else
/// empty.
std::string moved_roofs_text(const Results& results);

/// The text in a drawing for ceilings that are from another run: "of FILE (6 rounds, 36 of 37 rows to 5 %)".
std::string origin_text(const std::string& file, const Results& run);

/// Where the counts come from: account and source of the FLOPs, source and model of the bytes; one line each.
std::vector<std::string> source_lines(const Results& results);

}  // namespace roofline

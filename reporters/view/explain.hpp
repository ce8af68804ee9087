#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bench/result/results.hpp"

namespace roofline {

/// One resource of a kernel: what it would need by itself.
struct ResourceShare {
  Resource resource;
  double share = 0;                ///< of the kernel's time, at the ceiling of its own mix
  double unpaired = 0;             ///< of this share for unpaired lines of DRAM
  double gathered = 0, split = 0;  ///< of this share for gathers and split loads of L1
};

/// The resources of a point that are known, the one that needs most first.
std::vector<ResourceShare> resource_shares(const Roofline& roofline, const KernelPoint& point);

/// What bounds a point, by how much, and what would lift it: one or two plain sentences.
std::string explain(const Roofline& roofline, const KernelPoint& point);

/// "instruction issue", "the divider", "DRAM": a resource in words.
std::string in_words(const Resource& resource);

/// Half the interval of a share, in points: "1.3"; "-" with too few rounds.
std::string half_width_text(const std::optional<Judgement>& judgement);

/// Whether the share of a measured point is above every roof in its whole interval: a count or the model is wrong.
bool contradicts(const KernelPoint& point);

/// What the half-widths of a run are of: "half of the 95 % interval over 6 rounds, in points"; with fewer rounds no
/// interval is called 95 %. Empty where no point has one.
std::string rounds_text(const Results& results);

/// How well the shares are known: "Shares hold to +-1.8 % (median; 12 of 14 rows to 5 %; worst: gsrb/fp +-6 %; 6
/// rounds)." in `width` columns, for which names are shortened. Empty where no share has an interval.
std::string precision_text(const Results& results, std::size_t width = 1000);

/// Where memory was not the same throughout a run: its range. The rate of a row and the roof are then of different
/// moments, and their ratio is not the row's share. Else empty.
std::string moving_memory_text(const Results& results);

/// What a drawing says of ceilings that are from another run: "of FILE (6 rounds, 36 of 37 rows to 5 %)".
std::string origin_text(const std::string& file, const Results& run);

/// Where the counts come from: account and source of the FLOPs, source and model of the bytes; one line each.
std::vector<std::string> source_lines(const Results& results);

}  // namespace roofline

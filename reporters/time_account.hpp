#pragma once
#include <array>
#include <optional>

#include "bench/run/results.hpp"
#include "bench/text/table.hpp"

namespace roofline {

/// What the account says of a measured time.
enum class Explained {
  no,        ///< resources one after another need less than it, to a tenth: the rest goes into what has no ceiling here
  yes,       ///< between the largest of them and their sum
  too_fast,  ///< one needs more, to a tenth: that ceiling or count is wrong
};

/// How long each resource needs for a kernel by itself, at the ceiling of the kernel's own mix.
///
/// The roofline takes them to overlap perfectly: the time is at least the largest of them. With no overlap at all it
/// would be their sum (the two ends of the execution-cache-memory model, Stengel et al., ICS 2015). A kernel whose time
/// is near the sum has its resources waiting for one another; one above it spends time on something not counted here.
struct TimeAccount {
  std::optional<double> compute;                ///< seconds of the instruction mix
  std::array<std::optional<double>, 4> levels;  ///< seconds of the traffic, indexed by MemoryLevel
  std::optional<double> lone;                   ///< of those of DRAM for lone lines; absent: there are none
  std::optional<double> split, gathered;        ///< of those of L1 for split loads and gathers; absent: there are none
  std::optional<double> front_end;              ///< seconds of the instructions, where they were counted
  std::optional<double> regions;                ///< seconds to start threads and wait for them

  double largest() const;
  double sum() const;
  Explained explains(double seconds) const;
};

/// The account of a point; DRAM at the pace it had beside the point. Resources without counts or ceiling are absent.
TimeAccount time_account(const Roofline& roofline, const KernelPoint& point);

/// One row per point: the share of its measured time that each resource needs, and their sum.
Table time_account_table(const Results& results);

}  // namespace roofline

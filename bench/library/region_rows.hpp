#pragma once
#include <iosfwd>
#include <roofline/declared_work.hpp>
#include <string>
#include <vector>

#include "bench/library/machine_ceilings.hpp"
#include "bench/machine/machine.hpp"
#include "bench/text/table.hpp"

namespace roofline {

/// All regions of one name within the same outer ones, as the report sees them.
struct RegionRow {
  std::string name;
  int depth = 0;  ///< how many regions are around it
  long long calls = 0;
  int threads = 1;           ///< different ones that it ended in
  double seconds = 0;        ///< of all calls and threads, regions within included
  double inner_seconds = 0;  ///< of the regions within
  DeclaredWork work = {};    ///< of all calls together
};

/// Every region that has ended, each before those within it.
std::vector<RegionRow> region_rows();

/// The report. `ceilings` of the threads of a row give its share of the roof: `-` where there are none.
Table region_table(const std::vector<RegionRow>& rows, const Machine& machine,
                   const std::vector<MachineCeilings>& ceilings);

/// Writes the table of all regions that have ended, nothing when there are none. Ceilings are those that were kept; the
/// environment's ROOFLINE_REGIONS=measure measures them where there are none.
void write_region_report(std::ostream& to);

}  // namespace roofline

#pragma once
#include <iosfwd>

namespace roofline {

/// Writes the table of all regions that have ended, nothing when there are none. Ceilings are those that were kept; the
/// environment's ROOFLINE_REGIONS=measure measures them where there are none.
void write_region_report(std::ostream& to);

}  // namespace roofline

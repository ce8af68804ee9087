#pragma once
#include <iosfwd>
#include <roofline/declared_work.hpp>
#include <string_view>

namespace roofline {

struct RegionPlace;

/// A named part of a program that is timed from here to the end of the scope:
///
///   {
///     roofline::Region region("assemble");
///     region.fma(n).read(matrix).update(vector);
///     ...
///   }
///
/// Regions nest, and may run in several threads at once. Regions of one name within the same outer ones are one row of
/// the report: calls, time, and where work was declared its rates and their share of the roof. Threads in
/// one region are taken to be there side by side: its time is the sum over them, divided by their number. Entering and
/// leaving costs some hundred nanoseconds: not for the innermost loop.
///
/// The report is printed on standard error when the program ends, unless report_regions() was called before or the
/// environment says ROOFLINE_REGIONS=off. Percentages need ceilings that were measured on this machine before: any run
/// with --roofline keeps them, and ROOFLINE_REGIONS=measure measures them where there are none.
class Region : public detail::Declares<Region> {
 public:
  /// Begins now. Within another region of this thread it is a part of that.
  explicit Region(std::string_view name);
  /// Ends, in the thread that began it, before the regions around it.
  ~Region();
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

 private:
  RegionPlace* place_;  ///< the row that this region adds to
  RegionPlace* outer_;
  long long begin_;  ///< nanoseconds of the steady clock
};

/// Writes the report of all regions that have ended; the one at the end of the program is then left out.
void report_regions(std::ostream& to);

/// Forgets all regions that have ended.
void reset_regions();

}  // namespace roofline

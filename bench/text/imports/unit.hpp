#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace roofline {

/// The quantity that a unit measures, and its size: "Gbyte/s" is "byte/second", 1e9. For counts ("inst", "sector") the
/// quantity is their singular.
struct Unit {
  std::string of;
  double factor = 1;
};

/// A unit in any spelling that tools use, with any prefix, decimal or binary: "Mbyte", "MiB/s", "nsecond", "us",
/// "cycle/nsecond", "GFLOPS". Absent if the text is not a unit, and if it may mean bits ("Gb").
std::optional<Unit> unit_named(std::string_view text);

/// The unit that a name of a counter or column has in it, of `base` ("byte", "flop") with or without "/second":
/// "FOM: GB/s", "avg_tflops", "max_mbytes_per_sec". Absent where it has none.
std::optional<Unit> unit_in(std::string_view name, std::string_view base);

}  // namespace roofline

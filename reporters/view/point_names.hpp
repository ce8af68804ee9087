#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/model/kernel_point.hpp"

namespace roofline {

/// One kernel point under the name it has within its family.
struct Member {
  const KernelPoint* point = nullptr;
  int number = 0;                      ///< 1..n over all families, the same in every table and plot of a run
  std::vector<std::string> arguments;  ///< the parts of its name that differ within the family: "nw:6", "copy"
  std::string label;                   ///< these joined: "nw:6/fma:1"
};

/// The points of a family, in the order of the run. The common part of their names is in the heading, once.
struct FamilyGroup {
  std::string family;
  std::string heading;  ///< "gpp", "stencil/7pt/n:256"
  std::vector<Member> members;
};

/// Points grouped by family, families in order of appearance. The points must outlive the groups.
std::vector<FamilyGroup> group_by_family(const std::vector<KernelPoint>& points);

/// A row's name without the size of its problem, which the suite or its user chose for each machine. The row
/// stencil/7pt/n:64/flops:7 of earlier versions is stencil/7pt.
std::string without_size(const std::string& row);

/// Whether a pattern ('*' stands for anything) means the row of that name, with the size of its problem or without:
/// "stream/triad" fits stream/triad/n:64, too.
bool fits_row(const std::string& pattern, const std::string& row);

/// "stream/triad", "gpp", "lbm/collide": a row's name up to its first argument, two parts at most.
std::string kernel_of(const std::string& row);

/// The point of that name; null when there is none.
const KernelPoint* find_point(const std::vector<KernelPoint>& points, const std::string& name);

/// The point with the bytes of one level alone.
KernelPoint at_level(KernelPoint point, MemoryLevel level);

/// "stride:4" as key and number; nothing when the part is not "key:number".
struct NumericArgument {
  std::string_view key;
  double value = 0;
};
std::optional<NumericArgument> numeric_argument(std::string_view part);

}  // namespace roofline

#include "reporters/view/point_names.hpp"

#include <algorithm>
#include <set>

#include "bench/text/words.hpp"
#include "reporters/view/roof_lines.hpp"

namespace roofline {
namespace {

/// Parts of "gpp/nw:6/fma:1" after the family.
std::vector<std::string> arguments_of(const KernelPoint& point) {
  auto parts = split(point.name + '/', '/');
  if (parts.size() < 2) return parts;
  if (parts.front() == point.family) parts.erase(parts.begin());
  // "b: gpp" is the family of one of several runs: the run tells the row from others.
  else if (parts.front().ends_with(": " + point.family))
    parts.front().erase(parts.front().size() - point.family.size() - 2);
  return parts;
}

std::string join(const std::vector<std::string>& parts, std::string text = {}) {
  for (const auto& part : parts) text += (text.empty() ? "" : "/") + part;
  return text;
}

/// Moves the arguments that every member has into the heading.
void hoist_common(FamilyGroup& group) {
  auto& members = group.members;
  std::vector<std::string> common;
  if (members.size() > 1)
    for (const auto& part : members.front().arguments)
      if (std::all_of(members.begin(), members.end(), [&](const Member& member) {
            return std::count(member.arguments.begin(), member.arguments.end(), part) == 1;
          }))
        common.push_back(part);
  // A name that is the beginning of another ("stride:8" next to "stride:8/div:0") would be left without a label.
  const bool some_has_no_other = std::any_of(
      members.begin(), members.end(), [&](const Member& member) { return member.arguments.size() == common.size(); });
  if (some_has_no_other && !common.empty()) common.pop_back();
  group.heading = join(common, group.family);
  for (auto& member : members) {
    std::vector<std::string> own;
    for (const auto& part : member.arguments)
      if (std::find(common.begin(), common.end(), part) == common.end()) own.push_back(part);
    member.label = own.empty() ? member.point->name : join(own);
    member.arguments = std::move(own);
  }
}

}  // namespace

std::vector<FamilyGroup> group_by_family(const std::vector<KernelPoint>& points) {
  std::vector<FamilyGroup> groups;
  for (const auto& point : points) {
    auto group =
        std::find_if(groups.begin(), groups.end(), [&](const FamilyGroup& g) { return g.family == point.family; });
    if (group == groups.end()) group = groups.insert(groups.end(), FamilyGroup{point.family, {}, {}});
    group->members.push_back({&point, 0, arguments_of(point), {}});
  }
  int number = 0;
  for (auto& group : groups) {
    hoist_common(group);
    for (auto& member : group.members) member.number = ++number;
  }
  return groups;
}

std::string without_size(const std::string& row) {
  static const std::set<std::string> sizes{"N", "LX", "LY", "SIZE", "ELEMENTS"};
  auto parts = split(row + '/', '/');
  const auto is_of_size = [&](const std::string& part) {
    const auto sign = part.find_first_of(":=");
    const bool number = sign != part.npos && part.find_first_not_of("0123456789", sign + 1) == part.npos;
    return (number && sizes.contains(in_capitals(part.substr(0, sign)))) ||
           (part == "flops:7" && parts.front() == "stencil");
  };
  parts.erase(std::remove_if(parts.begin() + 1, parts.end(), is_of_size), parts.end());
  return join(parts);
}

bool fits_row(const std::string& pattern, const std::string& row) {
  return fits(pattern, row) || fits(pattern, without_size(row));
}

std::string kernel_of(const std::string& row) {
  const auto first = row.find('/');
  const auto second = row.find('/', first == row.npos ? first : first + 1);
  const auto kernel = row.substr(0, second);
  return kernel.find(':') == kernel.npos ? kernel : row.substr(0, first);
}

const KernelPoint* find_point(const std::vector<KernelPoint>& points, const std::string& name) {
  const auto found = std::find_if(points.begin(), points.end(), [&](const KernelPoint& p) { return p.name == name; });
  return found == points.end() ? nullptr : &*found;
}

KernelPoint at_level(KernelPoint point, MemoryLevel level) {
  for (const auto other : all_memory_levels)
    if (other != level) point.counts.at(other).reset(), point.counts.range[static_cast<std::size_t>(other)].reset();
  return point;
}

std::optional<NumericArgument> numeric_argument(std::string_view part) {
  const auto colon = part.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto value = as_number<double>(part.substr(colon + 1));
  return value ? std::optional(NumericArgument{part.substr(0, colon), *value}) : std::nullopt;
}

}  // namespace roofline

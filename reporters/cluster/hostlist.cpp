#include "reporters/cluster/hostlist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>

namespace roofline::cluster {
namespace {

constexpr std::size_t most_digits = 9;

/// A name in front of the number at its end, and the digits of that.
struct Split {
  std::string head, digits;
};

Split split_name(const std::string& name) {
  auto at = name.size();
  while (at > 0 && name.size() - at < most_digits && std::isdigit(static_cast<unsigned char>(name[at - 1]))) --at;
  return {name.substr(0, at), name.substr(at)};
}

std::string with_zeros(std::uint32_t number, std::size_t width) { return fmt::format("{:0{}}", number, width); }

/// "0004-0005,0017" of ascending numbers.
std::string ranges(const std::set<std::uint32_t>& numbers, std::size_t width) {
  std::string text;
  for (auto at = numbers.begin(); at != numbers.end();) {
    const auto first = *at;
    auto last = first;
    while (++at != numbers.end() && *at == last + 1) last = *at;
    text += (text.empty() ? "" : ",") + with_zeros(first, width);
    if (last > first) text += "-" + with_zeros(last, width);
  }
  return text;
}

}  // namespace

std::string folded(const std::vector<std::string>& names) {
  std::set<std::string> padded;  // heads of which some number has zeros in front: there every width is its own
  for (const auto& name : names)
    if (const auto [head, digits] = split_name(name); digits.size() > 1 && digits.front() == '0') padded.insert(head);
  std::map<std::pair<std::string, std::size_t>, std::set<std::uint32_t>> groups;
  for (const auto& name : names) {
    const auto [head, digits] = split_name(name);
    auto& numbers = groups[{head, padded.contains(head) ? digits.size() : std::min<std::size_t>(1, digits.size())}];
    if (!digits.empty()) numbers.insert(static_cast<std::uint32_t>(std::stoul(digits)));
  }
  std::string text;
  for (const auto& [key, numbers] : groups) {
    const auto& [head, width] = key;
    text += (text.empty() ? "" : ",") + head;
    if (numbers.size() == 1) text += with_zeros(*numbers.begin(), width);
    if (numbers.size() > 1) text += "[" + ranges(numbers, width) + "]";
  }
  return text;
}

std::string node_list(const std::vector<std::string>& names, std::string_view form) {
  if (std::find(std::begin(list_forms), std::end(list_forms), form) == std::end(list_forms))
    throw std::invalid_argument(fmt::format("'{}' is no form of a list of nodes", form));
  if (names.empty()) return {};
  if (form == "slurm" || form == "flux") return folded(names) + "\n";
  std::string text;
  for (const auto& name : std::set<std::string>(names.begin(), names.end()))
    text += (text.empty() ? "" : form == "pbs" ? " " : "\n") + name;
  return text + "\n";
}

}  // namespace roofline::cluster

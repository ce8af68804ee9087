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

constexpr std::size_t most_digits = 9, most_names = 1'000'000;

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

[[noreturn]] void refuse(std::string_view list, const char* why) {
  throw std::invalid_argument(fmt::format("'{}' is no list of nodes: {}", list.substr(0, 80), why));
}

std::uint32_t number_of(std::string_view digits, std::string_view list) {
  const bool good = !digits.empty() && digits.size() <= most_digits &&
                    std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c); });
  if (!good) refuse(list, "a number is expected in its brackets");
  return static_cast<std::uint32_t>(std::stoul(std::string(digits)));
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
    if (!digits.empty()) numbers.insert(number_of(digits, name));
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

std::vector<std::string> unfolded(std::string_view list) {
  std::vector<std::string> names;
  const auto add = [&](std::string name) {
    if (names.size() >= most_names) refuse(list, "too many names");
    names.push_back(std::move(name));
  };
  for (std::size_t at = 0; at < list.size();) {
    const auto end = std::min(list.find_first_of(",[", at), list.size());
    const auto head = list.substr(at, end - at);
    if (end == list.size() || list[end] == ',') {
      if (head.empty()) refuse(list, "an empty name");
      add(std::string(head));
      at = end + 1;
      continue;
    }
    const auto close = list.find(']', end);
    if (close == list.npos) refuse(list, "a bracket is not closed");
    for (auto from = end + 1; from <= close;) {
      const auto to = std::min(list.find(',', from), close);
      const auto range = list.substr(from, to - from);
      const auto first = range.substr(0, range.find('-'));
      const auto last = first.size() == range.size() ? first : range.substr(first.size() + 1);
      const auto begin = number_of(first, list), stop = number_of(last, list);
      if (stop < begin) refuse(list, "a range that ends before it begins");
      for (auto n = begin; n <= stop; ++n)
        add(std::string(head) + with_zeros(n, first.front() == '0' ? first.size() : 1));
      from = to + 1;
    }
    at = close + 1;
    if (at < list.size() && list[at++] != ',') refuse(list, "a comma is expected after its brackets");
  }
  return names;
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

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>

#include "bench/text/format.hpp"
#include "reporters/cluster/fleet.hpp"

namespace roofline::cluster {
namespace {

using Key = std::array<std::string, group_facts>;

Key key_of(const Fleet::Run& run) {
  Key key;
  std::copy_n(run.facts.begin(), group_facts, key.begin());
  return key;
}

bool same_memory(double a, double b) {
  constexpr double most = 1.05;
  return std::max(a, b) <= most * std::min(a, b);
}

const Fleet::Run& last_run(const Fleet& fleet, std::size_t node) { return fleet.nodes[node].runs.back(); }

std::string title_of(const Fleet::Run& run) {
  const auto fact = [&](Fact which) { return run.facts[index(which)]; };
  auto title = fact(fact(Fact::gpu).empty() ? Fact::processor : Fact::gpu);
  if (title.empty()) title = "unnamed processor";
  const auto add = [&](Fact which, const char* unit) {
    if (!fact(which).empty()) title += fmt::format(", {}{}", fact(which), unit);
  };
  add(Fact::cores, " cores");
  if (run.memory_bytes > 0) title += ", " + binary_size(run.memory_bytes);
  add(Fact::threads, " threads"), add(Fact::isa, ""), add(Fact::group_key, "");
  return title;
}

/// The value that most runs have, and how many; the smaller text of two.
std::string most_common(const Fleet& fleet, const Group& group, Fact fact) {
  std::map<std::string, std::size_t> counts;
  for (const auto node : group.nodes) ++counts[last_run(fleet, node).facts[index(fact)]];
  const auto rarer = [&](const auto& a, const auto& b) {
    return a.second != b.second ? a.second < b.second : a.first > b.first;
  };
  return std::max_element(counts.begin(), counts.end(), rarer)->first;
}

std::string otherwise(Fact fact, const std::string& here, const std::string& there) {
  const auto shown = [](const std::string& text) { return text.empty() ? "not told" : text; };
  return fmt::format("{} {} (else {})", name(fact), shown(here), shown(there));
}

/// How two groups differ, memory first.
std::vector<std::string> between(const Fleet::Run& run, const Fleet::Run& other) {
  std::vector<std::string> found;
  if (!same_memory(run.memory_bytes, other.memory_bytes)) {
    const double ratio = other.memory_bytes > 0 ? run.memory_bytes / other.memory_bytes : 0;
    const bool half = ratio > 0.45 && ratio < 0.55;
    found.push_back(fmt::format("{}{} (else {})", half ? "half the memory? " : "memory ", binary_size(run.memory_bytes),
                                binary_size(other.memory_bytes)));
  }
  for (std::size_t i = 0; i < fact_count; ++i)
    if (run.facts[i] != other.facts[i]) found.push_back(otherwise(static_cast<Fact>(i), run.facts[i], other.facts[i]));
  return found;
}

/// Members of one key by memory: a step of more than 5 % begins another group.
void add_by_memory(const Fleet& fleet, std::vector<std::size_t> nodes, std::vector<Group>& groups) {
  const auto memory = [&](std::size_t node) { return last_run(fleet, node).memory_bytes; };
  std::stable_sort(nodes.begin(), nodes.end(), [&](auto a, auto b) { return memory(a) < memory(b); });
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (i == 0 || !same_memory(memory(nodes[i - 1]), memory(nodes[i]))) groups.emplace_back();
    groups.back().nodes.push_back(nodes[i]);
  }
}

void describe(const Fleet& fleet, Group& group, const std::vector<Group>& all) {
  const auto& run = last_run(fleet, group.nodes.front());
  group.title = title_of(run);
  // The larger group that differs least; groups come by size.
  std::vector<std::string> nearest;
  constexpr std::ptrdiff_t most_compared = 20;  // where every node is of its own kind, there are thousands
  for (const auto& other : all) {
    if (&other == &group || &other - all.data() > most_compared) break;
    auto found = between(run, last_run(fleet, other.nodes.front()));
    if (nearest.empty() || found.size() < nearest.size()) nearest = std::move(found);
  }
  group.difference = fmt::format("{}", fmt::join(nearest, "; "));
  for (auto i = group_facts; i < fact_count; ++i) {
    const auto fact = static_cast<Fact>(i);
    const auto& usual = group.usual[i] = most_common(fleet, group, fact);
    std::map<std::string, std::vector<std::string>> others;
    for (const auto node : group.nodes)
      if (const auto& here = last_run(fleet, node).facts[i]; here != usual)
        others[here].push_back(fleet.nodes[node].host);
    for (const auto& [here, hosts] : others)
      group.differences.push_back(otherwise(fact, here, usual) + ": " + folded(hosts));
  }
  std::sort(group.differences.begin(), group.differences.end());
}

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

std::vector<Group> groups_of(Fleet& fleet) {
  std::map<Key, std::vector<std::size_t>> by_key;
  for (std::size_t node = 0; node < fleet.nodes.size(); ++node) {
    auto& runs = fleet.nodes[node].runs;
    const auto last = key_of(runs.back());
    const double memory = runs.back().memory_bytes;
    std::erase_if(runs, [&](const auto& run) { return key_of(run) != last || !same_memory(run.memory_bytes, memory); });
    by_key[last].push_back(node);
  }
  std::vector<Group> groups;
  for (auto& [key, nodes] : by_key) add_by_memory(fleet, std::move(nodes), groups);
  for (auto& group : groups) std::sort(group.nodes.begin(), group.nodes.end());
  std::sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) {
    return a.nodes.size() != b.nodes.size() ? a.nodes.size() > b.nodes.size() : a.nodes < b.nodes;
  });
  for (auto& group : groups) describe(fleet, group, groups);
  return groups;
}

std::vector<std::string> differences_of(const Group& group, const Fleet::Run& run) {
  std::vector<std::string> found;
  for (auto i = group_facts; i < fact_count; ++i)
    if (run.facts[i] != group.usual[i]) found.push_back(otherwise(static_cast<Fact>(i), run.facts[i], group.usual[i]));
  return found;
}

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
    throw std::invalid_argument(fmt::format("'{}' is not a form of a list of nodes", form));
  if (names.empty()) return {};
  if (form == "slurm" || form == "flux") return folded(names) + "\n";
  std::string text;
  for (const auto& name : std::set<std::string>(names.begin(), names.end()))
    text += (text.empty() ? "" : form == "pbs" ? " " : "\n") + name;
  return text + "\n";
}

}  // namespace roofline::cluster

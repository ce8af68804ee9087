#include "reporters/view/sweeps.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "bench/model/assessment.hpp"

namespace roofline {
namespace {

using Members = std::vector<const Member*>;

Members drawable(const FamilyGroup& group) {
  Members members;
  for (const auto& member : group.members)
    if (member.point->counts.operations.flops() > 0 && member.point->time.median > 0) members.push_back(&member);
  return members;
}

/// Three values, or two that are a factor of two apart, are worth a line; 0 and 1, or 7 and 8, are a switch.
bool is_swept(const std::set<double>& values) {
  if (values.size() < 2) return false;
  return values.size() > 2 || (*values.begin() > 0 && *values.rbegin() >= 2 * *values.begin());
}

/// Keys of numeric arguments that are swept, in order of appearance.
std::vector<std::string> swept_keys(const Members& members) {
  std::vector<std::string> keys;
  std::map<std::string, std::set<double>> values;
  for (const auto* const member : members)
    for (const auto& part : member->arguments)
      if (const auto argument = numeric_argument(part)) {
        const std::string key(argument->key);
        if (values[key].empty()) keys.push_back(key);
        values[key].insert(argument->value);
      }
  std::erase_if(keys, [&](const std::string& key) { return !is_swept(values[key]); });
  return keys;
}

double value_of(const Member& member, const std::string& key) {
  const auto argument = numeric_argument(argument_part(member, key));
  return argument ? argument->value : 0;
}

std::string append(std::string text, const std::string& part) {
  return part.empty() ? text : text.empty() ? part : text + "/" + part;
}

double outermost_intensity(const Member& member) {
  const auto level = outermost_level(member.point->counts);
  return level ? *member.point->counts.intensity(*level) : 0;
}

SweepPlot plot_over(const std::string& key, const std::vector<std::string>& keys, const FamilyGroup& group,
                    const Members& members) {
  const Member& densest = **std::max_element(members.begin(), members.end(), [](const auto* a, const auto* b) {
    return outermost_intensity(*a) < outermost_intensity(*b);
  });
  std::string held;
  std::map<std::string, Sweep> by_name;
  for (const auto& other : keys)
    if (other != key) held = append(held, argument_part(densest, other));
  for (const auto* const member : members) {
    const bool chosen = std::all_of(keys.begin(), keys.end(), [&](const std::string& other) {
      return other == key ? !argument_part(*member, key).empty()
                          : argument_part(*member, other) == argument_part(densest, other);
    });
    if (!chosen) continue;
    std::string name;
    for (const auto& part : member->arguments) {
      const auto argument = numeric_argument(part);
      if (!argument || std::find(keys.begin(), keys.end(), argument->key) == keys.end()) name = append(name, part);
    }
    auto& sweep = by_name[name];
    sweep.name = name;
    sweep.members.push_back(member);
  }
  SweepPlot plot{group.heading + " over " + key + (held.empty() ? "" : " (" + held + ")"), key, {}};
  for (auto& [name, sweep] : by_name) {
    std::stable_sort(sweep.members.begin(), sweep.members.end(),
                     [&](const auto* a, const auto* b) { return value_of(*a, key) < value_of(*b, key); });
    plot.sweeps.push_back(std::move(sweep));
  }
  std::stable_sort(plot.sweeps.begin(), plot.sweeps.end(),
                   [](const Sweep& a, const Sweep& b) { return a.members[0]->number < b.members[0]->number; });
  return plot;
}

}  // namespace

std::vector<SweepPlot> sweep_plots(const FamilyGroup& group) {
  const auto members = drawable(group);
  std::vector<SweepPlot> plots;
  if (members.empty()) return plots;
  const auto keys = swept_keys(members);
  for (const auto& key : keys) {
    auto plot = plot_over(key, keys, group, members);
    const auto is_line = [](const Sweep& sweep) { return sweep.members.size() > 1; };
    if (std::any_of(plot.sweeps.begin(), plot.sweeps.end(), is_line)) plots.push_back(std::move(plot));
  }
  if (!plots.empty()) return plots;
  plots.push_back({group.heading, {}, {}});
  for (const auto* const member : members) plots[0].sweeps.push_back({member->label, {member}});
  return plots;
}

std::string argument_part(const Member& member, const std::string& key) {
  for (const auto& part : member.arguments)
    if (const auto argument = numeric_argument(part); argument && argument->key == key) return part;
  return {};
}

}  // namespace roofline

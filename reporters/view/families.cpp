#include "reporters/view/families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "bench/model/assessment.hpp"
#include "bench/text/clean.hpp"
#include "bench/text/format.hpp"

namespace roofline {
namespace {

using Members = std::vector<const Member*>;

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

std::string from_to(const std::string& low, const std::string& high) { return low == high ? low : low + ".." + high; }

FamilySummary summary_of(const FamilyGroup& group) {
  FamilySummary family;
  family.group = &group;
  const bool any_drawable =
      std::any_of(group.members.begin(), group.members.end(), [](const auto& m) { return drawable(*m.point); });
  const Member* fastest = nullptr;
  for (const auto& member : group.members) {
    const KernelPoint& point = *member.point;
    if (any_drawable && !drawable(point)) continue;
    if (const auto level = outermost_level(point.counts))
      if (const auto intensity = point.counts.intensity(*level)) family.intensity.include(*intensity);
    if (any_drawable && point.flop_rate() > family.best_rate) family.best_rate = point.flop_rate(), fastest = &member;
    const auto& roof = point.assessment.roof;
    if (!roof) continue;
    if (!family.best_efficiency || roof->efficiency > *family.best_efficiency)
      family.best_efficiency = roof->efficiency, family.best = &member;
    if (!family.worst_efficiency || roof->efficiency < *family.worst_efficiency)
      family.worst_efficiency = roof->efficiency, family.worst = &member;
  }
  if (family.worst == family.best) family.worst = nullptr;
  if (!family.best) family.best = fastest;
  return family;
}

/// Begin and end of a long name: templates differ in front, sizes stand behind.
std::string for_picture(const std::string& name) {
  constexpr std::size_t most = 44, end = 18;
  if (name.size() <= most) return name;
  auto from = name.size() - end;
  while (from < name.size() && (static_cast<unsigned char>(name[from]) & 0xC0) == 0x80) ++from;
  return shortened(name, most - end) + name.substr(from);
}

}  // namespace

std::vector<FamilyGroup> groups_to_plot(const std::vector<KernelPoint>& points, bool whole_names) {
  constexpr std::size_t most_families = 16;
  auto groups = group_by_family(points);
  if (groups.size() > most_families) {
    const auto is_single = [](const FamilyGroup& group) { return group.members.size() == 1; };
    const bool all =
        static_cast<std::size_t>(std::count_if(groups.begin(), groups.end(), std::not_fn(is_single))) > most_families;
    FamilyGroup others{single_kernels, single_kernels, {}};
    for (const auto& group : groups)
      for (auto member : group.members)
        if (all || is_single(group))
          member.label = member.point->name, member.arguments.clear(), others.members.push_back(std::move(member));
    if (all) groups.clear();
    std::erase_if(groups, is_single);
    groups.push_back(std::move(others));
  }
  std::set<std::string> labels;
  for (auto& group : groups) {
    group.family = for_picture(group.family), group.heading = for_picture(group.heading);
    for (auto& member : group.members) {
      if (whole_names) member.label = member.point->name;
      const auto label = for_picture(member.label);
      const bool is_cut = label != member.label;
      member.label = is_cut && !labels.insert(label).second ? fmt::format("{} ({})", label, member.number) : label;
    }
  }
  return groups;
}

std::vector<SweepPlot> sweep_plots(const FamilyGroup& group) {
  Members members;
  for (const auto& member : group.members)
    if (drawable(*member.point)) members.push_back(&member);
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

bool drawable(const KernelPoint& point) { return point.counts.operations.flops() > 0 && point.time.median > 0; }

std::vector<FamilySummary> summarise(const std::vector<FamilyGroup>& groups) {
  std::vector<FamilySummary> families;
  for (const auto& group : groups) families.push_back(summary_of(group));
  return families;
}

std::vector<std::string> cells_of(const FamilySummary& family) {
  const auto& [low, high] = family.intensity;
  return {family.group->heading, std::to_string(family.group->members.size()),
          family.intensity.empty() ? std::string(absent) : from_to(significant(low), significant(high)),
          family.best_rate > 0 ? significant(giga(family.best_rate)) : std::string(absent),
          from_to(percent(family.worst_efficiency), percent(family.best_efficiency))};
}

void add_by_family(Table& table, const std::vector<KernelPoint>& points,
                   const std::function<std::vector<std::string>(const KernelPoint&)>& cells) {
  for (const auto& group : group_by_family(points)) {
    std::vector<Table::Row> rows{{{group.heading}}};
    for (const auto& member : group.members)
      if (auto row = cells(*member.point); !row.empty()) {
        row.insert(row.begin(), "  " + member.label);
        rows.push_back({std::move(row)});
      }
    if (rows.size() > 1) table.rows.insert(table.rows.end(), rows.begin(), rows.end());
  }
}

}  // namespace roofline

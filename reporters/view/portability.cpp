#include "reporters/view/portability.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "bench/model/assessment.hpp"
#include "bench/model/roofline.hpp"
#include "bench/text/clean.hpp"
#include "bench/text/csv.hpp"
#include "bench/text/imports/foreign_table.hpp"
#include "bench/text/output.hpp"
#include "bench/text/words.hpp"
#include "reporters/view/point_names.hpp"

namespace roofline {
namespace {

/// Every kernel that one of the platforms has, in the order in which they appear.
std::vector<std::string> all_kernels(const std::vector<PlatformResult>& platforms) {
  std::vector<std::string> kernels;
  std::set<std::string> known;
  for (const auto& platform : platforms)
    for (const auto& kernel : platform.kernels)
      if (known.insert(kernel).second) kernels.push_back(kernel);
  return kernels;
}

double efficiency(const PlatformResult& platform, const std::string& kernel) {
  const auto found = platform.efficiency.find(kernel);
  return found == platform.efficiency.end() ? 0 : found->second;
}

std::string without_numbers(const std::string& name) {
  std::string form;
  for (const char c : name)
    if (c < '0' || c > '9')
      form += c;
    else if (form.empty() || form.back() != '#')
      form += '#';
  return form;
}

/// Columns that say of which work a row is: rows of one kernel that differ there are compared all the same.
std::vector<std::string> unlike_work(const ForeignTable& table, const std::string& kernel_column,
                                     const std::string& origin) {
  std::vector<std::string> lines;
  for (const auto& column : table.columns) {
    const auto word = plain_word(column);
    const bool is_work = word.find("size") != word.npos || word == "n" || word == "elements" || word == "length" ||
                         word == "input" || word == "precision" || word == "threads";
    if (!is_work) continue;
    std::map<std::string, std::set<std::string>> values;
    for (const auto& row : table.rows) values[table.text(row, kernel_column)].insert(table.text(row, column));
    for (const auto& [kernel, several] : values)
      if (several.size() > 1)
        lines.push_back(fmt::format("{}: {} of {} is {}: compared all the same, as the column is not read", origin,
                                    clean(column), clean(kernel), clean(fmt::format("{}", fmt::join(several, ", ")))));
  }
  return lines;
}

/// The first column of efficiencies that a table has.
std::string efficiency_column(const ForeignTable& table) {
  for (const auto* const name :
       {"efficiency", "efficiency [%]", "efficiency (%)", "efficiency %", "arch eff raw", "arch eff", "app eff"})
    if (table.has(name)) return name;
  table.fail(1, table.has("fom") ? "has no \"app eff\" or \"arch eff\": figures of merit alone are not efficiencies"
                                 : "has no column of efficiencies: efficiency, \"arch eff\" or \"app eff\"");
}

}  // namespace

double performance_portability(const std::vector<double>& efficiencies) {
  double sum = 0;
  for (const double e : efficiencies) {
    if (e <= 0) return 0;
    sum += 1 / e;
  }
  return efficiencies.empty() ? 0 : static_cast<double>(efficiencies.size()) / sum;
}

PlatformResult platform_of(const std::string& name, const Results& results, bool mix) {
  PlatformResult platform{name, {}, {}};
  for (const auto& point : results.points) {
    const auto& judged = mix ? point.assessment.mix : point.assessment.roof;
    platform.kernels.push_back(point.name);
    if (judged) platform.efficiency[point.name] = judged->efficiency;
  }
  return platform;
}

std::vector<PlatformResult> parse_efficiencies(const std::string& text, const std::string& origin,
                                               std::vector<std::string>& warnings) {
  const ForeignTable::Rules rules{0, {}, &warnings};
  auto tables = ForeignTable::find(text, origin, {"kernel", "platform"}, rules);
  if (tables.empty()) tables = ForeignTable::find(text, origin, {"problem", "application", "platform"}, rules);
  if (tables.empty())
    throw FileError(origin +
                    ":1: the header kernel,platform,efficiency is expected, or that of the p3 library "
                    "(problem, application, platform, app eff or arch eff)");
  auto& table = tables.front();
  const auto column = efficiency_column(table);
  const bool percent = column.find('%') != column.npos, raw = column == "arch eff raw";
  if (column != "efficiency" && table.has("arch eff") && table.has("app eff"))
    warnings.push_back(fmt::format("{}: \"{}\" is taken from its efficiencies", origin, column));
  std::set<std::string> applications;
  for (const auto& row : table.rows) applications.insert(table.text(row, "application"));
  table.see(column);
  const std::string kernel_column = table.has("kernel") ? "kernel" : "problem";
  for (auto& line : unlike_work(table, kernel_column, origin)) warnings.push_back(std::move(line));
  std::vector<PlatformResult> platforms;
  for (const auto& row : table.rows) {
    const auto value = table.fraction(row, column, percent);
    const auto written = table.text(row, column);
    const auto wrong = [&](const std::string& what) { table.fail(row.line, what); };
    const bool says_percent = percent || written.ends_with("%");
    if (value && *value > at_roof_limit && !says_percent && !raw)
      wrong(fmt::format("'{}' is above 1: write {} or {} %", clean(written), *value / 100, clean(written)));
    if (value && *value > 1e4) wrong(fmt::format("'{}' is not an efficiency", clean(written)));
    auto kernel = table.text(row, kernel_column);
    if (applications.size() > 1) kernel += "/" + table.text(row, "application");
    const auto name = table.text(row, "platform");
    auto platform = std::find_if(platforms.begin(), platforms.end(), [&](const auto& p) { return p.name == name; });
    if (platform == platforms.end()) platform = platforms.insert(platforms.end(), PlatformResult{name, {}, {}});
    if (std::find(platform->kernels.begin(), platform->kernels.end(), kernel) != platform->kernels.end())
      wrong(fmt::format("{} on {} occurs twice", kernel, name));
    platform->kernels.push_back(kernel);
    if (value) platform->efficiency[kernel] = *value;
  }
  return platforms;
}

std::vector<std::string> join_sizes(std::vector<PlatformResult>& platforms) {
  std::map<std::string, std::set<std::string>> sizes;  // of a kernel without its size the names that it has
  std::set<std::string> several;                       // kernels that a platform has in more than one size
  for (const auto& platform : platforms) {
    std::set<std::string> seen;
    for (const auto& kernel : platform.kernels) {
      const auto bare = without_size(kernel);
      sizes[bare].insert(kernel);
      if (!seen.insert(bare).second) several.insert(bare);
    }
  }
  std::vector<std::string> notes, joined;
  for (const auto& [bare, names] : sizes) {
    if (names.size() < 2) continue;
    if (several.contains(bare)) {
      notes.push_back(
          fmt::format("{} has several sizes on one platform ({}): leave one of each in the files to compare platforms "
                      "with different sizes",
                      bare, fmt::join(names, ", ")));
      continue;
    }
    for (auto& platform : platforms)
      for (auto& kernel : platform.kernels)
        if (without_size(kernel) == bare && kernel != bare) {
          if (auto value = platform.efficiency.extract(kernel))
            value.key() = bare, platform.efficiency.insert(std::move(value));
          kernel = bare;
        }
    joined.push_back(fmt::format("{} ({})", bare, fmt::join(names, ", ")));
  }
  if (!joined.empty())
    notes.push_back(
        fmt::format("kernels with sizes that differ between platforms, or with names of two versions, are joined: {}",
                    fmt::join(joined, "; ")));
  // Names of other forms may be of sizes, too, or of other kernels: nobody can join them.
  std::map<std::string, std::set<std::string>> forms;
  std::vector<std::string> lacking;
  for (const auto& kernel : all_kernels(platforms)) forms[without_numbers(kernel)].insert(kernel);
  for (const auto& [form, names] : forms) {
    std::vector<std::string> zero;
    std::copy_if(names.begin(), names.end(), std::back_inserter(zero), [&](const auto& name) {
      return std::any_of(platforms.begin(), platforms.end(), [&](const auto& p) { return efficiency(p, name) <= 0; });
    });
    if (!zero.empty() && names.size() > 1)
      notes.push_back(
          fmt::format("{}: these names differ only in their numbers, and some platforms lack some of them, so Phi of "
                      "these is 0. Write sizes as kernel/n:SIZE to join them",
                      fmt::join(names, ", ")));
    else
      lacking.insert(lacking.end(), zero.begin(), zero.end());
  }
  if (constexpr std::size_t shown = 5; !lacking.empty()) {
    const auto more = lacking.size() > shown ? fmt::format(" and {} more", lacking.size() - shown) : "";
    lacking.resize(std::min(lacking.size(), shown));
    notes.push_back(
        fmt::format("Phi of {}{} is 0, because some platforms have no result under this name. Check whether "
                    "they have one of another spelling, size or precision",
                    fmt::join(lacking, ", "), more));
  }
  return notes;
}

Table portability_table(const std::vector<PlatformResult>& platforms) {
  const bool apart = platforms.size() <= most_apart;
  const auto in_percent = [](double value) { return fmt::format("{:.2f}", 100 * value); };
  Table table{"Performance portability", {{"kernel", false}}};
  if (apart)
    for (const auto& platform : platforms) table.columns.push_back({platform.name});
  else
    for (const char* column : {"platforms", "5 %", "median", "95 %"}) table.columns.push_back({column});
  table.columns.push_back({"Phi"});
  for (const auto& kernel : all_kernels(platforms)) {
    std::vector<std::string> cells{kernel};
    std::vector<double> values, there;
    for (const auto& platform : platforms) {
      values.push_back(efficiency(platform, kernel));
      if (values.back() > 0) there.push_back(values.back());
      if (apart) cells.push_back(values.back() > 0 ? in_percent(values.back()) : "-");
    }
    if (!apart) {
      const auto band = there.empty() ? Interval{} : middle_ninety(there);
      cells.push_back(fmt::format("{}/{}", there.size(), values.size()));
      for (const double value : {band.low, band.median, band.high}) cells.push_back(in_percent(value));
    }
    cells.push_back(in_percent(performance_portability(values)));
    table.rows.push_back({std::move(cells)});
  }
  if (!table.rows.empty())
    table.notes.push_back(
        "percent of the roof of each platform; Phi: their harmonic mean, 0 where a platform has no "
        "result. Efficiency can rise while speed falls: read both");
  return table;
}

std::string p3_csv(const std::vector<PlatformResult>& platforms) {
  std::string text = "problem,platform,application,arch eff,arch eff raw,clipped\n";
  for (const auto& kernel : all_kernels(platforms))
    for (const auto& platform : platforms)
      if (const double e = efficiency(platform, kernel); e > 0)
        text += fmt::format("{},{},roofline_bench,{},{},{}\n", csv_field(kernel), csv_field(platform.name),
                            std::min(e, 1.0), e, e > 1 ? 1 : 0);
  return text;
}

}  // namespace roofline

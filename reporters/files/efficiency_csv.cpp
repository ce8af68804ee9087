#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <vector>

#include "bench/model/assessment.hpp"
#include "bench/result/reports.hpp"
#include "bench/text/csv.hpp"
#include "reporters/files/files.hpp"

namespace roofline {
namespace {

std::string csv_number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }
std::string csv_number(const std::optional<double>& value) { return value ? csv_number(*value) : ""; }

/// A column: its name and what a point has there.
struct CsvColumn {
  std::string name;
  std::function<std::string(const KernelPoint&, const Assessment&)> field;
};

void add_judgement(std::vector<CsvColumn>& columns, const std::string& suffix,
                   std::optional<Judgement> Assessment::*judgement) {
  columns.push_back({"attainable" + suffix, [=](auto&, const Assessment& a) {
                       return (a.*judgement) ? csv_number((a.*judgement)->attainable) : "";
                     }});
  columns.push_back({"bound" + suffix, [=](auto&, const Assessment& a) {
                       return (a.*judgement) ? csv_field(name((a.*judgement)->bound)) : "";
                     }});
  columns.push_back({"efficiency" + suffix, [=](auto&, const Assessment& a) {
                       return (a.*judgement) ? csv_number((a.*judgement)->efficiency) : "";
                     }});
}

std::vector<CsvColumn> csv_columns() {
  using P = KernelPoint;
  std::vector<CsvColumn> all;
  const auto add = [&](std::string name, auto field) {
    all.push_back({std::move(name), [field](const P& p, const Assessment&) -> std::string { return field(p); }});
  };
  add("name", [](const P& p) { return csv_field(p.name); });
  add("family", [](const P& p) { return csv_field(p.family); });
  add("threads", [](const P& p) { return std::to_string(p.threads); });
  add("fma", [](const P& p) { return p.fma ? "1" : "0"; });
  add("samples", [](const P& p) { return std::to_string(p.samples.size()); });
  add("rounds", [](const P& p) { return std::to_string(p.rounds()); });
  const auto measured = [](double Interval::*time) {
    return [=](const P& p) { return p.is_bound() ? std::string() : csv_number(p.time.*time); };
  };
  add("time_median", measured(&Interval::median));
  add("time_ci_low", measured(&Interval::low));
  add("time_ci_high", measured(&Interval::high));
  add("time_min", [](const P& p) { return p.samples.empty() ? std::string() : csv_number(p.least_seconds()); });
  add("time_in_core", [](const P& p) { return p.in_core > 0 ? csv_number(p.in_core) : ""; });
  add("clock_hz", [](const P& p) { return p.clock > 0 ? csv_number(p.clock) : ""; });
  const auto powered = [](auto value) {
    return [=](const P& p) { return p.watts > 0 ? csv_number(value(p)) : std::string(); };
  };
  add("power_watt", powered([](const P& p) { return p.watts; }));
  add("energy_joule", powered([](const P& p) { return p.joules; }));
  add("FLOP/J", powered([](const P& p) { return static_cast<double>(p.counts.operations.flops()) / p.joules; }));
  add("precision", [](const P& p) { return p.counts.precision; });
  add("flops", [](const P& p) { return std::to_string(p.counts.operations.flops()); });
  add("FLOP/s", [](const P& p) { return csv_number(p.flop_rate()); });
  add("add", [](const P& p) { return std::to_string(p.counts.operations.add); });
  add("mul", [](const P& p) { return std::to_string(p.counts.operations.mul); });
  add("fma_instructions", [](const P& p) { return std::to_string(p.counts.operations.fma); });
  add("div", [](const P& p) { return std::to_string(p.counts.operations.div); });
  add("fma_fraction", [](const P& p) { return csv_number(p.counts.operations.fma_fraction()); });
  add("flops_source", [](const P& p) { return std::string(name(p.counts.operations_source)); });
  for (const auto level : memory_levels) {
    const std::string suffix = "_" + std::string(name(level));
    add("bytes" + suffix,
        [level](const P& p) { return p.counts.at(level) ? csv_number(p.counts.at(level)->total()) : ""; });
    add("written" + suffix,
        [level](const P& p) { return p.counts.at(level) ? csv_number(p.counts.at(level)->written) : ""; });
    const auto end = [level](double Span::*end) {
      return [=](const P& p) {
        const auto& range = p.counts.range[static_cast<std::size_t>(level)];
        return range ? csv_number((*range).*end) : std::string();
      };
    };
    add("bytes" + suffix + "_low", end(&Span::low));
    add("bytes" + suffix + "_high", end(&Span::high));
    add("AI" + suffix, [level](const P& p) { return csv_number(p.counts.intensity(level)); });
  }
  add("bytes_DRAM_streamed", [](const P& p) { return csv_number(p.counts.streamed); });
  add("bytes_DRAM_unpaired", [](const P& p) { return csv_number(p.counts.unpaired); });
  add("bytes_L1_split", [](const P& p) { return csv_number(p.counts.split); });
  add("bytes_L1_gathered", [](const P& p) { return csv_number(p.counts.gathered); });
  add("regions", [](const P& p) { return csv_number(p.counts.regions); });
  add("bytes_source", [](const P& p) { return csv_field(p.counts.traffic_label()); });
  add("bytes_note", [](const P& p) { return csv_field(p.counts.traffic_note); });
  add_judgement(all, "", &Assessment::roof);
  const auto range = [&](const char* name, auto field) {
    all.push_back({name, [field](const P&, const Assessment& a) {
                     return a.roof && a.roof->range ? std::string(field(*a.roof)) : std::string();
                   }});
  };
  range("efficiency_low", [](const Judgement& j) { return csv_number(j.range->low); });
  range("efficiency_high", [](const Judgement& j) { return csv_number(j.range->high); });
  range("resolved", [](const Judgement& j) { return j.resolved() ? "1" : "0"; });
  add_judgement(all, "_mix", &Assessment::mix);
  const auto bound = [](double Interval::*time) {
    return [=](const P& p) { return p.is_bound() ? csv_number(p.time.*time) : std::string(); };
  };
  add("time_bound", bound(&Interval::median));
  add("time_bound_low", bound(&Interval::low));
  add("time_bound_high", bound(&Interval::high));
  add("time_bound_by", [](const P& p) { return p.bound_by ? csv_field(name(*p.bound_by)) : std::string(); });
  return all;
}

}  // namespace

std::string efficiency_csv(const Results& results) {
  const auto all = csv_columns();
  std::string text;
  for (const auto& column : all) text += (text.empty() ? "" : ",") + column.name;
  text += '\n';
  for (const auto& point : results.points) {
    const auto& assessment = point.assessment;
    std::string row;
    for (const auto& column : all) row += (&column == &all.front() ? "" : ",") + column.field(point, assessment);
    text += row + '\n';
  }
  return text;
}

namespace {
const ReportFile csv_file("efficiency.csv", efficiency_csv);
const ConvertFormat to_csv("csv", "efficiency.csv", efficiency_csv);
}  // namespace

}  // namespace roofline

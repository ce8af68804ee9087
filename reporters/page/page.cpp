#include "reporters/page/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "bench/model/assessment.hpp"
#include "bench/result/reports.hpp"
#include "bench/storage/json_fields.hpp"
#include "bench/storage/row_columns.hpp"
#include "bench/storage/run_fields.hpp"
#include "bench/text/format.hpp"
#include "bench/text/words.hpp"
#include "reporters/drawing/svg.hpp"
#include "reporters/plots/plots.hpp"
#include "reporters/tables/tables.hpp"
#include "reporters/view/explain.hpp"
#include "reporters/view/point_names.hpp"
#include "reporters/view/roof_lines.hpp"
#include "reporters/view/time_breakdown.hpp"

namespace roofline {
namespace {

using stored::Json;
using stored::Writer;

Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

/// A table of the terminal, as it is.
Json table_json(const Table& table) {
  Json columns = Json::array(), rows = Json::array();
  for (const auto& column : table.columns) columns.push_back({{"header", column.header}, {"numbers", column.numbers}});
  for (const auto& row : table.rows) rows.push_back(row.cells);
  return {{"title", table.title}, {"columns", columns}, {"rows", rows}, {"notes", table.notes}};
}

Json ceiling_json(const Ceiling& c, const Roofline& roofline) {
  auto json = Writer::write(c);
  const bool compute = c.kind == Ceiling::Kind::compute;
  json["compute"] = compute;
  json["roof"] = compute ? c.threads == roofline.threads() &&
                               (roofline.compute(c.operation, c.precision) == &c || roofline.tensor(c.precision) == &c)
                         : roofline.bandwidth(c.level) == &c;
  if (c.on_matrices()) json["precision"] = c.precision + " tensor";
  return json;
}

/// Bytes and intensities by level.
void add_levels(Json& json, const Counts& counts) {
  Json bytes = Json::object(), intensity = Json::object();
  for (const auto level : all_memory_levels) {
    const std::string key(name(level));
    if (const auto& traffic = counts.at(level)) bytes[key] = json_number(traffic->total());
    if (const auto ai = counts.intensity(level); ai && *ai > 0) intensity[key] = json_number(*ai);
  }
  json["bytes"] = bytes, json["ai"] = intensity, json["range"] = Writer::write(counts.range);
}

/// The parts of a point's time, as shares of it; null if not known.
Json parts_json(const Roofline& roofline, const KernelPoint& point) {
  const double time = point.time.median;
  if (point.is_bound() || !(time > 0)) return nullptr;
  Json parts;
  for (const auto& [name, seconds] : time_breakdown(roofline, point).parts(time))
    parts[name] = json_number(seconds / time);
  return parts;
}

Json kernel_json(const Member& member, std::size_t family, const Results& results) {
  const auto& roofline = results.roofline;
  const KernelPoint& p = *member.point;
  const auto& o = p.counts.operations;
  Json json = {{"n", member.number},
               {"name", p.name},
               {"label", member.label},
               {"family", family},
               {"time", json_number(p.time.median)},
               {"low", json_number(p.time.low)},
               {"high", json_number(p.time.high)},
               {"samples", p.samples.size()},
               {"rounds", p.rounds()},
               {"threads", p.threads},
               {"fma", p.fma},
               {"flops", o.flops()},
               {"rate_only", p.rate_only},
               {"rate", p.time.median > 0 ? json_number(p.flop_rate()) : Json()},
               {"sources", {name(p.counts.operations_source), p.counts.traffic_label()}},
               {"note", p.counts.traffic_note},
               {"roof", Writer::write(p.assessment.roof)},
               {"mix", Writer::write(p.assessment.mix)},
               {"bound", with_memory_name(what_bounds(p.assessment), results)},
               {"marks", contradicts(p) ? "!" : ""},
               {"sentence", with_memory_name(explain(roofline, p), results)}};
  if (p.rate_only) json["time"] = json["low"] = json["high"] = nullptr;
  add_levels(json, p.counts);
  if (const auto level = reported_level(p, p.assessment)) json["reported"] = name(*level);
  if (p.counts.kinds_known && o.flops() > 0) json["operations"] = {o.add, o.mul, o.fma, o.div};
  if (p.watts > 0) json["watts"] = p.watts, json["joules"] = p.joules;
  auto further = Json::array();
  stored::each_number(p, [&](const stored::RowColumn& column, double value) {
    if (*column.heading && value > 0) further.push_back({column.heading, value, column.unit});
  });
  json["further"] = further;
  if (p.is_bound()) json["bound_by"] = name(*p.bound_by);
  auto shares = Json::array();
  for (const auto& resource : resource_shares(roofline, p))
    if (const auto& what = resource.resource; what.is_arithmetic() || what.level)  // sentences name the others
      shares.push_back(
          {{"name", name(what)}, {"compute", what.is_arithmetic()}, {"share", json_number(resource.share)}});
  json["shares"] = shares;
  json["parts"] = parts_json(roofline, p);
  return json;
}

Json sweeps_json(const Results& results) {
  auto sweeps = Json::array();
  if (!results.ert) return sweeps;
  for (const auto* const sweep : heaviest(results.ert->sweeps)) {
    auto rows = Json::array();
    for (const auto& row : sweep->rows)
      rows.push_back({json_number(row.working_set), json_number(row.bandwidth()), json_number(row.flop_rate())});
    sweeps.push_back({{"flops", sweep->flops_per_element}, {"rows", rows}});
  }
  return sweeps;
}

Json tables_json(const Results& results) {
  Json tables = Json::object();
  const auto add = [&](const char* key, const Table& table) {
    if (!table.empty()) tables[key] = table_json(with_memory_name(table, results));
  };
  add("machine", machine_table(results));
  add("compute", compute_ceiling_table(results));
  add("bandwidth", bandwidth_table(results));
  add("further", other_bandwidth_table(results));
  add("ert", ert_table(results));
  add("mix", fma_mix_table(results));
  auto blocks = Json::array();
  for (const auto& block : remarks(results)) blocks.push_back(table_json(with_memory_name(block, results)));
  tables["remarks"] = blocks;
  return tables;
}

Json caches_json(const Machine& machine) {
  auto caches = Json::array();
  for (const auto& cache : machine.caches)
    caches.push_back(
        {{"level", name(cache.level)},
         {"bytes", static_cast<double>(cache.size) * std::max(1, machine.usable_cores) / std::max(1u, cache.shared_by)},
         {"text", binary_size(static_cast<double>(cache.size))}});
  return caches;
}

}  // namespace

std::string page_data(const Results& results) {
  Json page = {{"title", plot_title(results)},
               {"subtitle", plot_subtitle(results)},
               {"modelled", results.model.has_value()},
               {"memory_name", memory_name(results)},
               {"threads", results.roofline.threads()},
               {"launch", json_number(results.timer.empty_region)},
               {"command", results.command_line},
               {"version", ROOFLINE_VERSION},
               {"precision", precision_text(results)},
               {"rounds", rounds_text(results)},
               {"memory", moved_roofs_text(results)},
               {"contradictions", results.precision.contradictions},
               {"contradiction", above_roof_causes},
               {"sources", source_lines(results)},
               {"checks", Writer::write(results.checks)},
               {"sweeps", sweeps_json(results)},
               {"caches", caches_json(results.machine)},
               {"tables", tables_json(results)}};
  auto levels = Json::array(), families = Json::array(), kernels = Json::array(), ceilings = Json::array(),
       glossary = Json::array();
  for (const auto level : all_memory_levels)
    if (results.roofline.bandwidth(level) ||
        std::any_of(results.points.begin(), results.points.end(),
                    [&](const auto& p) { return p.counts.intensity(level).has_value(); }))
      levels.push_back(name(level));
  const auto groups = group_by_family(results.points);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    families.push_back({{"name", groups[g].family}, {"heading", groups[g].heading}});
    for (const auto& member : groups[g].members) kernels.push_back(kernel_json(member, g, results));
  }
  for (const auto& ceiling : results.roofline.ceilings())
    if (ceiling.kind == Ceiling::Kind::compute || ceiling.kind == Ceiling::Kind::bandwidth)  // what the plane shows
      ceilings.push_back(ceiling_json(ceiling, results.roofline));
  for (const auto& [word, meaning] : words()) glossary.push_back({word, meaning});
  page["levels"] = levels, page["families"] = families, page["kernels"] = kernels, page["ceilings"] = ceilings;
  page["words"] = glossary;
  // Inside a script element only the two letters of an end tag or a comment matter; none of them is written.
  std::string safe;
  for (const char c : page.dump(-1, ' ', true, Json::error_handler_t::replace))
    if (c == '<' || c == '>' || c == '&')
      safe += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      safe += c;
  return safe;
}

extern const std::string_view page_style, page_script;  // of the files in reporters/page

/// The frame of the page: the script fills it from the data. Nothing in it may be fetched from anywhere.
std::string html_page(const Results& results) {
  std::string page;
  page += "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  page +=
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'; img-src data: blob:\">\n";
  page += fmt::format("<title>{}</title>\n<style>\n", escape_xml(plot_title(results)));
  page += page_style;
  page += "</style>\n</head>\n<body>\n";
  page +=
      "<noscript><p>This page draws itself with JavaScript. Its tables are in efficiency.md, its plot in "
      "roofline.svg.</p></noscript>\n";
  page +=
      "<script type=\"application/json\" id=\"run\">" + page_data(results) + "</script>\n<script>\n'use strict';\n{\n";
  page += page_script;
  page += "}\n</script>\n</body>\n</html>\n";
  return page;
}

namespace {
const ReportFile page_file("report.html", html_page);
}

}  // namespace roofline

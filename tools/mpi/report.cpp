#include "tools/mpi/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/text/format.hpp"
#include "bench/text/table.hpp"
#include "reporters/cluster/outliers.hpp"

namespace roofline::mpi {
namespace {

using Json = nlohmann::ordered_json;

Json interval(const Interval& value) { return {{"median", value.median}, {"low", value.low}, {"high", value.high}}; }

Json of(const CommonWindows& w) {
  Json json{{"name", w.row}, {"window", "common"}, {"unit", w.bytes ? "B/s" : "FLOP/s"}};
  if (!w.wrong.empty()) return json["error"] = w.wrong, json;
  json.update({{"variant", w.variant},
               {"sum", interval(w.sum)},
               {"best", w.best},
               {"slowest", w.slowest},
               {"slowest_times_ranks", w.slowest * static_cast<double>(w.rates.size())},
               {"slowest_rank", w.slowest_rank},
               {"ranks", w.rates},
               {"ranks_in_best", w.at_best},
               {"seconds", w.seconds},
               {"skew", w.skew},
               {"samples", w.samples},
               {"retaken", w.retaken}});
  return json;
}

Json of(const Link& link) {
  const auto line = fit(link);
  Json json{{"a", link.a},
            {"b", link.b},
            {"latency", line.latency},
            {"bandwidth", line.bandwidth},
            {"half_bytes", line.half_bytes},
            {"misfit", line.misfit},
            {"misfit_bytes", line.misfit_bytes},
            {"sizes", Json::array()}};
  for (std::size_t i = 0; i < link.bytes.size(); ++i)
    json["sizes"].push_back({{"bytes", link.bytes[i]}, {"seconds", interval(link.seconds[i])}});
  return json;
}

Json of(const LinkFinding& finding) {
  Json json{{"verdict", finding.confirmed ? "SLOW" : "OK"}, {"rank", finding.a}};
  if (finding.b >= 0) json["other_rank"] = finding.b;
  json["in"] = finding.latency ? "latency" : "bandwidth";
  return json["loss"] = finding.loss, json;
}

Json of(const MessagePoint& point) {
  return {{"messages", point.messages},
          {"bytes", point.bytes},
          {"seconds", interval(point.seconds)},
          {"rate", point.rate()}};
}

Json of(const HaloRun& run) {
  Json json{{"problem", run.problem},
            {"scaling", run.weak ? "weak" : "strong"},
            {"ranks", run.ranks},
            {"grid", run.grid},
            {"size", run.size}};
  if (!run.wrong.empty()) return json["error"] = run.wrong, json;
  json.update({{"seconds", run.seconds},
               {"efficiency", run.efficiency},
               {"compute", run.parts.compute},
               {"pack", run.parts.pack},
               {"exchange", run.parts.exchange},
               {"waiting", run.parts.waiting},
               {"messages", run.messages},
               {"bytes", run.bytes}});
  if (run.predicted) json["predicted_exchange"] = *run.predicted;
  return json;
}

template <class Item>
Json list(const std::vector<Item>& items) {
  Json all = Json::array();
  for (const auto& item : items) all.push_back(of(item));
  return all;
}

std::string rate_text(double rate, bool bytes) {
  return fmt::format("{} {}", significant(giga(rate), 4), bytes ? "GB/s" : "GFLOP/s");
}

/// The node, with the rank where a node has several.
std::string end_name(const Report& report, int rank) {
  const auto& node = report.nodes[static_cast<std::size_t>(rank)];
  const bool alone = std::count(report.nodes.begin(), report.nodes.end(), node) == 1;
  return alone ? node : fmt::format("{}.{}", node, rank);
}

}  // namespace

std::string json(const Report& report) {
  Json json{{"format", "roofline_mpi"},    {"format_version", 1},
            {"complete", report.complete}, {"date", report.date},
            {"version", report.version},   {"mpi", report.mpi_library},
            {"machine", report.machine},   {"threads", report.threads},
            {"nodes", report.nodes},       {"clock_doubt", report.clock_doubt},
            {"notes", report.notes}};
  if (!report.windows.empty()) json["windows"] = list(report.windows);
  if (const auto& links = report.links)
    json["links"] = {{"ends", links->ends},
                     {"pairs", list(links->links)},
                     {"bisection", links->bisection},
                     {"bisection_pairs", links->bisection_pairs},
                     {"findings", list(links->findings)}};
  if (const auto& found = report.messages)
    json["messages"] = {{"a", found->a},
                        {"b", found->b},
                        {"latency", found->roof.latency},
                        {"bandwidth", found->roof.bandwidth},
                        {"points", list(found->points)}};
  if (!report.halos.empty()) json["halos"] = list(report.halos);
  return json.dump(1) + "\n";
}

std::string text(const std::vector<CommonWindows>& windows, const Report& report) {
  Table table{"common windows: all ranks measure at the same time",
              table_columns("<ceiling of a rank|ranks|sum|+-|slowest x N|rank|skew|again")};
  const auto ranks = static_cast<double>(report.nodes.size());
  for (const auto& w : windows) {
    if (!w.wrong.empty()) {
      table.notes.push_back(fmt::format("{}: {}", w.row, w.wrong));
      continue;
    }
    table.rows.push_back(
        {{w.row, fmt::format("{}", report.nodes.size()), rate_text(w.sum.median, w.bytes),
          percent((w.sum.high - w.sum.low) / 2 / w.sum.median) + " %",
          fmt::format("{} ({} %)", rate_text(w.slowest * ranks, w.bytes), percent(w.slowest * ranks / w.sum.median)),
          fmt::format("{}", w.slowest_rank), duration(w.skew),
          fmt::format("{}/{}", w.retaken, w.retaken + w.samples)}});
  }
  return to_text(table);
}

std::string text(const LinkReport& links, const Report& report) {
  Table table{"links: one way, half of round trips; pairs that share no rank at once",
              table_columns("<link|latency|bandwidth|n1/2|off the fit|at")};
  constexpr std::size_t shown = 28;
  for (const auto& link : links.links) {
    if (table.rows.size() == shown) {
      table.notes.push_back(fmt::format("{} more links are in mpi.json", links.links.size() - shown));
      break;
    }
    const auto line = fit(link);
    table.rows.push_back({{end_name(report, link.a) + " - " + end_name(report, link.b), duration(line.latency),
                           significant(line.bandwidth * 1e-6, 4) + " MB/s", binary_size(line.half_bytes),
                           fmt::format("x {}", significant(line.misfit)), binary_size(line.misfit_bytes)}});
  }
  if (links.bisection > 0)
    table.notes.push_back(fmt::format("bisection: {} pairs at once, both directions: {} MB/s in all",
                                      links.bisection_pairs, significant(links.bisection * 1e-6, 4)));
  std::vector<std::string> cleared;
  for (const auto& f : links.findings) {
    const auto who = f.b < 0 ? end_name(report, f.a) + ", all its links"
                             : fmt::format("the link {} - {} alone", end_name(report, f.a), end_name(report, f.b));
    if (f.confirmed)
      table.notes.push_back(fmt::format("SLOW: {}: {}, rate {} % below the others'", who,
                                        f.latency ? "small messages" : "large messages", percent(f.loss)));
    else
      cleared.push_back(who);
  }
  if (!cleared.empty())
    table.notes.push_back(fmt::format("cleared by two more measurements: {}", fmt::join(cleared, "; ")));
  if (links.ends.size() < cluster::fewest_nodes)
    table.notes.emplace_back("one link: there is nothing to compare it with");
  else if (links.findings.empty())
    table.notes.emplace_back("no link is far below the others");
  return to_text(table);
}

std::string text(const MessageRoofline& found, const Report& report) {
  Table table{fmt::format("messages between {} and {}: below {} x messages / {} and {} MB/s", end_name(report, found.a),
                          end_name(report, found.b), "bytes", duration(found.roof.latency),
                          significant(found.roof.bandwidth * 1e-6, 4)),
              {{"bytes"}},
              {},
              {"MB/s, and % of the attainable rate, by messages per synchronisation"}};
  for (const int messages : {1, 4, 16})
    table.columns.push_back({fmt::format("{} msg", messages)}), table.columns.push_back({"%"});
  for (const auto& first : found.points) {
    if (first.messages != 1) break;
    Table::Row row{{binary_size(first.bytes)}};
    for (const int messages : {1, 4, 16}) {
      const auto at = std::find_if(found.points.begin(), found.points.end(), [&](const auto& point) {
        return point.messages == messages && point.bytes == first.bytes;
      });
      const bool there = at != found.points.end();
      row.cells.push_back(there ? significant(at->rate() * 1e-6, 4) : std::string(absent));
      row.cells.push_back(there ? percent(at->rate() / found.attainable(*at)) : std::string(absent));
    }
    table.rows.push_back(std::move(row));
  }
  return to_text(table);
}

std::string text(const std::vector<HaloRun>& halos) {
  Table table{"halos: the result is that of one rank in every bit; parts of a step, which add up to 100 %",
              table_columns("<ranks|step|efficiency|compute|pack|exchange|waiting|predicted|messages|of")};
  std::string before;
  for (const auto& run : halos) {
    const auto group = fmt::format("{}, {}", run.problem, run.weak ? "weak" : "strong");
    if (group != before) table.rows.push_back({{before = group}});
    const auto ranks = fmt::format("{} = {}, {}", run.ranks, fmt::join(run.grid, "x"), fmt::join(run.size, "x"));
    if (!run.wrong.empty()) {
      table.notes.push_back(fmt::format("{}, {}: WRONG: {}", group, ranks, run.wrong));
      continue;
    }
    const auto share = [&](double part) { return percent(part / run.parts.total()); };
    table.rows.push_back({{ranks, duration(run.seconds), percent(run.efficiency), share(run.parts.compute),
                           share(run.parts.pack), share(run.parts.exchange), share(run.parts.waiting),
                           run.predicted ? share(*run.predicted) : std::string(absent), fmt::format("{}", run.messages),
                           run.messages > 0 ? binary_size(run.bytes / run.messages) : std::string(absent)}});
  }
  table.notes.emplace_back(
      "% of the step but for the efficiency, T1 / (N TN), weak T1 / TN; predicted: the exchange by latency x messages "
      "+ bytes / bandwidth of the median link. Messages that a rank sends in a step, and their mean size.");
  return to_text(table);
}

std::string text(const Report& report) {
  Table table{fmt::format("roofline_mpi: {} ranks of {}, {}", report.nodes.size(), threads_text(report.threads),
                          report.mpi_library),
              {},
              {},
              report.notes};
  table.notes.insert(table.notes.begin(), report.machine);
  return to_text(table);
}

}  // namespace roofline::mpi

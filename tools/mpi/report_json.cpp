#include <nlohmann/json.hpp>

#include "tools/mpi/report.hpp"

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
  if (w.one_process)
    json["one_process"] = interval(*w.one_process), json["ranks_over_one_process"] = interval(*w.ratio),
    json["best_of_one_process"] = w.best_of_one;
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

}  // namespace roofline::mpi

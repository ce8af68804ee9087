#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "bench/text/csv.hpp"
#include "reporters/cluster/fleet.hpp"
#include "reporters/cluster/verdicts.hpp"

namespace roofline::cluster {
namespace {

std::string number(const std::optional<double>& value) { return value ? fmt::format("{:.5g}", *value) : ""; }

std::string where_text(const NodeVerdict& node) {
  std::vector<std::string> parts;
  for (const auto part : node.where) parts.emplace_back(name(part));
  return fmt::format("{}", fmt::join(parts, " "));
}

using Json = nlohmann::ordered_json;

void put(Json& object, const char* key, const std::optional<double>& value) {
  if (value && std::isfinite(*value)) object[key] = *value;
}

Json json_of(const NodeVerdict& node) {
  Json json = {{"verdict", name(node.verdict)}, {"group", node.group + 1}, {"runs", node.runs}, {"files", node.files}};
  if (node.host != node.node) json["host"] = node.host;
  if (!node.where.empty()) {
    json["resource"] = name(node.where.front());
    for (const auto part : node.where) json["where"].push_back(name(part));
  }
  put(json, "loss", node.loss);
  if (node.loss_low && node.loss_high) json["loss_interval"] = {*node.loss_low, *node.loss_high};
  put(json, "z", node.z);
  if (node.rows > 0) json["rows_hit"] = node.rows_hit, json["rows"] = node.rows;
  put(json, "memory", node.memory), put(json, "core", node.core);
  json["also"] = node.also;
  return json;
}

Json json_of(const GroupVerdict& group) {
  Json json = {{"title", group.about.title},
               {"nodes", group.about.nodes.size()},
               {"judged", group.judged},
               {"rows", group.rows},
               {"verdicts", group.has_verdicts},
               {"difference", group.about.difference},
               {"differences", group.about.differences}};
  for (const auto part : all_parts)
    if (const auto& from = group.told_from[index(part)]) json["told_from"][name(part)] = *from;
  return json;
}

}  // namespace

std::string cluster_csv(const ClusterReport& report) {
  std::string text = "node,host,group,verdict,where,loss,loss_low,loss_high,z,rows_hit,rows,runs,memory,core,also\n";
  for (const auto& node : report.nodes)
    text +=
        fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(node.node), csv_field(node.host),
                    node.group + 1, name(node.verdict), where_text(node), number(node.loss), number(node.loss_low),
                    number(node.loss_high), number(node.z), node.rows_hit, node.rows, node.runs, number(node.memory),
                    number(node.core), csv_field(fmt::format("{}", fmt::join(node.also, "; "))));
  for (const auto& [file, why] : report.unread)
    text += fmt::format(",,,UNREADABLE,,,,,,,,,,,{}\n", csv_field(file + ": " + why));
  return text;
}

std::string cluster_json(const ClusterReport& report, bool exclude_suspects) {
  Json json = {{"schema", 1}, {"files", report.files}, {"nodes", Json::object()}};
  for (const auto& node : report.nodes) json["nodes"][node.node] = json_of(node);
  json["groups"] = Json::array(), json["capacity"] = Json::array();
  for (std::size_t i = 0; i < report.groups.size(); ++i) {
    const auto& group = report.groups[i];
    json["groups"].push_back(json_of(group));
    json["groups"].back()["group"] = i + 1;
    for (const auto& capacity : group.capacity)
      json["capacity"].push_back({{"group", i + 1},
                                  {"row", capacity.row},
                                  {"nodes", capacity.nodes},
                                  {"sum", capacity.sum},
                                  {"slowest_times_nodes", capacity.slowest * static_cast<double>(capacity.nodes)},
                                  {"unit", capacity.unit == RowRate::Sum::bytes ? "B/s" : "FLOP/s"}});
    if (!group.no_capacity.empty()) json["capacity"].push_back({{"group", i + 1}, {"refused", group.no_capacity}});
  }
  json["exclude"] = folded(report.exclude(exclude_suspects));
  json["suspects"] = folded(report.suspects());
  json["unread"] = Json::array();
  for (const auto& [file, why] : report.unread) json["unread"].push_back({{"file", file}, {"why", why}});
  json["copies"] = report.copies;
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace roofline::cluster

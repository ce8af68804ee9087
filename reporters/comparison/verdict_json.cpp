#include <cmath>
#include <nlohmann/json.hpp>

#include "reporters/comparison/outputs.hpp"

namespace roofline {
namespace {

using Json = nlohmann::ordered_json;

/// JSON has no word for what is no number: the key is left out.
void put(Json& object, const char* key, const std::optional<double>& value) {
  if (value && std::isfinite(*value)) object[key] = *value;
}

Json json_of(const Finding& finding) {
  Json json = {{"row", finding.row},
               {"metric", finding.metric},
               {"class", name(finding.metric_class)},
               {"verdict", name(finding.verdict)},
               {"informational", finding.informational},
               {"pairs", finding.pairs}};
  put(json, "base", finding.base), put(json, "new", finding.next), put(json, "p", finding.p);
  if (const auto& ratio = finding.ratio) {
    json["ratio"] = Json::object();
    put(json["ratio"], "median", ratio->median), put(json["ratio"], "low", ratio->low);
    put(json["ratio"], "high", ratio->high);
  }
  if (!finding.why.empty()) json["why"] = finding.why;
  return json;
}

Json json_of(const TimeChange& change) {
  Json json = {{"row", change.row}};
  put(json, "base", change.base), put(json, "new", change.next);
  if (const auto& f = change.factors) {
    json["bound"] = name(f->bound);
    put(json, "work", f->work), put(json, "traffic", f->traffic), put(json, "efficiency", f->efficiency);
  }
  return json;
}

Json text(const char* what) { return {{"type", "string"}, {"description", what}}; }
Json numeric(const char* what) { return {{"type", "number"}, {"description", what}}; }
Json integer(const char* what) { return {{"type", "integer"}, {"description", what}}; }
Json object(const char* what, Json properties, Json required) {
  return {{"type", "object"},
          {"description", what},
          {"properties", std::move(properties)},
          {"required", std::move(required)},
          {"additionalProperties", false}};
}
Json list(const char* what, Json items) {
  return {{"type", "array"}, {"description", what}, {"items", std::move(items)}};
}

Json finding_schema() {
  Json verdict = text("of this metric");
  verdict["enum"] = {"SAME", "BETTER", "WORSE", "INCONCLUSIVE", "NOT_COMPARABLE", "INVALID"};
  Json metric_class = text("what kind of number the metric is");
  metric_class["enum"] = {"exact", "deterministic", "counter", "time", "validity"};
  const Json ratio =
      object("new / base of times, relative to the roofs that were sampled next to them",
             {{"median", numeric("over the pairs of runs")},
              {"low", numeric("lower end of its interval, of 95 % from 4 pairs of ab and 6 of stored runs on")},
              {"high", numeric("upper end")}},
             Json::array());
  return object("one metric of one row",
                {{"row", text("name of the benchmark row; empty: the whole run")},
                 {"metric", text("time, flops, operations, declared_flops, bytes_LEVEL, present, measured, verified, "
                                 "complete, check_kernel_below_roof, ...")},
                 {"class", metric_class},
                 {"verdict", verdict},
                 {"informational", {{"type", "boolean"}, {"description", "never decides the exit code"}}},
                 {"pairs", integer("of runs that the verdict rests on")},
                 {"base", numeric("seconds, bytes, counts: the base's median")},
                 {"new", numeric("the new side's")},
                 {"p", numeric("of the rank tests, adjusted after Holm")},
                 {"ratio", ratio},
                 {"why", text("the reason in words")}},
                {"row", "metric", "class", "verdict", "informational", "pairs"});
}

}  // namespace

std::string verdict_json(const Comparison& comparison, const Gate& gate) {
  Json counts = Json::object(), findings = Json::array(), times = Json::array(), suggestions = Json::array();
  for (const auto verdict : {Verdict::same, Verdict::better, Verdict::worse, Verdict::inconclusive,
                             Verdict::not_comparable, Verdict::invalid})
    counts[std::string(name(verdict))] = comparison.count(verdict);
  for (const auto& finding : comparison.findings) findings.push_back(json_of(finding));
  for (const auto& change : comparison.times) times.push_back(json_of(change));
  for (const auto& suggestion : comparison.suggestions)
    suggestions.push_back({{"cause", name(suggestion.cause)},
                           {"rows", suggestion.rows},
                           {"pairs", suggestion.pairs},
                           {"command", suggestion.command},
                           {"seconds", std::isfinite(suggestion.seconds) ? suggestion.seconds : 0}});
  Json document = {{"schema", verdict_schema},          {"exit_code", exit_code(comparison, gate)},
                   {"base", comparison.base},           {"new", comparison.next},
                   {"machine", comparison.machine},     {"date", comparison.date},
                   {"pairs", comparison.pairs},         {"alpha", comparison.options.alpha},
                   {"floor", comparison.options.floor}, {"counts", counts},
                   {"notes", comparison.notes}};
  if (comparison.other_machine) document["other_machine"] = *comparison.other_machine;
  document["findings"] = findings, document["times"] = times, document["suggestions"] = suggestions;
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string verdict_json_schema() {
  Json counts = {{"type", "object"}, {"description", "findings by verdict, informational ones left out"}};
  counts["additionalProperties"] = {{"type", "integer"}};
  const Json time = object("a row's time explained; the factors' product is new / base",
                           {{"row", text("name of the benchmark row")},
                            {"base", numeric("seconds of one launch")},
                            {"new", numeric("seconds of one launch")},
                            {"bound", text("the resource that bounds the base")},
                            {"work", numeric("what the other operations cost")},
                            {"traffic", numeric("what the other bytes cost")},
                            {"efficiency", numeric("slower code at equal counts")}},
                           {"row"});
  const Json suggestion = object("what would decide rows that are INCONCLUSIVE",
                                 {{"cause", text("why they are")},
                                  {"rows", integer("how many")},
                                  {"pairs", integer("of runs that are needed")},
                                  {"command", text("to paste")},
                                  {"seconds", numeric("that it takes; 0: unknown")}},
                                 {"cause", "rows", "pairs", "command", "seconds"});
  Json schema = object("The verdict of roofline compare and roofline ab",
                       {{"schema", integer("version of this document: 1")},
                        {"exit_code", integer("of the program")},
                        {"base", text("first file of the base")},
                        {"new", text("first file of the new side")},
                        {"machine", text("of the base")},
                        {"date", text("of the new run, ISO 8601")},
                        {"pairs", integer("of runs")},
                        {"alpha", numeric("chance of a false verdict among all times together")},
                        {"floor", numeric("relative: smaller changes of time are none")},
                        {"counts", counts},
                        {"notes", list("what differs between the sides and may", text("one line"))},
                        {"other_machine", text("why no time is comparable; absent when they are")},
                        {"findings", list("every metric of every row", finding_schema())},
                        {"times", list("every row with a time on both sides; factors where they are comparable", time)},
                        {"suggestions", list("commands that would decide", suggestion)}},
                       {"schema", "exit_code", "base", "new", "pairs", "counts", "findings", "times", "suggestions"});
  Json document = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}};
  document.update(schema);
  return document.dump(2) + "\n";
}

}  // namespace roofline

#include <cmath>
#include <nlohmann/json.hpp>

#include "bench/counters/metrics.hpp"
#include "bench/result/physics.hpp"
#include "bench/result/reports.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/parse_json.hpp"
#include "reporters/files/files.hpp"

namespace roofline {
namespace {

/// The swept curves: [working set in bytes, trials, seconds, bytes, FLOPs] per row, as in ERT's raw output.
nlohmann::ordered_json ert_curves(const ErtResult& ert) {
  nlohmann::ordered_json curves = {{"flop_rate", ert.flop_rate}, {"weight", ert.weight}};
  for (const auto& level : ert.levels)
    curves["levels"].push_back({{"level", name(level.level)}, {"bandwidth", level.bandwidth}});
  for (const auto& sweep : ert.sweeps) {
    auto rows = nlohmann::ordered_json::array();
    for (const auto& row : sweep.rows) rows.push_back({row.working_set, row.trials, row.seconds, row.bytes, row.flops});
    nlohmann::ordered_json curve = {{"flops_per_element", sweep.flops_per_element}, {"threads", sweep.threads}};
    if (!sweep.launch.empty()) curve["launch"] = sweep.launch;
    curve["rows"] = rows;
    curves["sweeps"].push_back(curve);
  }
  return curves;
}

nlohmann::ordered_json checks(const Results& results) {
  auto all = nlohmann::ordered_json::array();
  for (const auto& check : results.checks) {
    const bool finite = check.value && std::isfinite(*check.value);
    all.push_back({{"id", check.id},
                   {"check", check.what},
                   {"value", finite ? nlohmann::ordered_json(*check.value) : nullptr},
                   {"shown", value_text(check)},
                   {"limit", check.limit},
                   {"verdict", name(check.verdict)},
                   {"where", check.where}});
  }
  return all;
}

}  // namespace

std::string finish_json(const std::string& google_benchmark, const Results& results) {
  const auto strict = strict_json(google_benchmark);
  auto document = strict.empty() ? nlohmann::ordered_json{{"context", nlohmann::ordered_json::object()},
                                                          {"benchmarks", nlohmann::ordered_json::array()}}
                                 : nlohmann::ordered_json::parse(strict);
  auto& context = document["context"];
  context["complete"] = results.complete();
  context["interrupted"] = results.interrupted;
  context["ceilings"] = results.ceilings_origin.text;
  context["warnings"] = results.warnings;
  auto failures = nlohmann::ordered_json::array();
  for (const auto& [name, why] : results.failures) failures.push_back({{"name", name}, {"reason", why}});
  context["failures"] = failures;
  context["checks"] = checks(results);
  const auto& precision = results.precision;
  context["precision"] = {{"rows", precision.rows},           {"resolved", precision.resolved},
                          {"median", precision.median},       {"worst", precision.worst},
                          {"worst_row", precision.worst_row}, {"contradictions", precision.contradictions}};
  if (!results.counters.empty()) context["counters"] = results.counters;
  for (const auto& test : results.self_test)
    context["counters_self_test"].push_back(
        {{"kernel", test.kernel},
         {"metric", metric(test.answer.quantity).names.front()},
         {"expected", test.answer.expected},
         {"counted", test.counted ? nlohmann::ordered_json(*test.counted) : nullptr},
         {"informative", test.answer.informative},
         {"passed", test.passed()}});
  for (const auto& test : results.cpu_self_test)
    context["counters_self_test"].push_back({{"kernel", test.kernel},
                                             {"metric", name(test.answer.quantity)},
                                             {"expected", test.answer.expected},
                                             {"counted", test.counted},
                                             {"informative", false},
                                             {"passed", test.passed()}});
  if (results.ert) context["ert"] = ert_curves(*results.ert);
  document["roofline"] = stored_run(results);
  return document.dump(2) + "\n";
}

}  // namespace roofline

#include <cmath>
#include <nlohmann/json.hpp>

#include "bench/storage/json_schema.hpp"
#include "reporters/comparison/outputs.hpp"

namespace roofline {

static std::vector<std::string_view> names_of(Verdict) {
  return {"SAME", "BETTER", "WORSE", "UNDECIDED", "NOT_COMPARABLE", "INVALID"};
}
static std::vector<std::string_view> names_of(MetricClass) {
  return {"exact", "deterministic", "counter", "time", "validity"};
}

namespace stored {
namespace {

struct VerdictDocument {
  const Comparison& comparison;
  int exit_code = 0;
};

}  // namespace

template <class Io>
void fields(Io& io, const TimeRatio& r) {
  const auto low = r.range ? std::optional(r.range->low) : std::nullopt;
  const auto high = r.range ? std::optional(r.range->high) : std::nullopt;
  io("estimate", r.estimate, "new / base, from the medians of both sides");
  io("low", low, "lower end of the range that the verdict follows from, rounded outwards; absent: too few rounds");
  io("high", high, "upper end");
  io.must("floor", r.floor, "relative: smaller changes of this row do not count");
  io("visible", r.visible, "relative: the least change that a range of this width would show");
  io.must("beside_roofs", r.beside_roofs,
          "true: from the times relative to the roofs measured beside them; false: from the times as they are");
}

template <class Io>
void fields(Io& io, const Finding& f) {
  io.must("row", f.row, "name of the benchmark row; empty: the whole run");
  io.must("metric", f.metric,
          "time, flops, operations, declared_flops, bytes_LEVEL, present, measured, problem (the size), verified, "
          "complete, "
          "check_kernel_below_roof, ...");
  io.must("class", f.metric_class, "the kind of the metric's number");
  io.must("verdict", f.verdict, "verdict on this metric");
  io.must("informational", f.informational, "never decides the exit code");
  io.must("pairs", f.pairs, "number of runs that the verdict rests on");
  io("base", f.base, "seconds as measured, bytes, counts: the base's median");
  io("new", f.next, "the new side's");
  io("ratio", f.ratio, "new / base of times");
  io("why", f.why, "the reason in words");
}

template <class Io>
void fields(Io& io, const TimeChange& c) {
  std::optional<Resource> bound;
  std::optional<double> work, traffic, efficiency;
  if (const auto& f = c.factors) bound = f->bound, work = f->work, traffic = f->traffic, efficiency = f->efficiency;
  io.must("row", c.row, "name of the benchmark row");
  io("base", c.base, "seconds of one launch, as measured");
  io("new", c.next, "seconds of one launch");
  io("bound", bound, "the resource that bounds the base");
  io("work", work, "the cost of the other operations");
  io("traffic", traffic, "the cost of the other bytes");
  io("efficiency", efficiency, "slower code at equal counts");
}

template <class Io>
void fields(Io& io, const Suggestion& s) {
  io.must("cause", std::string(name(s.cause)), "why they are");
  io.must("rows", s.rows, "how many");
  io.must("pairs", s.pairs, "number of runs that are needed");
  io.must("command", s.command, "to paste");
  io.must("seconds", std::isfinite(s.seconds) ? s.seconds : 0, "seconds that it takes; 0: unknown");
}

template <class Io>
void fields(Io& io, const VerdictDocument& document) {
  const auto& c = document.comparison;
  std::map<std::string, int> counts;
  for (const auto verdict :
       {Verdict::same, Verdict::better, Verdict::worse, Verdict::undecided, Verdict::not_comparable, Verdict::invalid})
    counts[std::string(name(verdict))] = c.count(verdict);
  io.must("schema", verdict_schema, "version of this document");
  io.must("exit_code", document.exit_code, "exit code of the program");
  io.must("base", c.base, "first file of the base");
  io.must("new", c.next, "first file of the new side");
  io("machine", c.machine, "machine of the base");
  io("date", c.date, "date of the new run, ISO 8601");
  io.must("pairs", c.pairs, "number of pairs of runs");
  io("alpha", c.options.alpha, "chance of a false verdict among all times together");
  io("floor", c.options.floor, "relative: smaller changes of time are ignored");
  io.must("counts", counts, "findings by verdict, informational ones left out");
  io.must("notes", c.notes, "allowed differences between the sides, one line each");
  io("other_machine", c.other_machine, "the reason why times are not comparable; absent when they are");
  io.must("findings", c.findings, "every metric of every row");
  io.must("times", c.times,
          "every row with a time on both sides, with factors where they are comparable: their product is the ratio");
  io.must("suggestions", c.suggestions, "commands that would decide rows that are UNDECIDED");
}

}  // namespace stored

std::string verdict_json(const Comparison& comparison, const Gate& gate) {
  const auto document = stored::Writer::write(stored::VerdictDocument{comparison, exit_code(comparison, gate)});
  return document.dump(2, ' ', false, stored::Json::error_handler_t::replace) + "\n";
}

std::string verdict_json_schema() {
  const Comparison none;
  auto schema = stored::SchemaOf::of(stored::VerdictDocument{none});
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["description"] = "The verdict of roofline compare and roofline ab";
  return schema.dump(2) + "\n";
}

}  // namespace roofline

#include "reporters/claims/facts.hpp"

#include <algorithm>
#include <cstdlib>

#include "bench/model/assessment.hpp"
#include "bench/model/ceiling.hpp"
#include "bench/model/roofline.hpp"
#include "reporters/view/point_names.hpp"

namespace roofline::claims {
namespace {

Value of(const Interval& interval) { return {interval.median, interval.low, interval.high}; }

/// The number after "NAME:" in a row's name or problem.
std::optional<double> parameter(const std::string& row, const std::string& name) {
  const auto found = row.find("/" + name + ":");
  if (found == std::string::npos) return std::nullopt;
  return std::strtod(row.c_str() + found + name.size() + 2, nullptr);
}

std::optional<double> count(const Counts& counts, const std::string& kind) {
  const auto& o = counts.operations;
  if (kind == "flops") return static_cast<double>(o.flops());
  if (kind == "executed_alpha" && counts.executed) return counts.executed->fma_fraction();
  if (!counts.kinds_known) return std::nullopt;
  if (kind == "add") return static_cast<double>(o.add);
  if (kind == "mul") return static_cast<double>(o.mul);
  if (kind == "fma") return static_cast<double>(o.fma);
  if (kind == "div") return static_cast<double>(o.div);
  if (kind == "alpha") return o.fma_fraction();
  return std::nullopt;
}

/// Modelled points: time and bytes at one end of the assumptions.
Value time_of(const KernelPoint& point, End end) {
  if (!point.is_bound()) return of(point.time);
  return end == End::low ? point.time.low : end == End::high ? point.time.high : point.time.median;
}

std::optional<Fact> traffic(const Counts& counts, const std::string& level_name, End end) {
  const auto level = level_of(level_name);
  if (!level || !counts.at(*level)) return std::nullopt;
  const auto& bytes = *counts.at(*level);
  const auto& range = counts.range[static_cast<std::size_t>(*level)];
  const bool other_end = end != End::middle && range && bytes.total() > 0;
  return Fact{!other_end ? bytes.total() : end == End::low ? range->low : range->high, counts.traffic_label()};
}

/// With the range of the rounds; where there are too few of them as uncertain as the time that it is made of.
std::optional<Fact> efficiency(const KernelPoint& point, const std::optional<Judgement>& judgement) {
  if (!judgement) return std::nullopt;
  const double e = judgement->efficiency;
  const auto& time = point.time;
  const auto range = judgement->range.value_or(Interval{e, e * time.median / time.high, e * time.median / time.low});
  return Fact{of(range), "measured", above_roof(point.assessment)};
}

Roofline at_ends(const Roofline& roofline, bool fast_memory) {
  auto ceilings = roofline.ceilings();
  for (auto& ceiling : ceilings) {
    if (!(ceiling.rate_low > 0)) continue;
    const bool memory = ceiling.kind == Ceiling::Kind::bandwidth;
    ceiling.rate = memory == fast_memory ? ceiling.rate_high : ceiling.rate_low;
  }
  return Roofline(std::move(ceilings), roofline.threads());
}

/// 1 where what bounds a point fits, 0 where it does not, and the interval of both where that depends on the moment:
/// beside the row, over the run, or at the ends of what the ceilings were in its rounds.
template <class Fits>
std::optional<Fact> bound_fact(const std::array<Roofline, 3>& possible, const KernelPoint& point, const Fits& fits) {
  if (point.is_bound()) return Fact{fits(*point.bound_by) ? 1.0 : 0.0, "modelled"};
  const auto& roof = point.assessment.roof;
  if (!roof) return std::nullopt;
  const double then = fits(roof->bound) ? 1 : 0;
  Value value(then);
  if (point.counts.operations.flops() > 0)
    for (const auto& ceilings : possible)
      if (const auto bound = ceilings.attainable(point.counts, point.fma)) {
        const double here = fits(bound->resource) ? 1 : 0;
        value = Value(then, std::min(value.low, here), std::max(value.high, here));
      }
  return Fact{value, "measured"};
}

std::optional<Fact> of_row(const KernelPoint& p, const std::string& kind, const std::string& detail, End end) {
  const std::string measured = p.is_bound() ? "modelled" : "measured";
  if (kind == "time") return Fact{time_of(p, end), measured, above_roof(p.assessment)};
  if (kind == "e") return efficiency(p, p.assessment.roof);
  if (kind == "emix") return efficiency(p, p.assessment.mix);
  if (kind == "attainable" && p.assessment.roof && p.assessment.roof->attainable)
    return Fact{*p.assessment.roof->attainable, "ceilings"};
  if (kind == "fused") return Fact{p.fma ? 1.0 : 0.0, "declared"};
  if (kind == "samples") return Fact{static_cast<double>(p.samples.size()), measured};
  if (kind == "rounds") return Fact{static_cast<double>(p.rounds()), measured};
  if (kind == "bytes") return traffic(p.counts, detail, end);
  if (kind == "parameter") {
    if (const auto number = parameter(p.name + "/" + p.problem, detail)) return Fact{*number, "name"};
    return std::nullopt;
  }
  if (kind == "detail") {
    const auto found = p.counts.details.find(detail);
    if (found == p.counts.details.end()) return std::nullopt;
    return Fact{found->second, p.counts.traffic_label()};
  }
  if (const auto number = count(p.counts, kind)) return Fact{*number, std::string(name(p.counts.operations_source))};
  return std::nullopt;
}

/// The time of the fastest of some rows.
std::optional<Fact> fastest(const Results& run, const std::string& pattern, End end) {
  std::optional<Fact> least;
  for (const auto& point : run.points)
    if (fits_row(pattern, point.name)) {
      const auto time = of_row(point, "time", "", end);
      if (!least || time->value.value < least->value.value) least = time;
    }
  return least;
}

/// FLOP/s of the roof over the point by the ceilings of the run: at one end the fewest bytes under the fastest memory,
/// at the other the most bytes under the slowest.
std::optional<Fact> roof_of(const std::array<Roofline, 3>& possible, const KernelPoint& point, End end) {
  auto counts = point.counts;
  if (end != End::middle) counts = at_end(counts, end == End::low ? &Span::low : &Span::high);
  const auto bound = possible[static_cast<std::size_t>(end)].attainable(counts, point.fma);
  if (!bound) return std::nullopt;
  return Fact{bound->rate, "ceilings"};
}

/// The rate of a part of the machine between the samples of a row, relative to the ceilings of the run.
std::optional<Fact> then(const Roofline& roofline, const KernelPoint& point, const std::string& kind) {
  const auto moment = typical_moment(roofline, point);
  const std::string origin = point.is_bound() ? "modelled" : "measured";
  if (kind == "dram_then") return Fact{moment.dram, origin};
  if (kind == "l3_then") return Fact{moment.l3, origin};
  if (kind == "core_then") return Fact{moment.core, origin};
  return std::nullopt;
}

const Ceiling* ceiling_of(const Results& run, const std::string& kind, const std::string& subject) {
  const auto word = subject.substr(0, subject.find(' '));
  const auto rest = subject.find(' ') == std::string::npos ? std::string() : subject.substr(subject.find(' ') + 1);
  const auto& roofline = run.roofline;
  if (kind == "bandwidth" || kind == "bandwidth_theory") {
    const auto level = level_of(word);
    if (!level) return nullptr;
    if (rest.empty()) return roofline.bandwidth(*level);
    const auto mix = mix_of(rest);
    return mix ? roofline.bandwidth(*level, *mix) : nullptr;
  }
  const auto operation = operation_of(word);
  if (!operation) return nullptr;
  if (rest.empty()) return roofline.compute(*operation);
  if (rest == "fp32" || rest == "fp16") return roofline.compute(*operation, rest);
  // "fma scalar", "fma chain": with one instruction set, or as one dependent chain of the widest
  const Ceiling* best = nullptr;
  for (const auto& c : roofline.ceilings()) {
    if (c.kind != Ceiling::Kind::compute || c.operation != *operation || c.precision != "fp64" || c.sustained) continue;
    const bool chain = rest == "chain" || rest == "one";
    if (chain ? c.threads != 1 || c.ilp != (rest == "one") : c.isa != rest || !c.ilp || c.threads != roofline.threads())
      continue;
    if (!best || c.rate > best->rate) best = &c;
  }
  return best;
}

std::optional<Fact> of_ceiling(const Results& run, const std::string& kind, const std::string& subject) {
  const auto* const c = ceiling_of(run, kind, subject);
  if (!c) return std::nullopt;
  const std::string origin = run.ceilings_origin.text;
  if (kind == "theory" || kind == "bandwidth_theory") {
    if (!c->theory) return std::nullopt;
    return Fact{*c->theory, "theory"};
  }
  const bool interval = c->rate_low > 0 && c->rate_high > 0;
  return Fact{interval ? Value{c->rate, c->rate_low, c->rate_high} : Value{c->rate}, "ceiling " + origin};
}

std::optional<double> last_cache(const Results& run) {
  if (run.gpu) return run.gpu->l2_bytes;
  const bool described = run.model && run.model->gpu;
  double largest = described ? run.model->l2_bytes : static_cast<double>(run.machine.largest_llc);
  if (!described)
    for (const auto& cache : run.machine.caches) largest = std::max(largest, static_cast<double>(cache.size));
  return largest > 0 ? std::optional(largest) : std::nullopt;
}

std::optional<Fact> of_machine(const Results& run, const std::string& what) {
  const bool gpu = run.gpu || (run.model && run.model->gpu);
  const auto known = [](double number) { return Fact{number, "machine"}; };
  if (what == "last cache") {
    if (const auto bytes = last_cache(run)) return known(*bytes);
    return std::nullopt;
  }
  if (what == "transaction") return known(gpu ? 32 : 64);
  if (what == "threads") return known(run.roofline.threads());
  if (what == "busy") return run.noise ? std::optional(Fact{run.noise->others, "measured"}) : std::nullopt;
  if (gpu) return std::nullopt;
  if (what == "clock") return known(run.machine.clock_hz);
  if (what == "lanes") return known(lanes(run.machine.isa));
  if (what == "executed lanes") {
    if (const auto found = executed_lanes(run.roofline)) return Fact{*found, "measured"};
    return std::nullopt;
  }
  if (what == "numa") return known(run.machine.numa_nodes);
  for (const auto& cache : run.machine.caches)
    if (name(cache.level) == what) return known(static_cast<double>(cache.size));
  return std::nullopt;
}

}  // namespace

std::string name(Backend backend) {
  return backend == Backend::cpu     ? "cpu"
         : backend == Backend::gpu   ? "gpu"
         : backend == Backend::model ? "model"
                                     : "published";
}

RunFacts::RunFacts(const Results& run)
    : run_(run), ceilings_{run.roofline, at_ends(run.roofline, true), at_ends(run.roofline, false)} {}

/// The row with the most traffic among the rows that a pattern covers, because sizes differ between machines.
const KernelPoint* RunFacts::row(const std::string& pattern) const {
  const auto moved = [](const KernelPoint& point) {
    const auto level = outermost_level(point.counts);
    return level ? point.counts.at(*level)->total() : 0.0;
  };
  const KernelPoint* largest = nullptr;
  for (const auto& point : run_.points)
    if (fits_row(pattern, point.name) && (!largest || moved(point) > moved(*largest))) largest = &point;
  return largest;
}

std::optional<Fact> RunFacts::find(const std::string& kind, const std::string& subject, End end) const {
  if (kind == "pub") return published(subject);
  if (kind == "ceiling" || kind == "theory" || kind == "bandwidth" || kind == "bandwidth_theory")
    return of_ceiling(run_, kind, subject);
  if (kind == "machine") return of_machine(run_, subject);
  if (kind == "ert") return run_.ert ? std::optional(Fact{run_.ert->flop_rate, "measured"}) : std::nullopt;
  if (kind == "fastest") return fastest(run_, subject, end);
  if (kind == "rows") return Fact{static_cast<double>(rows(subject).size()), "counted"};
  if (kind == "pairs" || kind == "rank" || kind == "spread" || kind == "verified")
    return of_whole_run(run_, kind, subject);
  if (kind == "data_txt" || kind == "ert_json") return of_round_trip(run_, kind, subject);
  const auto sign = subject.find(" @");
  const auto* const point = row(subject.substr(0, sign));
  if (!point) return std::nullopt;
  if (kind == "roof") return roof_of(ceilings_, *point, end);
  if (kind == "memory_bound")
    return bound_fact(ceilings_, *point, [](const Resource& r) { return r.level.has_value(); });
  if (kind == "bound_by")
    return bound_fact(ceilings_, *point, [&](const Resource& r) { return name(r) == subject.substr(sign + 2); });
  if (kind.ends_with("_then")) return then(run_.roofline, *point, kind);
  return of_row(*point, kind, sign == std::string::npos ? std::string() : subject.substr(sign + 2), end);
}

std::optional<Fact> PublishedFacts::find(const std::string& kind, const std::string& subject, End) const {
  return kind == "pub" ? published(subject) : std::nullopt;
}

std::vector<std::string> RunFacts::rows(const std::string& pattern) const {
  std::vector<std::string> names;
  for (const auto& point : run_.points)
    if (fits_row(pattern, point.name)) names.push_back(point.name);
  return names;
}

Backend RunFacts::backend() const { return run_.model ? Backend::model : run_.gpu ? Backend::gpu : Backend::cpu; }

}  // namespace roofline::claims

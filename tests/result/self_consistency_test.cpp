#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>

#include "bench/storage/stored_run.hpp"
#include "bench/text/csv.hpp"
#include "reporters/files/data_txt.hpp"
#include "reporters/files/efficiency_csv.hpp"
#include "reporters/files/ert_json.hpp"
#include "reporters/files/result_json.hpp"
#include "reporters/view/time_breakdown.hpp"
#include "tests/example_results.hpp"

namespace roofline::self_consistency_test {
namespace {

/// A run as no machine ever gave it, each seed another one: every optional part is there or not, each number is its
/// own, so that none can stand in the place of another.
class GeneratedRun {
 public:
  explicit GeneratedRun(unsigned seed) : random_(seed) {
    auto ceilings = example::roofline().ceilings();
    for (auto& ceiling : ceilings) {
      if (maybe()) ceiling.theory = ceiling.rate * between(1, 3);
      ceiling.rate *= between(0.5, 2);
      ceiling.rate_low = ceiling.rate * between(0.8, 1), ceiling.rate_high = ceiling.rate * between(1, 1.1);
      ceiling.rate_median = ceiling.rate * between(0.8, 1), ceiling.samples = below(99) + 1;
      ceiling.working_set = below(1 << 30), ceiling.winner = static_cast<std::size_t>(below(30));
    }
    results.roofline = Roofline(std::move(ceilings), 2);
    results.machine.name = "a machine", results.date = "2026-01-31T23:59:59Z", results.command_line = "roofline_bench";
    for (int i = 0, n = below(9); i < n; ++i) results.points.push_back(point(i));
    for (int i = 0, n = below(3); i < n; ++i)
      results.failures.emplace_back(fmt::format("failed/{}", i), fmt::format("reason {}", i));
    if (maybe()) results.warnings = {"one", "two"};
    if (maybe()) results.noise = HostNoise{between(0, 1), between(0, 1)};
    results.complete = maybe(), results.rounds = below(7);
    results.timer = {
        between(1e-9, 1e-8), between(1e-4, 1e-3), "a row", between(1, 9), between(10, 20), {}, 1e-6, 0.001};
    if (maybe())
      results.ert = ErtResult{{{4, 2, "", {{between(1e3, 1e9), 7, between(0, 1), 10, 20}}, maybe(), ""}},
                              between(1e9, 1e12),
                              4,
                              {{MemoryLevel::L2, between(1e9, 1e12), 1, 2}},
                              3};
    for (auto& p : results.points)
      if (below(12) == 0) plant_wrong_side(p.time);
    conclude(results);
  }

  Results results;
  int wrong_intervals = 0;  ///< planted

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  bool maybe() { return below(2) == 0; }
  double between(double low, double high) { return std::uniform_real_distribution(low, high)(random_); }
  std::optional<double> some(double most) {
    return maybe() ? std::optional(std::floor(between(1, most))) : std::nullopt;
  }
  std::uint64_t count() { return below(4) == 0 ? 0 : random_() >> (20 + below(30)); }

  /// An interval beside its median, on one side of it.
  void plant_wrong_side(Interval& time) {
    if (maybe())
      time.low = 1.01 * time.median;
    else
      time.high = 0.99 * time.median;
    ++wrong_intervals;
  }

  KernelPoint point(int number) {
    KernelPoint p;
    p.family = fmt::format("family{}", below(3)), p.name = fmt::format("{}/n:{}", p.family, number);
    if (maybe()) p.problem = "n:7";
    p.threads = below(4) == 0 ? 1 + 2 * below(2) : 2, p.fma = maybe();
    auto& c = p.counts;
    if (below(5) > 0) c.operations = {count(), count(), count(), count(), count(), count()};
    c.precision = below(4) == 0 ? "fp32" : below(8) == 0 ? "unknown" : "fp64";
    c.operations_source = static_cast<Source>(below(6)), c.traffic_source = static_cast<Source>(below(6));
    if (maybe()) c.executed = Operations{count(), count(), 0, 0};
    for (const auto level : all_memory_levels) {
      if (!maybe()) continue;
      const auto bytes = Traffic{std::floor(between(1e6, 1e9)), std::floor(between(1e6, 1e9))};
      c.at(level) = bytes;
      if (maybe()) c.range[static_cast<std::size_t>(level)] = Span{0.5 * bytes.total(), 1.5 * bytes.total()};
    }
    c.overwritten = some(1e6), c.streamed = some(1e6), c.unpaired = some(1e6), c.split = some(1e6);
    c.gathered = some(1e6), c.regions = some(9), c.evaded = maybe() ? std::floor(between(1, 1e6)) : 0;
    c.gathers_by_instructions = maybe(), c.kinds_known = maybe();
    if (maybe()) c.modelled_device = "host";
    if (maybe()) c.modelled_levels = {MemoryLevel::L2};
    if (maybe()) c.modelled_writes = {MemoryLevel::DRAM};
    if (maybe()) c.traffic_note = "LRU, \"small\"";
    c.instructions = some(1e9), c.cycles = some(1e9);
    if (maybe()) c.details = {{"predication", between(0, 1)}};
    if (maybe()) c.counted = {{"DRAM.read", between(1e6, 1e9), some(1e9), some(3), "why"}};
    p.declared_flops = c.operations.flops();
    p.time.median = between(1e-4, 1), p.time.low = p.time.median * between(0.5, 1);
    p.time.high = p.time.median * between(1, 1.5);
    if (below(6) == 0) return p.bound_by = Resource(MemoryLevel::DRAM), p;
    p.in_core = maybe() ? between(1e-5, 1e-4) : 0;
    if (maybe())
      p.form = "streaming stores", p.trials = {{"plain", between(0, 1)}, {"streaming stores", between(0, 1)}};
    const int rounds = below(7);
    for (int round = 0; round < rounds; ++round)
      for (int i = 0; i < 3; ++i)
        p.samples.push_back({round, between(round, round + 1), p.time.median * between(0.9, 1.1)});
    for (const auto* const ceiling : {"ceiling/bandwidth/DRAM/triad/threads:2", "ceiling/bandwidth/L3/read/threads:2",
                                      "ceiling/flops/fp64/fma/avx512/threads:2"})
      if (rounds > 0 && maybe()) {
        p.probes.push_back({ceiling, {}});
        for (int round = 0; round < rounds; ++round)
          p.probes.back().rates.push_back(named(ceiling).rate * between(0.7, 1));
      }
    return p;
  }

  const Ceiling& named(const std::string& name) const {
    const auto& all = results.roofline.ceilings();
    return *std::find_if(all.begin(), all.end(), [&](const Ceiling& c) { return c.name == name; });
  }

  std::mt19937_64 random_;
};

constexpr unsigned seeds = 60;

// Everything that a model says, written down member by member: what is stored is made of lists of fields, which could
// both forget one.
std::string told(double x) { return fmt::format("{} ", x); }
std::string told(const std::string& text) { return text + "; "; }
std::string told(const Resource& resource) { return told(name(resource)); }
std::string told(const Traffic& t) { return told(t.read) + told(t.written); }
std::string told(const Span& s) { return told(s.low) + told(s.high); }
std::string told(const Interval& i) { return told(i.median) + told(i.low) + told(i.high); }
std::string told(const Operations& o) {
  return fmt::format("{} {} {} {} {} {} ", o.add, o.mul, o.fma, o.div, o.sqrt, o.logic);
}
std::string told(const Judgement& j);
template <class T>
std::string told(const std::optional<T>& value) {
  return value ? told(*value) : "- ";
}
std::string told(const Counts& c) {
  auto text = told(c.operations) + c.precision +
              fmt::format(" {} {} {} {} ", static_cast<int>(c.operations_source), static_cast<int>(c.traffic_source),
                          c.kinds_known, c.gathers_by_instructions);
  text += told(c.executed) + told(c.instructions) + told(c.cycles);
  for (const auto& traffic : c.traffic) text += told(traffic);
  for (const auto& range : c.range) text += told(range);
  for (const auto& bytes : {c.overwritten, c.streamed, c.unpaired, c.split, c.gathered, c.regions}) text += told(bytes);
  text += told(c.evaded) + told(c.modelled_device) + told(c.traffic_note);
  for (const auto level : c.modelled_levels) text += told(std::string(name(level)));
  for (const auto level : c.modelled_writes) text += told(std::string(name(level)) + " written");
  for (const auto& [key, value] : c.details) text += told(key) + told(value);
  for (const auto& b : c.counted)
    text += told(b.quantity) + told(b.measured) + told(b.modelled) + told(b.ratio) + told(b.note);
  return text;
}
std::string told(const Judgement& j) {
  return told(j.attainable) + told(j.efficiency) + told(j.bound) + (j.level ? std::string(name(*j.level)) : "compute") +
         told(j.range);
}
std::string told(const KernelPoint& p) {
  auto text = told(p.name) + told(p.family) + told(p.problem) + told(p.counts) + told(p.time) + told(p.bound_by) +
              told(p.form) + fmt::format("{} {} {} ", p.declared_flops, p.threads, p.fma) + told(p.in_core);
  for (const auto& s : p.samples) text += fmt::format("{}:", s.round) + told(s.start) + told(s.seconds);
  for (const auto& probe : p.probes) {
    text += told(probe.ceiling);
    for (const double rate : probe.rates) text += told(rate);
  }
  for (const auto& trial : p.trials) text += told(trial.form) + told(trial.seconds);
  return text + told(p.assessment.roof) + told(p.assessment.mix) + told(p.assessment.in_core);
}
std::string told(const Ceiling& c) {
  return told(c.name) + told(c.precision) + told(c.isa) + told(c.label) + told(c.variant) + told(c.theory) +
         fmt::format("{} {} {} {} {} {} {} {} {} {} {} ", static_cast<int>(c.kind), c.threads, c.whole_device,
                     c.sustained, static_cast<int>(c.operation), c.ilp, c.warps, static_cast<int>(c.level),
                     static_cast<int>(c.mix), c.samples, c.winner) +
         told(c.working_set) + told(c.bytes_per_explicit_byte) + told(c.rate) + told(c.rate_low) + told(c.rate_high) +
         told(c.rate_median) + told(c.clock_begin) + told(c.clock_end) + (c.opinion ? "opinion" : "");
}

TEST(SelfConsistency, WhatIsReadBackIsTheRun) {
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const auto run = GeneratedRun(seed).results;
    const auto back = parse_run(finish_json("", run), "run.json");
    EXPECT_EQ(back.complete, run.complete);
    EXPECT_EQ(back.failures, run.failures);
    EXPECT_EQ(back.warnings, run.warnings);
    EXPECT_EQ(back.rounds, run.rounds);
    const auto noise = [](const Results& of) {
      return of.noise ? told(of.noise->steal) + told(of.noise->throttled) : std::string();
    };
    EXPECT_EQ(noise(back), noise(run));
    EXPECT_EQ(back.roofline.threads(), run.roofline.threads());
    ASSERT_EQ(back.roofline.ceilings().size(), run.roofline.ceilings().size());
    for (std::size_t i = 0; i < run.roofline.ceilings().size(); ++i)
      EXPECT_EQ(told(back.roofline.ceilings()[i]), told(run.roofline.ceilings()[i]));
    ASSERT_EQ(back.points.size(), run.points.size());
    for (std::size_t i = 0; i < run.points.size(); ++i) EXPECT_EQ(told(back.points[i]), told(run.points[i]));
    ASSERT_EQ(back.ert.has_value(), run.ert.has_value());
    if (run.ert) {
      const auto &is = *back.ert, &was = *run.ert;
      EXPECT_EQ(is.flop_rate, was.flop_rate);
      EXPECT_EQ(is.levels.at(0).bandwidth, was.levels.at(0).bandwidth);
      EXPECT_EQ(is.sweeps.at(0).complete, was.sweeps.at(0).complete);
      EXPECT_EQ(is.sweeps.at(0).rows.at(0).bandwidth(), was.sweeps.at(0).rows.at(0).bandwidth());
      EXPECT_EQ(is.sweeps.at(0).rows.at(0).working_set, was.sweeps.at(0).rows.at(0).working_set);
    }
  }
}

const PhysicsCheck& check_of(const Results& run, const std::string& id) {
  for (const auto& check : run.checks)
    if (check.id == id) return check;
  throw std::logic_error("no check " + id);
}

TEST(SelfConsistency, AFileSaysOfItselfWhatIsTrue) {
  using Verdict = PhysicsCheck::Verdict;
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const GeneratedRun generated(seed);
    const auto& run = generated.results;
    const auto document = nlohmann::json::parse(finish_json("", run));
    const auto& context = document["context"];
    EXPECT_EQ(context["complete"], run.complete);
    EXPECT_EQ(document["roofline"]["complete"], run.complete) << "both parts say the same";
    EXPECT_EQ(document["roofline"]["points"].size(), run.points.size());
    ASSERT_EQ(context["failures"].size(), run.failures.size());
    for (std::size_t i = 0; i < run.failures.size(); ++i) {
      EXPECT_EQ(context["failures"][i]["name"], run.failures[i].first);
      EXPECT_EQ(context["failures"][i]["reason"], run.failures[i].second);
    }
    // Every row has a result, or is named and makes a check fail.
    const auto &rows = check_of(run, "P15"), &intervals = check_of(run, "P13");
    const bool any = !run.points.empty() || !run.failures.empty();
    EXPECT_EQ(rows.value, any ? std::optional<double>(run.failures.size()) : std::nullopt);
    EXPECT_EQ(rows.verdict, !any ? Verdict::not_applicable : run.failures.empty() ? Verdict::ok : Verdict::fail);
    EXPECT_EQ(intervals.value, generated.wrong_intervals);
    EXPECT_EQ(intervals.verdict, generated.wrong_intervals > 0 ? Verdict::fail : Verdict::ok);
    for (const auto& check : context["checks"]) {
      const auto& is = check_of(run, check["id"]);
      EXPECT_EQ(check["verdict"], name(is.verdict));
      EXPECT_EQ(check["where"], is.where);
      EXPECT_EQ(check["value"].is_null(), !is.value || !std::isfinite(*is.value));
      if (check["value"].is_null()) continue;
      EXPECT_EQ(check["value"], *is.value);
    }
    EXPECT_EQ(context["checks"].size(), run.checks.size());
    int judged = 0, resolved = 0;
    for (const auto& p : run.points)
      if (const auto& roof = p.assessment.roof; roof && roof->range && roof->efficiency > 0)
        ++judged, resolved += roof->range->high - roof->range->low <= 0.1 * roof->efficiency;
    EXPECT_EQ(context["precision"]["rows"], judged);
    EXPECT_EQ(context["precision"]["resolved"], resolved);
  }
}

/// The roof of a point in one round, by the definition: the lowest of the arithmetic and of each level's best mix.
/// Without FLOPs the seconds of the slowest level.
std::optional<double> roof_of(const Results& run, const KernelPoint& p, int round) {
  const auto rate_in = [&](const Ceiling& c) {
    double factor = 1;
    for (const auto& probe : p.probes)
      for (const auto& other : run.roofline.ceilings()) {
        if (other.name != probe.ceiling || round < 0) continue;
        const auto part = [](const Ceiling& x) {
          return x.kind == Ceiling::Kind::bandwidth && x.level >= MemoryLevel::L3 && x.level <= MemoryLevel::DRAM
                     ? static_cast<int>(x.level)
                     : -1;
        };
        if (part(other) == part(c)) factor = probe.rates[static_cast<std::size_t>(round)] / other.rate;
      }
    return c.rate * factor;
  };
  const auto best = [&](const auto& chosen) {
    const Ceiling* fastest = nullptr;
    for (const auto& c : run.roofline.ceilings())
      if (c.threads == p.threads && chosen(c) && (!fastest || c.rate > fastest->rate)) fastest = &c;
    return fastest;
  };
  const auto flops = static_cast<double>(p.counts.operations.flops());
  std::optional<double> roof;
  const auto see = [&](double value) {
    roof = !roof ? value : flops > 0 ? std::min(*roof, value) : std::max(*roof, value);
  };
  if (flops > 0)
    if (const auto* const c = best([&](const Ceiling& x) {
          return x.kind == Ceiling::Kind::compute && x.ilp && x.precision == p.counts.precision &&
                 x.operation == (p.fma ? Operation::fma : Operation::nofma);
        }))
      see(rate_in(*c));
  for (const auto level : memory_levels) {
    const auto& bytes = p.counts.at(level);
    const auto* const c = best(
        [&](const Ceiling& x) { return x.kind == Ceiling::Kind::bandwidth && x.level == level && is_roof(x.mix); });
    if (!bytes || !c) continue;
    see(flops > 0 ? flops / bytes->total() * rate_in(*c) : bytes->total() / rate_in(*c));
  }
  return roof;
}

void expect_share(const Results& run, const KernelPoint& p) {
  const auto& roof = p.assessment.roof;
  const auto flops = static_cast<double>(p.counts.operations.flops());
  const auto times = p.seconds_of_rounds();
  const bool by_rounds = !p.probes.empty() && !times.empty();
  std::vector<double> shares;
  for (int round = by_rounds ? 0 : -1; round < (by_rounds ? static_cast<int>(times.size()) : 0); ++round) {
    const double seconds = by_rounds ? times[static_cast<std::size_t>(round)] : p.time.median;
    if (const auto least = roof_of(run, p, round))
      shares.push_back(flops > 0 ? flops / seconds / *least : *least / seconds);
  }
  ASSERT_EQ(roof.has_value(), !shares.empty() && !p.is_bound());
  if (!roof) return;
  EXPECT_NEAR(roof->efficiency, median(shares), 1e-12 * roof->efficiency);
  ASSERT_EQ(roof->range.has_value(), shares.size() >= 3);
  if (!roof->range) return;
  EXPECT_NEAR(roof->range->low, *std::min_element(shares.begin(), shares.end()), 1e-12 * roof->efficiency);
  EXPECT_NEAR(roof->range->high, *std::max_element(shares.begin(), shares.end()), 1e-12 * roof->efficiency);
}

TEST(SelfConsistency, SharesIntervalsAndSumsHold) {
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    const auto run = GeneratedRun(seed).results;
    for (const auto& p : run.points) {
      SCOPED_TRACE(fmt::format("seed {}, {}", seed, p.name));
      if (p.counts.knows_precision()) expect_share(run, p);
      for (const auto& judgement : {p.assessment.roof, p.assessment.mix}) {
        if (!judgement) continue;
        const double attainable = judgement->attainable.value_or(p.flop_rate() / judgement->efficiency);
        EXPECT_NEAR(attainable * judgement->efficiency, p.flop_rate(), 1e-12 * p.flop_rate());
        EXPECT_EQ(judgement->attainable.has_value(), p.flop_rate() > 0);
        EXPECT_TRUE(p.counts.knows_precision() || judgement->level || !judgement->attainable);
        if (!judgement->range) continue;
        EXPECT_LE(judgement->range->low, judgement->efficiency);
        EXPECT_GE(judgement->range->high, judgement->efficiency);
        EXPECT_EQ(judgement->range->median, judgement->efficiency);
      }
      // Parts of a time are none of them negative, and sum to it.
      const auto account = time_breakdown(Roofline(run.roofline.ceilings(), p.threads), p);
      const double seconds = p.time.median;
      EXPECT_NEAR(account.sum() - account.overlap(seconds) + account.rest(seconds), seconds,
                  1e-12 * (seconds + account.sum()));
      const auto parts = account.parts(seconds);
      double all = 0;
      for (const auto& part : parts) {
        EXPECT_GE(part.seconds, 0) << part.name;
        all += part.seconds;
      }
      EXPECT_NEAR(all, parts.empty() ? 0 : seconds, 1e-12 * seconds);
      const auto &levels = account.levels, &served = account.served;
      for (std::size_t l = 0; l < levels.size(); ++l) EXPECT_LE(served[l].value_or(0), levels[l].value_or(0));
      EXPECT_LE(account.split.value_or(0) + account.gathered.value_or(0), levels[0].value_or(0) * (1 + 1e-12));
      EXPECT_LE(account.unpaired.value_or(0), levels[3].value_or(0) * (1 + 1e-12));
    }
  }
}

/// What a column of efficiency.csv must hold: a number of the model in its own unit, or a text. Absent: empty.
using Number = std::function<std::optional<double>(const KernelPoint&)>;
using Text = std::function<std::string(const KernelPoint&)>;

std::map<std::string, Number> number_columns() {
  using P = KernelPoint;
  const auto measured = [](auto value) {
    return Number([=](const P& p) { return p.is_bound() ? std::nullopt : std::optional<double>(value(p)); });
  };
  const auto bound = [](auto value) {
    return Number([=](const P& p) { return p.is_bound() ? std::optional<double>(value(p)) : std::nullopt; });
  };
  const auto of = [](auto value) { return Number([=](const P& p) { return std::optional<double>(value(p)); }); };
  const auto sum = [](const P& p) {
    const auto& o = p.counts.operations;
    return static_cast<double>(o.add + o.mul + o.fma + o.fma + o.div + o.sqrt);
  };
  std::map<std::string, Number> all{
      {"threads", of([](const P& p) { return p.threads; })},
      {"fma", of([](const P& p) { return p.fma; })},
      {"samples", of([](const P& p) { return p.samples.size(); })},
      {"rounds", of([](const P& p) { return p.samples.empty() ? 0 : p.samples.back().round + 1; })},
      {"time_median", measured([](const P& p) { return p.time.median; })},
      {"time_ci_low", measured([](const P& p) { return p.time.low; })},
      {"time_ci_high", measured([](const P& p) { return p.time.high; })},
      {"time_bound", bound([](const P& p) { return p.time.median; })},
      {"time_bound_low", bound([](const P& p) { return p.time.low; })},
      {"time_bound_high", bound([](const P& p) { return p.time.high; })},
      {"time_min",
       [](const P& p) {
         std::optional<double> least;
         for (const auto& s : p.samples) least = std::min(least.value_or(s.seconds), s.seconds);
         return least;
       }},
      {"time_in_core", [](const P& p) { return p.in_core > 0 ? std::optional(p.in_core) : std::nullopt; }},
      {"flops", of(sum)},
      {"FLOP/s", of([=](const P& p) { return sum(p) / p.time.median; })},
      {"add", of([](const P& p) { return p.counts.operations.add; })},
      {"mul", of([](const P& p) { return p.counts.operations.mul; })},
      {"fma_instructions", of([](const P& p) { return p.counts.operations.fma; })},
      {"div", of([](const P& p) { return p.counts.operations.div; })},
      {"fma_fraction", of([](const P& p) {
         const auto& o = p.counts.operations;
         const auto issued = static_cast<double>(o.add + o.mul + o.fma);
         return issued > 0 ? static_cast<double>(o.fma) / issued : 0;
       })},
      {"bytes_DRAM_streamed", [](const P& p) { return p.counts.streamed; }},
      {"bytes_DRAM_unpaired", [](const P& p) { return p.counts.unpaired; }},
      {"bytes_L1_split", [](const P& p) { return p.counts.split; }},
      {"bytes_L1_gathered", [](const P& p) { return p.counts.gathered; }},
      {"regions", [](const P& p) { return p.counts.regions; }},
      {"efficiency_low",
       [](const P& p) {
         const auto& roof = p.assessment.roof;
         return roof && roof->range ? std::optional(roof->range->low) : std::nullopt;
       }},
      {"efficiency_high",
       [](const P& p) {
         const auto& roof = p.assessment.roof;
         return roof && roof->range ? std::optional(roof->range->high) : std::nullopt;
       }},
      {"resolved", [](const P& p) {
         const auto& roof = p.assessment.roof;
         return roof && roof->range
                    ? std::optional<double>(roof->range->high - roof->range->low <= 0.1 * roof->efficiency)
                    : std::nullopt;
       }}};
  for (const auto& [suffix, part] : {std::pair("", &Assessment::roof), std::pair("_mix", &Assessment::mix)}) {
    all[std::string("attainable") + suffix] = [part = part](const P& p) {
      return p.assessment.*part ? (p.assessment.*part)->attainable : std::nullopt;
    };
    all[std::string("efficiency") + suffix] = [part = part](const P& p) {
      return p.assessment.*part ? std::optional((p.assessment.*part)->efficiency) : std::nullopt;
    };
  }
  std::size_t index = 0;
  for (const std::string level : {"L1", "L2", "L3", "DRAM"}) {
    const auto traffic = [index](const P& p) { return p.counts.traffic[index]; };
    const auto range = [index](const P& p) { return p.counts.range[index]; };
    const auto maybe = [](const auto& part, auto value) {
      return [=](const P& p) { return part(p) ? std::optional<double>(value(*part(p))) : std::nullopt; };
    };
    all["bytes_" + level] = maybe(traffic, [](const Traffic& t) { return t.read + t.written; });
    all["written_" + level] = maybe(traffic, [](const Traffic& t) { return t.written; });
    all["bytes_" + level + "_low"] = maybe(range, [](const Span& s) { return s.low; });
    all["bytes_" + level + "_high"] = maybe(range, [](const Span& s) { return s.high; });
    all["AI_" + level] = [=](const P& p) {
      return traffic(p) ? std::optional(sum(p) / (traffic(p)->read + traffic(p)->written)) : std::nullopt;
    };
    ++index;
  }
  return all;
}

std::map<std::string, Text> text_columns() {
  using P = KernelPoint;
  return {{"name", [](const P& p) { return p.name; }},
          {"family", [](const P& p) { return p.family; }},
          {"precision", [](const P& p) { return p.counts.precision; }},
          {"flops_source", [](const P& p) { return std::string(name(p.counts.operations_source)); }},
          {"bytes_source", [](const P& p) { return p.counts.traffic_label(); }},
          {"bytes_note", [](const P& p) { return p.counts.traffic_note; }},
          {"bound", [](const P& p) { return p.assessment.roof ? name(p.assessment.roof->bound) : std::string(); }},
          {"bound_mix", [](const P& p) { return p.assessment.mix ? name(p.assessment.mix->bound) : std::string(); }},
          {"time_bound_by", [](const P& p) { return p.bound_by ? name(*p.bound_by) : std::string(); }}};
}

TEST(SelfConsistency, EveryColumnOfTheCsvIsThatOfTheModel) {
  const auto numbers = number_columns();
  const auto texts = text_columns();
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    const auto run = GeneratedRun(seed).results;
    const auto csv = parse_csv(efficiency_csv(run));
    ASSERT_EQ(csv.records.size(), run.points.size() + 1) << "seed " << seed;
    const auto& header = csv.records[0].fields;
    EXPECT_EQ(std::set<std::string>(header.begin(), header.end()).size(), header.size());
    EXPECT_EQ(header.size(), numbers.size() + texts.size());
    for (std::size_t i = 0; i < run.points.size(); ++i) {
      const auto& p = run.points[i];
      const auto& row = csv.records[i + 1].fields;
      ASSERT_EQ(row.size(), header.size());
      for (std::size_t c = 0; c < header.size(); ++c) {
        SCOPED_TRACE(fmt::format("seed {}, {}, column {}", seed, p.name, header[c]));
        if (texts.contains(header[c])) {
          EXPECT_EQ(row[c], texts.at(header[c])(p));
          continue;
        }
        ASSERT_TRUE(numbers.contains(header[c])) << "a column that nobody checks";
        const auto value = numbers.at(header[c])(p);
        ASSERT_EQ(row[c].empty(), !value);
        if (!value) continue;
        EXPECT_DOUBLE_EQ(std::stod(row[c]), *value);
      }
    }
  }
}

/// The fastest of the run's own ceilings for which `chosen` holds.
const Ceiling* fastest(const Results& run, const std::function<bool(const Ceiling&)>& chosen) {
  const Ceiling* best = nullptr;
  for (const auto& c : run.roofline.ceilings())
    if (c.threads == 2 && chosen(c) && (!best || c.rate > best->rate)) best = &c;
  return best;
}
const Ceiling* fastest_memory(const Results& run, MemoryLevel level) {
  return fastest(
      run, [&](const Ceiling& c) { return c.kind == Ceiling::Kind::bandwidth && c.level == level && is_roof(c.mix); });
}
const Ceiling* fastest_unit(const Results& run, Operation operation, const std::string& precision) {
  return fastest(run, [&](const Ceiling& c) {
    return c.kind == Ceiling::Kind::compute && c.operation == operation && c.precision == precision && c.ilp;
  });
}

TEST(SelfConsistency, EveryLineOfDataTxtIsThatOfTheModel) {
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const auto run = GeneratedRun(seed).results;
    std::map<std::string, std::vector<std::string>> lines;
    std::istringstream text(data_txt(run));
    for (std::string line; std::getline(text, line);) {
      std::istringstream words(line);
      std::string key;
      words >> key;
      if (key == "#") continue;
      ASSERT_FALSE(lines.contains(key)) << key;
      auto& values = lines[key];
      // Names are in quotes and may hold blanks.
      const bool quoted = key.ends_with("names") || key == "labels";
      for (std::string word; quoted ? std::getline(words, word, '\'') && std::getline(words, word, '\'')
                                    : static_cast<bool>(words >> word);)
        values.push_back(word);
    }
    const auto expect = [&](const std::string& key, std::size_t i, double value, double unit) {
      ASSERT_GT(lines[key].size(), i) << key;
      EXPECT_NEAR(std::stod(lines[key][i]) * unit / value, 1, 1e-9) << key << " " << i;
    };
    // Both lists from the fastest down.
    std::map<double, std::string, std::greater<>> memory, compute;
    for (const auto level : memory_levels) memory[fastest_memory(run, level)->rate] = name(level);
    compute[fastest_unit(run, Operation::fma, "fp64")->rate] = "FP64 FMA";
    compute[fastest_unit(run, Operation::nofma, "fp64")->rate] = "FP64 no-FMA";
    for (const auto& [rates, names, roofs] :
         {std::tuple("memroofs", "mem_roof_names", memory), {"comproofs", "comp_roof_names", compute}}) {
      ASSERT_EQ(lines[rates].size(), roofs.size());
      std::size_t i = 0;
      for (const auto& [rate, name] : roofs) {
        expect(rates, i, rate, 1e9);
        EXPECT_EQ(lines[names].at(i++), name);
      }
    }
    std::size_t n = 0;
    std::set<std::string> keys{"memroofs", "mem_roof_names", "comproofs", "comp_roof_names"};
    const auto drawn = [](const KernelPoint& p) {
      return p.counts.operations.flops() > 0 && std::any_of(memory_levels.begin(), memory_levels.end(),
                                                            [&](auto level) { return p.counts.at(level).has_value(); });
    };
    for (const auto& p : run.points) {
      if (!drawn(p)) continue;
      const auto flops = static_cast<double>(p.counts.operations.flops());
      expect("FLOPS", n, flops / p.time.median, 1e9);
      ASSERT_GT(lines["labels"].size(), n);
      EXPECT_EQ(lines["labels"][n], p.name);
      double outermost = 0;
      for (const auto& [key, level] : {std::pair("AI_L1", MemoryLevel::L1),
                                       {"AI_L2", MemoryLevel::L2},
                                       {"AI_L3", MemoryLevel::L3},
                                       {"AI_HBM", MemoryLevel::DRAM}}) {
        const auto& bytes = p.counts.at(level);
        if (bytes) outermost = bytes->total(), expect(key, n, flops / outermost, 1), keys.insert(key);
        EXPECT_TRUE(bytes || !lines.contains(key) || lines[key].at(n) == "nan") << key;
      }
      expect("AI", n, flops / outermost, 1);
      ++n;
    }
    if (n > 0) keys.insert({"AI", "FLOPS", "labels"});
    for (const auto& [key, values] : lines) {
      EXPECT_TRUE(keys.contains(key)) << key << ": a line that nobody checks";
      EXPECT_TRUE(values.size() == n || key.find("roof") != key.npos) << key;
    }
  }
}

TEST(SelfConsistency, EveryRateOfErtsJsonIsThatOfTheModel) {
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const auto run = GeneratedRun(seed).results;
    const auto document = nlohmann::json::parse(ert_json(run));
    std::vector<std::pair<std::string, const Ceiling*>> flops{
        {"FP64 GFLOPs", fastest_unit(run, Operation::fma, "fp64")},
        {"FP32 GFLOPs", fastest_unit(run, Operation::fma, "fp32")}};
    std::vector<std::pair<std::string, const Ceiling*>> bytes;
    for (const auto level : memory_levels) bytes.emplace_back(name(level), fastest_memory(run, level));
    for (const auto& [key, ceilings] : {std::pair("gflops", flops), std::pair("gbytes", bytes)}) {
      const auto &rates = document["empirical"][key]["data"], &theories = document["spec"][key]["data"];
      ASSERT_EQ(rates.size(), ceilings.size());
      std::size_t theory = 0;
      for (std::size_t i = 0; i < ceilings.size(); ++i) {
        const auto& [label, ceiling] = ceilings[i];
        EXPECT_EQ(rates[i][0], label);
        EXPECT_NEAR(rates[i][1].get<double>() * 1e9, ceiling->rate, 1e3) << label;
        if (!ceiling->theory) continue;
        ASSERT_GT(theories.size(), theory);
        EXPECT_EQ(theories[theory][0], label);
        EXPECT_NEAR(theories[theory++][1].get<double>() * 1e9, *ceiling->theory, 1e3) << label;
      }
      EXPECT_EQ(theories.size(), theory);
    }
    EXPECT_EQ(document["empirical"]["gbytes"]["metadata"]["OPENMP_THREADS"], 2);
    EXPECT_EQ(document["empirical"]["metadata"]["HOSTNAME"], run.machine.name);
  }
}

}  // namespace
}  // namespace roofline::self_consistency_test

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "bench/model/assessment.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/parse_json.hpp"
#include "reporters/view/time_breakdown.hpp"
#include "tests/generated_run.hpp"

namespace roofline::self_consistency_test {
namespace {

using namespace generated;

// A model's values for rows and ceilings, written down member by member, because the list of fields that writes and
// reads could forget one. A new member has to be added here, too.
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
              told(p.tuning) + fmt::format("{} {} {} ", p.declared_flops, p.threads, p.fma) + told(p.in_core) +
              told(p.clock) + told(p.watts) + told(p.joules);
  for (const auto& s : p.samples) text += fmt::format("{}:", s.round) + told(s.start) + told(s.seconds);
  for (const auto& probe : p.probes) {
    text += told(probe.ceiling);
    for (const double rate : probe.rates) text += told(rate);
  }
  for (const auto& trial : p.trials) text += told(trial.tuning) + told(trial.seconds);
  return text + told(p.assessment.roof) + told(p.assessment.mix) + told(p.assessment.in_core);
}
std::string told(const Ceiling& c) {
  return told(c.name) + told(c.precision) + told(c.isa) + told(c.label) + told(c.variant) + told(c.theory) +
         fmt::format("{} {} {} {} {} {} {} {} {} {} {} ", static_cast<int>(c.kind), c.threads, c.whole_device,
                     c.sustained, static_cast<int>(c.operation), c.ilp, c.warps, static_cast<int>(c.level),
                     static_cast<int>(c.mix), c.samples, c.winner) +
         told(c.working_set) + told(c.bytes_per_explicit_byte) + told(c.rate) + told(c.rate_low) + told(c.rate_high) +
         told(c.rate_median) + told(c.clock_begin) + told(c.clock_end) + (c.external ? "external" : "");
}

TEST(SelfConsistency, WhatIsReadBackIsTheRun) {
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const auto run = GeneratedRun(seed).results;
    const auto back = parse_run(run_json("", run), "run.json");
    EXPECT_EQ(back.interrupted, run.interrupted);
    EXPECT_EQ(back.unreached, run.unreached);
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

const SanityCheck& check_of(const Results& run, std::string_view id) {
  for (const auto& check : run.checks)
    if (check.id == id) return check;
  throw std::logic_error("no check " + std::string(id));
}

TEST(SelfConsistency, AFileSaysOfItselfWhatIsTrue) {
  using Verdict = SanityCheck::Verdict;
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const GeneratedRun generated(seed);
    const auto& run = generated.results;
    auto file = parse_json(run_json("", run), "")["roofline"];
    EXPECT_EQ(file["interrupted"], run.interrupted);
    EXPECT_EQ(file["complete"], !run.interrupted && run.failures.empty()) << "a row that failed is missing";
    EXPECT_EQ(file["points"].size(), run.points.size());
    ASSERT_EQ(file["failures"].size(), run.failures.size());
    for (std::size_t i = 0; i < run.failures.size(); ++i) {
      EXPECT_EQ(file["failures"][i][0], run.failures[i].first);
      EXPECT_EQ(file["failures"][i][1], run.failures[i].second);
    }
    // Every row has a result, or is named and makes a check fail.
    const auto &rows = check_of(run, "rows_verified"), &intervals = check_of(run, "intervals_hold_medians");
    const bool any = !run.points.empty() || !run.failures.empty();
    EXPECT_EQ(rows.value, any ? std::optional<double>(run.failures.size()) : std::nullopt);
    EXPECT_EQ(rows.verdict, !any ? Verdict::not_applicable : run.failures.empty() ? Verdict::ok : Verdict::fail);
    EXPECT_EQ(intervals.value, generated.wrong_intervals);
    EXPECT_EQ(intervals.verdict, generated.wrong_intervals > 0 ? Verdict::fail : Verdict::ok);
    for (const auto& check : file["checks"]) {
      const auto& is = check_of(run, check["id"].get<std::string>());
      EXPECT_EQ(check["verdict"], name(is.verdict));
      EXPECT_EQ(check.value("where", ""), is.where);
      ASSERT_EQ(check.contains("value"), is.value && std::isfinite(*is.value));
      EXPECT_EQ(check.value("value", 0.0), check.contains("value") ? *is.value : 0.0);
    }
    EXPECT_EQ(file["checks"].size(), run.checks.size());
    int judged = 0, resolved = 0;
    for (const auto& p : run.points)
      if (const auto& roof = p.assessment.roof; roof && roof->range && roof->efficiency > 0)
        ++judged, resolved += roof->range->high - roof->range->low <= 0.1 * roof->efficiency;
    EXPECT_EQ(file["precision"]["rows"], judged);
    EXPECT_EQ(file["precision"]["resolved"], resolved);
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
  const auto flops = static_cast<double>(p.counts.operations.flops());
  std::optional<double> roof;
  const auto see = [&](double value) {
    roof = !roof ? value : flops > 0 ? std::min(*roof, value) : std::max(*roof, value);
  };
  if (flops > 0)
    if (const auto* const c =
            fastest_unit(run, p.threads, p.fma ? Operation::fma : Operation::nofma, p.counts.precision))
      see(rate_in(*c));
  for (const auto level : memory_levels) {
    const auto& bytes = p.counts.at(level);
    const auto* const c = fastest_memory(run, p.threads, level);
    if (!bytes || !c) continue;
    see(flops > 0 ? flops / bytes->total() * rate_in(*c) : bytes->total() / rate_in(*c));
  }
  return roof;
}

/// Whether a roof other than DRAM's gave less than two thirds of its best in a round of a point.
bool is_disturbed(const Results& run, const KernelPoint& p, std::size_t round) {
  for (const auto& probe : p.probes)
    for (const auto& c : run.roofline.ceilings()) {
      const bool memory = c.kind == Ceiling::Kind::bandwidth && c.level == MemoryLevel::DRAM;
      if (c.name == probe.ceiling && !memory && probe.rates[round] * 1.5 < c.rate_high) return true;
    }
  return false;
}

void expect_share(const Results& run, const KernelPoint& p) {
  const auto& roof = p.assessment.roof;
  const auto flops = static_cast<double>(p.counts.operations.flops());
  const auto times = p.seconds_of_rounds();
  const bool by_rounds = !p.probes.empty() && !times.empty();
  std::vector<double> shares, disturbed;
  for (int round = by_rounds ? 0 : -1; round < (by_rounds ? static_cast<int>(times.size()) : 0); ++round) {
    const double seconds = by_rounds ? times[static_cast<std::size_t>(round)] : p.time.median;
    auto& to = by_rounds && is_disturbed(run, p, static_cast<std::size_t>(round)) ? disturbed : shares;
    if (const auto least = roof_of(run, p, round))
      to.push_back(flops > 0 ? flops / seconds / *least : *least / seconds);
  }
  if (shares.empty()) std::swap(shares, disturbed);
  ASSERT_EQ(roof.has_value(), !shares.empty() && !p.is_bound());
  if (!roof) return;
  EXPECT_EQ(roof->left_out, static_cast<int>(disturbed.size()));
  ASSERT_EQ(roof->range.has_value(), shares.size() >= 6);
  // A launch faster than its roof counts as all of the roof, unless every round agrees that it is faster.
  const bool all_above = 0.98 * *std::min_element(shares.begin(), shares.end()) > 1.03;
  const bool counts_as_it_is = roof->range ? all_above : !by_rounds;
  const auto counted = [&](double share) { return counts_as_it_is ? share : std::min(share, 1.0); };
  if (!roof->range) {
    for (auto& share : shares) share = counted(share);
    EXPECT_NEAR(roof->efficiency, median(shares), 1e-12 * roof->efficiency);
    return;
  }
  std::vector<double> means;  // of all pairs
  for (std::size_t a = 0; a < shares.size(); ++a)
    for (std::size_t b = a; b < shares.size(); ++b) means.push_back((shares[a] + shares[b]) / 2);
  EXPECT_NEAR(roof->efficiency, counted(median(means)), 1e-12 * roof->efficiency);
  // All rounds of six, and 2 % for what runs differ by; not above the roof.
  const double low = 0.98 * *std::min_element(shares.begin(), shares.end());
  const double high = 1.02 * *std::max_element(shares.begin(), shares.end());
  EXPECT_NEAR(roof->range->low, low, 1e-12 * roof->efficiency);
  EXPECT_NEAR(roof->range->high, counted(high), 1e-12 * roof->efficiency);
}

TEST(SelfConsistency, SharesIntervalsAndSumsHold) {
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    const auto run = GeneratedRun(seed).results;
    for (const auto& p : run.points) {
      SCOPED_TRACE(fmt::format("seed {}, {}", seed, p.name));
      const Roofline of_its_threads(run.roofline.ceilings(), p.threads);
      if (p.counts.knows_precision() && can_be_judged(of_its_threads, p.counts)) expect_share(run, p);
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
      // The parts of a time are not negative, and their sum is the time.
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

}  // namespace
}  // namespace roofline::self_consistency_test

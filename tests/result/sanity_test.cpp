#include "bench/result/sanity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "bench/machine/clock.hpp"
#include "bench/result/results.hpp"
#include "tests/example_results.hpp"

namespace roofline::sanity_test {
namespace {

using Verdict = SanityCheck::Verdict;

SanityCheck check(const Results& results, const std::string& id) {
  for (const auto& check : assessed(results).checks)
    if (check.id == id) return check;
  ADD_FAILURE() << id << " is missing";
  return {};
}

/// A run in which every check has something to look at, and nothing is wrong.
Results sound() {
  Results results;
  auto ceilings = example::roofline().ceilings();
  for (auto& ceiling : ceilings)
    if (ceiling.kind == Ceiling::Kind::bandwidth && ceiling.level == MemoryLevel::DRAM) ceiling.theory = 70e9;
  results.roofline = Roofline(ceilings, 2);
  const example::Bytes bytes{24, 8};
  results.points.push_back(
      example::point(results.roofline, "stream/triad", 1e7, {0, 0, 1, 0}, {{{16, 8}, bytes, bytes, bytes}}, 0.95));
  auto& point = results.points[0];
  point.declared_flops = 20000000;
  results.timer = {.step = 1e-8,
                   .shortest_sample = 1e-3,
                   .shortest_row = "stream/triad",
                   .sampled_seconds = 5,
                   .run_seconds = 10,
                   .nonlinearity = 0.01,
                   .known_time_error = 0.0001};
  return results;
}

void add_ceiling(Results& results, Ceiling ceiling) {
  auto ceilings = results.roofline.ceilings();
  ceilings.push_back(std::move(ceiling));
  results.roofline = Roofline(ceilings, results.roofline.threads());
}

/// Spoils a ceiling by name.
void scale(Results& results, const std::string& name, double factor) {
  auto ceilings = results.roofline.ceilings();
  for (auto& ceiling : ceilings)
    if (ceiling.name == name) ceiling.rate *= factor, ceiling.rate_low *= factor, ceiling.rate_high *= factor;
  results.roofline = Roofline(ceilings, results.roofline.threads());
}

TEST(Sanity, ASoundRunPassesEveryCheck) {
  auto results = sound();
  assess(results);
  const auto& checks = results.checks;
  EXPECT_EQ(checks.size(), 12u);
  for (const auto& check : checks) EXPECT_EQ(check.verdict, Verdict::ok) << check.id << " " << check.where;
  EXPECT_FALSE(any_failed(checks));
}

TEST(Sanity, EveryCheckFindsItsFault) {
  struct Fault {
    const char* id;
    Verdict verdict;
    const char* where;
    std::function<void(Results&)> inject;
  };
  const auto point = [](auto change) { return [change](Results& r) { change(r.points[0]); }; };
  const std::vector<Fault> faults{
      {"bandwidth_by_level", Verdict::fail, "ceiling/bandwidth/L3/read/threads:2",
       [](auto& r) { scale(r, "ceiling/bandwidth/L3/read/threads:2", 2.3); }},
      {"compute_ceilings", Verdict::fail, "ceiling/flops/fp64/fma/avx512/threads:2",
       [](auto& r) { scale(r, "ceiling/flops/fp64/fma/avx512/threads:2", 1.04); }},
      {"compute_ceilings", Verdict::warn, "ceiling/flops/fp64/nofma/avx512/threads:2",
       [](auto& r) { scale(r, "ceiling/flops/fp64/nofma/avx512/threads:2", 0.7); }},
      {"compute_ceilings", Verdict::fail, "ceiling/flops/fp64/fma/avx512/threads:2",
       [](auto& r) { scale(r, "ceiling/flops/fp64/fma/avx512/threads:2", 0.067); }},
      {"compute_ceilings", Verdict::fail, "ceiling/flops/fp64/fma/scalar/threads:2",
       [](auto& r) { add_ceiling(r, example::compute(Operation::mul, 35, "scalar")); }},
      {"compute_ceilings", Verdict::warn, "ceiling/flops/fp64/fma/scalar/threads:2",
       [](auto& r) { add_ceiling(r, example::compute(Operation::nofma, 33.5, "scalar")); }},
      {"bandwidth_by_level", Verdict::warn, "ceiling/bandwidth/DRAM/stride:8/threads:2",
       [](auto& r) { scale(r, "ceiling/bandwidth/DRAM/stride:8/threads:2", 51 * 1.1 / 7.9); }},
      {"bandwidth_by_level", Verdict::fail, "ceiling/bandwidth/DRAM/stride:8/threads:2",
       [](auto& r) { scale(r, "ceiling/bandwidth/DRAM/stride:8/threads:2", 51 * 2.1 / 7.9); }},
      {"dram_below_theory", Verdict::fail, "ceiling/bandwidth/DRAM/copy/threads:2",
       [](auto& r) { scale(r, "ceiling/bandwidth/DRAM/copy/threads:2", 1.1); }},
      {"bytes_by_level", Verdict::fail, "stream/triad, DRAM",
       point([](auto& p) { p.counts.at(MemoryLevel::DRAM)->read *= 1.03; })},
      {"flops_as_declared", Verdict::fail, "stream/triad", point([](auto& p) { p.declared_flops += 1; })},
      {"kernel_below_roof", Verdict::fail, "stream/triad",
       [](auto& r) {
         r.points[0].time.median *= 0.85, r.points[0].time.low *= 0.85;
         example::add_rounds(r.roofline, r.points[0]);
       }},
      {"time_grows_with_work", Verdict::warn, "", [](auto& r) { r.timer.nonlinearity = 0.11; }},
      {"compute_ceilings", Verdict::warn, "ceiling/flops/fp64/fma/sse/ilp:none/threads:2",
       [](auto& r) {
         auto chain = example::compute(Operation::fma, 8, "sse", false);
         chain.name = "ceiling/flops/fp64/fma/sse/ilp:none/threads:2";
         chain.theory = chain.rate * 4 / 3;  // a clock that is wrong by as much
         add_ceiling(r, chain);
       }},
      {"samples_above_timer_step", Verdict::fail, "stream/triad", [](auto& r) { r.timer.shortest_sample = 9e-6; }},
      {"intervals_hold_medians", Verdict::fail, "stream/triad",
       point([](auto& p) { p.time.low = 1.01 * p.time.median; })},
      {"samples_within_run", Verdict::fail, "", [](auto& r) { r.timer.sampled_seconds = 11; }},
      {"rows_verified", Verdict::fail, "gpp/nw:1",
       [](auto& r) {
         r.failures = {{"gpp/nw:1", "element 3"}};
       }},
      {"known_time", Verdict::fail, "", [](auto& r) { r.timer.known_time_error = 0.02; }},
      {"known_time", Verdict::fail, "", [](auto& r) { r.timer.known_time_error = NAN; }},
      {"known_time", Verdict::fail, "", [](auto& r) { r.timer.known_time_error = INFINITY; }},
  };
  for (const auto& fault : faults) {
    auto results = sound();
    fault.inject(results);
    const auto found = check(results, fault.id);
    EXPECT_EQ(found.verdict, fault.verdict) << fault.id << " " << found.value.value_or(-1);
    EXPECT_EQ(found.where, fault.where) << fault.id;
    assess(results);
    EXPECT_EQ(any_failed(results.checks), fault.verdict == Verdict::fail) << fault.id;
  }
}

TEST(Sanity, WhatIsNoRoofIsNotComparedWithItsTheory) {
  const auto verdict = [](bool sustained, int warps) {
    Results results;
    auto fma = example::compute(Operation::fma, 130, "avx512", warps == 0);
    fma.theory = 270e9, fma.sustained = sustained, fma.warps = warps;
    results.roofline = Roofline({fma}, 2);
    return check(results, "compute_ceilings").verdict;
  };
  EXPECT_EQ(verdict(false, 0), Verdict::fail);
  EXPECT_EQ(verdict(true, 0), Verdict::ok);
  EXPECT_NE(verdict(false, 4), Verdict::warn) << "few warps on each SM, a theory of full ones";
}

TEST(Sanity, CountersMayMissAPercentAndAGpuReadsDramInPiecesOfTwoSectors) {
  auto results = sound();
  auto& counts = results.points[0].counts;
  counts.operations_source = Source::hardware;
  results.points[0].declared_flops = 20100000;
  EXPECT_EQ(check(results, "flops_as_declared").verdict, Verdict::ok);
  results.points[0].declared_flops = 20300000;
  EXPECT_EQ(check(results, "flops_as_declared").verdict, Verdict::fail);
  results.gpu = Gpu{};
  for (const auto level : {MemoryLevel::L1, MemoryLevel::L2}) counts.at(level)->read = 1e6;  // equal: no reuse
  counts.at(MemoryLevel::L3).reset();
  counts.at(MemoryLevel::DRAM)->read = 1.9 * counts.at(MemoryLevel::L2)->read;
  EXPECT_EQ(check(results, "bytes_by_level").verdict, Verdict::ok);
  counts.at(MemoryLevel::DRAM)->read = 2.1 * counts.at(MemoryLevel::L2)->read;
  EXPECT_EQ(check(results, "bytes_by_level").verdict, Verdict::fail);
}

TEST(Sanity, WithoutDataNothingPasses) {
  for (const auto& check : sanity_checks(Results{})) EXPECT_EQ(check.verdict, Verdict::not_applicable) << check.id;
  EXPECT_TRUE(sanity_summary(Results{}).empty());
}

TEST(Sanity, ChangesAreShownInPercentLikeTheirLimits) {
  auto results = sound();
  results.timer.nonlinearity = 0.115;
  EXPECT_EQ(value_text(check(results, "time_grows_with_work")), "11.5 %");
  EXPECT_EQ(check(results, "time_grows_with_work").limit, "<= 10 %");
  EXPECT_EQ(value_text(check(results, "bandwidth_by_level")), "0.480") << "a ratio";
  EXPECT_EQ(value_text({}), "-");
}

TEST(Sanity, TheSummaryNamesWhatDidNotPass) {
  auto results = sound();
  results.timer.shortest_sample = 9e-6;
  assess(results);
  const auto text = to_text(sanity_summary(results));
  EXPECT_NE(text.find(" of 12 ok"), text.npos) << text;
  EXPECT_NE(text.find("samples_above_timer_step fail"), text.npos) << text;
  EXPECT_NE(text.find("stream/triad"), text.npos) << text;
}

TEST(Sanity, AKnownTimeIsMeasured) {
  // 0.01 is for quiet machines; one of a few tries is not interrupted for long on any.
  double least = known_time_error();
  for (int tries = 1; tries < 10 && least > 0.5; ++tries) least = std::min(least, known_time_error());
  EXPECT_LT(least, 0.5);
}

}  // namespace
}  // namespace roofline::sanity_test

#include <gtest/gtest.h>

#include <algorithm>

#include "bench/machine/gpu_facts.hpp"
#include "bench/result/flop_convention.hpp"
#include "reporters/plots/plots.hpp"
#include "reporters/tables/tables.hpp"
#include "tests/full_results.hpp"
#include "tests/xml.hpp"

namespace roofline::views_test {
namespace {

std::size_t count(const std::string& svg, const std::string& kind, const std::string& css) {
  const auto elements = xml::parse(svg);
  return std::ranges::count_if(elements, [&](const auto& e) { return e.name == kind && e.has_class(css); });
}

bool has_text(const std::string& svg, const std::string& text) { return xml::has_text(xml::parse(svg), text); }

/// A row of 34 FLOPs and divisions; with one of them as many as GPP has at nw = 1.
Results with_division(std::array<example::Bytes, 4> bytes, std::uint64_t divisions = 1) {
  Results results;
  results.roofline = example::roofline();
  results.points = {example::point(results.roofline, "gpp/nw:1", 1e6, {10, 12, 6, divisions}, bytes, 0.5)};
  assess(results);
  return results;
}
const std::array<example::Bytes, 4> few_bytes{{{1, 0}, {1, 0}, {1, 0}, {1, 0}}},
    many_bytes{{{900, 0}, {900, 0}, {900, 0}, {900, 0}}};

TEST(FlopConvention, ADivisionOfElevenMovesThePointAlongTheDiagonal) {
  const auto before = with_division(many_bytes), after = by_account(before, parse_flop_convention("11"));
  EXPECT_EQ(before.points[0].counts.operations.flops(), 35'000'000u);
  EXPECT_EQ(after.points[0].counts.operations.flops(), 45'000'000u) << "published for nw = 1 on a V100";
  const double factor = after.points[0].flop_rate() / before.points[0].flop_rate();
  EXPECT_DOUBLE_EQ(factor, 45.0 / 35);
  for (const auto level : memory_levels)
    EXPECT_NEAR(*after.points[0].counts.intensity(level) / *before.points[0].counts.intensity(level), factor, 1e-12);
  EXPECT_EQ(name(after.points[0].assessment.roof->bound), "DRAM");
  EXPECT_NEAR(after.points[0].assessment.roof->efficiency, before.points[0].assessment.roof->efficiency, 1e-12)
      << "under a bandwidth the account changes nothing";
  EXPECT_NE(after.flop_convention.find("division = 11"), std::string::npos);
}

TEST(FlopConvention, ExpandedDivisionsAreHeldAgainstTheUnitsThatExpandThem) {
  const auto before = with_division(few_bytes, 5), after = by_account(before, parse_flop_convention("11"));
  EXPECT_EQ(name(before.points[0].assessment.mix->bound), "div");
  EXPECT_NE(name(after.points[0].assessment.mix->bound), "div") << "two accounts in one efficiency";
  EXPECT_EQ(after.points[0].counts.operations, (Operations{10'000'000, 12'000'000, 33'500'000, 0}));
  EXPECT_NEAR(after.points[0].assessment.roof->efficiency / before.points[0].assessment.roof->efficiency, 89.0 / 39,
              1e-12)
      << "under a compute roof it grows by the factor";
}

TEST(FlopConvention, MeasuredTakesWhatWasExecutedAndSaysWhereNothingIsKnown) {
  auto results = with_division(many_bytes);
  const auto account = parse_flop_convention("measured");
  const auto unknown = by_account(results, account);
  EXPECT_EQ(unknown.points[0].counts.operations, results.points[0].counts.operations);
  ASSERT_EQ(unknown.warnings.size(), 1u);
  EXPECT_EQ(unknown.warnings[0].rfind("1 rows keep", 0), 0u);
  results.points[0].counts.executed = Operations{10, 12, 11, 0};
  EXPECT_EQ(by_account(results, account).points[0].counts.operations.fma, 11u);
  results.points[0].counts.executed.reset();
  results.points[0].counts.counted = {{"flops_fp64", 42e6, 35e6, 1.2}};
  EXPECT_EQ(by_account(results, account).points[0].counts.operations.flops(), 42'000'000u);
}

TEST(FlopConvention, OneIsWhatTheRunCountedAndNonsenseIsRefused) {
  const auto results = with_division(many_bytes);
  const auto same = by_account(results, parse_flop_convention("1"));
  EXPECT_EQ(same.points[0].counts.operations, results.points[0].counts.operations);
  EXPECT_TRUE(same.flop_convention.empty());
  for (const auto* const text : {"", "0", "-1", "1.5", "1001", "all", "11x"})
    EXPECT_THROW(parse_flop_convention(text), std::invalid_argument) << text;
}

TEST(TimePlot, EveryRowHasABarPerResourceAndTheLaunchItsOwn) {
  auto results = with_division(many_bytes);
  results.timer.empty_region = 1e-6;
  const auto svg = time_plot(results);
  // One in the row and one in the key.
  for (const auto* const css : {"fnone", "fL1", "fL2", "fL3", "fDRAM", "hnone"})
    EXPECT_EQ(count(svg, "rect", css), 2u) << css;
  EXPECT_TRUE(has_text(svg, "DRAM 50.0 %"));
  results.timer.empty_region = 0;
  EXPECT_EQ(count(time_plot(results), "rect", "hnone"), 0u);
  EXPECT_TRUE(has_text(time_plot(results), "was not measured"));
  results.points.clear();
  EXPECT_THROW(time_plot(results), std::invalid_argument);
}

TEST(TimePlot, BarsAreAsLongAsTheirSeconds) {
  Results results;
  results.roofline = example::roofline();
  for (const double sites : {1e6, 1e7})
    results.points.push_back(example::point(results.roofline, "gpp/nw:" + std::to_string(int(sites)), sites,
                                            {10, 12, 6, 1}, many_bytes, 0.5));
  std::vector<double> widths;
  for (const auto& element : xml::parse(time_plot(results)))
    if (element.name == "rect" && element.has_class("fDRAM") && element.number("height") == 4)
      widths.push_back(element.number("width"));
  ASSERT_EQ(widths.size(), 2u);
  std::vector<double> decades;
  for (const auto& element : xml::parse(time_plot(results)))
    if (element.name == "line" && element.has_class("grid")) decades.push_back(element.number("x1"));
  ASSERT_GE(decades.size(), 2u);
  EXPECT_NEAR(widths[1] - widths[0], decades[1] - decades[0], 0.05) << "ten times the bytes are a decade";
}

TEST(CacheAwarePlot, AllPointsLieAtTheBytesOfTheCore) {
  const auto svg = cache_aware_plot(example::results(false));
  EXPECT_EQ(count(svg, "path", "fDRAM") + count(svg, "circle", "fDRAM"), 0u);
  EXPECT_GT(count(svg, "path", "fL1") + count(svg, "circle", "fL1"), 10u);
  EXPECT_TRUE(has_text(svg, "DRAM:")) << "its line stays";
  EXPECT_TRUE(has_text(svg, "Cache-aware"));
  Results nothing;
  EXPECT_THROW(cache_aware_plot(nothing), std::invalid_argument);
}

/// One modelled row of 1000 warp instructions, 500 transactions at L1 and 250 at DRAM, in a microsecond.
Results on_a_gpu() {
  Results results;
  results.model = ModelledRun{"v100", "Tesla V100", "hash", true, {}, 489.6e9};
  Ceiling l1 = example::memory(MemoryLevel::L1, "read", 14336, 1),
          dram = example::memory(MemoryLevel::DRAM, "copy", 828.8, 1);
  results.roofline = Roofline({l1, dram}, 1);
  KernelPoint point;
  point.name = "gpp/nw:1", point.family = "gpp", point.time = {1e-6, 1e-6, 1e-6}, point.bound_by = MemoryLevel::DRAM;
  point.counts.operations.add = 7;
  point.counts.at(MemoryLevel::L1) = Traffic{16000, 0};
  point.counts.at(MemoryLevel::DRAM) = Traffic{8000, 0};
  point.counts.details["inst_fp_and_memory"] = 1000;
  results.points = {point, point};
  results.points[1].counts.details.clear();
  return results;
}

TEST(InstructionPlot, CountsInstructionsPerTransaction) {
  auto results = on_a_gpu();
  const auto view = as_instructions(results);
  ASSERT_EQ(view.points.size(), 1u) << "the other has no instructions";
  EXPECT_DOUBLE_EQ(*view.points[0].counts.intensity(MemoryLevel::L1), 2);
  EXPECT_DOUBLE_EQ(*view.points[0].counts.intensity(MemoryLevel::DRAM), 4);
  EXPECT_DOUBLE_EQ(view.points[0].flop_rate(), 1e9);
  EXPECT_DOUBLE_EQ(view.roofline.bandwidth(MemoryLevel::L1)->rate, 14336e9 / 32);
  EXPECT_DOUBLE_EQ(view.roofline.compute(Operation::fma)->rate, 489.6e9);
  const auto svg = instruction_plot(results);
  EXPECT_TRUE(has_text(svg, "warp schedulers, theoretical: 490 GIPS"));
  EXPECT_TRUE(has_text(svg, "1 rows without a count"));
  EXPECT_FALSE(has_text(svg, "GFLOP/s"));
  auto probed = results;  // next to its roofs, whose probes are in B/s
  example::add_rounds(probed.roofline, probed.points[0]);
  ASSERT_FALSE(probed.points[0].probes.empty());
  EXPECT_DOUBLE_EQ(as_instructions(probed).points[0].assessment.roof->efficiency,
                   view.points[0].assessment.roof->efficiency);
  results.points[0].counts.details["inst_executed"] = 3000;
  EXPECT_DOUBLE_EQ(as_instructions(results).points[0].flop_rate(), 3e9) << "all of them where they are known";
  EXPECT_THROW(instruction_plot(example::results(false)), std::invalid_argument);
}

TEST(InstructionPlot, AccessesAloneStandAtTheWallOfTheirPattern) {
  auto results = on_a_gpu();
  auto& counts = results.points[0].counts;
  // 40 loads and 10 stores of neighbouring doubles by a warp, 8 transactions each.
  counts.details.insert({{"gld_transactions", 320}, {"gld_sectors_per_request", 8}});
  counts.details.insert({{"gst_transactions", 80}, {"gst_sectors_per_request", 8}});
  counts.operations_source = Source::emulated;
  const auto view = as_instructions(results);
  ASSERT_EQ(view.points.size(), 2u);
  EXPECT_EQ(view.points[1].name, "gpp/nw:1/ld+st");
  EXPECT_DOUBLE_EQ(*view.points[1].counts.intensity(MemoryLevel::L1), 1.0 / 8);
  EXPECT_FALSE(view.points[1].counts.intensity(MemoryLevel::DRAM));
  EXPECT_DOUBLE_EQ(view.points[1].flop_rate(), 50e6);
  const auto svg = instruction_plot(results);
  for (const char* wall : {"stride 0", "stride 1", "stride 4 or more"}) EXPECT_TRUE(has_text(svg, wall)) << wall;
  EXPECT_TRUE(has_text(svg, "1 rows without a count")) << "not two less";
  EXPECT_FALSE(has_text(instruction_plot(on_a_gpu()), "stride 1"));
}

TEST(InstructionPlot, MeasuredSchedulersAreTheRoofAndSharedMemoryHasALine) {
  auto results = on_a_gpu();
  results.model.reset();
  results.gpu.emplace();
  results.gpu->major = 9, results.gpu->sms = 132, results.gpu->clock_hz = 2e9;
  auto ceilings = results.roofline.ceilings();
  ceilings.push_back(example::memory(MemoryLevel::shared, "read", 32000, 1));
  const auto roofs = [&] {
    results.roofline = Roofline(ceilings, 1);
    return as_instructions(results).roofline;
  };
  ceilings[0].clock_end = 1.5e9;
  EXPECT_DOUBLE_EQ(roofs().compute(Operation::fma)->rate, 4 * 132 * 1.5e9) << "in theory, at the measured clock";
  auto& issue = ceilings.emplace_back();
  issue.kind = Ceiling::Kind::instructions, issue.rate = 990e9, issue.theory = 1000e9;
  EXPECT_DOUBLE_EQ(roofs().compute(Operation::fma)->rate, 990e9);
  EXPECT_DOUBLE_EQ(roofs().bandwidth(MemoryLevel::L1)->rate, 14336e9 / 32) << "not that of shared memory";
  const auto svg = instruction_plot(results);
  EXPECT_TRUE(has_text(svg, "warp schedulers, 99.0 % of theory: 990 GIPS"));
  EXPECT_TRUE(has_text(svg, "shared, by 128 B: 250 GTXN/s"));
}

TEST(InstructionPlot, FourSchedulersOnAnSm) {
  EXPECT_DOUBLE_EQ(warp_issue_rate(80, 70, 1.53e9), 489.6e9) << "V100, published by Ding and Williams";
  EXPECT_DOUBLE_EQ(warp_issue_rate(56, 60, 1.0e9), 112e9);
}

/// A run of the example with other threads, its points `speed` times as fast.
Results with_threads(int threads, double speed) {
  auto results = example::results(false);
  auto ceilings = results.roofline.ceilings();
  std::erase_if(ceilings, [](const Ceiling& c) { return c.threads != 2; });
  for (auto& ceiling : ceilings) ceiling.threads = threads, ceiling.rate *= speed;
  results.roofline = Roofline(ceilings, threads);
  for (auto& point : results.points)
    point.threads = threads, point.time.median /= speed, point.time.low /= speed, point.time.high /= speed;
  assess(results);
  return results;
}

TEST(ScalingPlot, JoinsEveryKernelOverItsThreads) {
  const auto one = with_threads(1, 0.6), two = with_threads(2, 1);
  const auto svg = scaling_plot({two, one});
  std::size_t kernels = 0;
  for (const auto& point : one.points) kernels += point.counts.operations.flops() > 0;
  EXPECT_EQ(count(svg, "polyline", "join"), kernels);
  EXPECT_TRUE(has_text(svg, "83 %")) << "1 / 0.6 / 2";
  EXPECT_TRUE(has_text(svg, "1 thread")) << "roofs and marks of the smaller run";
  EXPECT_EQ(svg, scaling_plot({one, two})) << "whatever the order of the files";
}

TEST(Scaling, TheFewestThreadsThatNoOtherNumberBeatsBy2Percent) {
  Scaling scaling;
  EXPECT_FALSE(scaling.best());
  scaling.rates = {std::nullopt, 100, 101.5, 103};
  EXPECT_EQ(scaling.best(), 2u);
}

TEST(ScalingPlot, NeedsRunsOfDifferentThreads) {
  const auto two = with_threads(2, 1);
  EXPECT_THROW(scaling_plot({two}), std::invalid_argument);
  EXPECT_THROW(scaling_plot({two, two}), std::invalid_argument);
  auto other = with_threads(1, 1);
  for (auto& point : other.points) point.name += "/other";
  EXPECT_THROW(scaling_plot({other, two}), std::invalid_argument);
}

}  // namespace
}  // namespace roofline::views_test

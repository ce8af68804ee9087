#include "bench/counting/gpu_counter.hpp"

#include <gtest/gtest.h>

#include "bench/counters/unavailable.hpp"

namespace roofline::gpu_counter_test {
namespace {

using enum Quantity;

Counts modelled_counts() {
  Counts counts;
  counts.at(MemoryLevel::L2) = Traffic{5, 6};
  counts.at(MemoryLevel::DRAM) = Traffic{7, 8};
  return counts;
}
const auto model =
    std::make_shared<CounterFunction>([](const std::string&, const Workload&) { return modelled_counts(); });

/// Access by `open`; a launch for profilers is just the launch.
GpuAccess by(std::function<GpuCounting(const Gpu&)> open) {
  return {std::move(open), [](const std::string&, const Workload& work) { work.launch(); }};
}

/// A GPU that counts 100 FMAs and 640 B of everything; `failing` is what its self-test finds wrong.
GpuAccess gpu_that_counts(std::vector<Quantity> failing = {}) {
  return by([=](const Gpu&) {
    GpuCounting counting;
    counting.description = "CUPTI";
    counting.collect = [](const Workload&) {
      MetricValues values;
      for (const auto quantity : {fp64_add, fp64_mul}) values.set(quantity, 0);
      values.set(fp64_fma, 100);
      for (const auto quantity : {load_sectors, store_sectors, l2_read_sectors, l2_write_sectors})
        values.set(quantity, 20);
      for (const auto quantity : {dram_read, dram_written}) values.set(quantity, 640);
      return values;
    };
    for (const auto quantity : failing) counting.self_test.push_back({"copy", {quantity, 1000, 0.03}, 500});
    counting.self_test.push_back({"copy", {fp64_fma, 100, 0.01}, 100});
    return counting;
  });
}
const GpuAccess no_gpu = by([](const Gpu&) -> GpuCounting { throw CountersUnavailable("no permission; run as root"); });

const std::string row = "stream/triad";
Workload work(std::uint64_t flops = 200) {
  Workload w;
  w.launch = [] {};
  w.declared_flops = flops;
  return w;
}

TEST(GpuCounter, CountsByCuptiAndLabelsBytesHardware) {
  const auto counter = gpu_counter(parse_counters_choice("auto"), {}, {}, model, gpu_that_counts());
  const auto counts = counter.source->count(row, work()).value();
  EXPECT_EQ(counts.traffic_label(), "hardware");
  EXPECT_EQ(counts.at(MemoryLevel::DRAM), (Traffic{640, 640}));
  EXPECT_EQ(counts.operations.fma, 100u);
  EXPECT_TRUE(counter.report->warnings.empty());
}

TEST(GpuCounter, AMetricThatFailsItsKnownAnswerIsRefusedNamedAndModelled) {
  const auto counter = gpu_counter(parse_counters_choice("auto"), {}, {}, model, gpu_that_counts({dram_read}));
  const auto counts = counter.source->count(row, work()).value();
  ASSERT_EQ(counter.report->warnings.size(), 1u);
  EXPECT_NE(counter.report->warnings.front().find(
                "counter refused: bytes read from DRAM (dram__bytes_read.sum): 500 instead"),
            std::string::npos)
      << counter.report->warnings.front();
  EXPECT_EQ(counts.at(MemoryLevel::DRAM), (Traffic{7, 8}));
  EXPECT_EQ(counts.at(MemoryLevel::L2), (Traffic{640, 640}));
  EXPECT_EQ(counts.traffic_label(), "hardware(DRAM:modelled)");
}

TEST(GpuCounter, WithoutPermissionTheModelTakesOverAndTheLineHasTheSuggestion) {
  const auto counter = gpu_counter(parse_counters_choice("auto"), {}, {}, model, no_gpu);
  const auto counts = counter.source->count(row, work()).value();
  ASSERT_EQ(counter.report->warnings.size(), 1u);
  EXPECT_EQ(counter.report->warnings.front(), "GPU counters: no permission; run as root; bytes are modelled");
  EXPECT_EQ(counts.traffic_label(), "modelled");
  EXPECT_EQ(counts.at(MemoryLevel::L2), (Traffic{5, 6}));
}

TEST(GpuCounter, CuptiIsOpenUntilTheLastRowIsCounted) {
  int opened = 0, closed = 0;
  const auto watched = by([&](const Gpu& gpu) {
    ++opened;
    auto counting = gpu_that_counts().open(gpu);
    counting.close = [&] { return ++closed, "an empty launch takes 2 us"; };
    return counting;
  });
  const auto counter = gpu_counter(parse_counters_choice("auto"), {}, {}, model, watched);
  EXPECT_EQ(opened, 1) << "before the first kernel is loaded";
  counter.source->count(row, work()), counter.source->count(row, work());
  EXPECT_EQ(opened, 1);
  counter.source->finish();
  EXPECT_EQ(closed, 1);
  EXPECT_EQ(counter.report->description, "CUPTI; an empty launch takes 2 us");
}

TEST(GpuCounter, NoneAndModelAskNoCounter) {
  const auto forbidden = by([](const Gpu&) -> GpuCounting { throw std::logic_error("asked"); });
  const auto none =
      gpu_counter(parse_counters_choice("none"), {}, {}, model, forbidden).source->count(row, work()).value();
  EXPECT_FALSE(none.at(MemoryLevel::DRAM)) << "unknown is absent";
  EXPECT_EQ(none.operations.flops(), 200u);
  const auto modelled =
      gpu_counter(parse_counters_choice("model"), {}, {}, model, forbidden).source->count(row, work()).value();
  EXPECT_EQ(modelled.at(MemoryLevel::DRAM), (Traffic{7, 8}));
}

TEST(GpuCounter, CountersThatFailDuringTheRunAreSaidOnceAndReplaced) {
  const auto breaks = by([](const Gpu&) {
    GpuCounting counting;
    counting.collect = [](const Workload&) -> MetricValues { throw CountersUnavailable("another program holds them"); };
    return counting;
  });
  const auto counter = gpu_counter(parse_counters_choice("auto"), {}, {}, model, breaks);
  EXPECT_EQ(counter.source->count(row, work())->traffic_label(), "modelled");
  counter.source->count(row, work());
  EXPECT_EQ(counter.report->warnings.size(), 1u);
}

TEST(GpuCounter, TheSameRefusalThreeTimesIsNotTriedAFourthTime) {
  int asked = 0;
  std::vector<std::string> answers{"busy", "busy", "lost", "", "busy", "busy", "busy"};
  const auto breaks = by([&](const Gpu&) {
    GpuCounting counting;
    counting.collect = [&](const Workload&) {
      const auto answer = answers.at(static_cast<std::size_t>(asked++));
      if (!answer.empty()) throw CountersUnavailable(answer);
      return MetricValues();
    };
    return counting;
  });
  const auto counter = gpu_counter(parse_counters_choice("auto"), {}, {}, model, breaks);
  for (int i = 0; i < 12; ++i) counter.source->count(row, work());
  EXPECT_EQ(asked, 7);
  EXPECT_EQ(counter.report->warnings.back(), "GPU counters: refused in 3 rows, not tried after stream/triad");
}

TEST(GpuCounter, WorkThatWasSkippedIsSaid) {
  const auto counter = gpu_counter(parse_counters_choice("auto"), {}, {}, model, gpu_that_counts());
  counter.source->count(row, work(300));
  ASSERT_EQ(counter.report->warnings.size(), 1u);
  EXPECT_EQ(counter.report->warnings.front().rfind("stream/triad: 200 FLOPs counted, 300 declared", 0), 0u);
}

TEST(GpuCounter, ImportedCountersGoByTheRowsName) {
  ImportedCounters imported;
  imported["stream/triad"].set(dram_read, 1), imported["stream/triad"].set(dram_written, 2);
  const auto counter = gpu_counter(parse_counters_choice("x.csv"), imported, {}, nullptr, no_gpu);
  const auto counts = counter.source->count(row, work()).value();
  EXPECT_EQ(counts.at(MemoryLevel::DRAM), (Traffic{1, 2}));
  EXPECT_EQ(counts.traffic_note, "x.csv");
  EXPECT_TRUE(counter.report->warnings.empty());
  counter.source->count("gpp", work());
  EXPECT_EQ(counter.report->warnings.front(), "x.csv has no kernel named gpp");
}

std::shared_ptr<CounterSource> executing(int* launches) {
  return std::make_shared<CounterFunction>([launches](const std::string&, const Workload&) {
    ++*launches;
    auto counts = modelled_counts();
    counts.operations = {.fma = 100};
    counts.operations_source = Source::emulated;
    return counts;
  });
}

TEST(VirtualGpuCounter, AFilesBytesReplaceTheModelsOfARowThatIsExecutedAllTheSame) {
  ImportedCounters imported;
  imported["stream/triad"].set(dram_read, 1), imported["stream/triad"].set(dram_written, 2);
  int launches = 0;
  const auto counter = virtual_gpu_counter(parse_counters_choice("x.csv"), imported, executing(&launches));
  ASSERT_TRUE(counter);
  const auto counts = counter->source->count(row, work()).value();
  EXPECT_EQ(launches, 1) << "an imported row was not verified";
  EXPECT_EQ(counts.at(MemoryLevel::DRAM), (Traffic{1, 2}));
  EXPECT_EQ(counts.at(MemoryLevel::L2), (Traffic{5, 6}));
  EXPECT_EQ(counts.operations_source, Source::emulated);
  EXPECT_TRUE(counter->report->warnings.empty());
  EXPECT_EQ(counter->source->count("gpp", work())->at(MemoryLevel::DRAM), (Traffic{7, 8}));
  EXPECT_EQ(counter->report->warnings.front(), "x.csv has no kernel named gpp: its bytes are the model's");
}

}  // namespace
}  // namespace roofline::gpu_counter_test

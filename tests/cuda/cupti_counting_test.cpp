// Counting from end to end on a virtual GPU: the real CUPTI does the steps that need no device. A library in its place
// does the rest; its values are the executed counts.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <set>

#include "bench/counters/unavailable.hpp"
#include "bench/counting/gpu_counter.hpp"
#include "bench/cuda/counting.hpp"
#include "bench/virtual_gpu/runtime/virtual_run.hpp"
#include "tests/command_line.hpp"
#include "tests/cuda/fake_cupti/loaded.hpp"
#include "tests/cuda/small_device.hpp"
#include "tests/sanitized.hpp"

namespace roofline::cupti_counting_test {
namespace {

using enum Quantity;

/// The value of a metric of a launch if nothing is found in a cache, as in the kernels of known answers.
double of(Quantity quantity, const ptx::Counts& c) {
  const auto& load = c.global_load;
  const auto& store = c.global_store;
  const auto flops = [&](ptx::Precision precision, int kind) {
    const auto& f = c.of(precision);
    return std::array{f.add, f.mul, f.fma}[static_cast<std::size_t>(kind)];
  };
  const std::map<Quantity, std::uint64_t> known{{fp64_add, flops(ptx::Precision::fp64, 0)},
                                                {fp64_mul, flops(ptx::Precision::fp64, 1)},
                                                {fp64_fma, flops(ptx::Precision::fp64, 2)},
                                                {fp32_add, flops(ptx::Precision::fp32, 0)},
                                                {fp32_mul, flops(ptx::Precision::fp32, 1)},
                                                {fp32_fma, flops(ptx::Precision::fp32, 2)},
                                                {fp16_fma, flops(ptx::Precision::fp16, 2)},
                                                {instructions, c.warp_instructions},
                                                {hardware_instructions, c.warp_instructions},
                                                {load_bytes, load.bytes},
                                                {store_bytes, store.bytes},
                                                {load_sectors, load.sectors},
                                                {store_sectors, store.sectors},
                                                {load_requests, load.requests},
                                                {store_requests, store.requests},
                                                {warp_cycles, 3 * c.warp_instructions},
                                                {warp_cycles_possible, 4 * c.warp_instructions},
                                                {memory_stalls, 2 * c.warp_instructions},
                                                {l1_sectors, load.sectors + store.sectors},
                                                {l2_sectors_hit, store.sectors},
                                                {l1_bytes, 32 * (load.sectors + store.sectors)},
                                                {l2_sectors, load.sectors + store.sectors},
                                                {l2_read_sectors, load.sectors},
                                                {l2_write_sectors, store.sectors},
                                                {dram_read, 32 * load.sectors},
                                                {dram_written, 32 * store.sectors}};
  const auto found = known.find(quantity);
  return found == known.end() ? 0 : static_cast<double>(found->second);
}

bool is_instrumented(const std::string& metric) { return metric.starts_with("smsp__sass_"); }

Quantity quantity_of(const std::string& name) {
  const auto is_named = [&](const Metric& metric) {
    return std::find(metric.names.begin(), metric.names.end(), name) != metric.names.end();
  };
  const auto of_hardware = [&](const Metric& metric) { return metric.hardware == name; };
  const auto& all = metrics();
  const auto found = std::find_if(all.begin(), all.end(), is_named);
  return (found != all.end() ? found : std::find_if(all.begin(), all.end(), of_hardware))->quantity;
}

class CuptiCounting : public ::testing::Test {
 protected:
  void SetUp() override {
    if (testing::sanitized) GTEST_SKIP() << "libnvperf_host wants RTLD_DEEPBIND, which sanitizers refuse";
    fake = {};
    try {
      const auto real = load_cupti();
      Dl_info where{};
      ::dladdr(reinterpret_cast<void*>(real.functions.get_version), &where);
      fake.real_host = where.dli_fname;
    } catch (const CountersUnavailable& why) {
      GTEST_SKIP() << why.what();
    }
    ::setenv("CUDA_PATH", ROOFLINE_FAKE_CUPTI, 1), ::setenv("ROOFLINE_VIRTUAL_CUPTI", "1", 1);
    fake.begin = [this] { before_ = runtime::executed(); };
    fake.end = [this](std::size_t pass) {
      if (pass == 0) passes_.clear();
      passes_.emplace_back(before_, runtime::executed());
    };
    fake.value = [this](const std::string& metric) { return planted(metric, executed(metric)); };
  }
  void TearDown() override { ::unsetenv("CUDA_PATH"), ::unsetenv("ROOFLINE_VIRTUAL_CUPTI"); }

  /// The value in the last launch, or in its second pass; not a number if there was none.
  double executed(const std::string& metric) const {
    if (!is_instrumented(metric) && passes_.size() < 2) return std::numeric_limits<double>::quiet_NaN();
    const auto& [from, to] = is_instrumented(metric) ? passes_.front() : passes_.back();
    const auto quantity = quantity_of(metric);
    return of(quantity, to) - of(quantity, from);
  }
  /// A device with the bus of HBM, or of GDDR.
  std::string device(int bus_width = 5120) const {
    const auto file = testing::small_device(folder_, 1e9);
    auto described = testing::json_of(file);
    described["product"]["bus_width"]["value"] = bus_width;
    described["product"]["memory"]["value"] = 10 << 20;  // the self-test takes a quarter of it for each array
    std::ofstream(file) << described;
    return file;
  }
  /// The self-test where the counters have this error.
  std::vector<SelfTestResult> test_with(std::function<double(const std::string& metric, double value)> error) {
    planted = std::move(error);
    const runtime::Scope on(device());
    return open_counting(current_gpu()).self_test;
  }
  /// The quantities that are refused if these quantities have the error.
  std::set<Quantity> refused_with(const std::set<Quantity>& wrong, const std::function<double(double)>& error) {
    const auto bad = refused(test_with([=](const std::string& metric, double value) {
      return wrong.contains(quantity_of(metric)) ? error(value) : value;
    }));
    return {bad.begin(), bad.end()};
  }
  /// ... of two whose metrics give each other's values.
  std::vector<SelfTestResult> test_with_swapped(Quantity a, Quantity b) {
    const auto first = [](Quantity quantity) { return std::string(metric(quantity).names.front()); };
    return test_with([=, this](const std::string& name, double value) {
      return name == first(a) ? executed(first(b)) : name == first(b) ? executed(first(a)) : value;
    });
  }

  testing::FakeCupti& fake = testing::loaded_fake_cupti();
  std::function<double(const std::string& metric, double value)> planted = [](auto&, double value) { return value; };
  testing::Scratch folder_;
  ptx::Counts before_;
  std::vector<std::pair<ptx::Counts, ptx::Counts>> passes_;
};

TEST_F(CuptiCounting, KnownAnswersAreCounted) {
  const runtime::Scope on(device());
  const auto counting = open_counting(current_gpu());
  EXPECT_GE(counting.self_test.size(), 40u);
  for (const auto& result : counting.self_test) EXPECT_TRUE(result.passed()) << result.text();
  EXPECT_NE(counting.description.find("GH100"), std::string::npos) << counting.description;
  EXPECT_NE(counting.close().find("an empty launch takes"), std::string::npos);
  EXPECT_EQ(testing::loaded_fake_cupti().open, "");
  EXPECT_TRUE(fake.complaints.empty()) << fake.complaints.front();
}

TEST_F(CuptiCounting, WrongMetricsAreNamedAndNoOthers) {
  constexpr std::size_t groups = 3;
  std::array<std::set<Quantity>, groups> known;
  std::size_t n = 0;
  for (const auto& result : test_with([](auto&, double value) { return value; })) {
    const auto quantity = result.answer.quantity;
    const bool seen =
        std::any_of(known.begin(), known.end(), [&](const auto& group) { return group.contains(quantity); });
    if (result.answer.expected > 0 && !result.answer.informative && !seen) known[n++ % groups].insert(quantity);
  }
  EXPECT_GE(n, 17u);
  for (const auto& group : known) EXPECT_EQ(refused_with(group, [](double value) { return 2 * value; }), group);
  const std::set<Quantity> some{fp64_fma, load_sectors, l2_read_sectors, dram_written};
  EXPECT_EQ(refused_with(some, [](double) { return 0.0; }), some);
  EXPECT_EQ(refused_with(some, [](double) { return std::nan(""); }), some);
  EXPECT_EQ(refused_with({dram_read}, [](double value) { return 1.06 * value; }), std::set{dram_read});
}

TEST_F(CuptiCounting, OfTwoThatAreSwappedOneAtLeastIsNamed) {
  for (const auto& [a, b] : {std::pair{fp64_add, fp64_mul},
                             {fp64_fma, fp32_fma},
                             {load_bytes, store_bytes},
                             {load_sectors, store_sectors},
                             {load_sectors, load_requests},
                             {l2_read_sectors, l2_write_sectors},
                             {dram_read, dram_written}})
    EXPECT_FALSE(refused(test_with_swapped(a, b)).empty()) << metric(a).meaning << " and " << metric(b).meaning;
}

TEST_F(CuptiCounting, ALaunchCountedTwiceLeavesNothingToUse) {
  for (const auto& result : test_with([](auto&, double value) { return 2 * value; }))
    if (result.answer.quantity != hardware_instructions) {
      EXPECT_EQ(result.passed(), result.answer.expected == 0 || result.answer.informative) << result.text();
    }
}

TEST_F(CuptiCounting, AMissingPassCostsWhatItCounts) {
  fake.needed_passes = 1;
  const auto bad = refused(test_with([](auto&, double value) { return value; }));
  for (const auto quantity : {l2_read_sectors, dram_read, dram_written})
    EXPECT_TRUE(std::find(bad.begin(), bad.end(), quantity) != bad.end()) << metric(quantity).meaning;
  EXPECT_TRUE(std::find(bad.begin(), bad.end(), fp64_fma) == bad.end());
}

TEST_F(CuptiCounting, WordsOfEccInGddrAreKeptAndSaid) {
  const runtime::Scope on(device(384));
  for (const double more : {1.06, 1.2}) {
    planted = [=](const std::string& metric, double value) {
      return quantity_of(metric) == dram_read ? more * value : value;
    };
    const auto results = open_counting(current_gpu()).self_test;
    const bool kept = more < 1.13;
    EXPECT_EQ(refused(results).empty(), kept);
    EXPECT_EQ(std::any_of(results.begin(), results.end(), [](const auto& r) { return r.has_ecc(); }), kept);
  }
}

TEST_F(CuptiCounting, ARowHasTheProfileThatWasCounted) {
  const runtime::Scope on(device());
  const auto counter = gpu_counter(parse_counters_choice("auto"), {}, current_gpu(), nullptr);
  const auto copy = testing::made(testing::gpu_rows("stream", {1024}, current_gpu()), "stream/copy/n:1024");
  copy.launch();
  const auto details = counter.source->count("row", copy).value().details;
  EXPECT_EQ(details.at("occupancy_achieved"), 0.75);
  EXPECT_EQ(details.at("hit_rate_L1"), 0);
  EXPECT_EQ(details.at("hit_rate_L2"), 0.5) << "stores alone";
  EXPECT_DOUBLE_EQ(details.at("stalled_on_memory"), 2 / 3.0);
  EXPECT_FALSE(details.contains("pipe_adu")) << "of no instruction at all there is no share";
  EXPECT_FALSE(details.contains("registers")) << "nothing counts them";
  counter.source->finish();
}

TEST_F(CuptiCounting, ALaunchThatDoesLessEachTimeIsNotCounted) {
  const runtime::Scope on(device());
  std::vector<Workload> works;
  for (const Index n : {1024, 512, 256}) {
    works.push_back(testing::gpu_rows("stream", {n}, current_gpu()).variants().front().make());
    works.back().launch();
  }
  for (const bool repeats : {true, false}) {
    const auto counter = gpu_counter(parse_counters_choice("auto"), {}, current_gpu(), nullptr);
    auto work = works.front();
    const auto& warnings = counter.report->warnings;
    const auto said = [&] {
      return std::any_of(warnings.begin(), warnings.end(), [](const std::string& line) {
        return line.find("row: the launch does not repeat") != line.npos;
      });
    };
    // Metrics that a busy machine takes too long for are counted without instrumented code.
    for (int tries = 0; tries < 20 && !said(); ++tries) {
      if (!repeats) work.launch = [&, n = 0u]() mutable { works[std::min(n++, 2u)].launch(); };
      const bool counted = counter.source->count("row", work).value().at(MemoryLevel::DRAM).has_value();
      EXPECT_EQ(counted, !said());
      if (repeats) break;
    }
    EXPECT_EQ(said(), !repeats);
    counter.source->finish();
  }
}

}  // namespace
}  // namespace roofline::cupti_counting_test

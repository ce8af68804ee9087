#include <gtest/gtest.h>

#include <chrono>
#include <roofline/region.hpp>
#include <sstream>
#include <thread>
#include <vector>

#include "bench/library/region_rows.hpp"

namespace roofline::region_test {
namespace {

void wait() { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }

class Regions : public ::testing::Test {
 protected:
  void SetUp() override { reset_regions(); }
  void TearDown() override {
    std::ostringstream nowhere;
    report_regions(nowhere);  // so that none is printed at the end
    reset_regions();
  }
};

TEST_F(Regions, OfOneNameAreOneRowAndNestedOnesLieWithin) {
  {
    const Region outer("outer");
    for (int i = 0; i < 3; ++i) {
      const Region inner("inner");
      wait();
    }
  }
  {
    const Region inner("inner");  // another one: nothing is around it
  }
  const auto rows = region_rows();
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].name, "inner");
  EXPECT_EQ(rows[0].depth, 0);
  EXPECT_EQ(rows[1].name, "outer");
  EXPECT_EQ(rows[1].calls, 1);
  EXPECT_EQ(rows[2].name, "inner");
  EXPECT_EQ(rows[2].depth, 1);
  EXPECT_EQ(rows[2].calls, 3);
  EXPECT_GE(rows[2].seconds, 6e-3);
  EXPECT_GE(rows[1].seconds, rows[2].seconds);
  EXPECT_DOUBLE_EQ(rows[1].inner_seconds, rows[2].seconds);
}

TEST_F(Regions, MayRunInManyThreadsAtOnce) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([] {
      for (int i = 0; i < 1000; ++i) {
        Region outer("outer");
        Region inner("inner");
        inner.add(2);
      }
    });
  for (auto& thread : threads) thread.join();
  const auto rows = region_rows();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].calls, 4000);
  EXPECT_EQ(rows[0].threads, 4);
  EXPECT_EQ(rows[1].work.add, 8000);
}

TEST_F(Regions, ARunningOneIsNotReported) {
  const Region running("running");
  EXPECT_TRUE(region_rows().empty());
  std::ostringstream text;
  report_regions(text);
  EXPECT_EQ(text.str(), "");
}

TEST(RegionTable, HoldsWhatWasDeclaredAgainstTheRoof) {
  Machine machine;
  machine.cpus = {0, 1};
  Ceiling fma;
  fma.rate = 1e9, fma.threads = 1;
  Ceiling l1;
  l1.kind = Ceiling::Kind::bandwidth, l1.level = MemoryLevel::L1, l1.rate = 1e11, l1.threads = 1;
  RegionRow slow{.name = "slow", .calls = 10, .seconds = 1, .work = {.fma = 2.5e8, .read = 1e3}};
  RegionRow fast{.name = "too fast", .depth = 1, .calls = 1, .seconds = 1, .work = {.fma = 1e9, .read = 1e3}};
  RegionRow without_bytes{.name = "without bytes", .calls = 1, .seconds = 1, .work = {.fma = 1e8}};
  RegionRow silent{.name = "silent", .calls = 1, .seconds = 1};
  const auto table = region_table({slow, fast, silent, without_bytes}, machine,
                                  {{.ceilings = {fma, l1}, .origin = {}, .warnings = {}, .failures = {}}});
  const auto cell = [&](std::size_t row, std::size_t column) { return table.rows[row].cells[column]; };
  EXPECT_EQ(cell(0, 5), "0.500");
  EXPECT_EQ(cell(0, 7), "fma");
  EXPECT_EQ(cell(0, 8), "50.0");
  EXPECT_EQ(cell(1, 0), "  too fast");
  EXPECT_EQ(cell(1, 8), "200.0");
  EXPECT_EQ(cell(1, 9), "!");
  EXPECT_EQ(cell(2, 5), "-");
  EXPECT_EQ(cell(2, 8), "-");
  EXPECT_EQ(cell(3, 7), "-");
  EXPECT_EQ(table.notes.size(), 3u);
  EXPECT_NE(table.notes.back().find("bytes"), std::string::npos);
}

}  // namespace
}  // namespace roofline::region_test

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <roofline/work.hpp>
#include <span>
#include <stdexcept>
#include <vector>

#include "bench/library/declared/declared.hpp"
#include "tests/error_of.hpp"

namespace roofline::declared_traffic_test {
namespace {

Machine machine() {
  Machine m;
  m.caches = {{.level = MemoryLevel::L1, .size = 32 << 10, .ways = 8, .line = 64, .shared_by = 1},
              {.level = MemoryLevel::L2, .size = 256 << 10, .ways = 8, .line = 64, .shared_by = 1}};
  m.cpus = {0, 1};
  return m;
}

double total(const Counts& counts, MemoryLevel level) { return counts.at(level)->total(); }

TEST(DeclaredWork, ThatFitsIntoACacheMovesNothingBeyondIt) {
  const auto counts = declared_counts({.fma = 1024, .read = 8192, .updated = 8192}, machine(), 1);
  EXPECT_EQ(total(counts, MemoryLevel::L1), 3 * 8192);
  EXPECT_EQ(total(counts, MemoryLevel::L2), 0);
  EXPECT_EQ(total(counts, MemoryLevel::DRAM), 0);
  EXPECT_EQ(counts.operations, (Operations{.fma = 1024}));
  EXPECT_EQ(name(counts.operations_source), "analytic");
  EXPECT_FALSE(counts.regions) << "the program's threads are no parallel region of ours";
}

TEST(DeclaredWork, ThatDoesNotFitMovesWholeLinesWithWriteAllocates) {
  constexpr double n = 1 << 24;
  const auto counts = declared_counts({.read = 8 * n, .written = 8 * n, .updated = 8 * n}, machine(), 1);
  EXPECT_EQ(total(counts, MemoryLevel::L1), 32 * n);
  // Read once; written: fetched and written back; updated: the same.
  EXPECT_NEAR(counts.at(MemoryLevel::DRAM)->read, 24 * n, 0.01 * n);
  EXPECT_NEAR(counts.at(MemoryLevel::DRAM)->written, 16 * n, 0.01 * n);
}

TEST(DeclaredWork, IsSharedByTheCachesOfItsThreads) {
  const double bytes = 384 << 10;  // too much for the L2 of one core, not of two
  EXPECT_GT(total(declared_counts({.read = bytes}, machine(), 1), MemoryLevel::DRAM), 0);
  EXPECT_EQ(total(declared_counts({.read = bytes}, machine(), 2), MemoryLevel::DRAM), 0);
}

TEST(DeclaredWork, ThatCannotBeIsRefusedByItsKind) {
  const auto message = [](const DeclaredWork& work) {
    return testing::error_of<std::invalid_argument>([&] { declared_counts(work, machine(), 1); });
  };
  EXPECT_EQ(message({.div = -1}), "declares -1 divisions, which cannot be");
  EXPECT_EQ(message({.read = std::numeric_limits<double>::quiet_NaN()}), "declares nan bytes read, which cannot be");
  EXPECT_EQ(message({.updated = 1e300}), "declares 1e+300 bytes updated, which cannot be");
}

TEST(DeclaredWork, WithoutBytesHasNoIntensity) {
  EXPECT_FALSE(declared_counts({.mul = 3}, machine(), 1).intensity(MemoryLevel::L1));
}

struct Declared : detail::Declares<Declared> {};

TEST(DeclaredWork, TakesArraysOfEveryKindAndNumbersOfBytes) {
  const std::vector<double> vector(10);
  const std::array<float, 10> array{};
  const int plain[10] = {};
  Declared work;
  work.read(vector).read(array).read(plain).read(std::span(vector).first(5)).read(7u).update(1e3).write(std::size_t{8});
  EXPECT_EQ(work.declared().read, 80 + 40 + 40 + 40 + 7);
  EXPECT_EQ(work.declared().updated, 1000);
  EXPECT_EQ(work.declared().written, 8);
}

}  // namespace
}  // namespace roofline::declared_traffic_test

#include "bench/space/scattered_pages.hpp"

#include <gtest/gtest.h>
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "bench/machine/cgroup.hpp"
#include "bench/space/buffer.hpp"

namespace roofline::scattered_pages_test {
namespace {

constexpr Index n = (Index{32} << 20) / sizeof(double);

class ScatteredPages : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::filesystem::exists("/sys/devices/system/node/node1")) GTEST_SKIP() << "memory has several nodes";
    omp_set_num_threads(omp_get_num_procs());
    if (memory_left() < 4e9) GTEST_SKIP() << "memory is short";
  }
  void TearDown() override { release_kept_pages(); }
};

/// Mappings that lie in an array: the system joins neighbours whose pages come one after the other.
int mappings_in(const Buffer& array) {
  const auto begin = reinterpret_cast<std::uintptr_t>(array.begin()),
             end = reinterpret_cast<std::uintptr_t>(array.end());
  std::ifstream maps("/proc/self/maps");
  int number = 0;
  for (std::string line; std::getline(maps, line);) {
    const auto from = std::stoull(line, nullptr, 16), to = std::stoull(line.substr(line.find('-') + 1), nullptr, 16);
    number += from < end && to > begin ? 1 : 0;
  }
  return number;
}

double resident_bytes() {
  double all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

TEST_F(ScatteredPages, ComeFromManyPlacesThoughASmallBufferCameFirst) {
  const Buffer small((Index{16} << 20) / sizeof(double));
  const double kept = kept_bytes();
  const Buffer array((Index{64} << 20) / sizeof(double));
  EXPECT_GT(kept_bytes(), 2 * kept) << "a larger one is drawn from more pages";
}

TEST_F(ScatteredPages, ComeFromManyPlaces) {
  const Buffer array(n);
  EXPECT_GT(mappings_in(array), 12) << "of 16 or 17 pages";
  EXPECT_LT(mappings_in(Buffer(n, Pages::small)), 3);
}

TEST_F(ScatteredPages, AreZeroAndOfOneBufferAlone) {
  {
    std::vector<Buffer> used;  // half of the pages, so that one at least is drawn again
    for (int i = 0; i < 8; ++i) std::fill_n(used.emplace_back(n).begin(), n, 7);
  }
  EXPECT_GT(kept_bytes(), n * sizeof(double)) << "those of the buffer that is gone, and others";
  Buffer one(n), other(n);
  for (const double x : one) ASSERT_EQ(x, 0) << "whatever the pages held before";
  std::fill(one.begin(), one.end(), 1);
  std::fill(other.begin(), other.end(), 2);
  for (const double x : one) ASSERT_EQ(x, 1);
}

TEST_F(ScatteredPages, ComeBackAndAreUsedAgain) {
  { const Buffer array(n); }
  const double kept = kept_bytes();
  for (int i = 0; i < 100; ++i) {
    const Buffer array(n);
    EXPECT_LT(kept_bytes(), kept);
  }
  EXPECT_EQ(kept_bytes(), kept);
  const double before = resident_bytes();
  release_kept_pages();
  EXPECT_EQ(kept_bytes(), 0);
  EXPECT_LT(resident_bytes(), before - 0.9 * kept) << "the system has them";
}

TEST_F(ScatteredPages, AreNotOfSmallPagesAndNotOfSmallBuffers) {
  const Buffer small_pages(n, Pages::small), small(1000);
  EXPECT_EQ(kept_bytes(), 0);
}

}  // namespace
}  // namespace roofline::scattered_pages_test

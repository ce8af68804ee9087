#include "microkernels/cpu/scattered.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <set>

#include "bench/suite/suite.hpp"
#include "microkernels/ceilings.hpp"

namespace roofline::scattered_test {
namespace {

TEST(Scatter, IsAPermutation) {
  for (int bits = 1; bits <= 13; ++bits) {
    std::set<unsigned long> seen;
    for (unsigned long i = 0; i < 1ul << bits; ++i) seen.insert(scatter(i, bits));
    EXPECT_EQ(seen.size(), 1ul << bits) << bits;
    EXPECT_EQ(*seen.rbegin(), (1ul << bits) - 1) << bits;
  }
}

TEST(ScatteredReads, FindTheRightLines) {
  const auto block = std::make_shared<MemoryBlock>(2 * 5000 * 8);
  EXPECT_EQ(scattered_working_set(*block, 2), 2 * 4096 * 64);
  const auto expect_verified = [](const CeilingWork& work) {
    for (int launch = 0; launch < 3; ++launch) {
      work.launch();
      const auto check = work.check();
      EXPECT_TRUE(check.ok) << work.variant << ": " << check.message;
    }
    work.time(5);  // in one region
    EXPECT_TRUE(work.check().ok) << work.variant << ": " << work.check().message;
  };
  for (const int stride : {2, 4, 8, 16})
    for (const auto way : {Strided::plain, Strided::prefetched, Strided::in_streams, Strided::in_streams_prefetched,
                           Strided::in_streams_into_l1})
      expect_verified(strided_read(block, 2, stride, way));
  for (const int stride : {8, 16}) expect_verified(strided_read(block, 2, stride, Strided::twice));
  expect_verified(random_read(block, 2));
  expect_verified(pointer_chase(block, 2));
}

TEST(ScatteredReads, NoticeAWrongLine) {
  const auto block = std::make_shared<MemoryBlock>(2 * 4096 * 8);
  const auto random = random_read(block, 2);
  block->data()[8 * 77] += 1;
  random.launch();
  EXPECT_FALSE(random.check().ok);
  const auto strided = strided_read(block, 2, 16, Strided::in_streams);
  block->data()[16] += 1;
  strided.launch();
  EXPECT_FALSE(strided.check().ok);
  const auto twice = strided_read(block, 2, 16, Strided::twice);
  block->data()[17] += 1;
  twice.launch();
  EXPECT_FALSE(twice.check().ok) << "the other double of a line";
}

/// The system's flags for the mapping that contains an address: "rd wr mr mw me ac hg"; empty if there are none.
std::string flags_of_mapping(const void* address) {
  std::ifstream maps("/proc/self/smaps");
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  bool inside = false;
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0, end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2) inside = begin <= at && at < end;
    if (inside && line.starts_with("VmFlags:")) return line + " ";
  }
  return {};
}

TEST(ScatteredReads, OfSmallPagesHaveABlockWithoutLargeOnes) {
  MemoryBlock small(1 << 18, Pages::small), huge(1 << 18);
  const auto flags = flags_of_mapping(small.data());
  if (flags.empty()) GTEST_SKIP() << "this system does not tell";
  EXPECT_NE(flags.find(" nh "), std::string::npos) << flags;
  EXPECT_EQ(flags_of_mapping(huge.data()).find(" nh "), std::string::npos);
}

}  // namespace
}  // namespace roofline::scattered_test

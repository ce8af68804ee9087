#include "bench/virtual_gpu/memory/coalescer.hpp"

#include <gtest/gtest.h>

namespace roofline::coalescer_test {
namespace {

std::vector<LineAccess> lines;

/// Sectors of a request whose lane l is at base + l stride.
unsigned sectors(std::uint64_t base, std::int64_t stride, unsigned size, std::uint32_t active = ~0u,
                 Access access = Access::global_load) {
  std::array<std::int64_t, warp_lanes> offset;
  for (unsigned lane = 0; lane < warp_lanes; ++lane) offset[lane] = stride * lane;
  lines.clear();
  return coalesce({base, offset, size, active}, access, 0, lines);
}

TEST(Coalescer, CountsEachSectorOnce) {
  EXPECT_EQ(sectors(0, 8, 8), 8u);               // 256 B, aligned
  EXPECT_EQ(sectors(16, 8, 8), 9u);              // HPGMG's rows start 16 B into a sector
  EXPECT_EQ(sectors(0, 16, 16), 16u);            // a complex number per lane
  EXPECT_EQ(sectors(0, 32, 16), 32u);            // every second one: half of each sector is not used
  EXPECT_EQ(sectors(0, 64, 16), 32u);            // and then it stays
  EXPECT_EQ(sectors(40, 0, 8), 1u);              // a broadcast
  EXPECT_EQ(sectors(16, 8, 8, 0x55555555), 9u);  // every second lane touches the same sectors
  EXPECT_EQ(sectors(0, 8, 8, 1u << 31), 1u);
  EXPECT_EQ(sectors(0, 8, 8, 0), 0u);
}

TEST(Coalescer, GroupsSectorsByLine) {
  sectors(128 - 16, 8, 8);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].line, 0u);
  EXPECT_EQ(lines[0].sectors, 0b1000);
  EXPECT_EQ(lines[1].sectors, 0b1111);
  EXPECT_EQ(lines[2].line, 2u);
  EXPECT_EQ(lines[2].sectors, 0b1111);
}

TEST(Coalescer, LanesInAnyOrderAndRepeated) {
  std::array<std::int64_t, warp_lanes> offset;
  for (unsigned lane = 0; lane < warp_lanes; ++lane) offset[lane] = lane % 2 == 0 ? 1024 - 8 * lane : 8 * lane;
  lines.clear();
  std::uint64_t touched = 0;
  for (unsigned lane = 0; lane < warp_lanes; ++lane) touched |= std::uint64_t{1} << offset[lane] / 32;
  EXPECT_EQ(coalesce({0, offset, 8, ~0u}, Access::global_load, 0, lines),
            static_cast<unsigned>(std::popcount(touched)));
}

TEST(Coalescer, ARunOfLanesIsTheSameAsItsLanes) {
  for (const std::uint64_t base : {0, 8, 16, 40, 104, 120, 232})
    for (unsigned count = 1; count <= warp_lanes; ++count)
      for (const auto access : {Access::global_load, Access::global_store}) {
        const auto active = static_cast<std::uint32_t>((std::uint64_t{1} << count) - 1);
        const unsigned one_by_one = sectors(base, 8, 8, active, access);
        const auto expected = lines;
        lines.clear();
        EXPECT_EQ(coalesce_run(base, 8 * count, access, 0, lines), one_by_one);
        ASSERT_EQ(lines.size(), expected.size()) << base << " " << count;
        for (std::size_t i = 0; i < lines.size(); ++i) {
          EXPECT_EQ(lines[i].line, expected[i].line);
          EXPECT_EQ(lines[i].sectors, expected[i].sectors) << base << " " << count;
          EXPECT_EQ(lines[i].bytes, expected[i].bytes) << base << " " << count;
        }
      }
  // Loads with gaps of less than a sector touch every sector between their ends.
  const unsigned gaps = sectors(16, 32, 16);
  lines.clear();
  EXPECT_EQ(coalesce_run(16, 31 * 32 + 16, Access::global_load, 0, lines), gaps);
}

TEST(Coalescer, StoresKnowTheirBytes) {
  sectors(16, 8, 8, ~0u, Access::global_store);
  EXPECT_EQ(lines[0].bytes[0], 0xffff0000u);  // the first sector is written in its second half
  EXPECT_EQ(lines[0].bytes[1], ~0u);
  EXPECT_EQ(lines.back().bytes[0], 0x0000ffffu);
  sectors(16, 8, 8);
  EXPECT_EQ(lines[0].bytes[0], 0u);
}

}  // namespace
}  // namespace roofline::coalescer_test

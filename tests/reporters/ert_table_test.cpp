#include "reporters/ert_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "microkernels/ert/sweep.hpp"

namespace roofline {
namespace {

/// A sweep at one bandwidth, of sets of 1 MiB to 1 GiB.
ErtSweep sweep(int flops, double bandwidth, const char* launch = "") {
  ErtSweep s;
  s.flops_per_element = flops, s.launch = launch;
  for (double bytes = 1 << 20; bytes <= 1 << 30; bytes *= 1.1)
    s.rows.push_back({bytes, 1, 2 * bytes / bandwidth, 2 * bytes, bytes / 8 * flops});
  return s;
}

Results results(std::vector<ErtSweep> sweeps) {
  Results r;
  r.roofline = Roofline({}, 1);
  r.ert = summarize(std::move(sweeps), {{.level = MemoryLevel::L2, .size = 50 << 20}});
  return r;
}

TEST(ErtTable, OfAGpuShowsTheBestLaunchOfEachF) {
  const auto table = ert_table(results({sweep(1, 3e12, "2112 x 128"), sweep(1, 4e12, "264 x 1024"),
                                        sweep(512, 1e12, "264 x 1024"), sweep(512, 2e12, "4224 x 64")}));
  ASSERT_EQ(table.columns.size(), 5u) << "two per F";
  EXPECT_EQ(table.rows[0].cells[1], "4000");
  EXPECT_EQ(table.rows[0].cells[3], "2000");
  EXPECT_EQ(table.title.find("thread"), table.title.npos);
  EXPECT_TRUE(std::any_of(table.notes.begin(), table.notes.end(), [](const std::string& note) {
    return note.find("of 4 launches") != note.npos && note.find("264 x 1024, 4224 x 64.") != note.npos;
  }));
}

TEST(ErtTable, ASampleThatLostItsCoreIsMarked) {
  const auto marked = [](const ErtSweep& s) {
    std::string cells;
    for (const auto& row : ert_table(results({s})).rows)
      if (row.cells[1].ends_with('x') && row.cells[2].ends_with('x')) cells += row.cells[0] + " " + row.cells[1] + ", ";
    return cells;
  };
  const auto whole = sweep(1, 1e11);
  EXPECT_EQ(marked(whole), "");
  EXPECT_EQ(ert_table(results({whole})).notes.size(), 2u);
  auto s = whole;
  s.rows.front().seconds *= 10, s.rows.back().seconds *= 10;
  EXPECT_EQ(marked(s), "") << "small sets are slow to start, large ones come from memory";
  const auto at = std::min_element(s.rows.begin(), s.rows.end(), [](const ErtRow& a, const ErtRow& b) {
    return std::abs(a.working_set - 0x1p24) < std::abs(b.working_set - 0x1p24);
  });
  at->seconds *= 1.9;
  EXPECT_EQ(marked(s), "");
  at->seconds *= 1e6;
  EXPECT_EQ(marked(s), "16 MiB 5.26e-05x, ");
  EXPECT_EQ(ert_table(results({s})).notes.back().substr(0, 6), "x less");
}

TEST(ErtTable, OfACpuNamesItsThreads) {
  const auto table = ert_table(results({sweep(1, 1e11), sweep(16, 9e10)}));
  EXPECT_NE(table.title.find("1 thread"), table.title.npos);
  EXPECT_EQ(table.columns.size(), 5u);
}

}  // namespace
}  // namespace roofline

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "microkernels/ert/sweep.hpp"
#include "reporters/tables/tables.hpp"

namespace roofline::ert_table_test {
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

TEST(ErtTable, OfACpuNamesItsThreads) {
  const auto table = ert_table(results({sweep(1, 1e11), sweep(16, 9e10)}));
  EXPECT_NE(table.title.find("1 thread"), table.title.npos);
  EXPECT_EQ(table.columns.size(), 5u);
}

}  // namespace
}  // namespace roofline::ert_table_test

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "bench/cache_model/sampler.hpp"
#include "tests/variants.hpp"

namespace roofline::gsrb::gsrb_family_test {
namespace {

/// Operations per cell of one sweep without contraction, and accesses per cell.
struct PerCell {
  double add, mul, loads;
};
const std::map<std::string, PerCell> published{
    {"fp/op:fv4", {85, 29, 58}}, {"branch/op:fv4", {42.5, 14, (57 + 1) / 2.0}}, {"stride2/op:fv4", {42.5, 14, 29}},
    {"fp/op:7pt", {13, 9, 16}},  {"branch/op:7pt", {6.5, 4, (15 + 1) / 2.0}},   {"stride2/op:7pt", {6.5, 4, 8}}};

class GsrbLevels : public ::testing::TestWithParam<int> {};

TEST_P(GsrbLevels, CountsAreThePublishedOnesByKind) {
  const auto edge = std::uint64_t{1} << GetParam();
  const double cells = static_cast<double>(edge * edge * edge);
  for (const auto& [name, per_cell] : published)
    for (const bool fma : {false, true}) {
      const auto full = "gsrb/" + name + "/level:" + std::to_string(GetParam()) + (fma ? "" : "/fma:0");
      const auto work = testing::variant("gsrb", {7}, full).make();
      const auto counts = count(work.trace, nullptr, true);
      EXPECT_TRUE(work.check().ok) << full << ": what is counted computes, too";
      const auto& ops = counts.operations;
      EXPECT_EQ(ops.flops(), work.declared_flops) << full;
      EXPECT_EQ(static_cast<double>(ops.flops()), (per_cell.add + per_cell.mul) * cells) << full;
      if (fma) {
        EXPECT_GT(ops.fma, 0u);
        EXPECT_EQ(static_cast<double>(ops.add + ops.fma), per_cell.add * cells) << full;
        EXPECT_EQ(static_cast<double>(ops.mul + ops.fma), per_cell.mul * cells) << full;
      } else {
        EXPECT_EQ(ops.fma, 0u);
        EXPECT_EQ(static_cast<double>(ops.add), per_cell.add * cells) << full;
        EXPECT_EQ(static_cast<double>(ops.mul), per_cell.mul * cells) << full;
      }
      EXPECT_EQ(counts.at(MemoryLevel::L1)->read, 8 * per_cell.loads * cells) << full;
      EXPECT_EQ(counts.at(MemoryLevel::L1)->written, 8 * cells) << full;
    }
}

INSTANTIATE_TEST_SUITE_P(ThreeLevels, GsrbLevels, ::testing::Values(3, 4, 5));

// Windows of chunks must stand for all of them exactly.
TEST(GsrbFamily, SampledFlopsAreExact) {
  CacheHierarchy caches({{.level = MemoryLevel::L1, .size = 48 << 10, .ways = 12},
                         {.level = MemoryLevel::L2, .size = 256 << 10, .ways = 16}});
  const auto work = testing::variant("gsrb", {7}, "gsrb/branch/op:7pt/level:6").make();
  const auto counts = count(work.trace, &caches);
  EXPECT_EQ(counts.operations.flops(), work.declared_flops);
  EXPECT_NE(counts.traffic_note.find("chunks after warm-up"), std::string::npos) << counts.traffic_note;
}

// A machine without caches streams every level. Whole rows go to memory as they are, half-filled lines are read first.
TEST(GsrbFamily, BranchMovesTheBytesOfFpAndStride2MoreForItsHalfFilledLines) {
  const auto traffic = [](const std::string& method) {
    CacheHierarchy caches({{.level = MemoryLevel::L1, .size = 48 << 10, .ways = 12},
                           {.level = MemoryLevel::L2, .size = 512 << 10, .ways = 16}});
    const auto work = testing::variant("gsrb", {7}, "gsrb/" + method + "/op:fv4/level:5").make();
    return *count(work.trace, &caches, true).at(MemoryLevel::DRAM);
  };
  const double cells = 32 * 32 * 32;
  const auto fp = traffic("fp"), branch = traffic("branch"), stride2 = traffic("stride2");
  EXPECT_EQ(fp.written, 8 * cells);
  EXPECT_EQ(branch.written, 8 * cells);
  EXPECT_NEAR(branch.total() / fp.total(), 1.0, 0.03);
  EXPECT_NEAR(stride2.read - branch.read, 8 * cells, 0.1 * cells);
}

TEST(GsrbFamily, RegistersEveryMethodOperatorLevelAndContraction) {
  const auto variants = testing::variants_of("gsrb", {6});
  std::set<std::string> names, standard;
  for (const auto& v : variants) {
    names.insert(v.name);
    if (v.selection <= Selection::standard) standard.insert(v.name);
    EXPECT_EQ(v.fma, v.name.find("/fma:0") == std::string::npos);
    EXPECT_FALSE(v.about.empty());
  }
  EXPECT_EQ(names.size(), 3u * 2 * 6 * 2 + 3 * 2 * 6) << "and the tuned rows";
  EXPECT_TRUE(names.count("gsrb/branch/op:fv4/level:7"));
  EXPECT_TRUE(names.count("gsrb/stride2/op:7pt/level:3/fma:0"));
  EXPECT_TRUE(standard.count("gsrb/stride2/op:7pt/level:6"));
}

}  // namespace
}  // namespace roofline::gsrb::gsrb_family_test

#include <gtest/gtest.h>

#include <map>

#include "apps/lbm/collide.hpp"
#include "bench/cache_model/sampler.hpp"
#include "tests/variants.hpp"

namespace roofline::lbm::lbm_variants_test {
namespace {

using testing::variants_of;

std::string kernel_of(const std::string& name) {
  const auto size = name.find("/lx:"), fma = name.find("/fma:");
  return name.substr(0, size) + (fma == std::string::npos ? "" : name.substr(fma));
}

TEST(LbmFamily, HasTheLadderAndTheOtherKernels) {
  std::string quick, standard, full;
  for (const auto& v : variants_of("lbm", {5, 32}))
    (v.selection == Selection::quick ? quick : v.selection == Selection::standard ? standard : full) += v.name + '\n';
  EXPECT_EQ(quick, "lbm/collide/v4/lx:5/ly:32/fma:1\nlbm/propagate/lx:5/ly:32\n");
  EXPECT_EQ(
      standard,
      "lbm/collide/v0/lx:5/ly:32/fma:1\nlbm/collide/v1/lx:5/ly:32/fma:1\nlbm/collide/v2/lx:5/ly:32/fma:1\n"
      "lbm/collide/v3/lx:5/ly:32/fma:1\nlbm/collide/v5/lx:5/ly:32/fma:1\nlbm/bc/lx:5/ly:32\nlbm/step/lx:5/ly:32\n");
  EXPECT_EQ(full,
            "lbm/collide/v0/lx:5/ly:32/fma:0\nlbm/collide/v1/lx:5/ly:32/fma:0\n"
            "lbm/collide/v5/lx:5/ly:32/fma:1/tuned\n");
}

// 1 x 32: every site is next to an edge; 7 x 96: odd; 70 x 64: more sites than states of the pattern.
class LbmGrids : public ::testing::TestWithParam<Sizes> {};

TEST_P(LbmGrids, CountedOperationsAreTheAnalyticOnes) {
  const auto sites = static_cast<std::uint64_t>(GetParam()[0] * GetParam()[1]);
  for (const auto& variant : variants_of("lbm", GetParam())) {
    const auto work = variant.make();
    const auto counts = count(work.trace, nullptr, true);
    EXPECT_EQ(counts.operations.flops(), work.declared_flops) << variant.name;
    EXPECT_TRUE(work.check().ok) << variant.name << ", counted values: " << work.check().message;
    for (const auto& version : versions())
      if (kernel_of(variant.name) == std::string("lbm/collide/") + version.name + "/fma:" + (version.fma ? "1" : "0")) {
        EXPECT_EQ(counts.operations.add, version.per_site.add * sites) << variant.name;
        EXPECT_EQ(counts.operations.mul, version.per_site.mul * sites) << variant.name;
        EXPECT_EQ(counts.operations.fma, version.per_site.fma * sites) << variant.name;
        EXPECT_EQ(counts.operations.div, version.per_site.div * sites) << variant.name;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, LbmGrids, ::testing::Values(Sizes{1, 32}, Sizes{7, 96}, Sizes{70, 64}),
                         [](const auto& info) {
                           return std::to_string(info.param[0]) + "x" + std::to_string(info.param[1]);
                         });

TEST(LbmCounts, OperationsPerSiteByKind) {
  std::map<std::string, Operations> per_site;
  for (const auto& version : versions())
    per_site[version.name + std::string(version.fma ? "" : "/nofma")] = version.per_site;
  const Operations loops{.add = 338, .mul = 661, .fma = 2636, .div = 4};
  const Operations folded{.add = 307, .mul = 530, .fma = 2138, .div = 4};
  EXPECT_EQ(per_site["v0"], loops);
  EXPECT_EQ(per_site["v1"], loops);
  EXPECT_EQ(per_site["v0/nofma"], (Operations{.add = 2974, .mul = 3297, .div = 4}));
  EXPECT_EQ(per_site["v2"], folded);
  EXPECT_EQ(per_site["v3"], folded);
  EXPECT_EQ(per_site["v4"], folded);
  EXPECT_EQ(per_site["v5"], (Operations{.add = 159, .mul = 75, .fma = 259, .div = 4}));
  EXPECT_EQ(loops.flops(), 6275u);
  EXPECT_EQ(folded.flops(), 5117u);
  EXPECT_EQ(per_site["v5"].flops(), 756u);
  EXPECT_NEAR(loops.fma_fraction(), 0.725, 0.001);
}

TEST(LbmCounts, LoadsAndStoresPerPopulation) {
  constexpr std::uint64_t sites = 5 * 64;
  const auto accesses = [](const char* name) {
    Sampler sampler(nullptr, true);
    testing::variant("lbm", {5, 64}, name).make().trace(sampler);
    return std::pair(sampler.loads(), sampler.stores());
  };
  constexpr std::uint64_t flag = sites;  // one load per site tells bulk from wall
  EXPECT_EQ(accesses("lbm/collide/v0/lx:5/ly:64/fma:1"), std::pair(63 * 37 * sites + flag, 37 * sites));
  for (const char* version : {"v1", "v2", "v3", "v4", "v5"})
    EXPECT_EQ(accesses((std::string("lbm/collide/") + version + "/lx:5/ly:64/fma:1").c_str()),
              std::pair(37 * sites + flag, 37 * sites));
  EXPECT_EQ(accesses("lbm/propagate/lx:5/ly:64"), std::pair(37 * sites, 37 * sites));
}

/// Bytes per site that a cache of 256 KiB lets through.
Traffic dram_per_site(const std::string& name) {
  CacheHierarchy caches({{.level = MemoryLevel::L1, .size = 256 << 10, .ways = 16}});
  const auto counts = count(testing::variant("lbm", {64, 256}, name).make().trace, &caches, true);
  const auto traffic = *counts.at(MemoryLevel::DRAM);
  constexpr double sites = 64 * 256;
  return {traffic.read / sites, traffic.written / sites};
}

TEST(LbmCounts, StreamingStoresLeaveTheCompulsory592BytesPerSite) {
  for (const char* version : {"v4", "v5"}) {
    const auto t = dram_per_site(std::string("lbm/collide/") + version + "/lx:64/ly:256/fma:1");
    EXPECT_NEAR(t.read, 296, 1);
    EXPECT_EQ(t.written, 296);
  }
  const auto moved = dram_per_site("lbm/propagate/lx:64/ly:256");
  EXPECT_NEAR(moved.read, 296, 10) << "halos at this size; a plain store would read 592";
  EXPECT_EQ(moved.written, 296);
  const auto allocating = dram_per_site("lbm/collide/v3/lx:64/ly:256/fma:1");
  EXPECT_NEAR(allocating.read, 592, 2);
  EXPECT_NEAR(allocating.written, 296, 2);
}

}  // namespace
}  // namespace roofline::lbm::lbm_variants_test

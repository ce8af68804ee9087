#include <gtest/gtest.h>

#include <mutex>
#include <vector>

#include "bench/cache_model/sampler.hpp"
#include "bench/space/openmp.hpp"
#include "tests/variants.hpp"

namespace roofline::warm_pass_test {
namespace {

std::vector<Index> chunks_of(WarmPass* pass, Index n) {
  std::vector<Index> visited;
  std::mutex one_at_a_time;
  OpenMp<true>{pass}.parallel(n, [&](Index chunk) {
    const std::scoped_lock lock(one_at_a_time);
    visited.push_back(chunk);
  });
  return visited;
}

TEST(WarmPass, ComputesEveryChunkTwiceInARow) {
  omp_set_num_threads(1);
  WarmPass pass;
  EXPECT_EQ(chunks_of(nullptr, 3), (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(chunks_of(&pass, 3), (std::vector<Index>{0, 0, 1, 1, 2, 2}));
  EXPECT_GT(pass.seconds(), 0);
}

TEST(WarmPass, CountsTheSecondTimeOnly) {
  omp_set_num_threads(1);
  WarmPass pass;
  double in_first = 0, first_at = -1;
  const double begin = WarmPass::now();
  OpenMp<true>{&pass}.parallel(1, [&](Index) {
    if (first_at >= 0) return;
    first_at = WarmPass::now();
    while (WarmPass::now() - first_at < 0.05) continue;
    in_first = WarmPass::now() - begin;
  });
  EXPECT_LT(pass.seconds(), WarmPass::now() - begin - in_first + 1e-9) << "the first time is not in it";
}

TEST(WarmPass, IsThatOfTheSlowestThread) {
  omp_set_num_threads(3);
  WarmPass pass;
#pragma omp parallel num_threads(3)
  {
    pass.add(omp_get_thread_num() == 1 ? 2 : 1);
    pass.add(0.5);
  }
  EXPECT_DOUBLE_EQ(pass.seconds(), 2.5);
}

struct Rows {
  const char* family;
  Sizes sizes;
  const char* part;  ///< of the names of the rows to look at
  bool repeatable;   ///< a chunk that is computed twice leaves what it leaves once
};

/// A row, or every fifth form of a tuned one.
std::vector<std::function<Workload()>> some_of(const Variant& row) {
  if (row.tunings.empty()) return {row.make};
  std::vector<std::function<Workload()>> some;
  for (std::size_t i = 0; i < row.tunings.size(); i += 5) some.push_back(row.tunings[i].make);
  return some;
}

class InCore : public ::testing::TestWithParam<Rows> {};

/// So that a launch in small chunks leaves nothing out, and disturbs none after it.
TEST_P(InCore, IsTheWholeLaunch) {
  const auto& [family, sizes, part, repeatable] = GetParam();
  for (const auto& row : testing::variants_of(family, sizes, 5)) {
    if (row.name.find(part) == row.name.npos) continue;
    for (const auto& make : some_of(row)) {
      const auto work = make();
      if (!work.in_core.seconds) {
        CacheHierarchy caches({{.level = MemoryLevel::L1, .size = 32 << 10, .ways = 8}});
        EXPECT_GT(count(work.trace, &caches, true).streamed.value_or(0), 0) << row.name;
        continue;
      }
      // Nothing has been computed on these buffers yet, so that what is left out is wrong.
      EXPECT_GT(work.in_core.chunk_bytes, 0) << row.name;
      EXPECT_GT(work.in_core.seconds(), 0) << row.name;
      if (repeatable) {
        const auto check = work.check();
        EXPECT_TRUE(check.ok) << row.name << ": " << check.message;
      }
      work.launch();
      EXPECT_TRUE(work.check().ok) << row.name << ", launched after it";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Families, InCore,
                         ::testing::Values(Rows{"stream", {100001}, "", true}, Rows{"stencil", {67}, "", true},
                                           Rows{"gpp", {2, 2, 141, 20}, "", false}, Rows{"gsrb", {5}, "level:5", true},
                                           Rows{"lbm", {3, 96}, "", true}, Rows{"ert", {5000}, "", true}),
                         [](const auto& info) { return std::string(info.param.family); });

}  // namespace
}  // namespace roofline::warm_pass_test

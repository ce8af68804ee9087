#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "bench/cache_model/sampler.hpp"
#include "bench/space/openmp.hpp"
#include "tests/variants.hpp"

namespace roofline::pass_test {
namespace {

std::vector<Index> chunks_of(Pass* pass, Index n) {
  std::vector<Index> visited;
  std::mutex one_at_a_time;
  OpenMp<true>{pass}.parallel(n, [&](Index chunk) {
    const std::scoped_lock lock(one_at_a_time);
    visited.push_back(chunk);
  });
  return visited;
}

TEST(Pass, InCoreComputesEveryChunkTwiceInARow) {
  omp_set_num_threads(1);
  auto pass = Pass::in_core();
  EXPECT_EQ(chunks_of(nullptr, 3), (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(chunks_of(&pass, 3), (std::vector<Index>{0, 0, 1, 1, 2, 2}));
  EXPECT_GT(pass.seconds(), 0);
}

TEST(Pass, InCoreCountsTheSecondTimeOnly) {
  omp_set_num_threads(1);
  auto pass = Pass::in_core();
  double in_first = 0, first_at = -1;
  const double begin = Pass::now();
  OpenMp<true>{&pass}.parallel(1, [&](Index) {
    if (first_at >= 0) return;
    first_at = Pass::now();
    while (Pass::now() - first_at < 0.05) continue;
    in_first = Pass::now() - begin;
  });
  EXPECT_LT(pass.seconds(), Pass::now() - begin - in_first + 1e-9) << "the first time is not in it";
}

TEST(Pass, InCoreTakesTheTimeOfTheSlowestThread) {
  omp_set_num_threads(3);
  auto pass = Pass::in_core();
#pragma omp parallel num_threads(3)
  {
    pass.add(omp_get_thread_num() == 1 ? 2 : 1);
    pass.add(0.5);
  }
  EXPECT_DOUBLE_EQ(pass.seconds(), 2.5);
}

TEST(Pass, ComputesTheChunksOfAThreadThatAStaticScheduleGivesIt) {
  for (const int threads : {1, 2, 3, 5})
    for (const Index n : {0, 1, 4, 5, 17}) {
      std::vector<int> by_openmp(static_cast<std::size_t>(n)), ours(static_cast<std::size_t>(n), -1);
#pragma omp parallel for schedule(static) num_threads(threads)
      for (Index i = 0; i < n; ++i) by_openmp[i] = omp_get_thread_num();
      for (int thread = 0; thread < threads; ++thread) {
        const auto own = own_chunks(n, thread, threads);
        for (Index i = own.own_begin; i < own.own_end; ++i) ours[i] = thread;
      }
      EXPECT_EQ(ours, by_openmp) << n << " chunks, " << threads << " threads";
    }
}

/// The chunks of the next parts, one after the other.
std::vector<std::vector<Index>> chunks_of_parts(Pass pass, Index n, int parts, double share) {
  std::vector<std::vector<Index>> all;
  for (int part = 0; part < parts; ++part) {
    all.push_back(chunks_of(&pass, n));
    EXPECT_DOUBLE_EQ(pass.next(), share);
  }
  return all;
}

TEST(Pass, InPartsGoesRoundAllChunks) {
  omp_set_num_threads(1);
  using Parts = std::vector<std::vector<Index>>;
  EXPECT_EQ(chunks_of_parts(Pass::part(2), 6, 3, 0.5), (Parts{{0, 1, 2}, {3, 4, 5}, {0, 1, 2}}));
  EXPECT_EQ(chunks_of_parts(Pass::part(2), 5, 3, 0.4), (Parts{{0, 1}, {2, 3}, {4, 0}})) << "parts of one size";
}

TEST(Pass, InPartsGivesEachThreadItsOwnChunks) {
  omp_set_num_threads(2);
  auto pass = Pass::part(2);
  for (const auto& want : {std::vector<Index>{0, 1, 4, 5}, {2, 3, 6, 7}, {0, 1, 4, 5}}) {
    auto chunks = chunks_of(&pass, 8);
    std::sort(chunks.begin(), chunks.end());
    EXPECT_EQ(chunks, want);
    EXPECT_DOUBLE_EQ(pass.next(), 0.5);
  }
}

TEST(Pass, InPartsComputesALoopThatIsTooShortWithOneOfThem) {
  omp_set_num_threads(1);
  EXPECT_EQ(chunks_of_parts(Pass::part(3), 2, 4, 1), (std::vector<std::vector<Index>>{{0, 1}, {}, {}, {0, 1}}));
}

TEST(Pass, InPartsHasTheShareOfItsLongestLoop) {
  omp_set_num_threads(1);
  auto pass = Pass::part(7);
  for (const Index n : {15, 960, 20, 1}) chunks_of(&pass, n);
  EXPECT_DOUBLE_EQ(pass.next(), 137.0 / 960);
}

TEST(Pass, InCoreInPartsCountsALoopThatIsComputedWholeOnce) {
  omp_set_num_threads(1);
  auto pass = Pass::in_core(4);
  const auto seconds = [&](Index chunks) {
    const double before = pass.seconds();
    OpenMp<true>{&pass}.parallel(chunks, [](Index) {
      for (const double begin = Pass::now(); Pass::now() - begin < 2e-3;) continue;
    });
    return pass.seconds() - before;
  };
  EXPECT_GE(seconds(20), 20 * 2e-3) << "five of them were computed";
  EXPECT_LT(seconds(1), 4 * 2e-3);
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
      EXPECT_GT(work.in_core.seconds(1), 0) << row.name;
      if (repeatable) {
        const auto check = work.check();
        EXPECT_TRUE(check.ok) << row.name << ": " << check.message;
      }
      work.launch();
      EXPECT_TRUE(work.check().ok) << row.name << ", launched after it";
    }
  }
}

class InParts : public ::testing::TestWithParam<Rows> {};

/// Parts of a launch leave together what a launch leaves. Sums are added up over a launch alone.
TEST_P(InParts, IsTheWholeLaunch) {
  const auto& [family, sizes, part, repeatable] = GetParam();
  int divided = 0;
  for (const auto& row : testing::variants_of(family, sizes, 5)) {
    if (row.name.find(part) == row.name.npos) continue;
    for (const auto& make : some_of(row)) {
      const auto work = make();
      if (!work.divided) continue;
      ++divided;
      const auto next = work.divided(3);
      double done = 0;
      for (int turn = 0; turn < 3 || done < 1; ++turn) done += next();
      if (repeatable) {
        const auto check = work.check();
        EXPECT_TRUE(check.ok) << row.name << ": " << check.message;
      }
      work.launch();
      EXPECT_TRUE(work.check().ok) << row.name << ", launched after it";
    }
  }
  EXPECT_GT(divided, 0);
}

constexpr const char* all = "";
const auto name_of_family = [](const auto& info) { return std::string(info.param.family); };

INSTANTIATE_TEST_SUITE_P(Families, InParts,
                         ::testing::Values(Rows{"stream", {100001}, all, true},
                                           Rows{"gpp", {2, 2, 141, 20}, all, false},
                                           Rows{"lbm", {7, 96}, "collide", true}, Rows{"gsrb", {5}, "level:5", true},
                                           Rows{"ert", {50000}, all, true}, Rows{"fft", {32, 48}, all, true}),
                         name_of_family);

INSTANTIATE_TEST_SUITE_P(Families, InCore,
                         ::testing::Values(Rows{"stream", {100001}, "", true}, Rows{"stencil", {67}, "", true},
                                           Rows{"gpp", {2, 2, 141, 20}, "", false}, Rows{"gsrb", {5}, "level:5", true},
                                           Rows{"lbm", {3, 96}, "", true}, Rows{"ert", {5000}, "", true}),
                         name_of_family);

}  // namespace
}  // namespace roofline::pass_test

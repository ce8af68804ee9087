#include "bench/cuda/launch_graph.hpp"

#include <gtest/gtest.h>

#include <string>

#include "bench/cuda/cache_state.hpp"
#include "bench/machine/machine.hpp"

namespace roofline::cuda::launch_graph_test {
namespace {

TEST(LaunchGraph, EveryLaunchOfABatchIsMadeOnceAndGraphsStaySmall) {
  for (int batch = 1; batch < 100000; batch += batch < 2000 ? 1 : 997) {
    const auto [starts, launches, remaining] = graph_batches(batch);
    ASSERT_EQ(starts * launches + remaining, batch);
    EXPECT_LT(launches, 402) << batch;
    EXPECT_LE(remaining, batch < 50 ? batch : starts) << batch;
    EXPECT_EQ(starts == 0, batch < 50) << batch;
  }
}

TEST(CacheState, EveryGpuVariantHasAColdTwinThatOnlyFullRunsAskFor) {
  const Machine machine;
  for (const auto& [family, ports] : families()) {
    const auto port = ports.find(Platform::cuda);
    if (port == ports.end() || family.name == "ert") continue;  // its sets say where the data are
    Suite suite({Platform::cuda, {}, 1, machine, {}});
    port->second.add(suite, port->second.default_sizes);
    ASSERT_GT(suite.variants().size(), 0u) << family.name;
    const auto& all = suite.variants();
    ASSERT_EQ(all.size() % 2, 0u) << family.name;
    for (std::size_t i = 0; i < all.size(); i += 2) {
      EXPECT_EQ(all[i + 1].name, cold_name(all[i].name));
      EXPECT_EQ(all[i].name.find("/cache:cold"), std::string::npos);
      EXPECT_EQ(all[i + 1].selection, Selection::full);
    }
  }
}

TEST(CacheState, TunedStaysTheLastPartOfAName) {
  EXPECT_EQ(cold_name("stream/triad/n:4"), "stream/triad/n:4/cache:cold");
  EXPECT_EQ(cold_name("gsrb/fp/op:fv4/level:8/tuned"), "gsrb/fp/op:fv4/level:8/cache:cold/tuned");
}

}  // namespace
}  // namespace roofline::cuda::launch_graph_test

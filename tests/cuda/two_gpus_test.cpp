// A machine of two different GPUs.
#include <gtest/gtest.h>

#include "bench/cuda/counting.hpp"
#include "bench/cuda/error.hpp"
#include "bench/cuda/gpu.hpp"
#include "bench/run/chosen_device.hpp"
#include "bench/virtual_gpu/runtime/virtual_run.hpp"
#include "tests/cuda/small_device.hpp"
#include "tests/error_of.hpp"

namespace roofline::two_gpus_test {
namespace {

class TwoGpus : public ::testing::Test {
 protected:
  void SetUp() override {
    runtime::Settings settings;
    settings.device = testing::small_device(first_, 1e6) + "," + testing::small_device(second_, 3e6, 80);
    scope_.emplace(settings);
  }
  testing::Scratch first_, second_;
  std::optional<runtime::Scope> scope_;
};

TEST_F(TwoGpus, TheChosenOneIsNamedAndWorks) {
  const auto all = find_gpus();
  ASSERT_EQ(all.found.size(), 2u);
  EXPECT_NE(all.found[0].uuid, all.found[1].uuid);
  std::string note;
  const auto chosen = choose_device("cuda:1", find_gpus, &note, 0);
  ASSERT_TRUE(chosen);
  use_gpu(*chosen);
  const auto gpu = current_gpu();
  EXPECT_EQ(gpu.index, 1);
  EXPECT_EQ(gpu.major, 8);
  EXPECT_EQ(gpu.clock_hz, 3e6);
  EXPECT_EQ(gpu.bus, "0000:01:00.0");
  EXPECT_EQ(runtime::selected_device().capability, 80) << "what kernels run on";

  const auto facts = describe_gpu(gpu);
  ASSERT_GE(facts.size(), 2u);
  EXPECT_EQ(facts[0].second, gpu.bus + ", " + gpu.uuid);
  EXPECT_NE(facts[1].second.find("nvidia-smi's number 0"), std::string::npos) << facts[1].second;
  for (const auto& [key, text] : describe_gpu(all.found[0]))
    EXPECT_EQ(text.find("nvidia-smi's number 0"), std::string::npos) << "it is the second on the bus: " << text;
  const auto error = testing::error_of<cuda::Error>([] { cuda::require(cudaErrorMemoryAllocation, "cudaMalloc"); });
  EXPECT_NE(error.find("cuda:1 (virtual GPU (small), 0000:01:00.0)"), std::string::npos) << error;

  const auto work = testing::gpu_rows("stream", {64}, gpu).variants().front().make();
  work.launch();
  const auto check = work.check();
  EXPECT_TRUE(check.ok) << check.message;
}

}  // namespace
}  // namespace roofline::two_gpus_test

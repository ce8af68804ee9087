// Times and calibrations where hosts are slow and clocks move: on virtual GPUs that do so.
#include <gtest/gtest.h>

#include "bench/cuda/device_probe.hpp"
#include "bench/cuda/event_timer.hpp"
#include "bench/cuda/gpu.hpp"
#include "bench/virtual_gpu/runtime/virtual_run.hpp"
#include "bench/virtual_gpu/stream/process.hpp"
#include "tests/cuda/small_device.hpp"

namespace roofline::moving_clock_test {
namespace {

class MovingClock : public ::testing::Test {
 protected:
  runtime::Settings device(double clock) {
    runtime::Settings settings;
    settings.device = testing::small_device(folder_, clock);
    settings.clocked = true;
    return settings;
  }
  Workload made(const std::string& name) {
    return testing::made(testing::gpu_rows("stream", {64}, current_gpu()), name);
  }
  testing::Scratch folder_;
};

TEST_F(MovingClock, WhatIsTimedWaitsForNoHost) {
  const runtime::Scope on(device(1e9));
  const auto hot = made("stream/copy/n:64"), cold = made("stream/copy/n:64/cache:cold");
  const auto seconds = [](const Workload& work, double call, int batch) {
    runtime::process().timeline.seconds_per_call = call;
    return work.time(batch) / batch;
  };
  const double hot_truth = seconds(hot, 1e-9, 40), cold_truth = seconds(cold, 1e-9, 8);
  EXPECT_GT(hot_truth, 1e-6);
  for (const double call : {0.5e-6, 5e-6, 20e-6}) {
    EXPECT_NEAR(seconds(hot, call, 40), hot_truth, 0.05 * hot_truth) << "a call takes the host " << call;
    EXPECT_NEAR(seconds(cold, call, 8), cold_truth, 0.05 * cold_truth) << "a call takes the host " << call;
  }
}

TEST_F(MovingClock, NothingIsCalibratedBeforeTheClockHasSettled) {
  // A hundredth of a GPU's clock, from 0.3 GHz on; one thread is four times as fast there as by the device's own timer,
  // so that these are 200 ms of it.
  auto settings = device(20e6);
  settings.clock_from = 3e6, settings.clock_ramp = 0.05;
  const runtime::Scope on(std::move(settings));
  Suite suite({Platform::cuda, {}, 1, {}, current_gpu()});
  ceiling_source(Platform::cuda)->add(suite);
  const auto work = suite.ceiling("ceiling/flops/fp64/fma/vector")->make.front()();
  work.launch();
  const double seconds = work.time(1);
  EXPECT_GE(seconds, 0.8e-3);
  EXPECT_LE(seconds, 1.5e-3);
  EXPECT_NEAR(cuda::settled_clock(), 20e6, 0.2e6);
}

TEST_F(MovingClock, WithoutCyclesBetweenLaunchesTheClockOfARowIsUnknown) {
  const runtime::Scope on(device(1.5e9));  // a virtual SM counts the cycles of each launch alone
  const auto work = made("stream/copy/n:64");
  work.time(200);
  EXPECT_EQ(work.clock(), 0);
}

}  // namespace
}  // namespace roofline::moving_clock_test

#include "bench/counting/device_choice.hpp"

#include <gtest/gtest.h>

namespace roofline::device_choice_test {
namespace {

Gpus none() { return {{}, "no NVIDIA driver is loaded", "use --device=cpu"}; }

Gpus two() {
  Gpus gpus;
  for (int i = 0; i < 2; ++i) gpus.found.push_back({.index = i, .name = "GPU " + std::to_string(i)});
  return gpus;
}

TEST(DeviceChoice, AutoTakesTheFirstGpuAndElseTheCpu) {
  EXPECT_FALSE(choose_device("auto", none));
  EXPECT_EQ(choose_device("auto", two).value().index, 0);
}

TEST(DeviceChoice, AutoOnTheCpuSaysWhyWithoutTheSuggestion) {
  std::string note;
  choose_device("auto", none, &note);
  EXPECT_EQ(note, "no NVIDIA driver is loaded");
}

TEST(DeviceChoice, TheCpuAsksForNoGpu) {
  EXPECT_FALSE(choose_device("cpu", []() -> Gpus { throw std::logic_error("asked"); }));
}

TEST(DeviceChoice, NumbersAreThoseOfTheRuntime) { EXPECT_EQ(choose_device("cuda:1", two).value().name, "GPU 1"); }

TEST(DeviceChoice, SaysWhyAGpuCannotBeUsed) {
  try {
    choose_device("cuda:0", none);
    FAIL() << "accepted";
  } catch (const DeviceUnavailable& e) {
    EXPECT_STREQ(e.what(), "--device=cuda:0: no NVIDIA driver is loaded; use --device=cpu");
  }
  EXPECT_THROW(choose_device("cuda:2", two), DeviceUnavailable);
}

TEST(DeviceChoice, RefusesOtherTexts) {
  for (const auto* text : {"cuda", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "tpu", ""})
    EXPECT_THROW(choose_device(text, two), std::invalid_argument) << text;
}

}  // namespace
}  // namespace roofline::device_choice_test

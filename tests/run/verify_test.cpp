#include "bench/run/verify.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <stdexcept>

#include "bench/suite/launch_check.hpp"
#include "tests/command_line.hpp"

namespace roofline::verify_test {
namespace {

Variant row(const char* name, Check check, int* launches = nullptr) {
  Variant variant;
  variant.name = name;
  variant.make = [=] {
    Workload work;
    work.launch = [=] { launches ? ++*launches : 0; };
    work.check = [=] { return check; };
    return work;
  };
  return variant;
}

TEST(Verify, EachRowIsLaunchedTwiceAndFailuresSayWhatRepeatsThem) {
  int launches = 0;
  const auto good = row("gpp/nw:1", {}, &launches), bad = row("gsrb/fp", {false, "element 3: got 1"});
  auto broken = row("lbm/bc", {});
  broken.make = []() -> Workload { throw std::runtime_error("no memory left"); };
  Plan plan;
  plan.kernels = {&good, &bad, &broken};
  int told = 0;
  const auto result = verify(plan, {}, [&] { ++told; });
  EXPECT_EQ(launches, 2);
  EXPECT_EQ(told, 2);
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.text(42),
            "FAILED gsrb/fp: element 3: got 1 (--seed=42)\nFAILED lbm/bc: no memory left (--seed=42)\n"
            "verified 1 of 3 rows, random inputs of --seed=42\n");
}

TEST(Verify, ALaunchThatChangesWhatItReadsIsNamedSo) {
  auto in_place = row("axpy", {});
  in_place.make = [] {
    const auto y = std::make_shared<double>(2);
    Workload work;
    work.launch = [y] { *y += 3; };
    work.check = [y] { return *y == 5 ? Check() : Check{false, "got 8, expected 5"}; };
    return work;
  };
  Plan plan;
  plan.kernels = {&in_place};
  const auto result = verify(plan, {});
  ASSERT_EQ(result.failures.size(), 1u);
  EXPECT_EQ(result.failures[0].second.find("got 8, expected 5; one launch is right, but launches repeat"), 0u);
  EXPECT_EQ(why_wrong(in_place.make, "got 47").find("got 47; one launch is right"), 0u);
  EXPECT_EQ(why_wrong(row("wrong", {false, "got 1"}).make, "got 1"), "got 1");
}

TEST(Verify, WhatAWorkloadLacksIsSaid) {
  auto unchecked = row("axpy", {}), idle = row("gemv", {});
  unchecked.make = [] {
    Workload work;
    work.launch = [] {};
    return work;
  };
  idle.make = [] { return Workload(); };
  Plan plan;
  plan.kernels = {&unchecked, &idle};
  const auto result = verify(plan, {});
  ASSERT_EQ(result.failures.size(), 2u);
  EXPECT_EQ(result.failures[0].second.find("its workload has no check: set work.check"), 0u);
  EXPECT_EQ(result.failures[1].second.find("its workload has no launch: set_launch"), 0u);
}

TEST(Verify, ANewProcessGoesOnBehindTheRowThatEndedTheOneBefore) {
  std::vector<std::string> lines;
  const auto record = [&](const std::string& line) { lines.push_back(line); };
  int first = 0, second = 0, third = 0;
  const auto a = row("a", {}, &first), b = row("b", {}, &second), c = row("c", {}, &third);
  Plan plan;
  plan.kernels = {&a};
  Records records({}, record);
  verify(plan, records);
  EXPECT_EQ(unfinished_row(lines), "");
  lines.push_back(line_of({.row = "b", .event = "begin"}));
  EXPECT_EQ(unfinished_row(lines), "b");
  lines.push_back(line_of({.row = "b", .failed = "crashed"}));
  plan.kernels = {&a, &b, &c};
  Records next(lines, record);
  const auto result = verify(plan, next);
  EXPECT_EQ(first, 2);
  EXPECT_EQ(second, 0);
  EXPECT_EQ(third, 2);
  EXPECT_EQ(result.passed, 2);
  EXPECT_EQ(result.failures.at(0).second, "crashed");
}

CeilingVariant ceiling(const char* name, std::vector<std::function<CeilingWork()>> kernels) {
  CeilingVariant variant;
  variant.ceiling.name = name;
  variant.make = std::move(kernels);
  return variant;
}

TEST(Verify, EveryKernelOfACeilingIsARowAlsoOneThatCannotBeSetUp) {
  const auto kernel = [](Check check) {
    return [check] {
      CeilingWork work;
      work.launch = [] {};
      work.check = [check] { return check; };
      return work;
    };
  };
  const auto good = kernel({}), wrong = kernel({false, "got 1"});
  const auto broken = []() -> CeilingWork { throw std::runtime_error("lost"); };
  const auto absent = []() -> CeilingWork { throw NoSuchCeiling("no such unit"); };
  const auto a = ceiling("ceiling/a", {good, wrong, broken}), b = ceiling("ceiling/b", {absent, good});
  std::vector<std::string> lines;
  const auto record = [&](const std::string& line) { lines.push_back(line); };
  Verification result;
  int told = 0;
  Records records({}, record);
  verify_ceilings(
      {&a, &b}, records, [&] { ++told; }, result);
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(told, 2);
  EXPECT_EQ(result.text(0),
            "FAILED ceiling/a, kernel 2 of 3: got 1\nFAILED ceiling/a, kernel 3 of 3: lost\n"
            "verified 2 of 4 rows, fixed inputs\n");

  // A result of one process is not tried again by the next one.
  int tried = 0;
  auto again = a;
  for (auto& make : again.make)
    make = [&tried, good] {
      ++tried;
      return good();
    };
  Verification resumed;
  Records next(lines, record);
  verify_ceilings({&again}, next, {}, resumed);
  EXPECT_EQ(tried, 0);
  EXPECT_EQ(resumed.passed, 1);
  EXPECT_EQ(resumed.failures.size(), 2u);
}

TEST(Verify, AFindingFailsTheRunThoughEveryRowIsRight) {
  Verification result{.rows = 2, .passed = 2, .failures = {}, .checked = "race", .findings = {}};
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.text(0), "verified 2 of 2 rows, fixed inputs\nchecked for race: nothing found\n");
  result.findings = {"race in k<1>"};
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.text(0), "found: race in k<1>\nverified 2 of 2 rows, fixed inputs\n");
}

TEST(Verify, OnTheCommandLineNothingIsTimedOrWritten) {
  const testing::Scratch folder;
  const auto outcome = testing::bench(
      "--device=cpu --verify --seed=77 --stream=20000 --stencil=32 --gpp=4,2,256,32 --lbm=5,64 "
      "--benchmark_filter='stream|stencil|gpp/nw:6|level:4|lbm'",
      folder);
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(outcome.out.rfind("verified ", 0), 0u) << outcome.out;
  EXPECT_NE(outcome.out.find("random inputs of --seed=77\n"), std::string::npos) << outcome.out;
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Verify, TheSeedOfATimedRunIsInItsFile) {
  const testing::Scratch folder;
  const auto outcome = testing::bench(
      "--device=cpu --seed=5 --stream=20000 --ceilings=none --benchmark_filter=stream/copy --quick --out=o", folder);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(testing::contents(folder / "o/run.json").find("\"seed\": \"5\""), std::string::npos);
}

}  // namespace
}  // namespace roofline::verify_test

// --verify on the virtual GPU, from the command line.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "bench/virtual_gpu/runtime/virtual_run.hpp"
#include "tests/cuda/small_device.hpp"

namespace roofline::virtual_verification_test {
namespace {

using testing::Outcome;
using testing::Scratch;

class VirtualVerification : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!runtime::can_run_virtually()) GTEST_SKIP() << "a build without CUDA";
  }
  Outcome run(const std::string& arguments) {
    return testing::shell(fmt::format("'{}' --device=virtual:{} {}", ROOFLINE_BENCH, device_, arguments), folder_);
  }

  Scratch folder_;
  std::string device_ = testing::small_device(folder_);
};

TEST_F(VirtualVerification, EveryKernelOfTheCeilingsIsVerified) {
  const auto outcome = run("--verify --benchmark_filter=ceiling");
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  int rows = 0;
  ASSERT_EQ(std::sscanf(outcome.out.c_str(), "verified %d of", &rows), 1) << outcome.out;
  EXPECT_GT(rows, 800);
}

TEST_F(VirtualVerification, NothingIsFoundInTheKernelsOfTheSuite) {
  const auto outcome = run(
      "--verify --sanitize=memcheck,racecheck,initcheck --stream=65 --stencil=9 --gpp=4,2,33,3 --lbm=3,256 --gsrb=5 "
      "--benchmark_filter='stream|stencil|lbm|gpp/nw:(1|6)/fma:1/stride:(1|8)|gsrb/[a-z0-9]+/op:7pt/level:5$'");
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("checked for memcheck,racecheck,initcheck: nothing found"), std::string::npos)
      << outcome.out;
  const auto wrong = run("--verify --sanitize=races");
  EXPECT_EQ(wrong.code, 2) << wrong.err;
  EXPECT_NE(wrong.err.find("'races' is none of memcheck, racecheck, initcheck, synccheck, all"), std::string::npos)
      << wrong.err;
  const auto alone = testing::shell(fmt::format("'{}' --verify --sanitize=racecheck", ROOFLINE_BENCH), folder_);
  EXPECT_EQ(alone.code, 2) << alone.err;
}

TEST_F(VirtualVerification, VerificationTakesSizesThatAreExecutedInMinutesUnlessFlagsGiveOthers) {
  const auto listed = [&](const std::string& arguments) {
    return run("--full --benchmark_list_tests --benchmark_filter='stencil|gsrb' " + arguments).out;
  };
  const auto has = [](const std::string& text, const char* row) { return text.find(row) != std::string::npos; };
  const auto verified = listed("--verify");
  EXPECT_TRUE(has(verified, "stencil/7pt/tuned\n") && has(verified, "gsrb/fp/op:7pt/level:7/")) << verified;
  EXPECT_FALSE(has(verified, "level:8")) << verified;
  const auto chosen = listed("--verify --stencil=9 --gsrb=5");
  EXPECT_TRUE(has(chosen, "n:9/") && has(chosen, "level:5")) << chosen;
  EXPECT_FALSE(has(chosen, "stencil/7pt/tuned") || has(chosen, "level:7")) << chosen;
  const auto counted = listed("");
  EXPECT_TRUE(has(counted, "stencil/7pt/tuned\n") && has(counted, "level:8")) << counted;
}

}  // namespace
}  // namespace roofline::virtual_verification_test

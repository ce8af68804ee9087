#include "bench/library/flags.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "bench/library/build_doubt.hpp"
#include "tests/error_of.hpp"

namespace roofline::flags_test {
namespace {

RooflineFlags read(std::vector<std::string> arguments) {
  static std::vector<std::string> kept;  // the flags point into it
  kept = std::move(arguments);
  kept.insert(kept.begin(), "program");
  std::vector<char*> argv;
  for (auto& argument : kept) argv.push_back(argument.data());
  return read_flags(static_cast<int>(argv.size()), argv.data());
}

std::string refusal(std::vector<std::string> arguments) {
  return testing::error_of<std::invalid_argument>([&] { read(std::move(arguments)); });
}

TEST(LibraryFlags, AreTakenOutAndTheOthersStay) {
  const auto flags =
      read({"--benchmark_filter=x", "--roofline", "--own=1", "--roofline-out=there", "--ceilings=quick"});
  EXPECT_TRUE(flags.roofline);
  EXPECT_EQ(flags.out, "there");
  EXPECT_EQ(flags.ceilings.kind, CeilingsChoice::Kind::quick);
  ASSERT_EQ(flags.rest.size(), 4u);
  EXPECT_STREQ(flags.rest[1], "--benchmark_filter=x");
  EXPECT_STREQ(flags.rest[2], "--own=1");
  EXPECT_EQ(flags.rest[3], nullptr);
}

TEST(LibraryFlags, NoneOfThemMeansAProgramAsBefore) {
  const auto flags = read({"--benchmark_format=csv", "--benchmark_out=f"});
  EXPECT_FALSE(flags.roofline);
  EXPECT_EQ(flags.format, "csv");
  EXPECT_EQ(flags.rest.size(), 4u);
}

TEST(LibraryFlags, AWrongValueGetsOneLine) {
  EXPECT_EQ(
      refusal({"--roofline", "--ceilings=ful"}),
      "--ceilings=ful: expected one of auto, full, none, quick, or the run.json of an earlier run, did you mean full?");
  EXPECT_EQ(refusal({"--roofline", "--roofline-out="}), "--roofline-out=: the name of a folder is missing");
  EXPECT_EQ(refusal({"--ceilings=none"}), "--ceilings=none is of use only with --roofline");
}

TEST(LibraryFlags, ThatSayHowToMeasureAreFollowed) {
  EXPECT_FALSE(read({"--roofline"}).says_how_to_measure);
  EXPECT_TRUE(read({"--roofline", "--benchmark_repetitions=3"}).says_how_to_measure);
  EXPECT_TRUE(read({"--roofline", "--benchmark_min_time=100x"}).says_how_to_measure);
  const auto longer = read({"--roofline", "--benchmark_min_time=2s"});
  EXPECT_FALSE(longer.says_how_to_measure);
  EXPECT_EQ(longer.min_time, 2);
}

TEST(BuildDoubt, NamesWhatKeepsAProgramFromItsSpeed) {
  EXPECT_NE(build_doubt({false, "avx512"}, "avx512").find("built without optimisation"), std::string::npos);
  EXPECT_EQ(build_doubt({true, "sse"}, "avx512"),
            "this program was built for SSE2, and this CPU has AVX-512: -march=native uses its wider vectors");
  EXPECT_NE(build_doubt({true, "avx2"}, "avx512").find("built for AVX2"), std::string::npos);
  EXPECT_EQ(build_doubt({true, "avx2"}, "avx2"), "");
  EXPECT_EQ(build_doubt({true, "avx512"}, "avx2"), "") << "it would not run, so the machine was misread";
  EXPECT_EQ(build_doubt({true, ""}, "neon"), "");
}

}  // namespace
}  // namespace roofline::flags_test

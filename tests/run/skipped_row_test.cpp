#include "bench/run/skipped_row.hpp"

#include <gtest/gtest.h>

namespace roofline {
namespace {

// Google Benchmark's row in its two shapes.
struct UpTo17 {
  bool error_occurred = false;
  std::string error_message = {};
};
enum Skipped { NotSkipped, SkippedWithMessage, SkippedWithError };
struct From18 {
  Skipped skipped = NotSkipped;
  std::string skip_message = {};
};

TEST(SkippedRow, IsToldFromBothShapesOfTheLibrary) {
  EXPECT_FALSE(was_skipped(UpTo17{}));
  EXPECT_TRUE(was_skipped(UpTo17{true}));
  EXPECT_FALSE(was_skipped(From18{}));
  EXPECT_TRUE(was_skipped(From18{SkippedWithMessage}));
  EXPECT_TRUE(was_skipped(From18{SkippedWithError}));
}

TEST(SkippedRow, SaysWhyInBothShapes) {
  EXPECT_EQ(why_skipped(UpTo17{}), "");
  EXPECT_EQ(why_skipped(UpTo17{true, "wrong"}), "wrong");
  EXPECT_EQ(why_skipped(UpTo17{true}), "error");
  EXPECT_EQ(why_skipped(From18{SkippedWithError, "wrong"}), "wrong");
  EXPECT_EQ(why_skipped(From18{SkippedWithMessage}), "skipped");
}

}  // namespace
}  // namespace roofline

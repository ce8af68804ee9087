#include "bench/suite/row_error.hpp"

#include <gtest/gtest.h>

namespace roofline::row_error_test {
namespace {

/// A row up to Google Benchmark 1.7, and one of later versions.
struct OldRow {
  bool error_occurred = false;
  std::string error_message = {};
};
struct NewRow {
  enum Skipped { not_skipped, with_message, with_error } skipped = not_skipped;
  std::string skip_message = {};
};

TEST(Library, KnowsRowsWithoutResultOfEveryGoogleBenchmark) {
  EXPECT_EQ(row_error(OldRow{}), "");
  EXPECT_EQ(row_error(OldRow{true, "wrong"}), "wrong");
  EXPECT_EQ(row_error(OldRow{true}), "error");
  EXPECT_EQ(row_error(NewRow{}), "");
  EXPECT_EQ(row_error(NewRow{NewRow::with_error, "wrong"}), "wrong");
  EXPECT_EQ(row_error(NewRow{NewRow::with_message}), "skipped");
  EXPECT_EQ(row_error(benchmark::BenchmarkReporter::Run()), "");  // the one it is built with
}

}  // namespace
}  // namespace roofline::row_error_test

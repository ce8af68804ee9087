#include <gtest/gtest.h>

#include <string>

#include "tests/command_line.hpp"

namespace roofline::linkage_test {
namespace {

TEST(Linkage, NoCudaLibraryIsNeededToStart) {
  const testing::Scratch folder;
  const auto libraries = testing::shell("ldd '" ROOFLINE_BENCH "'", folder);
  ASSERT_EQ(libraries.code, 0) << libraries.err;
  ASSERT_NE(libraries.out.find("libc.so"), std::string::npos) << libraries.out;
  for (const char* name : {"libcuda", "libcudart", "libcupti", "libnvperf", "libnvidia", "libnvToolsExt"})
    EXPECT_EQ(libraries.out.find(name), std::string::npos) << libraries.out;
}

}  // namespace
}  // namespace roofline::linkage_test

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "reporters/files/files.hpp"
#include "tests/example_results.hpp"

namespace roofline::efficiency_markdown_test {
namespace {

TEST(EfficiencyMarkdown, HasAllTables) {
  auto results = example::results();
  results.warnings = {"DRAM copy is 30 days old"};
  const auto text = efficiency_markdown(results);
  for (const char* part : {"## Roofline\n", "### Machine\n", "### Compute ceilings\n", "### Bandwidth ceilings in GB/s",
                           "### Further bandwidth ceilings\n", "### Kernels, 2 threads\n", "| **gpp** |",
                           "- DRAM copy is 30 days old", "- bytes: modelled"})
    EXPECT_NE(text.find(part), text.npos) << part;
}

TEST(EfficiencyMarkdown, AnEmptyRunIsTheMachineOnly) {
  const auto text = efficiency_markdown(Results{});
  EXPECT_NE(text.find("### Machine"), text.npos);
  EXPECT_EQ(text.find("ceilings\n"), text.npos) << text;
}

}  // namespace
}  // namespace roofline::efficiency_markdown_test

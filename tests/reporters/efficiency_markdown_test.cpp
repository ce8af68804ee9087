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

TEST(EfficiencyMarkdown, RowsHaveAsManyCellsAsTheirHeader) {
  std::istringstream text(efficiency_markdown(example::results()));
  long columns = 0;
  for (std::string line; std::getline(text, line);) {
    const auto bars = std::count(line.begin(), line.end(), '|');
    if (!line.starts_with("|")) {
      columns = 0;
      continue;
    }
    if (columns == 0) columns = bars;
    EXPECT_EQ(bars, columns) << line;
  }
}

TEST(EfficiencyMarkdown, AnEmptyRunIsTheMachineOnly) {
  const auto text = efficiency_markdown(Results{});
  EXPECT_NE(text.find("### Machine"), text.npos);
  EXPECT_EQ(text.find("ceilings\n"), text.npos) << text;
}

}  // namespace
}  // namespace roofline::efficiency_markdown_test

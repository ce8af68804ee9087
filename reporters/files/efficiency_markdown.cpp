#include "bench/result/reports.hpp"
#include "bench/result/sanity.hpp"
#include "bench/text/table.hpp"
#include "reporters/files/files.hpp"
#include "reporters/tables/tables.hpp"
#include "reporters/view/time_breakdown.hpp"

namespace roofline {

std::string efficiency_markdown(const Results& results) {
  std::string text = "## Roofline\n\n" + to_markdown(machine_table(results));
  for (const auto& table :
       {compute_ceiling_table(results), bandwidth_table(results), other_bandwidth_table(results), ert_table(results),
        kernel_table(results), tuned_table(results), counted_table(results), instruction_table(results),
        time_breakdown_table(results), fma_mix_table(results), sanity_table(results)})
    text += to_markdown(table);
  for (const auto& block : remarks(results)) text += to_markdown(block);
  return text;
}

namespace {
const ReportFile markdown_file("efficiency.md", efficiency_markdown);
}

}  // namespace roofline

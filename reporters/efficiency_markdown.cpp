#include "reporters/efficiency_markdown.hpp"

#include "bench/run/physics.hpp"
#include "bench/run/reports.hpp"
#include "bench/text/table.hpp"
#include "reporters/ceiling_table.hpp"
#include "reporters/ert_table.hpp"
#include "reporters/fma_mix.hpp"
#include "reporters/instruction_table.hpp"
#include "reporters/kernel_table.hpp"
#include "reporters/machine_table.hpp"
#include "reporters/side_by_side_table.hpp"
#include "reporters/time_account.hpp"
#include "reporters/tuned_table.hpp"

namespace roofline {

std::string efficiency_markdown(const Results& results) {
  std::string text = "## Roofline\n\n" + to_markdown(machine_table(results));
  for (const auto& table :
       {compute_ceiling_table(results), bandwidth_table(results), other_bandwidth_table(results), ert_table(results),
        kernel_table(results), tuned_table(results), side_by_side_table(results), instruction_table(results),
        time_account_table(results), fma_mix_table(results), physics_table(results)})
    text += to_markdown(table);
  for (const auto& block : remarks(results)) text += to_markdown(block);
  return text;
}

namespace {
const ReportFile markdown_file("efficiency.md", efficiency_markdown);
}

}  // namespace roofline

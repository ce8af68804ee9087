#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bench/result/reports.hpp"
#include "bench/result/results.hpp"
#include "bench/result/sanity.hpp"
#include "bench/text/clean.hpp"
#include "bench/text/output.hpp"
#include "bench/text/table.hpp"
#include "reporters/files/files.hpp"
#include "reporters/plots/plots.hpp"
#include "reporters/screen/screen.hpp"
#include "reporters/tables/tables.hpp"
#include "reporters/view/roof_lines.hpp"
#include "reporters/view/time_breakdown.hpp"

namespace roofline {
namespace {

std::string block(const Table& table, std::size_t width) {
  const auto text = to_text(table, width);
  return text.empty() ? text : text + "\n";
}

}  // namespace

std::string efficiency_markdown(const Results& results) {
  std::string text = "## Roofline\n\n" + to_markdown(machine_table(results));
  for (const auto& table :
       {compute_ceiling_table(results), bandwidth_table(results), other_bandwidth_table(results), ert_table(results),
        kernel_table(results), tuned_table(results), counted_table(results), instruction_table(results),
        time_breakdown_table(results), fma_mix_table(results), sanity_table(results)})
    text += to_markdown(with_memory_name(table, results));
  for (const auto& block : remarks(results)) text += to_markdown(with_memory_name(block, results));
  return text;
}

namespace {
const ReportFile markdown_file("efficiency.md", efficiency_markdown);
}

std::string everything_text(const Results& results, bool utf8, std::size_t width) {
  std::string text;
  for (const auto& table : {machine_table(results), compute_ceiling_table(results), bandwidth_table(results),
                            other_bandwidth_table(results), ert_table(results), kernel_table(results),
                            tuned_table(results), counted_table(results), instruction_table(results)})
    text += block(with_memory_name(table, results), width);
  constexpr std::size_t plot_lines = 22;
  const auto plot = plot_of_rows(results, chosen_rows(results, plot_lines), utf8 ? Characters::utf8 : Characters::ascii,
                                 std::min(width, screen_width), plot_lines);
  if (!plot.empty()) text += fmt::format("{}\n\n", fmt::join(plot, "\n"));
  text += block(with_memory_name(sanity_summary(results), results), width);
  for (const auto& remark : remarks(results)) text += block(with_memory_name(remark, results), width);
  return text;
}

namespace {

const bool report_registered = [] {
  reports().screen = [](const Results& results, const Screen& screen) {
    return screen_text(assessed(results), screen, std::min(output_width(), screen_width));
  };
  reports().everything = [](const Results& results, const Screen& screen) {
    return everything_text(assessed(results), screen.utf8, output_width());
  };
  reports().sweep = [](const std::vector<Results>& runs) {
    return block(scaling_table(runs), output_width()) + block(scaling_efficiency_table(runs), output_width());
  };
  reports().sweep_files.emplace_back("scaling.svg", scaling_plot);
  return true;
}();

}  // namespace

}  // namespace roofline

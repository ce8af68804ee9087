#include <algorithm>

#include "bench/result/reports.hpp"
#include "bench/result/results.hpp"
#include "bench/result/sanity.hpp"
#include "bench/text/clean.hpp"
#include "bench/text/output.hpp"
#include "reporters/files/files.hpp"
#include "reporters/plots/plots.hpp"
#include "reporters/plots/text_plot.hpp"
#include "reporters/screen/screen.hpp"
#include "reporters/tables/tables.hpp"

namespace roofline {
namespace {

std::string block(const Table& table, std::size_t width) {
  const auto text = to_text(table, width);
  return text.empty() ? text : text + "\n";
}

}  // namespace

std::string everything_text(const Results& results, bool utf8, std::size_t width) {
  std::string text;
  for (const auto& table : {machine_table(results), compute_ceiling_table(results), bandwidth_table(results),
                            other_bandwidth_table(results), ert_table(results), kernel_table(results),
                            tuned_table(results), counted_table(results), instruction_table(results)})
    text += block(table, width);
  constexpr std::size_t widest_plot = 90;
  const auto plot = text_plot(results, utf8 ? Characters::utf8 : Characters::ascii, std::min(width, widest_plot));
  if (!plot.empty()) text += printable(plot) + "\n";
  text += block(sanity_summary(results), width);
  for (const auto& remark : remarks(results)) text += block(remark, width);
  return text;
}

namespace {

const bool report_registered = [] {
  reports().screen = [](const Results& results, const Screen& screen) {
    return screen_text(assessed(results), screen);
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

#include "reporters/report.hpp"

#include <algorithm>

#include "bench/run/conclude.hpp"
#include "bench/run/physics.hpp"
#include "bench/run/reports.hpp"
#include "bench/text/output.hpp"
#include "bench/text/printable.hpp"
#include "reporters/ceiling_table.hpp"
#include "reporters/ert_table.hpp"
#include "reporters/instruction_table.hpp"
#include "reporters/kernel_table.hpp"
#include "reporters/machine_table.hpp"
#include "reporters/result_json.hpp"
#include "reporters/side_by_side_table.hpp"
#include "reporters/text_plot.hpp"
#include "reporters/tuned_table.hpp"

namespace roofline {
namespace {

std::string block(const Table& table, std::size_t width) {
  const auto text = to_text(table, width);
  return text.empty() ? text : text + "\n";
}

/// The verdict with what decided it.
Table verdict_table(const RunVerdict& verdict) {
  if (verdict.trust == RunVerdict::Trust::none) return {};
  Table table{"Verdict: " + std::string(headline(verdict.trust)), {}, {}, verdict.facts};
  table.notes.push_back(verdict.advice);
  return table;
}

}  // namespace

std::string machine_text(const Results& results, std::size_t width) { return block(machine_table(results), width); }

std::string ceilings_text(const Results& results, std::size_t width) {
  return block(compute_ceiling_table(results), width) + block(bandwidth_table(results), width) +
         block(other_bandwidth_table(results), width) + block(ert_table(results), width);
}

std::string kernels_text(const Results& results, bool utf8, std::size_t width) {
  auto text = block(kernel_table(results), width) + block(tuned_table(results), width) +
              block(side_by_side_table(results), width) + block(instruction_table(results), width);
  constexpr std::size_t widest_plot = 90;
  const auto plot = text_plot(results, utf8 ? Characters::utf8 : Characters::ascii, std::min(width, widest_plot));
  if (!plot.empty()) text += printable(plot) + "\n";
  text += block(physics_summary(results), width);
  for (const auto& remark : remarks(results)) text += block(remark, width);
  return text + block(verdict_table(results.verdict), width);
}

namespace {

const bool report_registered = [] {
  reports().machine = [](const Results& results) { return machine_text(results, output_width()); };
  reports().ceilings = [](const Results& results) { return ceilings_text(results, output_width()); };
  reports().kernels = [](const Results& results, bool utf8) {
    return kernels_text(concluded(results), utf8, output_width());
  };
  reports().run_json = [](const std::string& google_benchmark, const Results& results) {
    return finish_json(google_benchmark, concluded(results));
  };
  return true;
}();

}  // namespace
}  // namespace roofline

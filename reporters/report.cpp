#include "reporters/report.hpp"

#include "bench/run/conclude.hpp"
#include "bench/run/physics.hpp"
#include "bench/run/reports.hpp"
#include "reporters/ceiling_table.hpp"
#include "reporters/ert_table.hpp"
#include "reporters/kernel_table.hpp"
#include "reporters/machine_table.hpp"
#include "reporters/result_json.hpp"
#include "reporters/text_plot.hpp"

namespace roofline {
namespace {

std::string block(const Table& table) {
  const auto text = to_text(table);
  return text.empty() ? text : text + "\n";
}

}  // namespace

std::string machine_text(const Results& results) { return block(machine_table(results)); }

std::string ceilings_text(const Results& results) {
  return block(compute_ceiling_table(results)) + block(bandwidth_table(results)) +
         block(other_bandwidth_table(results)) + block(ert_table(results));
}

std::string kernels_text(const Results& results, bool utf8) {
  auto text = block(kernel_table(results));
  const auto plot = text_plot(results, utf8 ? Characters::utf8 : Characters::ascii);
  if (!plot.empty()) text += plot + "\n";
  text += block(physics_summary(results));
  for (const auto& remark : remarks(results)) text += block(remark);
  return text;
}

namespace {

const bool registered = [] {
  reports().machine = machine_text, reports().ceilings = ceilings_text;
  reports().kernels = [](const Results& results, bool utf8) { return kernels_text(concluded(results), utf8); };
  reports().run_json = [](const std::string& google_benchmark, const Results& results) {
    return finish_json(google_benchmark, concluded(results));
  };
  return true;
}();

}  // namespace
}  // namespace roofline

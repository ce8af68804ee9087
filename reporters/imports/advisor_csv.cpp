#include <fmt/format.h>

#include "bench/text/imports/foreign_table.hpp"
#include "bench/text/output.hpp"
#include "reporters/imports/profilers.hpp"

namespace roofline {

Results parse_advisor(const std::string& text, const std::string& origin, const InputOptions& options) {
  constexpr const char *name = "Function Call Sites and Loops", *rate = "Self GFLOPS", *intensity = "Self AI";
  auto table = ForeignTable::one(text, origin, {name, rate, intensity}, {options.decimal, {}});
  for (const auto* const column : {rate, intensity, "Self GFLOP"}) table.see(column);
  const auto level = level_wanted(options).value_or(MemoryLevel::L1);
  std::vector<std::string> warnings{
      fmt::format("{}: Intel Advisor's AI is taken for that of {}, all bytes that instructions load and store; --level "
                  "says otherwise",
                  origin, roofline::name(level))};
  if (!table.has("Self GFLOP"))
    warnings.push_back(origin + ": has no Self GFLOP, so that each loop is shown as one second of it");
  std::vector<ImportedKernel> loops;
  for (const auto& row : table.rows) {
    const auto gflops = table.number(row, rate), ai = table.number(row, intensity);
    if (!gflops || !ai || *gflops <= 0 || *ai <= 0) continue;
    const double flops = 1e9 * table.number(row, "Self GFLOP").value_or(*gflops);
    loops.push_back({.name = table.text(row, name),
                     .seconds = {flops / (1e9 * *gflops)},
                     .flops = {{"", flops}},
                     .bytes = {{level, Traffic{flops / *ai, 0}}},
                     .note = fmt::format("assumed at {}", roofline::name(level))});
  }
  if (loops.empty()) throw FileError(origin + ": Intel Advisor's survey without any loop that has FLOPs");
  return results_of(loops, origin, std::move(warnings));
}

}  // namespace roofline

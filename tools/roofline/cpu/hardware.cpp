#include <fmt/format.h>

#include <memory>

#include "bench/any_program/program_events.hpp"
#include "bench/counters/unavailable.hpp"
#include "tools/roofline/cpu/cpu.hpp"

namespace roofline::cli::cpu_command {

using namespace any_program;

std::vector<std::string> by_hardware(const Runner& runner, const ProgramFile& program, const Machine& machine,
                                     const std::vector<ProgramRow>& rows) {
  try {
    perf::Group(perf::this_kernel(), perf::events_of(perf::common_formulas().front()), {0});
  } catch (const CountersUnavailable& why) {
    return {fmt::format("no hardware counters: {}", why.what())};
  }
  const auto* const table = perf::event_table({machine.vendor, machine.family, machine.model, perf::midr_part()});
  if (!table)
    return {fmt::format("no hardware counters: there is no table of events for {} (family {}, model {})", machine.name,
                        machine.family, machine.model)};
  perf::CpuValues values;
  std::vector<std::string> lines;
  for (const auto& formula : table->formulas) {
    using enum perf::CpuQuantity;
    if (!perf::is_flops(formula.quantity) && formula.quantity != dram_read && formula.quantity != dram_written)
      continue;
    try {
      const auto events = perf::events_of(formula);
      std::unique_ptr<ProgramEvents> counters;
      Launch launch;
      launch.file = program.path, launch.name = runner.name, launch.arguments = runner.arguments;
      launch.in = runner.input, launch.out = runner.folder / "hardware.txt";
      launch.before = [&](pid_t child) { counters = std::make_unique<ProgramEvents>(events, child); };
      launch.meanwhile = [](double) {
        if (asked_to_stop()) signal_running(asked_to_stop());
      };
      any_program::run(launch);
      if (const auto value = formula.value(counters->counts())) values[formula.quantity] = *value;
    } catch (const CountersUnavailable& why) {
      lines.push_back(fmt::format("no hardware counter of {}: {}", name(formula.quantity), why.what()));
    }
  }
  for (auto& line : hardware_next_to(rows, values)) lines.push_back(std::move(line));
  return lines;
}

}  // namespace roofline::cli::cpu_command

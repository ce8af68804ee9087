#include <fmt/format.h>

#include <cstring>
#include <memory>

#include "bench/any_program/program_events.hpp"
#include "bench/counters/unavailable.hpp"
#include "tools/roofline/cpu/cpu.hpp"
#include "tools/roofline/subcommand.hpp"

namespace roofline::cli::cpu_command {
namespace {

using namespace any_program;

[[noreturn]] void refuse(const CountedRun::Refusal& refused, const std::string& program) {
  const auto what = fmt::format("{}: {} is {}", refused.module, refused.function, refused.why);
  if (refused.why.find("AVX-512") != std::string::npos)
    throw Inconclusive(
        fmt::format("{}; build it with -march=x86-64-v3, or count such a build and time this one: "
                    "roofline cpu --time={} -- ./that-build",
                    what, program));
  if (refused.why.find("gather") != std::string::npos)
    throw Inconclusive(
        what + "; with GCC -mtune-ctrl=^use_gather_2parts,^use_gather_4parts,^use_gather compiles without gathers");
  throw Inconclusive(what + "; build it with -march=armv8-a");
}

}  // namespace

std::vector<std::string> doubts(const EmulatedRun& run, const NativeRun& native, const std::string& program) {
  const auto& counted = run.counted;
  const bool same_end = run.ending.code == native.ending.code && !run.ending.signal;
  if (counted.refused && !same_end && !run.stopped) refuse(*counted.refused, program);
  if (counted.processes == 0) {
    const auto line = run.complaints.substr(0, run.complaints.find('\n'));
    throw Inconclusive(fmt::format("{}: the emulator left no counts{}", program, line.empty() ? "" : ": " + line));
  }
  auto notes = counted.notes;
  if (counted.refused)
    notes.push_back(fmt::format("{} was tried out: {}", counted.refused->function, counted.refused->why));
  if (run.stopped)
    notes.emplace_back("stopped before its end: intensities are of the part that was counted, rates are left out");
  else if (native.ending.signal)
    notes.push_back(fmt::format(
        "ended by signal {} ({}) by itself: rates are left out, and counts of the two seconds before may be missing",
        native.ending.signal, ::strsignal(native.ending.signal)));
  else if (!same_end)
    notes.push_back(fmt::format(
        "ended with code {} when it was counted, {} by itself: rates are left out{}", run.ending.code,
        native.ending.code, run.complaints.empty() ? "" : "; " + run.complaints.substr(0, run.complaints.find('\n'))));
  return notes;
}

std::vector<std::string> other_results(const Runner& runner, const ProgramFile& program, const NativeRun& native,
                                       const EmulatedRun& run) {
  if (run.output == native.output || run.stopped) return {};
  const auto again = run_natively(runner, program, false);
  const auto line = other_result(native.output, again.output, run.output);
  if (!line) return {};
  return {fmt::format("prints another result when it is counted, so its work may be other work: '{}'",
                      line->substr(0, 60))};
}

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

#include <fmt/format.h>

#include <cstring>

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

}  // namespace roofline::cli::cpu_command

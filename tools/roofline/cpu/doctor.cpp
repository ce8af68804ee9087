#include <fmt/format.h>

#include <cmath>
#include <map>

#include "bench/any_program/runs.hpp"
#include "bench/text/output.hpp"
#include "tools/roofline/cpu/cpu.hpp"
#include "tools/roofline/subcommand.hpp"

namespace roofline::cli::cpu_command {
namespace {

using namespace any_program;

/// FLOPs of the functions of bench/any_program/known/known.cpp.
const std::map<std::string, std::uint64_t> known_flops{
    {"known_triad", 2 * 20000 * 10}, {"known_divide", 1000},     {"known_root", 1000},        {"known_single", 1000},
    {"known_extended", 1000},        {"known_thread", 2 * 1000}, {"known_page_end", 4 * 1000}};
constexpr double known_l1 = 24.0 * 20000 * 10;  ///< bytes that the triad loads and stores

bool line(const std::string& what, bool good, const std::string& how) {
  print(fmt::format("{:<18}{:<5}{}\n", what, good ? "ok" : "no", how));
  return good;
}

bool check_counts(const CountedRun& run) {
  std::map<std::string, std::uint64_t> found;
  double l1 = 0;
  for (const auto& function : run.functions) {
    if (known_flops.contains(function.name)) found[function.name] += function.flops();
    if (function.name == "known_triad") l1 = function.bytes.at(MemoryLevel::L1).total();
  }
  bool good = true;
  for (const auto& [name, flops] : known_flops)
    good &= line(name, found[name] == flops, fmt::format("{} FLOP, {} are right", found[name], flops));
  constexpr double vectors_of_constants = 1e-3;
  return line("bytes of L1", std::abs(l1 / known_l1 - 1) < vectors_of_constants,
              fmt::format("{:.0f} B, {:.0f} are right", l1, known_l1)) &&
         good;
}

}  // namespace

int doctor() {
  Workplace workplace;
  const auto path = installed_folder() / "roofline_known";
  try {
    const auto program = program_file(path.string());
    auto runner = make_runner(workplace.path());
    runner.name = path.string();
    line("counter", true, runner.counts.string());
    const auto native = run_natively(runner, program, false);
    const auto& by = native.samples.by;
    line("times", !by.empty(), by.empty() ? "neither perf events nor SIGPROF" : by);
    const auto counted = run_counted(runner, program, {parse_caches("48K/12:1M/16"), {}, {}});
    if (counted.counted.processes == 0) {
      line("counts", false, counted.complaints.substr(0, counted.complaints.find('\n')));
      return exit_inconclusive;
    }
    return check_counts(counted.counted) ? exit_ok : exit_inconclusive;
  } catch (const std::runtime_error& missing) {
    line("counting", false, missing.what());
    return exit_inconclusive;
  }
}

}  // namespace roofline::cli::cpu_command

#include <fmt/format.h>

#include <optional>

#include "bench/cache_model/cache_hierarchy.hpp"
#include "bench/levels/measured_levels.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/format.hpp"
#include "bench/text/output.hpp"
#include "tools/roofline/cpu/cpu.hpp"
#include "tools/roofline/subcommand.hpp"

namespace roofline::cli::cpu_command {
namespace {

namespace fs = std::filesystem;

Results without_points(Results run, const std::string& origin) {
  run.points.clear(), run.failures.clear(), run.unreached.clear(), run.warnings.clear(), run.skipped.clear();
  run.checks.clear(), run.assessed = false, run.ert.reset();
  run.rounds = 0, run.timer = {}, run.noise.reset();
  run.ceilings_origin = {CeilingsOrigin::Kind::imported, origin};
  return run;
}

/// Those of this machine that an earlier call kept; a damaged file is as good as none.
std::optional<Results> kept(const fs::path& path, const Machine& machine) {
  if (!fs::exists(path)) return std::nullopt;
  try {
    auto run = read_run(path);
    if (run.machine.fingerprint == machine.fingerprint && !run.roofline.empty()) return run;
  } catch (const FileError&) {
  }
  return std::nullopt;
}

}  // namespace

Results host_ceilings(const std::string& file, int threads, const fs::path& folder) {
  const bool again = file == "quick";
  if (!file.empty() && !again) {
    auto run = read_run(file);
    if (run.roofline.empty()) throw std::invalid_argument(file + ": has no ceilings");
    return without_points(std::move(run), file);
  }
  auto machine = detect_machine();
  const auto cache = cache_folder();
  const auto name = fmt::format("program-ceilings-{}-threads-{}.json", model_hash(machine.fingerprint), threads);
  if (cache && !again)
    if (auto run = kept(*cache / name, machine)) return without_points(std::move(*run), "kept of an earlier run");
  fmt::print(stderr, "roofline: measuring the ceilings of {}, once: some 20 s\n", threads_text(threads));
  any_program::Launch launch;
  launch.file = bench_program(), launch.name = "roofline_bench";
  const auto out = folder / "ceilings";
  // A kernel is asked for, since a run without one has no row.
  launch.arguments = {"--device=cpu", "--quick", "--benchmark_filter=^stream/triad$",
                      fmt::format("--threads={}", threads), "--out=" + out.string()};
  launch.in = "/dev/null", launch.out = folder / "ceilings.txt", launch.error = folder / "ceilings-errors.txt";
  std::string why;
  try {
    const auto ending = any_program::run(launch);
    if (ending.code == 0) {
      auto run = read_run(out / "run.json");
      if (cache) try {
          require_writable(*cache / name);
          write_file(*cache / name, read_file(out / "run.json"));
        } catch (const FileError&) {  // measured again next time
        }
      return without_points(std::move(run), "measured for this program");
    }
    why = fmt::format("roofline_bench --quick ended with code {}", ending.code);
  } catch (const FileError& error) {
    why = error.what();
  }
  recall_levels(machine, threads);
  Results none;
  none.machine = machine;
  none.roofline = Roofline({}, threads);
  none.warnings.push_back(fmt::format("no ceilings: {}; --ceilings=run.json takes those of a run", why));
  return none;
}

}  // namespace roofline::cli::cpu_command

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <stdexcept>

#include "bench/cache_model/cache_hierarchy.hpp"
#include "bench/levels/levels.hpp"
#include "bench/levels/measured_levels.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/format.hpp"
#include "bench/text/output.hpp"
#include "bench/text/words.hpp"
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

/// The ceilings of this machine that an earlier call kept; a damaged file counts as a missing one.
std::optional<Results> kept(const fs::path& path, const Machine& machine) {
  if (!fs::exists(path)) return std::nullopt;
  try {
    auto run = read_run(path);
    if (run.machine.fingerprint == machine.fingerprint && !run.roofline.empty()) return run;
  } catch (const FileError&) {
  }
  return std::nullopt;
}

/// Holds a lock file of the cache, where there is one.
class Locked {
 public:
  explicit Locked(const fs::path& path) {
    if (path.empty()) return;
    std::error_code none;
    fs::create_directories(path.parent_path(), none);
    file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (file_ < 0 || ::flock(file_, LOCK_EX | LOCK_NB) == 0) return;
    waited_ = ::flock(file_, LOCK_EX) == 0;
  }
  ~Locked() {
    if (file_ >= 0) ::close(file_);
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
  bool waited() const { return waited_; }

 private:
  int file_ = -1;
  bool waited_ = false;
};

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
  const auto name = fmt::format("program-roofs-{}-threads-{}.json", model_hash(machine.fingerprint), threads);
  // One of the ranks that a launcher starts measures, and the others wait.
  const Locked locked(cache ? *cache / (name + ".lock") : "");
  if (cache && (!again || locked.waited()))
    if (auto run = kept(*cache / name, machine)) return without_points(std::move(*run), "kept of an earlier run");
  fmt::print(stderr, "roofline: measuring the ceilings of {}, once: some 30 s\n", threads_text(threads));
  any_program::Launch launch;
  launch.file = bench_program(), launch.name = "roofline_bench";
  const auto out = folder / "ceilings";
  // A kernel is asked for, since a run without one has no row; and the peaks of single precision.
  launch.arguments = {"--device=cpu",
                      "--quick",
                      "--benchmark_filter=^(stream/triad|ceiling/flops/fp32/(fma|nofma|div)/[a-z0-9]+/threads:[0-9]+)$",
                      fmt::format("--threads={}", threads),
                      "--ranks=off",
                      "--out=" + out.string()};
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

std::vector<CacheLevel> shares_of(const std::vector<CacheLevel>& caches, int threads) {
  auto shares = caches;
  for (auto& cache : shares) cache.size = static_cast<std::uint64_t>(cache_share(cache, threads)), cache.shared_by = 1;
  return shares;
}

std::vector<CacheLevel> require_many_sets(std::vector<CacheLevel> caches) {
  constexpr std::uint64_t of = 64;
  constexpr double nearly_all = 0.95;
  for (const auto& cache : caches) {
    const auto sets = cache.size / std::max(1u, cache.ways * cache.line);
    if (cache.line != 64 || static_cast<double>(sets / of * of) < nearly_all * static_cast<double>(sets) || sets < of)
      throw std::invalid_argument(
          fmt::format("--sampled-bytes: the {} cache has {} sets and lines of {} B; a multiple of {} sets and 64 B are "
                      "needed",
                      name(cache.level), sets, cache.line, of));
  }
  return caches;
}

std::vector<CacheLevel> parse_caches(const std::string& text) {
  if (text.empty()) return {};
  if (text.ends_with(".json")) {
    const auto machine = read_run(text).machine;
    if (machine.caches.empty()) throw std::invalid_argument(text + ": has no caches");
    return shares_of(machine.caches, machine.usable_cores);
  }
  std::vector<CacheLevel> caches;
  for (const auto& part : split(text, ':')) {
    unsigned long long size = 0;
    unsigned ways = 0;
    char unit = 0, rest = 0;
    const bool understood = std::sscanf(part.c_str(), "%llu%c/%u%c", &size, &unit, &ways, &rest) == 3;
    constexpr std::size_t most = 3;
    if (!understood || (unit != 'K' && unit != 'M') || size > 1'000'000 || ways == 0 || caches.size() == most)
      throw std::invalid_argument(
          fmt::format("--caches: '{}' is not a list of up to three caches such as 48K/12:1M/16", part));
    CacheLevel cache;
    cache.level = memory_levels[caches.size()];
    cache.size = size << (unit == 'K' ? 10 : 20), cache.ways = ways;
    caches.push_back(cache);
  }
  static_cast<void>(CacheHierarchy(caches));  // throws if the caches are not valid
  return caches;
}

void add_other_ceilings(Results& results, const fs::path& folder) {
  auto ceilings = results.roofline.ceilings();
  if (ceilings.empty()) return;
  std::vector<int> known{results.roofline.threads()};
  for (const auto& point : results.points) {
    if (std::find(known.begin(), known.end(), point.threads) != known.end()) continue;
    known.push_back(point.threads);
    const auto more = host_ceilings("", point.threads, folder);
    ceilings.insert(ceilings.end(), more.roofline.ceilings().begin(), more.roofline.ceilings().end());
  }
  results.roofline = Roofline(std::move(ceilings), results.roofline.threads());
}

}  // namespace roofline::cli::cpu_command

#include "bench/library/machine_ceilings.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "bench/library/rows_json.hpp"
#include "bench/machine/pinning.hpp"
#include "bench/model/roofline.hpp"
#include "bench/run/ceiling_measurement.hpp"
#include "bench/run/ceilings_file.hpp"
#include "bench/simulator/model_hash.hpp"
#include "bench/text/output.hpp"
#include "bench/text/progress.hpp"

namespace roofline {
namespace {

using Kind = CeilingsChoice::Kind;

Suite suite_of(const Machine& machine, int threads) {
  Suite suite(cpu_target(machine, threads));
  if (const auto* const source = ceiling_source(Platform::cpu)) source->add(suite);
  return suite;
}

/// Pins the threads while ceilings are measured; the calling thread is then free as before.
class Pinned {
 public:
  Pinned(const Machine& machine, int threads) {
    sched_getaffinity(0, sizeof before_, &before_);
    pin_threads(machine, threads);
  }
  ~Pinned() { sched_setaffinity(0, sizeof before_, &before_); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;

 private:
  cpu_set_t before_;
};

Budget budget(bool quick) { return {.min_samples = 9, .max_seconds = quick ? 0.05 : 0.25, .patience = 6}; }

MachineCeilings measure(const Suite& suite, const CeilingsChoice& choice) {
  MachineCeilings found{.ceilings = {},
                        .origin = {CeilingsOrigin::Kind::measured, "measured in this run"},
                        .warnings = {},
                        .failures = {},
                        .drifts = {}};
  std::vector<const CeilingVariant*> wanted;
  for (const auto& variant : suite.ceilings()) {
    // The quick ones, and a roof for rows that declare single precision.
    const bool fp32 = variant.ceiling.precision == "fp32" && variant.selection == Selection::standard;
    if (choice.kind == Kind::full || variant.selection == Selection::quick || fp32) wanted.push_back(&variant);
  }
  const Pinned pinned(suite.machine(), suite.threads());
  Progress progress(static_cast<int>(wanted.size()));
  auto placement = placement_of(suite.machine(), suite.threads());
  for (const auto* variant : wanted) {
    const auto& name = variant->ceiling.name;
    progress.begin(name);
    try {
      std::string failure;
      const auto ceiling = measure_ceiling(*variant, budget(choice.kind == Kind::quick), &failure, &placement);
      if (failure.empty())
        found.ceilings.push_back(ceiling);
      else
        found.failures.emplace_back(name, failure);
    } catch (const NoSuchCeiling&) {
      // this machine has no such resource
    } catch (const std::exception& error) {
      found.failures.emplace_back(name, error.what());
    }
  }
  return found;
}

void keep(const Machine& machine, int threads, MachineCeilings& measured) {
  const auto path = kept_ceilings(machine, threads);
  if (!path) {
    measured.warnings.emplace_back(
        "the ceilings are not kept for the next run: neither XDG_CACHE_HOME nor HOME is set");
    return;
  }
  std::vector<benchmark::BenchmarkReporter::Run> rows;
  for (const auto& ceiling : measured.ceilings) rows.push_back(ceiling_row(ceiling));
  try {
    require_writable(*path);
    write_file(*path, rows_json(rows, machine.context()));
  } catch (const FileError& error) {
    measured.warnings.emplace_back(fmt::format("the ceilings are not kept for the next run: {}", error.what()));
  }
}

MachineCeilings from_file(const Suite& suite, const std::string& path) {
  MachineCeilings found;
  found.ceilings = read_ceilings(path, suite);
  found.warnings = ceilings_warnings(path, found.ceilings, suite);
  found.origin = {CeilingsOrigin::Kind::imported, path};
  return found;
}

/// The two that decide, as they are now: a shared machine is not the same a day later.
void look_again(const Suite& suite, MachineCeilings& found) {
  const Pinned pinned(suite.machine(), suite.threads());
  const Roofline roofline(found.ceilings, suite.threads());
  for (const auto* then : {roofline.compute(Operation::fma), roofline.bandwidth(MemoryLevel::DRAM)}) {
    const auto* const variant = then ? suite.ceiling(then->name) : nullptr;
    if (!variant) continue;
    std::string failure;
    const double drift = measure_ceiling(*variant, budget(true), &failure).rate / then->rate - 1;
    found.drifts.emplace_back(then->name, drift);
    if (std::abs(drift) > 0.05)
      found.warnings.push_back(
          fmt::format("{} is {:+.0f} % of what it was when it was kept; --ceilings=quick measures "
                      "all of them again",
                      then->name, 100 * drift));
  }
}

}  // namespace

std::optional<std::filesystem::path> kept_ceilings(const Machine& machine, int threads) {
  const auto folder = [](const char* variable) {
    const auto* const value = std::getenv(variable);
    return std::filesystem::path(value ? value : "");
  };
  auto cache = folder("XDG_CACHE_HOME");
  if (cache.empty() && !folder("HOME").empty()) cache = folder("HOME") / ".cache";
  if (cache.empty()) return std::nullopt;
  return cache / "roofline" / fmt::format("ceilings-{}-threads-{}.json", model_hash(machine.fingerprint), threads);
}

std::optional<MachineCeilings> find_ceilings(const Machine& machine, int threads) {
  const auto path = kept_ceilings(machine, threads);
  if (!path || !std::filesystem::exists(*path)) return std::nullopt;
  try {
    return from_file(suite_of(machine, threads), path->string());
  } catch (const std::exception&) {
    return std::nullopt;  // of another machine, or damaged: as if there were none
  }
}

MachineCeilings machine_ceilings(const Machine& machine, int threads, const CeilingsChoice& choice) {
  if (choice.kind == Kind::none) return {.ceilings = {}, .origin = {}, .warnings = {}, .failures = {}, .drifts = {}};
  const auto suite = suite_of(machine, threads);
  if (choice.kind == Kind::file) return from_file(suite, choice.file);
  if (choice.kind == Kind::automatic) {
    if (auto kept = find_ceilings(machine, threads)) {
      look_again(suite, *kept);
      return *kept;
    }
  }
  fmt::print(stderr, "measuring the ceilings of this machine, {} thread{}: some {} s, once\n", threads,
             threads == 1 ? "" : "s",
             choice.kind == Kind::full    ? 60
             : choice.kind == Kind::quick ? 5
                                          : 15);
  auto measured = measure(suite, choice);
  keep(machine, threads, measured);
  return measured;
}

}  // namespace roofline

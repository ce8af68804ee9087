#include "bench/library/machine_ceilings.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>

#include "bench/cache_model/cache_hierarchy.hpp"
#include "bench/levels/measured_levels.hpp"
#include "bench/machine/clock.hpp"
#include "bench/machine/pinning.hpp"
#include "bench/ranks/place.hpp"
#include "bench/recovery/results_of.hpp"
#include "bench/run/session.hpp"
#include "bench/storage/ceilings_file.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/suite/suite.hpp"
#include "bench/text/format.hpp"
#include "bench/text/output.hpp"

namespace roofline {
namespace {

using Kind = CeilingsChoice::Kind;

/// The quick ones, and a roof for rows that declare single precision.
bool is_wanted(const CeilingVariant& variant, const CeilingsChoice& choice) {
  if (variant.make.empty() || variant.ceiling.sustained) return false;
  const bool fp32 = variant.ceiling.precision == "fp32" && variant.selection == Selection::standard;
  return choice.kind == Kind::full || variant.selection == Selection::quick || fp32;
}

/// A run of ceilings alone.
MachineCeilings measure(const Suite& suite, const CeilingsChoice& choice) {
  Options options;
  options.quick = choice.kind == Kind::quick;
  Plan plan;
  for (const auto& variant : suite.ceilings())
    if (is_wanted(variant, choice)) plan.ceilings.push_back(&variant);
  const Pinned pinned(suite.machine(), suite.threads());
  Records records;
  Session session(suite, options, plan, records, nullptr);
  session.measure();
  session.end_progress();
  return {ceilings_of(records.all()),
          {CeilingsOrigin::Kind::measured, "measured in this run"},
          {},
          results_of(records.all()).failures};
}

void keep(const Machine& machine, int threads, MachineCeilings& measured) {
  const auto path = kept_ceilings(machine, threads);
  if (!path) {
    measured.warnings.emplace_back(
        "the ceilings are not kept for the next run: neither XDG_CACHE_HOME nor HOME is set");
    return;
  }
  Results run;
  run.machine = machine, run.date = utc_now(), run.roofline = Roofline(measured.ceilings, threads);
  try {
    require_writable(*path);
    write_file(*path, run_json("", run, machine.context()));
  } catch (const FileError& error) {
    measured.warnings.emplace_back(fmt::format("the ceilings are not kept for the next run: {}", error.what()));
  }
}

MachineCeilings from_file(const Suite& suite, const std::string& path) {
  auto earlier = read_ceilings(path, suite);
  return {std::move(earlier.ceilings), {CeilingsOrigin::Kind::imported, path}, std::move(earlier.warnings), {}};
}

std::mutex making;
std::optional<Machine> measured_one;

}  // namespace

Suite ceilings_suite(const Machine& machine, int threads) {
  Suite suite(cpu_target(machine, threads));
  if (const auto* const source = ceiling_source(Platform::cpu)) source->add(suite);
  return suite;
}

std::optional<std::filesystem::path> kept_ceilings(const Machine& machine, int threads) {
  const auto folder = cache_folder();
  if (!folder) return std::nullopt;
  // Nodes of one kind have one fingerprint, and often one home.
  return *folder / fmt::format("ceilings-{}-{}-threads-{}.json", model_hash(machine.fingerprint), node_name(), threads);
}

std::optional<MachineCeilings> find_ceilings(const Machine& machine, int threads) {
  const auto path = kept_ceilings(machine, threads);
  if (!path || !std::filesystem::exists(*path)) return std::nullopt;
  try {
    return from_file(ceilings_suite(machine, threads), path->string());
  } catch (const std::exception&) {
    return std::nullopt;  // of another machine, or damaged: as if there were none
  }
}

MachineCeilings machine_ceilings(const Machine& machine, int threads, const CeilingsChoice& choice) {
  if (choice.kind == Kind::none) return {};
  const auto suite = ceilings_suite(machine, threads);
  if (choice.kind == Kind::file) return from_file(suite, choice.file);
  if (choice.kind == Kind::automatic)
    if (auto kept = find_ceilings(machine, threads)) return *kept;
  fmt::print(stderr, "measuring the ceilings of this machine, {}: some {} s, once\n", threads_text(threads),
             choice.kind == Kind::full ? 60 : 5);
  auto measured = measure(suite, choice);
  keep(machine, threads, measured);
  return measured;
}

Machine library_machine(bool measure) {
  const std::lock_guard lock(making);
  if (measured_one) return *measured_one;
  auto machine = detect_machine();
  const auto* const source = ceiling_source(Platform::cpu);
  if (!measure || !source) {
    recall_levels(machine, machine.usable_cores);
    return machine;
  }
  const Pinned pinned(machine, machine.usable_cores);
  for (const auto& note : measure_levels(machine, machine.usable_cores, source->read_probe))
    fmt::print(stderr, "roofline: {}\n", note);
  measured_one = machine;
  return machine;
}

Pinned::Pinned(const Machine& machine, int threads) : threads_(threads), threads_before_(omp_get_max_threads()) {
  sched_getaffinity(0, sizeof before_, &before_);
  pin_threads(machine, threads);
}

Pinned::~Pinned() {
#pragma omp parallel num_threads(threads_)
  sched_setaffinity(0, sizeof before_, &before_);
  omp_set_num_threads(threads_before_);
}

RoofsBeside::RoofsBeside(const Machine& machine, int threads, const CeilingsChoice& choice)
    : suite_(ceilings_suite(machine, threads)),
      ceilings_(machine_ceilings(machine, threads, choice)),
      roofline_(ceilings_.ceilings, threads) {}

std::vector<std::string> RoofsBeside::binding(const KernelPoint& point) {
  std::vector<std::string> names;
  const Pinned pinned(suite_.machine(), suite_.threads());
  for (const auto* const ceiling : roofline_.binding(point.counts, point.fma)) {
    const auto* const variant = suite_.ceiling(ceiling->name);
    if (!variant || variant->make.empty()) continue;
    if (!works_.has(ceiling->name)) try {
        if (!works_.set_up(*variant, *ceiling).empty()) continue;
      } catch (const std::exception&) {
        continue;  // without it the row is compared with the ceiling as it was measured
      }
    names.push_back(ceiling->name);
  }
  return names;
}

double RoofsBeside::sample(const std::string& name, double seconds) {
  const Pinned pinned(suite_.machine(), suite_.threads());
  return works_.sample(name, seconds);
}

}  // namespace roofline

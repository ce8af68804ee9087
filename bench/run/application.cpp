#include "bench/run/application.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <new>

#include "bench/cache_model/sampler.hpp"
#include "bench/counters/unavailable.hpp"
#include "bench/counting/cpu_counter.hpp"
#include "bench/counting/virtual_model.hpp"
#include "bench/levels/measured_levels.hpp"
#include "bench/machine/clock.hpp"
#include "bench/machine/interrupt.hpp"
#include "bench/machine/other_programs.hpp"
#include "bench/machine/pinning.hpp"
#include "bench/machine/topology.hpp"
#include "bench/options/listing.hpp"
#include "bench/recovery/journal_file.hpp"
#include "bench/recovery/supervisor.hpp"
#include "bench/run/chosen_device.hpp"
#include "bench/run/measured_run.hpp"
#include "bench/run/plan.hpp"
#include "bench/run/rank_setup.hpp"
#include "bench/run/thread_sweep.hpp"
#include "bench/run/verify.hpp"
#include "bench/storage/ceilings_file.hpp"
#include "bench/text/clean.hpp"
#include "bench/text/output.hpp"
#include "bench/virtual_gpu/runtime/virtual_run.hpp"

namespace roofline {
namespace {

/// Runs that only name, verify or model rows need no measured levels.
bool times_this_cpu(const Options& options, const ChosenDevice& device) {
  const bool names = options.list || options.list_tests || !options.describe.empty();
  return device.target.platform == Platform::cpu && !device.model && !names && !options.verify;
}

/// --describe; the exit code.
int print_description(const Suite& suite, const ChosenDevice& device, const std::string& what) {
  if (what == "counters") {
    const auto& gpu = device.target.gpu;
    return print(describe_counters(gpu ? metrics_of(*gpu) : std::vector<ChosenMetric>{}) +
                 describe_cpu_counters(suite.machine())),
           exit_ok;
  }
  if (const auto text = describe(suite, what))
    return print(*text + (device.model ? assumptions(*device.model) : "")), exit_ok;
  return report_error(exit_no_match, nothing_to_describe(suite, what));
}

int print_names(const Plan& plan) {
  for (const auto* ceiling : plan.ceilings) print(ceiling->ceiling.name + "\n");
  for (const auto* kernel : plan.kernels) print(kernel->name + "\n");
  return exit_ok;
}

/// The message for a filter that matches nothing: the family that it names does not fit, or the list of families.
int no_match(const Suite& suite, const Options& options) {
  std::string lacking;
  for (const auto& [family, why] : suite.skipped()) {
    if (options.filter.find(family) != std::string::npos) return report_error(exit_no_match, why);
    lacking += fmt::format("; left out: {}", why);
  }
  if (options.verify && suite.platform() == Platform::cpu && options.filter.find("ceiling") != std::string::npos)
    return report_error(exit_no_match, "--verify: ceilings of a CPU are checked when they are measured: leave it out");
  return report_error(exit_no_match, no_match_message(suite, "--benchmark_filter", options.filter) + lacking);
}

int verify_only(const Suite& suite, const Options& options, const Plan& plan, Records records) {
  catch_interrupts();
  const auto after_failure = [&] { leave_lost_gpu(options); };
  auto verification = verify(plan, records, after_failure);
  if (suite.launches() == Launches::verified) {
    const auto measured = ceilings_of_kernels(suite.target());
    verify_ceilings(ceilings_to_verify(measured, options), records, after_failure, verification);
  }
  if (verification.rows == 0) return no_match(suite, options);
  verification.checked = options.sanitize;
  if (!options.sanitize.empty()) verification.findings = runtime::findings();
  print(verification.text(suite.seed()));
  if (const int signal = interrupted()) return 128 + signal;
  return verification.ok() ? exit_ok : exit_failed;
}

/// Messages about a rank.
std::vector<std::string> notes_of(const RankSetup& rank) {
  auto notes = rank.notes;
  if (!rank.place.conflict.empty()) notes.push_back("ranks disturb each other: " + rank.place.conflict);
  return notes;
}

JournalFile::Key journal_key(const Options& options, const ChosenDevice& device) {
  return {options.command_line, device.target.fingerprint, ROOFLINE_VERSION ", " ROOFLINE_COMPILER, utc_now()};
}

/// --ceilings=quick or full on a virtual GPU, whose ceilings are those of its file: their kernels are executed and
/// checked all the same.
void execute_ceilings(PlannedRun& run, const ChosenDevice& device) {
  const auto kind = run.options.ceilings.kind;
  const bool asked = kind == CeilingsChoice::Kind::quick || kind == CeilingsChoice::Kind::full;
  if (!asked || run.suite.launches() != Launches::counted) return;
  const auto measured = ceilings_of_kernels(device.target);
  const auto chosen = ceilings_to_verify(measured, run.options);
  Verification found;
  verify_ceilings(
      chosen, run.records, [&] { leave_lost_gpu(run.options); }, found);
  run.notes.push_back(
      fmt::format("{} kernels of ceilings were executed, {} of them are right; nothing was timed, the ceilings are {}",
                  found.rows, found.passed, device.model->ceilings_origin.text));
}

/// Measures with every finished row kept in a file.
int measure_with_journal(PlannedRun run, const Options& options, const ChosenDevice& device,
                         const Records& supervised) {
  // A process that follows one that a row took with it goes on with what that one wrote.
  const auto begin = options.resume        ? JournalFile::Begin::resumed
                     : !supervised.empty() ? JournalFile::Begin::next_process
                                           : JournalFile::Begin::anew;
  JournalFile file(options.out, journal_key(options, device), begin);
  try {
    run.records = supervised.kept_in(file.lines(), [&](const std::string& line) { file.record(line); });
  } catch (const std::invalid_argument& wrong) {
    throw FileError(fmt::format("{}: {}", file.path().string(), wrong.what()));
  }
  if (const auto rows = run.records.rows(); options.resume && rows > 0)
    run.notes.push_back(
        fmt::format("resumed: {} rows come from the run that began at {}", rows, clean(file.resumed_from())));
  execute_ceilings(run, device);
  run.written = [&] { file.remove(); };
  return measure_and_report(std::move(run));
}

/// A run with a plan. Errors are found before anything is measured.
int measure(const Suite& suite, const Options& options, const Plan& plan, const ChosenDevice& device,
            const RankSetup& rank, const Records& records) {
  auto notes = drop_benchmark_variables();
  const auto of_rank = notes_of(rank);
  notes.insert(notes.begin(), of_rank.begin(), of_rank.end());
  for (const auto& variable : suite.machine().overridden)
    notes.push_back(fmt::format(
        "{} in the environment is overridden: the cores are this machine's, and --threads sets and pins threads",
        variable));
  notes.insert(notes.end(), device.notes.begin(), device.notes.end());
  if (!options.notice.empty()) notes.push_back(options.notice);
  PlannedRun run{.suite = suite, .options = options, .plan = plan};
  run.notes = std::move(notes);
  run.device_note = device.note;
  run.place = rank.place;
  if (device.model)
    run.model = &*device.model;
  else if (options.ceilings.kind == CeilingsChoice::Kind::file)
    run.imported = read_ceilings(options.ceilings.file, suite);
  const auto& gpu = device.target.gpu;
  // This comes before the folder is made, so that a refused run leaves none.
  if (!gpu && !device.model)
    run.cpu_counter = cpu_counter(options.counters, device.cpu_counters, suite.machine(), suite.threads(),
                                  std::make_shared<CacheModel>(suite.machine().caches, suite.threads()));
  if (device.model && device.model->about.gpu)
    run.gpu_counter = virtual_gpu_counter(options.counters, device.counters, device.model->counter);
  require_writable(std::filesystem::path(options.out) / "run.json");
  if (!options.benchmark_out.empty()) require_writable(options.benchmark_out);
  catch_interrupts();
  if (gpu && !device.model)
    run.gpu_counter = gpu_counter(options.counters, device.counters, *gpu, modelled_counts(*gpu, options));
  return measure_with_journal(std::move(run), options, device, records);
}

int main_of(Options& options, RankSetup rank, const Records& records) {
  // Before anything is measured: the library refuses flags that it does not know.
  if (const int code = initialize_benchmark(options)) return code;
  auto machine = detect_machine();
  machine.overridden = overridden_openmp_variables();
  if (const char* const topology = std::getenv(left_over_topology))
    machine.overridden.push_back(clean(fmt::format("{}={}", left_over_topology, topology)));
  if (options.threads == 0) options.threads = machine.usable_cores;
  machine.thread_cpus = pin_threads(machine, options.threads);
  recall_levels(machine, options.threads);
  auto device = device_of_run(options, machine, rank);
  if (times_this_cpu(options, device)) {
    come_before_others();
    device.notes = measure_levels(device.target.host, device.target.threads, ceiling_source(Platform::cpu)->read_probe);
  }
  const auto suite = make_suite(device.target, options, device.model ? &*device.model : nullptr);
  if (options.list) return print(list_families(suite)), exit_ok;
  if (!options.describe.empty()) return print_description(suite, device, options.describe);
  const auto plan = make_plan(suite, options);
  // Ceilings by which a virtual GPU is verified are not those of its plan.
  const bool none = options.verify ? suite.launches() != Launches::verified : plan.ceilings.empty();
  if (plan.kernels.empty() && none) return no_match(suite, options);
  if (options.list_tests) return print_names(plan);
  if (options.verify) return verify_only(suite, options, plan, records);
  return measure(suite, options, plan, device, rank, records);
}

/// The exit code of a step, also when it throws.
int guarded(const std::function<int()>& step) {
  try {
    const int code = step();
    require_printed();
    return code;
  } catch (const std::invalid_argument& wrong) {
    return report_error(exit_usage, wrong.what());
  } catch (const DeviceUnavailable& unavailable) {
    return report_error(exit_inconclusive, unavailable.what());
  } catch (const WrongThreads& wrong) {
    return report_error(exit_inconclusive, wrong.what());
  } catch (const CountersUnavailable& unavailable) {
    return report_error(exit_inconclusive, unavailable.what());
  } catch (const FingerprintMismatch& foreign) {
    return report_error(exit_inconclusive, foreign.what());
  } catch (const FileError& failure) {
    return report_error(exit_io, failure.what());
  } catch (const std::bad_alloc&) {
    return report_error(exit_inconclusive, "out of memory; choose smaller sizes (--help: Problem sizes)");
  } catch (const std::filesystem::filesystem_error& failure) {
    return report_error(exit_io, failure.what());
  } catch (const std::exception& unexpected) {
    return report_error(exit_failed, unexpected.what());
  }
}

/// Whether this could become a run on a GPU, told without touching one: contexts do not survive a fork.
bool may_use_a_gpu(const Options& options) {
  if (options.one_process || options.modelled || options.device == "cpu") return false;
  return options.device.starts_with("virtual") || std::filesystem::exists("/dev/nvidiactl") ||
         std::filesystem::exists("/dev/dxg");
}

}  // namespace

int main(int argc, char** argv) {
  hold_standard_streams();
  ignore_lost_readers();
  Parsed parsed;
  const int code = guarded([&] {
    parsed = parse_options(argc, argv);
    return parsed.exit_code;
  });
  if (!parsed.options) return code;
  const auto run = [&](const Records& records) {
    return guarded([&] {
      auto options = *parsed.options;
      auto rank = set_up_rank(options);
      return options.thread_counts.empty() ? main_of(options, std::move(rank), records)
                                           : sweep_threads(options, argc, argv);
    });
  };
  return may_use_a_gpu(*parsed.options) ? supervise(run) : run({});
}

}  // namespace roofline

#include "bench/run/application.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string_view>

#include "bench/counters/ncu_csv.hpp"
#include "bench/counters/unavailable.hpp"
#include "bench/machine/gpu_facts.hpp"
#include "bench/machine/interrupt.hpp"
#include "bench/machine/machine.hpp"
#include "bench/machine/pinning.hpp"
#include "bench/run/ceilings_file.hpp"
#include "bench/run/context.hpp"
#include "bench/run/device_choice.hpp"
#include "bench/run/gpu_counter.hpp"
#include "bench/run/gpu_model_of.hpp"
#include "bench/run/listing.hpp"
#include "bench/run/modelled.hpp"
#include "bench/run/options.hpp"
#include "bench/run/physics.hpp"
#include "bench/run/plan.hpp"
#include "bench/run/reports.hpp"
#include "bench/run/roofline_reporter.hpp"
#include "bench/run/session.hpp"
#include "bench/run/supervisor.hpp"
#include "bench/run/verify.hpp"
#include "bench/text/output.hpp"

namespace roofline {
namespace {

int error(int code, const std::string& line) {
  fmt::print(stderr, "roofline_bench: {}\n", line);
  return code;
}

std::string now() {
  const auto seconds = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&seconds));
  return text;
}

/// What can run on this machine or its GPU, or with a model what it can say something about.
Suite make_suite(const Machine& machine, const Options& options, const Model* model, const Gpu* gpu) {
  const int threads = gpu ? 1 : options.threads ? options.threads : machine.usable_cores;
  Suite suite(machine, threads,
              model ? model->platform
              : gpu ? Platform::cuda
                    : Platform::cpu,
              options.seed, gpu ? std::optional(*gpu) : std::nullopt);
  if (model) {
    for (const auto& ceiling : model->ceilings) suite.add_ceiling({ceiling, Selection::quick, {}});
  } else if (const auto* const source = ceiling_source(suite.platform())) {
    source->add(suite);
  }
  for (const auto& [family, ports] : families()) {
    const auto port = ports.find(suite.platform());
    if (port == ports.end()) continue;
    const auto& [add, default_sizes, quick_sizes] = port->second;
    const auto chosen = options.sizes.find(family.name);
    const auto& standard = options.quick && !quick_sizes.empty() ? quick_sizes : default_sizes;
    add(suite, chosen != options.sizes.end() ? chosen->second : standard);
  }
  return suite;
}

/// Google Benchmark reads its own flags; what it leaves is unknown.
int initialize_benchmark(const Options& options) {
  static std::vector<std::string> arguments = options.for_benchmark;  // the library keeps a pointer to the first
  arguments.insert(arguments.begin(), "roofline_bench");
  std::vector<char*> argv;
  for (auto& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(arguments.size());
  // Called where the library refuses a value, also one of its environment variables, before it exits with 0.
  benchmark::Initialize(&argc, argv.data(), [] {
    std::_Exit(error(exit_usage, "Google Benchmark refuses a value of its flags or BENCHMARK_... variables"));
  });
  if (argc > 1) return error(exit_usage, fmt::format("unknown flag or value '{}'; see --help", argv[1]));
  return exit_ok;
}

/// The library's CSV has the columns of its first row and aborts on a row with others: ceilings and kernels get the
/// same. What a row does not have is "nan" there.
void give_same_counters(benchmark::BenchmarkReporter::Run& row) {
  std::vector<std::string> columns{"FLOP/s",      "B/s",         "flops",          "fma_fraction",
                                   "time_median", "time_ci_low", "time_ci_high",   "time_bound",
                                   "attainable",  "efficiency",  "efficiency_mix", "rate_low",
                                   "rate_high",   "theory",      "clock_begin",    "clock_end"};
  for (const auto level : memory_levels)
    for (const auto* const key : {"bytes_{}", "bytes_{}_low", "bytes_{}_high", "AI_{}"})
      columns.push_back(fmt::format(fmt::runtime(key), name(level)));
  benchmark::UserCounters same;
  for (const auto& column : columns) {
    const auto found = row.counters.find(column);
    same[column] = found != row.counters.end() ? found->second : benchmark::Counter(std::nan(""));
  }
  row.counters = std::move(same);
}

/// What a run on a GPU has besides one on the CPU.
struct GpuRun {
  Gpu gpu;
  GpuCounter counter;
};

/// --counters names a file, not one of the ways to count.
bool counters_from_file(const Options& options) {
  return options.counters != "auto" && options.counters != "cupti" && options.counters != "model" &&
         options.counters != "none";
}

/// Refuses --counters that a run on the CPU has no use for.
void require_cpu_counters(const Options& options) {
  if (options.counters == "cupti")
    throw CountersUnavailable("--counters=cupti: this is a run on the CPU, CUPTI counts on NVIDIA GPUs");
  if (counters_from_file(options))
    throw std::invalid_argument(
        fmt::format("--counters={}: counters of a GPU, and this is a run on the CPU", options.counters));
}

/// Ends this process after its GPU is lost: supervise() carries on after the row in a new one.
void leave_lost_gpu(const Options& options) {
  if (gpu_usable() || options.one_process) return;
  std::fflush(nullptr);
  ::_exit(exit_device_lost);
}

/// Measures, prints, writes. Everything that can be refused has been refused before.
int run(const Suite& suite, const Options& options, const Plan& plan, std::vector<Ceiling> ceilings, const Model* model,
        const GpuRun* gpu, const std::string& device_note, const RowJournal& journal) {
  const auto out = std::filesystem::path(options.out);
  auto session = model ? Session(suite, options, plan, *model)
                       : Session(suite, options, plan,
                                 gpu ? gpu->counter.count : software_counter(suite.machine(), suite.threads()));
  auto& results = session.results();
  results.date = now();
  results.device_note = device_note;
  if (gpu) {
    results.gpu = gpu->gpu;
    results.counters = gpu->counter.description;
    results.self_test = gpu->counter.self_test;
    session.keep_journal(journal, [&] {
      session.end_progress();
      leave_lost_gpu(options);
    });
  }
  if (!ceilings.empty()) session.use_ceilings(std::move(ceilings), options.ceilings);

  const bool console = options.format == "console";
  const bool utf8 =
      std::string(::setlocale(LC_CTYPE, "") ? ::setlocale(LC_CTYPE, nullptr) : "").find("UTF-8") != std::string::npos;
  const auto show = [&](const std::string& text) {
    session.end_progress();
    if (console) print(text);
  };
  // What a process before this one has printed is not printed again.
  const auto show_once = [&](const std::string& section, const std::string& text) {
    if (!journal.was_shown(section)) show(text);
    journal.shown(section);
  };
  const auto annotate = [&](benchmark::BenchmarkReporter::Run& row) { session.annotate(row); };
  std::ostringstream json_text, csv_text, log;
  benchmark::JSONReporter json;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  benchmark::CSVReporter csv;  // deprecated upstream, still what --benchmark_format=csv means
#pragma GCC diagnostic pop
  json.SetOutputStream(&json_text), csv.SetOutputStream(&csv_text);
  json.SetErrorStream(&log), csv.SetErrorStream(&log);
  RooflineReporter to_json(json, annotate), to_csv(csv, [&](benchmark::BenchmarkReporter::Run&row) {
    session.annotate(row);
    give_same_counters(row);
  });
  const bool wants_csv = options.format == "csv" || options.benchmark_out_format == "csv";
  std::vector<benchmark::BenchmarkReporter*> reporters{&to_json};
  if (wants_csv) reporters.push_back(&to_csv);
  Broadcast to(reporters);
  to.SetOutputStream(&log), to.SetErrorStream(&log);
  add_context(suite, options, model ? &model->about : nullptr);

  if (gpu)
    for (const auto& [key, value] : context(gpu->gpu)) benchmark::AddCustomContext(key, value);

  show_once("machine", reports().machine(results));
  session.run_ceilings(to);
  session.run_ert_sweeps();
  show_once("ceilings", reports().ceilings(results));
  session.run_kernels(to);
  session.check_drift();
  if (gpu)
    results.warnings.insert(results.warnings.end(), gpu->counter.warnings->begin(), gpu->counter.warnings->end());
  to_json.finish(), to_csv.finish();
  show(reports().kernels(results, utf8));

  const auto document = reports().run_json(json_text.str(), results);
  if (options.format == "json") print(document);
  if (options.format == "csv") print(csv_text.str());
  try {
    write_file(out / "run.json", document);
    for (const auto& [name, content] : reports().files) write_file(out / name, content(results));
    if (!options.benchmark_out.empty())
      write_file(options.benchmark_out, options.benchmark_out_format == "csv" ? csv_text.str() : document);
  } catch (const FileError& failure) {
    return error(exit_io, failure.what());
  }
  show(fmt::format("written to {}: run.json roofline.svg efficiency.csv efficiency.md\n", options.out));

  if (const int signal = interrupted()) return 128 + signal;
  if (!results.failures.empty()) {
    for (const auto& [name, why] : results.failures) error(exit_failed, fmt::format("{}: {}", name, why));
    return exit_failed;
  }
  if (options.strict && any_failed(physics_checks(results)))
    return error(exit_inconclusive, "--strict: a physics check failed, see the list of them");
  return exit_ok;
}

int main_of(int argc, char** argv, const RowJournal& journal) {
  const auto parsed = parse_options(argc, argv);
  if (!parsed.options) return parsed.exit_code;
  auto options = *parsed.options;
  const auto machine = detect_machine();
  pin_threads(machine, options.threads ? options.threads : machine.usable_cores);

  try {
    const auto model = options.model.empty() ? std::nullopt : std::optional(make_model(options, machine));
    const auto imported = counters_from_file(options) ? read_ncu_csv(options.counters) : ImportedCounters{};
    std::string device_note;
    const auto gpu = model ? std::nullopt : choose_device(options.device, find_gpus, &device_note);
    if (!gpu && !model) require_cpu_counters(options);
    auto device = model ? model->machine : machine;
    if (gpu) {
      use_gpu(*gpu);
      device.fingerprint = roofline::fingerprint(*gpu);
    }
    if (model) options.ceilings = "auto", options.threads = model->platform == Platform::cpu ? options.threads : 1;
    const auto suite = make_suite(device, options, model ? &*model : nullptr, gpu ? &*gpu : nullptr);
    if (options.list) return print(list_families(suite)), exit_ok;
    if (options.describe == "counters")
      return print(describe_counters(gpu ? metrics_of(*gpu) : std::vector<ChosenMetric>{})), exit_ok;
    if (!options.describe.empty()) {
      const auto text = describe(suite, options.describe);
      if (text) return print(*text + (model ? assumptions(*model) : "")), exit_ok;
      return error(exit_no_match, nothing_to_describe(suite, options.describe));
    }
    const auto plan = make_plan(suite, options);
    if (plan.kernels.empty() && (options.verify || plan.ceilings.empty()))
      return error(exit_no_match, no_match_message(suite, "--benchmark_filter", options.filter));
    if (options.list_tests) {
      for (const auto* ceiling : plan.ceilings) print(ceiling->ceiling.name + "\n");
      for (const auto* kernel : plan.kernels) print(kernel->name + "\n");
      return exit_ok;
    }
    if (options.verify) {
      catch_interrupts();
      const auto verification = verify(plan, journal, [&] { leave_lost_gpu(options); });
      print(verification.text(suite.seed()));
      if (const int signal = interrupted()) return 128 + signal;
      return verification.ok() ? exit_ok : exit_failed;
    }
    if (const int code = initialize_benchmark(options)) return code;
    const bool from_file = options.ceilings != "auto" && options.ceilings != "quick" && options.ceilings != "full" &&
                           options.ceilings != "none";
    auto ceilings = from_file ? read_ceilings(options.ceilings, suite) : std::vector<Ceiling>{};
    require_writable(std::filesystem::path(options.out) / "run.json");
    if (!options.benchmark_out.empty()) require_writable(options.benchmark_out);
    catch_interrupts();
    std::optional<GpuRun> gpu_run;
    if (gpu) gpu_run = {*gpu, gpu_counter(options.counters, imported, *gpu, modelled_counts(*gpu, options, machine))};
    return run(suite, options, plan, std::move(ceilings), model ? &*model : nullptr, gpu_run ? &*gpu_run : nullptr,
               device_note, journal);
  } catch (const std::invalid_argument& wrong) {
    return error(exit_usage, wrong.what());
  } catch (const DeviceUnavailable& unavailable) {
    return error(exit_inconclusive, unavailable.what());
  } catch (const CountersUnavailable& unavailable) {
    return error(exit_inconclusive, unavailable.what());
  } catch (const ForeignCeilings& foreign) {
    return error(exit_inconclusive, foreign.what());
  } catch (const FileError& failure) {
    return error(exit_io, failure.what());
  }
}

int guarded_main(int argc, char** argv, const RowJournal& journal) {
  try {
    const int code = main_of(argc, argv, journal);
    require_printed();
    return code;
  } catch (const FileError& failure) {
    return error(exit_io, failure.what());
  } catch (const std::exception& unexpected) {
    return error(exit_failed, unexpected.what());
  }
}

/// Whether this could become a run on a GPU, told without touching one: contexts do not survive a fork.
bool may_use_a_gpu(int argc, char** argv) {
  const auto given = [&](std::string_view flag) { return std::find(argv, argv + argc, flag) != argv + argc; };
  if (given("--one-process") || given("--device=cpu")) return false;
  return std::filesystem::exists("/dev/nvidiactl") || std::filesystem::exists("/dev/dxg");
}

}  // namespace
int main(int argc, char** argv) {
  if (!may_use_a_gpu(argc, argv)) return guarded_main(argc, argv, {});
  return supervise([&](const RowJournal& journal) { return guarded_main(argc, argv, journal); });
}

}  // namespace roofline

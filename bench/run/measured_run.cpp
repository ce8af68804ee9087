#include "bench/run/measured_run.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>

#include "bench/cache_model/cache_hierarchy.hpp"
#include "bench/cuda/gpu.hpp"
#include "bench/machine/clock.hpp"
#include "bench/machine/gpu_facts.hpp"
#include "bench/machine/interrupt.hpp"
#include "bench/machine/machine.hpp"
#include "bench/options/choices.hpp"
#include "bench/options/flag_checks.hpp"
#include "bench/recovery/results_of.hpp"
#include "bench/recovery/supervisor.hpp"
#include "bench/result/flop_convention.hpp"
#include "bench/result/reports.hpp"
#include "bench/result/results.hpp"
#include "bench/result/sanity.hpp"
#include "bench/run/session.hpp"
#include "bench/storage/google_rows.hpp"
#include "bench/storage/kept_shares.hpp"
#include "bench/storage/kept_winners.hpp"
#include "bench/storage/result_files.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/clean.hpp"
#include "bench/text/output.hpp"
#include "bench/text/words.hpp"

namespace roofline {
namespace {

std::shared_ptr<CounterSource> counter_of(const PlannedRun& run) {
  if (run.gpu_counter) return run.gpu_counter->source;
  if (run.model) return run.model->counter;
  return run.cpu_counter.value().source;
}

/// Facts that the run knows before it measures.
void prepare(Session& session, PlannedRun& run) {
  const bool on_gpu = run.suite.platform() == Platform::cuda && !run.suite.is_modelled();
  run.records.say([&](Results& results) {
    results.date = utc_now();
    results.device_note = run.device_note;
    results.place = run.place;
    results.warnings = run.notes;
    if (!run.model && on_virtual_clock(run.options.device)) results.times_note = virtual_times;
    if (on_gpu) results.gpu_facts = describe_gpu(*run.suite.target().gpu);
    if (!run.cpu_counter) return;
    results.counters = run.cpu_counter->description;
    results.cpu_self_test = run.cpu_counter->self_test;
  });
  if (run.model) session.stand_for(*run.model);
  if (on_gpu)
    session.after_failure([&session, &run] {
      session.end_progress();
      leave_lost_gpu(run.options);
    });
  const auto& ceilings = run.options.ceilings;
  if (ceilings.kind == CeilingsChoice::Kind::file) session.use_tunings(read_tunings(ceilings.file));
  if (run.imported) session.use_ceilings(*run.imported);
}

/// Measures, and judges what was found.
Results measure(Session& session, PlannedRun& run) {
  session.measure();
  session.end_progress();
  run.records.say([&](Results& results) {
    if (run.cpu_counter) results.warnings = *run.cpu_counter->warnings;
    if (!run.gpu_counter) return;
    const auto& report = *run.gpu_counter->report;
    results.counters = report.description;
    results.self_test = report.self_test;
    results.warnings.insert(results.warnings.begin(), report.warnings.begin(), report.warnings.end());
  });
  auto results = results_of(run.records.all());
  keep_shares(results);
  keep_winners(results);
  return results;
}

/// The reports next to run.json and the copy that --benchmark_out asks for.
void write_reports(ResultFiles& files, const Results& results, const Options& options, const std::string& document,
                   const std::string& csv) {
  for (const auto& [name, content] : reports().files)
    files.write(name, [&, content = content] { return content(results); });
  if (!options.case_study.empty()) {
    const auto& study = case_study(options.case_study);
    for (const auto& [name, content] : study.pages(assessed(results), study.name))
      files.write(name, [&, &text = content] { return text; });
  }
  if (!options.benchmark_out.empty())
    files.write_elsewhere(options.benchmark_out,
                          [&] { return options.benchmark_out_format == "csv" ? csv : document; });
}

/// Rows that were left out, most often for want of memory, in one line: a rank has no screen to tell them. Returns
/// whether no kernel, or where none was asked for no ceiling, was measured.
bool tell_left_out(const Results& results, const std::vector<PlannedRow>& planned) {
  std::string first;
  std::size_t left_out = 0, kernels = 0, measured_kernels = 0;
  for (const auto& row : planned) {
    kernels += !row.is_ceiling;
    measured_kernels += !row.is_ceiling && row.missing.empty();
    if (!row.missing.empty() && left_out++ == 0) first = row.name + ": " + row.missing;
  }
  if (left_out == 0) return false;
  const auto& place = results.place;
  complain(fmt::format("{}{} of {} rows left out: {}{}",
                       place && place->among_others() ? fmt::format("rank {} on {}: ", *place->rank, place->node) : "",
                       left_out, planned.size(), first, left_out > 1 ? " ..." : ""));
  return kernels > 0 ? measured_kernels == 0 : left_out == planned.size();
}

int outcome(const Results& results, const std::vector<PlannedRow>& planned, const Options& options) {
  if (const int signal = interrupted()) return 128 + signal;
  for (const auto& [name, why] : results.failures) report_error(exit_failed, fmt::format("{}: {}", name, why));
  if (!results.failures.empty()) return exit_failed;
  if (tell_left_out(results, planned)) return exit_inconclusive;
  if (options.strict && any_failed(results.checks))
    return report_error(exit_inconclusive, "--strict: a sanity check failed; see the list of checks");
  return exit_ok;
}

/// Names from firmware and flags may hold characters that JSON and terminals do not take.
void add(const std::string& key, const std::string& value) { benchmark::AddCustomContext(key, clean(value)); }

}  // namespace

int report_error(int code, const std::string& line) {
  complain(line);
  return code;
}

void leave_lost_gpu(const Options& options) {
  if (gpu_usable() || options.one_process) return;
  std::fflush(nullptr);
  ::_exit(exit_device_lost);
}

int measure_and_report(PlannedRun run) {
  const auto& options = run.options;
  Session session(run.suite, options, run.plan, run.records, counter_of(run));
  prepare(session, run);
  add_context(run.suite, options, run.place, run.model ? &run.model->about : nullptr);
  const auto results = measure(session, run);

  // The rows first, then what is made of them: a report that fails must not cost a measurement.
  const auto planned = planned_rows(run.records.all());
  const auto rows = google_rows(results, planned, options.repetitions, options.only_aggregates);
  const auto document = run_json(google_json(rows), results);
  const auto csv = options.format == "csv" || options.benchmark_out_format == "csv" ? google_csv(rows) : "";
  ResultFiles files(options.out, !results.interrupted);
  const bool kept = files.write("run.json", [&] { return document; });
  session.end_progress();
  if (options.format == "json") print(document);
  if (options.format == "csv") print(csv);
  const auto shown = by_account(results, parse_flop_convention(options.division_flops));
  write_reports(files, shown, options, document, csv);
  if (options.format == "console")
    print(reports().screen(shown, {terminal_speaks_utf8(), may_be_coloured(), clean(options.out), files.written()}));
  if (kept && !results.interrupted && run.written) run.written();
  for (const auto& line : files.errors()) report_error(exit_io, line);
  if (files.failed_to_write()) return exit_io;
  return files.errors().empty() ? outcome(results, planned, options) : exit_failed;
}

std::vector<std::string> drop_benchmark_variables() {
  std::vector<std::string> said;
  for (const std::string name : {"FILTER", "FORMAT", "OUT", "OUT_FORMAT", "MIN_TIME", "REPETITIONS", "LIST_TESTS",
                                 "CONTEXT", "REPORT_AGGREGATES_ONLY", "DISPLAY_AGGREGATES_ONLY"}) {
    const auto variable = "BENCHMARK_" + name;
    if (!std::getenv(variable.c_str())) continue;
    ::unsetenv(variable.c_str());
    said.push_back(
        fmt::format("{} in the environment is not used: {} is the flag", variable, "--benchmark_" + lower_case(name)));
  }
  return said;
}

int initialize_benchmark(const Options& options) {
  static std::vector<std::string> arguments = options.for_benchmark;  // the library keeps a pointer to the first
  // The library has read its variables before main() could drop them; a flag has the last word.
  arguments.insert(arguments.begin(), {"roofline_bench", "--benchmark_out=", "--benchmark_list_tests=false"});
  std::vector<char*> argv;
  for (auto& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(arguments.size());
  // The library calls this when it refuses a value, also one of its environment variables, before it exits with 0.
  benchmark::Initialize(&argc, argv.data(), [] {
    std::_Exit(report_error(exit_usage, "Google Benchmark refuses a value of its flags or BENCHMARK_... variables"));
  });
  if (argc == 1) return exit_ok;
  const std::string rest = argv[1];
  const auto flag = rest.substr(0, rest.find('='));
  return report_error(
      exit_usage, fmt::format("unknown flag or value '{}'{}; see --help", rest, did_you_mean(flag, benchmark_flags())));
}

void add_context(const Suite& suite, const Options& options, const Place& place, const ModelledRun* model) {
  const auto& machine = suite.machine();
  if (model) {
    add("model", model->device);
    add("model_description", model->description);
    add("model_hash", model->hash);
    add("times", "bounds: the least possible ones, nothing was measured");
    for (const auto& [key, value] : model->facts) add("model_" + key, value);
  } else if (on_virtual_clock(options.device)) {
    add("times", virtual_times);
  } else if (!machine.caches.empty()) {
    add("model_hash", model_hash(shared_among(machine.caches, suite.threads())));
  }
  std::map<std::string, std::string> entries;
  if (suite.platform() == Platform::cpu || !suite.is_modelled()) {
    entries = machine.context();
    entries["threads"] = std::to_string(suite.threads());
  }
  if (const auto& gpu = suite.target().gpu) entries.merge(context(*gpu));
  entries["fingerprint"] = suite.target().fingerprint;
  for (const auto& [key, value] : entries) add(key, value);
  const auto add_known = [](const std::string& key, const std::string& value) {
    if (!value.empty()) add(key, value);
  };
  const auto text = [](std::optional<int> number) { return number ? std::to_string(*number) : std::string(); };
  add_known("node", place.node), add_known("launcher", place.launcher), add_known("job", place.job);
  add_known("rank", text(place.rank)), add_known("ranks", text(place.ranks));
  add_known("window", place.window), add_known("disturbed", place.conflict);
  add_known("local_rank", text(place.local_rank)), add_known("local_ranks", text(place.local_ranks));
  if (suite.seed() != 0) add("seed", std::to_string(suite.seed()));
  add("command_line", options.command_line);
  add("suite_version", ROOFLINE_VERSION);
  add("compiler", ROOFLINE_COMPILER);
}

}  // namespace roofline

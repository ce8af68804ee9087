#include "bench/run/measured_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>

#include "bench/cuda/gpu.hpp"
#include "bench/machine/clock.hpp"
#include "bench/machine/gpu_facts.hpp"
#include "bench/machine/interrupt.hpp"
#include "bench/options/device_flag.hpp"
#include "bench/recovery/supervisor.hpp"
#include "bench/result/assess.hpp"
#include "bench/result/case_study.hpp"
#include "bench/result/reports.hpp"
#include "bench/result/sanity.hpp"
#include "bench/run/context.hpp"
#include "bench/run/session.hpp"
#include "bench/storage/result_files.hpp"
#include "bench/storage/row_text.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/clean.hpp"
#include "bench/text/output.hpp"

namespace roofline {
namespace {

std::shared_ptr<CounterSource> counter_of(const PlannedRun& run) {
  if (run.gpu_counter) return run.gpu_counter->source;
  if (run.model) return run.model->counter;
  return run.cpu_counter.value().source;
}

/// What the run knows before it measures.
void prepare(Session& session, const PlannedRun& run) {
  auto& results = session.results();
  results.date = utc_now();
  results.device_note = run.device_note;
  results.place = run.place;
  if (run.model) session.stand_for(*run.model);
  std::function<void()> after_failure;
  if (run.cpu_counter) {
    results.counters = run.cpu_counter->description;
    results.cpu_self_test = run.cpu_counter->self_test;
  }
  if (run.suite.platform() == Platform::cuda && !run.suite.is_modelled()) {
    results.gpu_facts = describe_gpu(*run.suite.target().gpu);
    after_failure = [&session, &run] {
      session.end_progress();
      leave_lost_gpu(run.options);
    };
  }
  if (run.journal) session.keep_journal(*run.journal, std::move(after_failure));
  results.warnings.insert(results.warnings.begin(), run.notes.begin(), run.notes.end());
  results.failures = run.failures;
  if (!run.model && on_virtual_clock(run.options.device)) results.times_note = virtual_times;
  const auto& ceilings = run.options.ceilings;
  if (ceilings.kind == CeilingsChoice::Kind::file) session.use_tunings(read_tunings(ceilings.file));
  if (run.imported) session.use_ceilings(*run.imported);
}

/// Measures; Google Benchmark's reporters get their rows when all have their results.
void measure(Session& session, const PlannedRun& run, RowText& rows) {
  session.measure();
  session.end_progress();
  auto& warnings = session.results().warnings;
  const auto append = [&](const std::vector<std::string>& more) {
    warnings.insert(warnings.end(), more.begin(), more.end());
  };
  if (run.gpu_counter) {
    const auto& report = *run.gpu_counter->report;
    session.results().counters = report.description;
    session.results().self_test = report.self_test;
    append(report.warnings);
  }
  if (run.cpu_counter) append(*run.cpu_counter->warnings);
  assess(session.results());
  session.report(rows);
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

int outcome(const Results& results, const Options& options) {
  if (const int signal = interrupted()) return 128 + signal;
  for (const auto& [name, why] : results.failures) report_error(exit_failed, fmt::format("{}: {}", name, why));
  if (!results.failures.empty()) return exit_failed;
  if (options.strict && any_failed(results.checks))
    return report_error(exit_inconclusive, "--strict: a sanity check failed, see the list of them");
  return exit_ok;
}

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

int measure_and_report(const PlannedRun& run) {
  const auto& options = run.options;
  Session session(run.suite, options, run.plan, counter_of(run));
  prepare(session, run);
  add_context(run.suite, options, run.place, run.model ? &run.model->about : nullptr);
  RowText rows;
  measure(session, run, rows);

  // The rows first, then what is made of them: a report that fails must not cost a measurement.
  const auto& results = session.results();
  const auto annotate = [&](benchmark::BenchmarkReporter::Run& row) { session.annotate(row); };
  const auto document = run_json(rows.json(annotate), results);
  const auto csv = options.format == "csv" || options.benchmark_out_format == "csv" ? rows.csv(annotate) : "";
  ResultFiles files(options.out, !results.interrupted);
  const bool kept = files.write("run.json", [&] { return document; });
  session.end_progress();
  if (options.format == "json") print(document);
  if (options.format == "csv") print(csv);
  write_reports(files, results, options, document, csv);
  if (options.format == "console")
    print(reports().screen(results, {terminal_speaks_utf8(), may_be_coloured(), clean(options.out), files.written()}));
  if (kept && !results.interrupted && run.written) run.written();
  for (const auto& line : files.errors()) report_error(exit_io, line);
  if (files.failed_to_write()) return exit_io;
  return files.errors().empty() ? outcome(results, options) : exit_failed;
}

}  // namespace roofline

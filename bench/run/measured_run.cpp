#include "bench/run/measured_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <clocale>
#include <cstdio>
#include <ctime>
#include <filesystem>

#include "bench/machine/gpu_facts.hpp"
#include "bench/machine/interrupt.hpp"
#include "bench/run/conclude.hpp"
#include "bench/run/context.hpp"
#include "bench/run/physics.hpp"
#include "bench/run/reports.hpp"
#include "bench/run/row_text.hpp"
#include "bench/run/session.hpp"
#include "bench/run/supervisor.hpp"
#include "bench/simulator/cache_model.hpp"
#include "bench/text/output.hpp"

namespace roofline {
namespace {

std::string now() {
  const auto seconds = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&seconds));
  return text;
}

bool terminal_speaks_utf8() {
  const char* const locale = ::setlocale(LC_CTYPE, "") ? ::setlocale(LC_CTYPE, nullptr) : nullptr;
  return locale && std::string(locale).find("UTF-8") != std::string::npos;
}

std::shared_ptr<CounterSource> counter_of(const PlannedRun& run) {
  if (run.model) return run.model->counter;
  if (run.gpu_counter) return run.gpu_counter->source;
  return std::make_shared<CacheModel>(run.suite.machine().caches, run.suite.threads());
}

/// What the run knows before it measures.
void prepare(Session& session, const PlannedRun& run) {
  auto& results = session.results();
  results.date = now();
  results.device_note = run.device_note;
  if (run.model) session.stand_for(*run.model);
  if (run.gpu_counter) {
    results.counters = run.gpu_counter->description;
    results.self_test = run.gpu_counter->self_test;
  }
  if (run.suite.platform() == Platform::cuda) {
    session.keep_journal(run.journal, [&session, &run] {
      session.end_progress();
      leave_lost_gpu(run.options);
    });
  }
  if (!run.imported.empty()) session.use_ceilings(run.imported, run.options.ceilings.file);
}

/// The phases, each printed when it ends.
void measure(Session& session, const PlannedRun& run, RowText& rows) {
  const auto& results = session.results();
  const auto& sections = reports();
  const bool console = run.options.format == "console";
  const auto show = [&](const std::string& text) {
    session.end_progress();
    if (console) print(text);
  };
  // What a process before this one has printed is not printed again.
  const auto show_once = [&](const std::string& section, const std::string& text) {
    if (!run.journal.was_shown(section)) show(text);
    run.journal.shown(section);
  };
  show_once("machine", sections.machine(results));
  session.run_ceilings(rows.reporter());
  session.run_ert_sweeps();
  show_once("ceilings", sections.ceilings(results));
  session.run_kernels(rows.reporter());
  session.check_drift();
  if (run.gpu_counter) {
    auto& warnings = session.results().warnings;
    warnings.insert(warnings.end(), run.gpu_counter->warnings->begin(), run.gpu_counter->warnings->end());
  }
  conclude(session.results());
  rows.finish();
  show(sections.kernels(results, terminal_speaks_utf8()));
}

/// run.json, the reports beside it and the copy that --benchmark_out asks for. Throws FileError.
void write_files(const Results& results, const Options& options, const std::string& document, const std::string& csv) {
  const auto out = std::filesystem::path(options.out);
  std::string written = "run.json";
  write_file(out / "run.json", document);
  for (const auto& [name, content] : reports().files) {
    write_file(out / name, content(results));
    written += " " + name;
  }
  if (!options.benchmark_out.empty())
    write_file(options.benchmark_out, options.benchmark_out_format == "csv" ? csv : document);
  if (options.format == "console") print(fmt::format("written to {}: {}\n", options.out, written));
}

int outcome(const Results& results, const Options& options) {
  if (const int signal = interrupted()) return 128 + signal;
  for (const auto& [name, why] : results.failures) report_error(exit_failed, fmt::format("{}: {}", name, why));
  if (!results.failures.empty()) return exit_failed;
  if (options.strict && any_failed(results.checks))
    return report_error(exit_inconclusive, "--strict: a physics check failed, see the list of them");
  return exit_ok;
}

}  // namespace

int report_error(int code, const std::string& line) {
  fmt::print(stderr, "roofline_bench: {}\n", line);
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
  add_context(run.suite, options, run.model ? &run.model->about : nullptr);
  RowText rows([&](benchmark::BenchmarkReporter::Run& row) { session.annotate(row); },
               options.format == "csv" || options.benchmark_out_format == "csv");
  measure(session, run, rows);

  const auto& results = session.results();
  const auto document = reports().run_json(rows.json(), results);
  if (options.format == "json") print(document);
  if (options.format == "csv") print(rows.csv());
  try {
    write_files(results, options, document, rows.csv());
  } catch (const FileError& failure) {
    return report_error(exit_io, failure.what());
  }
  return outcome(results, options);
}

}  // namespace roofline

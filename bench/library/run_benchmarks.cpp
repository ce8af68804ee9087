#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <roofline/benchmark.hpp>
#include <sstream>

#include "bench/library/declared/declared_row.hpp"
#include "bench/library/flags.hpp"
#include "bench/library/kept_rows.hpp"
#include "bench/library/machine_ceilings.hpp"
#include "bench/library/roofline_of_rows.hpp"
#include "bench/library/rows_in_rounds.hpp"
#include "bench/machine/noise_meter.hpp"
#include "bench/options/options.hpp"
#include "bench/result/reports.hpp"
#include "bench/storage/ceilings_file.hpp"
#include "bench/text/output.hpp"

namespace roofline {
namespace {

int error(int code, const std::string& line) {
  fmt::print(stderr, "roofline: {}\n", line);
  return code;
}

void print_help() {
  benchmark::PrintDefaultHelp();
  fmt::print("{}", flags_help);
}

/// A reporter of Google Benchmark by the name of its format.
std::unique_ptr<benchmark::BenchmarkReporter> reporter_of(const std::string& format) {
  if (format == "json") return std::make_unique<benchmark::JSONReporter>();
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  if (format == "csv") return std::make_unique<benchmark::CSVReporter>();
#pragma GCC diagnostic pop
  return std::make_unique<benchmark::ConsoleReporter>(benchmark::ConsoleReporter::OO_None);
}

/// The rows in a format of Google Benchmark's, with the roofline's counters.
std::string in_format(const KeptRows& rows, const std::string& format, const RooflineOfRows& roofline) {
  std::ostringstream text;
  const auto reporter = reporter_of(format);
  reporter->SetOutputStream(&text), reporter->SetErrorStream(&text);
  rows.replay(
      *reporter, [&](benchmark::BenchmarkReporter::Run& row) { roofline.annotate(row); }, format == "csv");
  return text.str();
}

/// Before anything is measured: a file of ceilings is read, for any number of threads.
void require_ceilings_file(const CeilingsChoice& choice, const Machine& machine) {
  if (choice.kind != CeilingsChoice::Kind::file) return;
  bool known = false;
  for (int threads = 1; threads <= static_cast<int>(machine.cpus.size()) && !known; ++threads) try {
      read_ceilings(choice.file, ceilings_suite(machine, threads)), known = true;
    } catch (const FingerprintMismatch&) {
      if (threads == static_cast<int>(machine.cpus.size())) throw;
    }
}

/// Tables on the terminal and the files of one number of threads.
void report(const RooflineOfRows& roofline, const KeptRows& rows, const RooflineFlags& flags) {
  const bool console = flags.format == "console", one = roofline.by_threads().size() == 1;
  for (const auto& [threads, results] : roofline.by_threads()) {
    const auto out =
        one ? std::filesystem::path(flags.out) : std::filesystem::path(flags.out) / fmt::format("threads-{}", threads);
    const auto& all = reports();
    Screen screen{terminal_speaks_utf8(), may_be_coloured(), out.string(), {"run.json"}};
    if (!one) require_writable(out / "run.json");  // makes its folder
    write_file(out / "run.json", roofline.run_json(rows, threads));
    for (const auto& [name, content] : all.files)
      write_file(out / name, content(results)), screen.files.push_back(name);
    if (console && all.screen) print("\n" + all.screen(results, screen));
  }
}

int run_with_roofline(const RooflineFlags& flags) {
  require_writable(std::filesystem::path(flags.out) / "run.json");
  const auto machine = library_machine(true);
  require_ceilings_file(flags.ceilings, machine);
  collect(true);
  const NoiseMeter noise;
  const bool console = flags.format == "console";
  const auto live = benchmark::CreateDefaultDisplayReporter();  // a pointer; after 1.9.5 one that owns
  RowsInRounds rows(machine, flags, console ? &*live : nullptr);
  if (rows.run() == 0) return exit_no_match;  // the library has said so

  const RooflineOfRows roofline(rows, machine, flags, noise);
  if (!console) print(in_format(rows.shown(), flags.format, roofline));
  if (!flags.benchmark_out.empty())
    write_file(flags.benchmark_out, in_format(rows.for_file(), flags.benchmark_out_format, roofline));
  report(roofline, rows.shown(), flags);
  if (!roofline.has_points())
    error(exit_ok, "no row declares its work: write roofline::Work(state).fma(n).read(x) after a benchmark's loop");
  for (const auto& [threads, results] : roofline.by_threads())
    for (const auto& [name, why] : results.failures) error(exit_failed, fmt::format("{}: {}", name, why));
  require_printed();
  return any_wrong_result() ? exit_failed : exit_ok;
}

}  // namespace

int run_benchmarks(int argc, char** argv) {
  char name[] = "benchmark";
  char* only_name[] = {name, nullptr};
  if (!argv) argc = 1, argv = only_name;
  try {
    auto flags = read_flags(argc, argv);
    argc = static_cast<int>(flags.rest.size()) - 1;
    benchmark::Initialize(&argc, flags.rest.data(), print_help);
    if (benchmark::ReportUnrecognizedArguments(argc, flags.rest.data())) return exit_failed;
    if (flags.roofline && !flags.list_tests) return run_with_roofline(flags);
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return any_wrong_result() ? exit_failed : exit_ok;
  } catch (const std::invalid_argument& wrong) {
    return error(exit_usage, wrong.what());
  } catch (const FingerprintMismatch& foreign) {
    return error(exit_inconclusive, foreign.what());
  } catch (const FileError& failure) {
    return error(exit_io, failure.what());
  }
}

}  // namespace roofline

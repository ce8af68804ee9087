#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <roofline/benchmark.hpp>
#include <sstream>
#include <string>

#include "bench/library/build_doubt.hpp"
#include "bench/library/declared/declared.hpp"
#include "bench/library/flags.hpp"
#include "bench/library/kept_rows.hpp"
#include "bench/library/machine_ceilings.hpp"
#include "bench/library/rows_in_rounds.hpp"
#include "bench/machine/clock.hpp"
#include "bench/machine/noise_meter.hpp"
#include "bench/options/flag_checks.hpp"
#include "bench/options/options.hpp"
#include "bench/recovery/results_of.hpp"
#include "bench/result/reports.hpp"
#include "bench/result/results.hpp"
#include "bench/storage/ceilings_file.hpp"
#include "bench/storage/google_rows.hpp"
#include "bench/storage/kept_shares.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/output.hpp"
#include "bench/text/words.hpp"

namespace roofline {
namespace {

using Row = benchmark::BenchmarkReporter::Run;

/// The results of a run's rows: one roofline for each number of threads that rows ran with.
class RooflineOfRows {
 public:
  RooflineOfRows(const RowsInRounds& rows, const Machine& machine, const RooflineFlags& flags, const NoiseMeter& noise,
                 const BuiltAs& built_as) {
    auto all = rows.records();
    all.try_emplace(all.empty() ? 1 : all.begin()->first);  // a program without declared work has a run, too
    for (auto& [threads, records] : all) {
      const auto roofs = rows.roofs().find(threads);
      const auto found = roofs == rows.roofs().end() ? MachineCeilings() : roofs->second->ceilings();
      records.say([&, threads = threads](Results& results) {
        results.machine = machine;
        results.roofline = Roofline({}, threads);
        results.date = utc_now();
        results.command_line = flags.command_line;
        results.timer.step = timer_step();
        results.ceilings_origin = found.origin;
        if (auto doubt = build_doubt(built_as, machine.isa); !doubt.empty()) results.warnings = {std::move(doubt)};
        results.warnings.insert(results.warnings.end(), found.warnings.begin(), found.warnings.end());
        if (auto others = noise.other_programs_text(); !others.empty()) results.warnings.push_back(std::move(others));
        if (const auto steal = noise.steal()) results.noise = HostNoise{*steal, noise.throttled(), noise.others()};
      });
      for (const auto* const failures : {&found.failures, &rows.failures()})
        for (const auto& [row, why] : *failures) records.append({.row = row, .failed = why});
      records.append({.event = "end"});
      auto& results = results_[threads] = results_of(records.all());
      bool few = false;
      for (const auto& point : results.points) {
        places_[point.name] = {&results, &point};
        few = few || point.rounds() < rounds_of_95_percent;
      }
      if (few)
        results.skipped.push_back(
            fmt::format("intervals of rows with fewer than {0} rounds: their iterations are long; "
                        "--benchmark_repetitions={0} gives "
                        "them",
                        rounds_of_95_percent));
      keep_shares(results);
    }
  }

  bool has_points() const { return !places_.empty(); }
  const std::map<int, Results>& by_threads() const { return results_; }
  /// Adds the counters of run.json to a row.
  void annotate(Row& row) const {
    take(row.counters);
    if (!row_error(row).empty()) return;
    if (row.run_type == Row::RT_Aggregate && row.aggregate_name != "mean" && row.aggregate_name != "median") return;
    const auto* const place = place_of(row);
    if (!place) return;
    const auto label = row.report_label;
    put_counters(row, *place->point);
    if (!label.empty()) row.report_label = label + " " + row.report_label;
  }

  /// The ceilings and the rows of one number of threads, as run.json has them.
  std::string run_json(const KeptRows& rows, int threads) const {
    const auto& results = results_.at(threads);
    std::vector<Row> all;
    for (const auto& ceiling : results.roofline.ceilings()) all.push_back(ceiling_row(ceiling));
    for (const auto& group : rows.groups())
      for (auto row : group) {
        const auto* const place = place_of(row);
        if (place && place->results != &results) continue;
        annotate(row);
        all.push_back(std::move(row));
      }
    auto context = results.machine.context();
    context["threads"] = std::to_string(threads);
    context["command_line"] = results.command_line;
    context["suite_version"] = ROOFLINE_VERSION;
    return roofline::run_json(google_json(all), results, context);
  }

 private:
  struct Place {
    const Results* results;
    const KernelPoint* point;
  };
  const Place* place_of(const Row& row) const {
    const auto found = places_.find(point_name(row));
    return found == places_.end() ? nullptr : &found->second;
  }

  std::map<int, Results> results_;
  std::map<std::string, Place> places_;  ///< by the name of the point
};

int error(int code, const std::string& line) {
  fmt::print(stderr, "roofline: {}\n", line);
  return code;
}

/// After Google Benchmark's own line about a flag that it does not know.
void suggest(const std::string& argument) {
  auto names = benchmark_flags();
  names.insert(names.end(), {"--roofline", "--roofline-out", "--ceilings"});
  const auto nearest = did_you_mean(argument.substr(0, argument.find('=')), names);
  if (!nearest.empty()) error(exit_ok, argument + nearest);
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
      *reporter, [&](Row& row) { roofline.annotate(row); }, format == "csv");
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

int run_with_roofline(const RooflineFlags& flags, const BuiltAs& built_as) {
  require_writable(std::filesystem::path(flags.out) / "run.json");
  const auto machine = library_machine(true);
  require_ceilings_file(flags.ceilings, machine);
  collect(true);
  const NoiseMeter noise;
  const bool console = flags.format == "console";
  const auto live = benchmark::CreateDefaultDisplayReporter();  // a pointer; after 1.9.5 one that owns
  RowsInRounds rows(machine, flags, console ? &*live : nullptr);
  if (rows.run() == 0) return exit_no_match;  // the library has said so

  const RooflineOfRows roofline(rows, machine, flags, noise, built_as);
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

int run_benchmarks(int argc, char** argv, BuiltAs built_as) {
  char name[] = "benchmark";
  char* only_name[] = {name, nullptr};
  if (!argv) argc = 1, argv = only_name;
  try {
    auto flags = read_flags(argc, argv);
    argc = static_cast<int>(flags.rest.size()) - 1;
    benchmark::Initialize(&argc, flags.rest.data(), print_help);
    if (benchmark::ReportUnrecognizedArguments(argc, flags.rest.data())) return suggest(flags.rest[1]), exit_failed;
    if (flags.roofline && !flags.list_tests) return run_with_roofline(flags, built_as);
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

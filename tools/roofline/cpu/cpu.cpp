#include "tools/roofline/cpu/cpu.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "bench/any_program/readable.hpp"
#include "bench/any_program/runs.hpp"
#include "bench/cache_model/cache_hierarchy.hpp"
#include "bench/machine/clock.hpp"
#include "bench/ranks/place.hpp"
#include "bench/result/results.hpp"
#include "bench/storage/stored_run.hpp"
#include "bench/text/format.hpp"
#include "bench/text/output.hpp"
#include "tools/roofline/subcommand.hpp"

// Where the functions of somebody else's program are on the roofline of this machine: it is run by itself for its
// times, and with a counter in it.
namespace roofline::cli::cpu_command {
namespace {

namespace fs = std::filesystem;
using namespace any_program;

struct Arguments {
  std::string time, only, caches, ceilings, counters, counts, by, least_share = "1%", out = "roofline-out";
  bool no_bytes = false, sampled = false, libraries = false, doctor = false;
  double time_limit = 0;
  std::vector<std::string> program;
};

/// A file that both runs can read from its begin: a copy of what comes in through a pipe, nothing from a terminal.
fs::path standard_input(const fs::path& folder) {
  std::error_code none;
  const auto file = fs::canonical("/proc/self/fd/0", none);
  if (!none && fs::is_regular_file(file)) return file;
  if (::isatty(0)) return "/dev/null";
  const auto copy = folder / "input";
  std::ofstream to(copy, std::ios::binary);
  char part[1 << 16];
  for (ssize_t n; (n = ::read(0, part, sizeof part)) > 0;) to.write(part, n);
  return copy;
}

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// Regions are counted next to functions.
std::string of_counter(const std::string& by) { return by.empty() || by == "region" ? "function" : by; }

CountingChoice choice_of(const Arguments& arguments, const std::vector<CacheLevel>& caches) {
  return {.caches = caches,
          .by = of_counter(arguments.by),
          .only = arguments.only,
          .most_seconds = arguments.time_limit,
          .sampled = arguments.sampled,
          .libraries = arguments.libraries};
}

/// Slowdowns seen, see results/any-program: from arrays in DRAM, which are slow by themselves, to dense products in
/// caches. Reading the program's code comes on top.
std::string forecast(double seconds, bool bytes, bool sampled) {
  constexpr double start = 0.2;
  const double least = !bytes ? 1 : sampled ? 2 : 4, most = !bytes ? 3 : sampled ? 20 : 80;
  return fmt::format(
      "counting takes {} for arrays in DRAM, up to {} for dense arithmetic in caches ({:.0f} to {:.0f} times {}); "
      "fewer time steps{} make it shorter",
      duration(start + least * seconds), duration(start + most * seconds), least, most, duration(seconds),
      !bytes    ? ""
      : sampled ? " or --no-bytes"
                : ", --sampled-bytes or --no-bytes");
}

std::string command_line_of(const Arguments& arguments) {
  std::string text = "roofline cpu --";
  for (const auto& word : arguments.program) text += " " + word;
  return text;
}

/// Counts alone, of the functions with FLOPs: for roofline compare --gate=exact.
int count_for_gate(const Arguments& arguments, const fs::path& file, const Runner& runner, const ProgramFile& program) {
  const auto caches = parse_caches(arguments.caches);
  const auto counted = run_counted(runner, program, choice_of(arguments, caches));
  print(counted.output);
  fmt::print(stderr, "{}", counted.complaints);
  NativeRun as_counted;
  as_counted.ending = counted.ending;
  Results results;
  results.machine = detect_machine();
  results.roofline = Roofline({}, 1);
  results.warnings = doubts(counted, as_counted, runner.name);
  for (const auto& warning : results.warnings) say(warning);
  if (counted.stopped || !counted.counted.complete) {
    say(file.string() + " is not written: only a part of the program was counted");
    return exit_inconclusive;
  }
  auto rows = counted.counted.regions.empty() ? program_rows(counted.counted, {}, {0, arguments.libraries, {}})
                                              : region_rows(counted.counted, {}, 0);
  std::erase_if(rows, [](const auto& row) { return row.counted.flops() == 0; });
  add_points(results, rows, program.path.filename().string(), caches.empty() ? "" : CacheHierarchy(caches).describe());
  results.date = utc_now(), results.command_line = command_line_of(arguments);
  results.counters = "operations: counted in the program; times: none";
  assess(results);
  write_file(file, text_of(results));
  return counted.ending.code;
}

int count(const Arguments& arguments) {
  if (arguments.program.empty()) throw std::invalid_argument("no program: roofline cpu -- ./program and its arguments");
  const RowChoice choice{share_of("--min-share", arguments.least_share, 0, 1), arguments.libraries, {}};
  const auto chosen =
      arguments.sampled ? require_many_sets(parse_caches(arguments.caches)) : parse_caches(arguments.caches);
  if (!arguments.counts.empty() && !arguments.only.empty() && arguments.caches.empty())
    throw std::invalid_argument("--only: with --counts bytes are counted only if --caches is given");
  if (arguments.time_limit < 0) throw std::invalid_argument("--time-limit: a time cannot be negative");
  const bool of_a_file = !arguments.ceilings.empty() && arguments.ceilings != "quick";
  if (of_a_file) host_ceilings(arguments.ceilings, 1, {});  // before the runs, because the file may not be a run
  const auto program = program_file(arguments.program.front());
  const auto timed = arguments.time.empty() ? program : program_file(arguments.time);
  if (timed.path != program.path && (arguments.by == "inlined" || arguments.by == "loop"))
    throw std::invalid_argument("--by=" + arguments.by + ": only functions are found again in another build (--time)");
  Workplace workplace;
  auto runner = make_runner(workplace.path());
  auto place = detect_place(environment()).place;
  place.node = node_name();
  const auto of_rank = rank_folder(place);
  const auto out = of_rank.empty() ? fs::path(arguments.out) : fs::path(arguments.out) / of_rank;
  const fs::path counts = arguments.counts;
  const bool own_file = of_rank.empty() || is_special(counts);
  const auto counts_of_rank = own_file ? counts : counts.parent_path() / of_rank / counts.filename();
  require_writable(counts.empty() ? out / "run.json" : counts_of_rank);
  runner.name = arguments.program.front();
  runner.arguments.assign(arguments.program.begin() + 1, arguments.program.end());
  runner.input = standard_input(workplace.path());
  runner.with_regions = arguments.by == "region" || (arguments.by.empty() && program.marks);
  catch_stops();
  if (!arguments.counts.empty()) return count_for_gate(arguments, counts_of_rank, runner, program);

  // MPI_Init answers a rank once: the run that counts.
  const bool is_timed = !place.among_others();
  NativeRun native;
  if (is_timed) {
    native = run_natively(runner, timed, true);
    if (asked_to_stop()) return say("interrupted before anything was counted"), 128 + asked_to_stop();
    if (native.ending.signal == SIGTTIN || native.ending.signal == SIGTTOU)
      throw Inconclusive(runner.name + ": waits for the terminal, which it does not have here; nothing was counted");
    say(forecast(native.ending.elapsed, !arguments.no_bytes, arguments.sampled));
  } else {
    say(launcher_line(place) + ": a launcher starts a rank once: counts without times");
  }
  const int threads = std::clamp(threads_of(native.samples, native.ending), 1, detect_machine().usable_cores);
  auto results = host_ceilings(arguments.ceilings, threads, workplace.path());
  const auto caches = arguments.no_bytes  ? std::vector<CacheLevel>{}
                      : !chosen.empty()   ? chosen
                      : arguments.sampled ? require_many_sets(shares_of(results.machine.caches, threads))
                                          : shares_of(results.machine.caches, threads);
  auto counted = run_counted(runner, program, choice_of(arguments, caches));
  if (!is_timed) print(counted.output);
  auto notes = doubts(counted, native, runner.name);
  results.interrupted = !counted.counted.complete || counted.stopped;
  if (is_timed && !results.interrupted) append(notes, other_results(runner, timed, native, counted));
  const bool is_whole = !results.interrupted && counted.ending.code == native.ending.code;
  auto with_times = choice;
  with_times.timed = timed.path, with_times.cores = detect_machine().usable_cores;
  const auto rows = counted.counted.regions.empty()
                        ? program_rows(counted.counted, is_whole ? native.samples : Samples{}, with_times)
                        : region_rows(counted.counted, is_whole ? native.regions : RegionTimes{},
                                      is_whole ? native.ending.user + native.ending.system : 0);
  const auto& functions = counted.counted.functions;
  if (!arguments.only.empty() && std::none_of(functions.begin(), functions.end(), [&](const auto& function) {
        return readable(function.name, function.source) == arguments.only;
      }))
    notes.push_back("--only=" + arguments.only + ": no function of this name was executed, so there are no bytes");
  if (arguments.by == "region" && counted.counted.regions.empty())
    notes.emplace_back("marks no region: rows are functions");

  const auto name = program.path.filename().string();
  add_points(results, rows, name, caches.empty() ? "" : CacheHierarchy(caches).describe());
  if (std::none_of(rows.begin(), rows.end(), [](const auto& row) { return row.counted.flops() > 0; }))
    notes.emplace_back("no floating-point operation was executed: its rows have times and bytes, and no intensity");
  if (!results.roofline.empty() && !results.roofline.compute(Operation::fma, "fp32") &&
      std::any_of(results.points.begin(), results.points.end(),
                  [](const auto& p) { return p.counts.precision == "fp32"; }))
    notes.emplace_back(
        "the ceilings have no peak of single precision, so its rows have no roof there; --ceilings=quick measures one");
  if (is_timed && native.samples.count() == 0)
    notes.emplace_back("no times of functions: perf events are not allowed here, and nothing can be preloaded into it");
  if (!arguments.counters.empty() && is_timed && is_whole)
    append(notes, by_hardware(runner, timed, results.machine, rows));
  if (of_a_file)
    for (const auto& point : results.points)
      if (point.threads != results.roofline.threads()) {
        notes.push_back(fmt::format("{}: the roofs are of {}, some functions of another number", arguments.ceilings,
                                    threads_text(results.roofline.threads())));
        break;
      }
  if (native.ending.code != 0 && !native.ending.signal)
    notes.push_back(fmt::format("the program ended with exit code {}; it has no terminal here", native.ending.code));
  if (is_whole && !of_a_file) add_other_ceilings(results, workplace.path());
  results.date = utc_now();
  results.command_line = command_line_of(arguments);
  results.counters = "operations: counted in the program; bytes: a model of this machine's caches; times: " +
                     (native.samples.by.empty() ? "none" : "sampled by " + native.samples.by);
  append(results.warnings, notes);
  assess(results);
  print(to_text(function_table(name, rows, results)));
  if (is_whole && is_timed) {
    const double time = native.ending.user + native.ending.system;
    print(fmt::format("  by itself {}, {} % of its CPU time in the kernel; counted in {}, {:.0f} times as long\n",
                      duration(native.ending.elapsed), percent(time > 0 ? native.ending.system / time : 0),
                      duration(counted.ending.elapsed),
                      counted.ending.elapsed / std::max(1e-3, native.ending.elapsed)));
  }
  for (const auto& warning : results.warnings) say(warning);
  const int written = write(results, out);
  if (asked_to_stop()) return 128 + asked_to_stop();
  if (written != exit_ok) return written;
  if (counted.stopped || !is_whole) return exit_inconclusive;
  return native.ending.code;
}

int run(const Arguments& arguments) {
  if (arguments.doctor) return doctor();
  try {
    return count(arguments);
  } catch (const NotInstalled& missing) {
    throw Inconclusive(missing.what());
  }
}

void define(CLI::App& flags, Arguments& arguments) {
  flags
      .add_option("--time", arguments.time,
                  "take the times of another build of the program, for example one with other flags")
      ->type_name("PROGRAM");
  flags.add_flag("--no-bytes", arguments.no_bytes,
                 "count operations only: 1 to 3 times the program's time, 1.2 in the median");
  flags.add_flag(
      "--sampled-bytes", arguments.sampled,
      "model an eighth of the sets of each cache, and of a long run some windows: faster; bytes have a range");
  flags
      .add_option(
          "--counts", arguments.counts,
          "count only, without times or roofs, and with bytes only if --caches is given, into this file (of ranks: "
          "each into its folder beside it), for roofline compare --gate=exact")
      ->type_name("FILE");
  flags.add_option("--only", arguments.only, "count the bytes of this function alone")->type_name("FUNCTION");
  flags
      .add_option("--caches", arguments.caches,
                  "caches of one thread, as in 48K/12:1M/16:32M/16, or from a run.json; else this machine's")
      ->type_name("SPEC");
  flags
      .add_option("--ceilings", arguments.ceilings,
                  "roofs of this run.json; quick: measured now; else kept ones, measured once")
      ->type_name("FILE");
  flags
      .add_option("--counters", arguments.counters,
                  "perf: FLOPs and DRAM bytes of the whole program by hardware, next to the sums here")
      ->check(CLI::IsMember({"perf"}));
  flags
      .add_option("--min-share", arguments.least_share,
                  "share of time or FLOPs that a function needs for a row of its own")
      ->capture_default_str()
      ->type_name("SHARE");
  flags
      .add_option("--by", arguments.by,
                  "unit of a row; region: between markers, the default for a program with markers")
      ->check(CLI::IsMember({"function", "inlined", "loop", "region"}));
  flags.add_flag("--libraries", arguments.libraries, "show each function of a library, instead of one row per library");
  flags
      .add_option("--time-limit", arguments.time_limit, "limit of counting; after it the results so far, without rates")
      ->transform(as_seconds());
  flags.add_option("--out", arguments.out, "folder for the files")->capture_default_str();
  exclude(flags, "--no-bytes", {"--only", "--caches", "--sampled-bytes"});
  exclude(flags, "--counts", {"--time", "--ceilings", "--counters", "--min-share", "--out", "--sampled-bytes"});
  flags.add_flag("--doctor", arguments.doctor, "check what works here, with a program of known counts");
  flags.add_option("program", arguments.program, "and its arguments, after --");
  flags.footer(
      "Any program for x86-64, with AVX-512 or without: no source, no counters, no other tool. It runs twice; its exit "
      "code is that of this command.\nExample: OMP_NUM_THREADS=2 roofline cpu --out=lulesh -- ./lulesh2.0 -s 20 -i 10");
}

const Subcommand registered("cpu", "any CPU program, per function: FLOPs, bytes, time", define, run);

}  // namespace
}  // namespace roofline::cli::cpu_command

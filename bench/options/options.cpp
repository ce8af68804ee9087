#include "bench/options/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "bench/machine/pinning.hpp"
#include "bench/options/choices.hpp"
#include "bench/options/flag_checks.hpp"
#include "bench/options/help.hpp"
#include "bench/options/listing.hpp"
#include "bench/ranks/place.hpp"
#include "bench/result/flop_convention.hpp"
#include "bench/result/reports.hpp"
#include "bench/text/clean.hpp"
#include "bench/text/output.hpp"
#include "bench/text/words.hpp"
#include "bench/virtual_gpu/runtime/settings.hpp"

namespace roofline {
namespace {

constexpr std::size_t longest_argument = 8192;

/// Whether the machine chooses some of these sizes and not all: then 0 may stand for those, as in --fft=64,0.
bool has_chosen_part(const Sizes& sizes) {
  const auto chosen = std::count(sizes.begin(), sizes.end(), 0);
  return chosen > 0 && chosen < std::ssize(sizes);
}

/// The flags, and the texts of those whose values the library does not read.
class CommandLine {
 public:
  CommandLine() {
    lay_out_help(app_, version_line("roofline_bench"));
    app_.footer(bench_help_footer);
    app_.allow_extras();
    declare_what(), declare_how(), declare_files_and_sizes(), declare_benchmark_flags();
    exclude(app_, "--quick", {"--full"});
    exclude(app_, "--case-study", {"--full", "--benchmark_filter"});
    exclude(app_, "--verify", {"--resume", "--modelled", "--model"});
    exclude(app_, "--time-limit", {"--modelled", "--model"});
    app_.get_option("--sanitize")->needs(app_.get_option("--verify"));
  }

  std::string help() const { return app_.help(); }
  /// The shell that --completion asks for; empty: nothing.
  std::string completion() const {
    return completion_.empty() ? "" : completion_ == "man" ? man_page(app_) : roofline::completion(app_, completion_);
  }

  /// Throws CLI::ParseError, std::invalid_argument.
  Options parse(int argc, const char* const* argv) {
    for (int i = 1; i < argc; ++i)
      if (const auto size = std::string_view(argv[i]).size(); size > longest_argument)
        throw CLI::ValidationError(
            fmt::format("{:.40}...: {} bytes, at most {} are taken", clean(argv[i]), size, longest_argument));
    const RenamedFlags flags(argc, argv);
    o_.notice = flags.notice();
    app_.parse(flags.count(), flags.values());
    read_choices(), read_extras();
    if (!o_.thread_counts.empty()) require_sweepable();
    o_.command_line = "roofline_bench";
    for (int i = 1; i < argc; ++i)
      if (std::string_view(argv[i]) != "--resume") o_.command_line += " " + clean(argv[i]);
    return o_;
  }

 private:
  template <class T>
  CLI::Option* option(const char* flag, T& value, const char* description, const char* type, const char* group) {
    return app_.add_option(flag, value, description)->type_name(type)->group(group)->check(not_empty());
  }
  CLI::Option* flag(const char* name, bool& value, const char* description, const char* group) {
    return app_.add_flag(name, value, description)->group(group);
  }

  void declare_what() {
    const auto* const group = "Choice of rows";
    flag("--quick", o_.quick, "a small subset of kernels and ceilings: 15 s, on a GPU half a minute", group);
    flag("--full", o_.full, "every registered variant and ceiling", group);
    option("--ceilings", ceilings_,
           "auto: ceilings that the kernels need (a default run adds the NERSC lecture's: scalar, no FMA, ...); quick; "
           "full; none; or the run.json of an earlier run on this device",
           "CHOICE", group);
    flag("--verify", o_.verify,
         "launch every row of the filter once (without a filter: of --full) and compare with the reference; nothing is "
         "timed or written; a virtual GPU takes sizes that it executes in minutes",
         group);
    option("--sanitize", o_.sanitize,
           "with --verify on a virtual GPU: memcheck,racecheck,initcheck,synccheck or all; a finding fails the run. "
           "racecheck executes on one core",
           "LIST", group);
    flag("--list", o_.list, "list the families: variants, FLOPs and bytes per point, purpose", group);
    option("--case-study", o_.case_study,
           "lecture, gpp, hpgmg, lbm, portability or all: the rows that the talks' statements are about, and a page "
           "with plot, published figures and verdicts",
           "NAME", group);
    option("--division-flops", o_.division_flops,
           "FLOPs of a division on screen, page and in files: 1, K (of its expansion), or measured (by counters or "
           "execution); run.json keeps the canonical account",
           "1|K|measured", group);
    option(
        "--describe", o_.describe,
        "describe a family, a variant, the ceilings (ceiling), the counters of CPU and GPU (counters), or the words of "
        "the output (glossary)",
        "NAME", group);
  }

  void declare_how() {
    const auto* const group = "How";
    option("--device", o_.device,
           "auto, cpu, cuda:N, or virtual[:v100|a100|h100|h200|l4|...|FILE]: a GPU in software, which executes and "
           "verifies the kernels; nothing is timed, its rows are bounds",
           "DEVICE", group);
    flag("--modelled", o_.modelled,
         "time nothing and count with a model: on a virtual GPU kernels of published sizes, in seconds to a minute "
         "each, because only the code that decides addresses is executed; on a CPU with a model of its own caches",
         group);
    option("--counters", counters_,
           "source of bytes: auto (CUPTI on a GPU, perf on a CPU, else modelled), cupti, perf, model, none, or a FILE "
           "of ncu --csv --page raw with kernels named like rows (--print-nvtx-rename kernel), of perf stat -j or of "
           "LIKWID (--describe counters)",
           "CHOICE", group);
    flag("--one-process", o_.one_process,
         "on a GPU: run everything in one process, for profilers and debuggers (times are taken as they are); a kernel "
         "that hangs ends the run",
         group);
    option("--threads", threads_,
           "threads of the all-cores rows (default: the usable cores); N,N,... or sweep: a run for each number, then a "
           "report of the scaling",
           "N", group);
    option("--ranks", ranks_,
           "auto: where mpirun, srun or another launcher starts several of this program, each is a rank with a folder "
           "of its own, cores of a node are shared out, and rank 0 alone prints; off: each as if it were alone",
           "CHOICE", group)
        ->check(CLI::IsMember({"auto", "off"}));
    option("--node", o_.node,
           "name of this machine in run.json and in the folders of ranks (default: ROOFLINE_NODE, SLURMD_NODENAME, the "
           "host name)",
           "NAME", group);
    option("--seed", o_.seed,
           "random inputs instead of the fixed ones, where the specification leaves them open; the same number "
           "gives the same values on every device",
           "N", group)
        ->check(between(0, 2147483647));
    option("--time-limit", o_.time_limit,
           "keep to this time, however slow or busy the machine is: fewer rounds for every row, three at least",
           "SECONDS", group)
        ->check(between(5, 86400));
    flag("--strict", o_.strict,
         "exit 3 when a sanity check fails: a point above 103 % of its roof, other FLOPs than declared, ...", group);
  }

  void declare_files_and_sizes() {
    app_.add_option("--completion", completion_, "print a shell's completion of these flags, or the manual page")
        ->check(CLI::IsMember(shells()))
        ->type_name("SHELL")
        ->group("Files");
    option("--out", o_.out, "folder of report.html, run.json, roofline.svg and others (default: roofline-out)",
           "FOLDER", "Files");
    flag("--resume", o_.resume,
         "continue the interrupted run that left run.journal in the folder: with the same flags, without measuring its "
         "finished rows again",
         "Files");
    for (const auto& [family, ports] : families())
      if (!family.size_names.empty())
        app_.add_option("--" + family.name, sizes_[family.name], describe_sizes({family, ports}))
            ->delimiter(',')
            ->expected(static_cast<int>(std::count(family.size_names.begin(), family.size_names.end(), ',') + 1))
            ->check(between(has_chosen_part(family.default_sizes) ? 0 : 1, 1e18).description(""))
            ->type_name(family.size_names)
            ->group("Problem sizes");
  }

  void declare_benchmark_flags() {
    option("--model", model_, "", "DEVICE", not_in_help);
    option("--benchmark_filter", o_.filter, "kernels (and ceilings) to run, by their names", "REGEX", not_in_help);
    option("--benchmark_format", o_.format, "format of standard output", "FORMAT", not_in_help)
        ->check(CLI::IsMember({"console", "json", "csv"}));
    option("--benchmark_out", o_.benchmark_out, "a second copy of the result", "FILE", not_in_help);
    option("--benchmark_out_format", o_.benchmark_out_format, "its format", "FORMAT", not_in_help)
        ->check(CLI::IsMember({"json", "csv"}));
    option("--benchmark_min_time", o_.min_time, "least time of a row's samples", "SECONDS", not_in_help)
        ->check(between(0, 3600))
        ->transform([](std::string text) {  // Google Benchmark 1.8 writes 0.5s
          return !text.empty() && text.back() == 's' ? text.substr(0, text.size() - 1) : text;
        });
    option("--benchmark_time_unit", time_unit_, "", "UNIT", not_in_help)->check(CLI::IsMember({"ns", "us", "ms", "s"}));
    option("--v", verbosity_, "", "N", not_in_help)->check(between(0, 9));
    option("--benchmark_repetitions", o_.repetitions, "repeat every row so often", "N", not_in_help)
        ->check(between(1, 10000));
    flag("--benchmark_list_tests", o_.list_tests, "print the names of the rows of this run", not_in_help);
    flag("--benchmark_report_aggregates_only,--benchmark_display_aggregates_only", o_.only_aggregates, "", not_in_help);
  }

  /// The flags that a sweep passes on must mean the same in each of its runs.
  void require_sweepable() const {
    const auto alone = [&](const char* flag, const char* why) {
      throw CLI::ValidationError(fmt::format("--threads={} {}: {}; leave one of them out", threads_, flag, why));
    };
    if (o_.modelled) alone(model_.empty() ? "--modelled" : "--model", "a model times nothing");
    if (o_.device != "auto" && o_.device != "cpu") alone("--device", "a sweep is over the threads of a CPU");
    if (o_.verify || o_.list_tests || o_.list || !o_.describe.empty()) alone("--verify, --list", "nothing is timed");
    if (o_.resume) alone("--resume", "the runs of a sweep are resumed one by one, with the flags of their run.json");
    if (o_.ceilings.kind == CeilingsChoice::Kind::file) alone("--ceilings", "ceilings are of one number of threads");
    if (o_.format != "console" || !o_.benchmark_out.empty())
      alone("--benchmark_format, --benchmark_out", "they hold one run; each has its run.json");
  }

  /// --model=v100 and --model=host of earlier versions.
  void read_model() {
    if (model_.empty()) return;
    if (o_.device != "auto" && o_.device != "cpu")
      throw std::invalid_argument(
          fmt::format("--model={} --device={}: both name a device; leave one of them out", model_, o_.device));
    o_.device = model_ == "host" ? "cpu" : "virtual:" + model_;
    o_.modelled = true;
    o_.notice = fmt::format("--model={} is now --device={} --modelled", model_, o_.device);
  }

  void read_choices() {
    if (!o_.case_study.empty()) case_study(o_.case_study);
    parse_flop_convention(o_.division_flops);
    o_.ranks = ranks_ == "auto";
    if (app_.count("--node")) require_node_name(o_.node);
    if (app_.count("--threads")) o_.thread_counts = thread_counts(threads_, static_cast<int>(allowed_cpus().size()));
    if (o_.thread_counts.size() == 1) o_.threads = o_.thread_counts[0], o_.thread_counts.clear();
    o_.ceilings = parse_ceilings_choice(ceilings_);
    o_.counters = parse_counters_choice(counters_);
    for (const auto& [family, sizes] : sizes_)
      if (!sizes.empty()) o_.sizes[family] = sizes;
    read_model();
    refuse_other_devices();
  }

  /// Refuses flags that only some other device supports.
  void refuse_other_devices() const {
    if (!o_.sanitize.empty()) {
      if (!is_virtual(o_.device))
        throw std::invalid_argument(fmt::format("--sanitize={}: goes with --device=virtual --verify", o_.sanitize));
      runtime::Settings known;
      runtime::set_checks(known, o_.sanitize);
    }
    if (o_.modelled && o_.device != "auto" && o_.device != "cpu" && !is_virtual(o_.device))
      throw std::invalid_argument(
          fmt::format("--modelled --device={}: only cpu and virtual[:DEVICE] are modelled", o_.device));
  }

  /// Google Benchmark's further flags go to it; nothing else may be left.
  void read_extras() {
    if (!time_unit_.empty()) o_.for_benchmark.push_back("--benchmark_time_unit=" + time_unit_);
    if (!verbosity_.empty()) o_.for_benchmark.push_back("--v=" + verbosity_);
    for (const auto& extra : app_.remaining()) {
      if (extra.rfind("--benchmark_", 0) != 0) throw CLI::ValidationError(unknown(extra, app_));
      const std::string context = "--benchmark_context=";
      if (extra.rfind(context, 0) == 0) require_free_context(extra.substr(context.size()));
      o_.for_benchmark.push_back(extra);
    }
  }

  std::string completion_, model_, time_unit_, verbosity_;
  CLI::App app_{"roofline_bench: ceilings, kernel points and efficiencies of this device in one run", "roofline_bench"};
  Options o_;
  std::string ceilings_ = "auto", counters_ = "auto", ranks_ = "auto", threads_;
  std::map<std::string, Sizes> sizes_;
};

}  // namespace

Parsed parse_options(int argc, const char* const* argv) {
  CommandLine line;
  try {
    auto options = line.parse(argc, argv);
    if (const auto script = line.completion(); !script.empty()) return print(script), Parsed{std::nullopt, exit_ok};
    return {std::move(options), exit_ok};
  } catch (const CLI::CallForHelp&) {
    print(line.help());
    return {std::nullopt, exit_ok};
  } catch (const CLI::CallForVersion&) {
    print(version_line("roofline_bench") + "\n");
    return {std::nullopt, exit_ok};
  } catch (const std::invalid_argument& wrong) {
    complain(wrong.what());
    return {std::nullopt, exit_usage};
  } catch (const CLI::ParseError& error) {
    std::string message = error.what();
    std::replace(message.begin(), message.end(), '\n', ' ');
    complain(message);
    return {std::nullopt, exit_usage};
  }
}

}  // namespace roofline

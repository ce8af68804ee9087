#include "bench/options/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "bench/machine/pinning.hpp"
#include "bench/options/context_keys.hpp"
#include "bench/options/contradictions.hpp"
#include "bench/options/flag_numbers.hpp"
#include "bench/options/flag_values.hpp"
#include "bench/options/help.hpp"
#include "bench/options/listing.hpp"
#include "bench/options/shell_words.hpp"
#include "bench/ranks/node.hpp"
#include "bench/result/case_study.hpp"
#include "bench/text/clean.hpp"
#include "bench/text/output.hpp"
#include "bench/text/renamed_flags.hpp"
#include "bench/text/words.hpp"

namespace roofline {
namespace {

std::vector<std::string> own_flags(const CLI::App& app) {
  std::vector<std::string> flags;
  for (const auto* option : app.get_options())
    for (const auto& name : option->get_lnames()) flags.push_back("--" + name);
  for (const char* flag : {"--benchmark_enable_random_interleaving", "--benchmark_report_aggregates_only",
                           "--benchmark_display_aggregates_only", "--benchmark_time_unit", "--benchmark_color",
                           "--benchmark_context", "--benchmark_counters_tabular", "--benchmark_perf_counters", "--v"})
    flags.push_back(flag);
  return flags;
}

constexpr std::size_t longest_argument = 8192;

/// The flags, and the texts of those whose values are checked after parsing.
class CommandLine {
 public:
  CommandLine() {
    app_.set_help_flag("-h,--help", "this text");
    app_.set_version_flag("--version", version_line("roofline_bench"));
    lay_out_help(app_);
    app_.allow_extras();
    declare_what(), declare_how(), declare_files_and_sizes(), declare_benchmark_flags();
  }

  std::string help() const { return app_.help(); }
  /// What --completion asks for; empty: nothing.
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
    require_values(app_, flags.count(), flags.values());
    app_.parse(flags.count(), flags.values());
    read_numbers(), read_choices(), read_sizes(), read_extras();
    if (!o_.thread_counts.empty()) require_sweepable();
    o_.command_line = "roofline_bench";
    for (int i = 1; i < argc; ++i)
      if (std::string_view(argv[i]) != "--resume") o_.command_line += " " + clean(argv[i]);
    return o_;
  }

 private:
  CLI::Option* option(const char* flag, std::string& text, const char* description, const char* type,
                      const char* group) {
    return app_.add_option(flag, text, description)->type_name(type)->group(group);
  }
  void flag(const char* name, bool& value, const char* description, const char* group) {
    app_.add_flag(name, value, description)->group(group);
  }

  void declare_what() {
    const auto* const group = "What to run";
    flag("--quick", o_.quick, "a small subset of kernels and ceilings: 15 s, on a GPU half a minute", group);
    flag("--full", o_.full, "every registered variant and ceiling", group);
    option("--ceilings", ceilings_,
           "auto: those that the kernels need, and the lecture's in a default run; quick; full; none; or the "
           "run.json of an earlier run on this device",
           "CHOICE", group);
    flag("--verify", o_.verify,
         "launch every row of the filter once (without a filter: of --full) and compare with the reference; nothing is "
         "timed or written; a virtual GPU takes sizes that it executes in minutes",
         group);
    option("--sanitize", o_.sanitize,
           "with --verify on a virtual GPU: memcheck,racecheck,initcheck,synccheck or all; a finding fails the run",
           "LIST", group);
    flag("--list", o_.list, "families: variants, FLOPs and bytes per point, what each teaches", group);
    option("--case-study", o_.case_study,
           "lecture, gpp, hpgmg, lbm, portability or all: the rows that the talks' statements are about, and a page "
           "with plot, published figures and verdicts",
           "NAME", group);
    option("--describe", o_.describe,
           "all about a family, a variant, the ceilings (ceiling), the counters of a GPU (counters), or what the words "
           "of the output mean (glossary)",
           "NAME", group);
  }

  void declare_how() {
    const auto* const group = "How";
    option("--device", o_.device,
           "auto, cpu, cuda:N, or virtual[:v100|a100|h100|h200|FILE]: a GPU in software, which executes and "
           "verifies the kernels; nothing is timed, its rows are bounds",
           "DEVICE", group);
    flag("--modelled", o_.modelled,
         "nothing is timed, a model counts: on a virtual GPU kernels of published sizes in seconds, of which only what "
         "decides addresses is executed; on a CPU by its own caches",
         group);
    option("--counters", counters_,
           "who counts bytes: auto (CUPTI on a GPU, perf on a CPU, else modelled), cupti, perf, model, none, or a FILE "
           "of ncu --csv --page raw, whose kernels are named like rows (--print-nvtx-rename kernel), of perf stat -j "
           "or of LIKWID (--describe counters)",
           "CHOICE", group);
    flag("--one-process", o_.one_process,
         "on a GPU: everything in one process, for profilers and debuggers, whose times are taken as they are; a "
         "kernel that "
         "hangs ends the run",
         group);
    option("--threads", threads_,
           "threads of the all-cores rows (default: the usable cores); N,N,... or sweep: a run for each number, then "
           "what scales and where it ends",
           "N", group);
    option("--ranks", ranks_,
           "auto: where mpirun, srun or another launcher starts several of this program, each is a rank with a folder "
           "of its own, cores of a node are shared out, and rank 0 alone prints; off: each as if it were alone",
           "CHOICE", group);
    option("--node", o_.node,
           "name of this machine in run.json and in the folders of ranks (default: ROOFLINE_NODE, SLURMD_NODENAME, the "
           "host name)",
           "NAME", group);
    option("--seed", seed_,
           "random inputs instead of the fixed ones, where the specification leaves them open; the same number "
           "gives the same values on every device",
           "N", group);
    option("--time-limit", time_limit_,
           "keep to this time, however slow or busy the machine is: fewer rounds for every row, three at least",
           "SECONDS", group);
    flag("--strict", o_.strict,
         "exit 3 when a physics check fails: a point above 103 % of its roof, other FLOPs than declared, ...", group);
  }

  void declare_files_and_sizes() {
    app_.add_option("--completion", completion_, "print what completes these flags in a shell, or the manual page")
        ->check(CLI::IsMember(shells()))
        ->type_name("SHELL")
        ->group("Files");
    option("--out", o_.out, "folder of run.json, roofline.svg, efficiency.csv, efficiency.md (default: roofline-out)",
           "FOLDER", "Files");
    flag(
        "--resume", o_.resume,
        "go on with the interrupted run whose run.journal is in the folder: with the same flags, without measuring its "
        "finished rows again",
        "Files");
    for (const auto& [family, ports] : families())
      if (!family.size_names.empty())
        app_.add_option("--" + family.name, sizes_[family.name], describe_sizes({family, ports}))
            ->type_name(family.size_names)
            ->group("Problem sizes");
  }

  void declare_benchmark_flags() {
    const auto* const hidden = "";
    option("--model", model_, "", "DEVICE", hidden);
    option("--benchmark_filter", o_.filter, "", "REGEX", hidden);
    option("--benchmark_format", o_.format, "", "FORMAT", hidden);
    option("--benchmark_out", o_.benchmark_out, "", "FILE", hidden);
    option("--benchmark_out_format", o_.benchmark_out_format, "", "FORMAT", hidden);
    option("--benchmark_min_time", min_time_, "", "SECONDS", hidden);
    option("--benchmark_repetitions", repetitions_, "", "N", hidden);
    flag("--benchmark_list_tests", o_.list_tests, "", hidden);
  }

  void read_numbers() {
    if (app_.count("--threads")) {
      const auto cpus = static_cast<int>(allowed_cpus().size());
      if (threads_ == "sweep" || threads_.find(',') != threads_.npos)
        o_.thread_counts = parse_thread_counts(threads_, cpus);
      else
        o_.threads = whole("threads", threads_, 1, cpus, ", the CPUs this process may use");
    }
    if (app_.count("--seed")) o_.seed = static_cast<std::uint64_t>(whole("seed", seed_, 0, 2147483647));
    if (app_.count("--time-limit")) o_.time_limit = number("time-limit", time_limit_, 5, 86400);
    if (app_.count("--benchmark_min_time")) {
      if (!min_time_.empty() && min_time_.back() == 's') min_time_.pop_back();  // Google Benchmark 1.8's spelling
      o_.min_time = number("benchmark_min_time", min_time_, 0, 3600);
    }
    if (app_.count("--benchmark_repetitions")) o_.repetitions = whole("benchmark_repetitions", repetitions_, 1, 10000);
  }

  /// What a sweep passes on must mean the same in each of its runs.
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
    require_one_of("benchmark_format", o_.format, {"console", "json", "csv"});
    require_one_of("benchmark_out_format", o_.benchmark_out_format, {"json", "csv"});
    require_one_of("ranks", ranks_, {"auto", "off"});
    o_.ranks = ranks_ == "auto";
    if (app_.count("--node")) require_node_name(o_.node);
    o_.ceilings = parse_ceilings_choice(ceilings_);
    o_.counters = parse_counters_choice(counters_);
    read_model();
    refuse_contradictions(o_);
  }

  void read_sizes() {
    for (const auto& [family, ports] : families())
      if (app_.count("--" + family.name))
        o_.sizes[family.name] = parse_sizes(family.name, sizes_[family.name], family.size_names);
  }

  /// Google Benchmark's other flags go to it; nothing else may be left.
  void read_extras() {
    for (const auto& extra : app_.remaining()) {
      if (extra.rfind("--benchmark_", 0) == 0 || extra.rfind("--v=", 0) == 0) {
        const std::string time_unit = "--benchmark_time_unit=";
        if (extra.rfind(time_unit, 0) == 0)
          require_one_of("benchmark_time_unit", extra.substr(time_unit.size()), {"ns", "us", "ms", "s"});
        const std::string verbosity = "--v=";  // Google Benchmark would complain in a line of its own
        if (extra.rfind(verbosity, 0) == 0) whole("v", extra.substr(verbosity.size()), 0, 9);
        const std::string context = "--benchmark_context=";
        if (extra.rfind(context, 0) == 0) require_free_context(extra.substr(context.size()));
        o_.for_benchmark.push_back(extra);
        continue;
      }
      const auto name = extra.substr(0, extra.find('='));
      const auto guess = name.rfind("-", 0) == 0 ? nearest(name, own_flags(app_)) : std::string{};
      throw CLI::ValidationError(fmt::format("{} '{}'{}; see --help",
                                             extra[0] == '-' ? "unknown flag" : "unexpected argument", extra,
                                             guess.empty() ? "" : ", did you mean " + guess + "?"));
    }
  }

  std::string completion_;
  std::string model_;
  CLI::App app_{"roofline_bench: ceilings, kernel points and efficiencies of this device in one run", "roofline_bench"};
  Options o_;
  std::string ceilings_ = "auto", counters_ = "auto", ranks_ = "auto", threads_, seed_, min_time_, time_limit_,
              repetitions_;
  std::map<std::string, std::string> sizes_;
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

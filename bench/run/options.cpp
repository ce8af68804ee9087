#include "bench/run/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "bench/machine/cpuset.hpp"
#include "bench/run/flag_values.hpp"
#include "bench/run/listing.hpp"
#include "bench/text/output.hpp"
#include "bench/text/table.hpp"

namespace roofline {
namespace {

constexpr const char* footer = R"(Google Benchmark's own flags work as ever; the most useful ones:
  --benchmark_filter=REGEX             kernels (and ceilings) to run, among all registered variants
  --benchmark_repetitions=N            repeat every row N times
  --benchmark_format=console|json|csv  what standard output gets
  --benchmark_out=FILE                 a second copy of the result (--benchmark_out_format=json|csv)
  --benchmark_list_tests               the names of the rows of this run; with --full of all rows
  --benchmark_enable_random_interleaving, --benchmark_min_time=SECONDS,
  --benchmark_context=KEY=VALUE

Examples:
  roofline_bench                                     the default suite, ceilings to plots
  roofline_bench --quick                             the same in under half a minute
  roofline_bench --benchmark_filter=gpp              GPP alone, with efficiencies
  roofline_bench --benchmark_filter='nw:6.*stride:8'
  roofline_bench --ceilings=roofline-out/run.json --benchmark_filter=stream
  roofline_bench --describe gpp
  roofline_bench --model=v100                        a GPU that is not there: counts and bounds

Exit codes: 0 ok, 1 a verification failed, 2 usage, 3 invalid or inconclusive, 4 unreadable input
or failed write, 5 the filter matched nothing, 130/143 interrupted (the points that were finished
are written).)";

/// A list of integers, all of it, or an error with the flag's name.
Sizes parse_sizes(const std::string& flag, const std::string& text, const std::string& names) {
  Sizes sizes;
  const auto fail = [&](const std::string& why) {
    throw CLI::ValidationError(fmt::format("--{}={}: {}; expected {}", flag, text, why, names));
  };
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const auto end = std::min(text.find(',', begin), text.size());
    const auto item = text.substr(begin, end - begin);
    try {
      std::size_t used = 0;
      const auto value = std::stoll(item, &used);
      if (used != item.size()) fail(fmt::format("'{}' is not a whole number", item));
      if (value < 1) fail(fmt::format("{} is not a size", value));
      sizes.push_back(value);
    } catch (const std::invalid_argument&) {
      fail(fmt::format("'{}' is not a whole number", item));
    } catch (const std::out_of_range&) {
      fail(fmt::format("{} is too large", item));
    }
    begin = end + 1;
  }
  const auto wanted = std::count(names.begin(), names.end(), ',') + 1;
  if (static_cast<std::ptrdiff_t>(sizes.size()) != wanted)
    fail(fmt::format("{} value{} given", sizes.size(), sizes.size() == 1 ? "" : "s"));
  return sizes;
}

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

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const auto replace = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replace, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

constexpr std::size_t option_column = 34;

/// The library indents the lines of a description but does not break them.
class WrappedHelp : public CLI::Formatter {
 public:
  std::string make_option_desc(const CLI::Option* option) const override {
    const auto text = wrap(CLI::Formatter::make_option_desc(option), terminal_width - option_column, 0);
    return text.substr(0, text.find_last_not_of('\n') + 1);
  }
};

}  // namespace

std::string nearest(const std::string& word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 2);
  for (const auto& candidate : candidates) {
    const auto distance = edit_distance(word, candidate);
    if (distance < best_distance) best = candidate, best_distance = distance;
  }
  return best;
}

Parsed parse_options(int argc, const char* const* argv) {
  Options o;
  CLI::App app("roofline_bench: ceilings, kernel points and efficiencies of this device in one run", "roofline_bench");
  app.set_help_flag("-h,--help", "this text");
  app.set_version_flag("--version", ROOFLINE_VERSION);
  app.formatter(std::make_shared<WrappedHelp>());
  app.get_formatter()->column_width(option_column);
  app.footer(footer);
  app.allow_extras();

  const std::string what = "What to run", how = "How", files = "Files", size_group = "Problem sizes";
  app.add_flag("--quick", o.quick, "a small subset of kernels and ceilings: at most 25 s")->group(what);
  app.add_flag("--full", o.full, "every registered variant and ceiling")->group(what);
  app.add_option("--ceilings", o.ceilings,
                 "auto: those that the kernels need, and the lecture's in a default run; quick; full; none; or the "
                 "run.json of an earlier run on this device")
      ->type_name("CHOICE")
      ->group(what);
  app.add_flag(
         "--verify", o.verify,
         "launch every row of the filter once (without a filter: of --full) and compare with the reference; nothing is "
         "timed or written")
      ->group(what);
  app.add_flag("--list", o.list, "families: variants, FLOPs and bytes per point, what each teaches")->group(what);
  app.add_option("--describe", o.describe,
                 "all about a family, a variant, the ceilings (ceiling), or the counters of a GPU (counters)")
      ->type_name("NAME")
      ->group(what);
  app.add_option("--device", o.device, "auto, cpu, cuda:N")->type_name("DEVICE")->group(how);
  app.add_option("--model", o.model,
                 "v100, a100, h100, h200, host, or a device file: all points as bounds on that device's ceilings, "
                 "nothing is timed")
      ->type_name("DEVICE")
      ->group(how);
  app.add_option("--counters", o.counters,
                 "bytes of a GPU run: auto (CUPTI, else modelled), cupti, model, none, or FILE.csv of ncu --csv "
                 "--page raw, whose kernels are named like rows (--print-nvtx-rename kernel)")
      ->type_name("CHOICE")
      ->group(how);
  app.add_flag("--one-process", o.one_process,
               "on a GPU: everything in one process, for profilers and debuggers; a kernel that hangs ends the run")
      ->group(how);
  std::string threads;
  app.add_option("--threads", threads, "threads of the all-cores rows (default: the usable cores)")
      ->type_name("N")
      ->group(how);
  std::string seed;
  app.add_option("--seed", seed,
                 "random inputs instead of the fixed ones, where the specification leaves them open; the same number "
                 "gives the same values on every device")
      ->type_name("N")
      ->group(how);
  app.add_flag("--strict", o.strict,
               "exit 3 when a physics check fails: a point above 105 % of its roof, ceilings that drifted, ...")
      ->group(how);
  app.add_option("--out", o.out,
                 "folder of run.json, roofline.svg, efficiency.csv, efficiency.md (default: roofline-out)")
      ->type_name("FOLDER")
      ->group(files);
  std::map<std::string, std::string> size_texts;
  for (const auto& [family, ports] : families())
    if (!family.size_names.empty())
      app.add_option("--" + family.name, size_texts[family.name], describe_sizes({family, ports}))
          ->type_name(family.size_names)
          ->group(size_group);

  const std::string hidden;
  std::string min_time, repetitions;
  app.add_option("--benchmark_filter", o.filter)->type_name("REGEX")->group(hidden);
  app.add_option("--benchmark_format", o.format)->type_name("FORMAT")->group(hidden);
  app.add_option("--benchmark_out", o.benchmark_out)->type_name("FILE")->group(hidden);
  app.add_option("--benchmark_out_format", o.benchmark_out_format)->type_name("FORMAT")->group(hidden);
  app.add_option("--benchmark_min_time", min_time)->type_name("SECONDS")->group(hidden);
  app.add_option("--benchmark_repetitions", repetitions)->type_name("N")->group(hidden);
  app.add_flag("--benchmark_list_tests", o.list_tests)->group(hidden);

  try {
    require_values(app, argc, argv);
    app.parse(argc, argv);
    const auto number = [](const std::string& flag, const std::string& text, double low, double high) {
      char* end = nullptr;
      const double value = std::strtod(text.c_str(), &end);
      if (text.empty() || *end != '\0' || !(value >= low && value <= high))
        throw CLI::ValidationError(fmt::format("--{}={}: expected a number from {} to {}", flag, text, low, high));
      return value;
    };
    const auto whole = [](const std::string& flag, const std::string& text, int low, int high, const char* why = "") {
      int value = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (error != std::errc{} || end != text.data() + text.size() || value < low || value > high)
        throw CLI::ValidationError(
            fmt::format("--{}={}: expected a whole number from {} to {}{}", flag, text, low, high, why));
      return value;
    };
    const auto one_of = [](const std::string& flag, const std::string& text, const std::vector<std::string>& choices) {
      if (std::find(choices.begin(), choices.end(), text) == choices.end())
        throw CLI::ValidationError(fmt::format("--{}={}: expected one of {}", flag, text, fmt::join(choices, ", ")));
    };
    if (o.quick && o.full) throw CLI::ValidationError("--quick --full: leave one of them out");
    if (app.count("--threads")) {
      const auto cpus = static_cast<int>(allowed_cpus().size());
      o.threads = whole("threads", threads, 1, cpus, ", the CPUs this process may use");
    }
    one_of("benchmark_format", o.format, {"console", "json", "csv"});
    one_of("benchmark_out_format", o.benchmark_out_format, {"json", "csv"});
    if (app.count("--seed")) o.seed = static_cast<std::uint64_t>(whole("seed", seed, 0, 2147483647));
    if (app.count("--benchmark_min_time")) {
      if (!min_time.empty() && min_time.back() == 's') min_time.pop_back();  // Google Benchmark 1.8's spelling
      o.min_time = number("benchmark_min_time", min_time, 0, 3600);
    }
    if (app.count("--benchmark_repetitions")) o.repetitions = whole("benchmark_repetitions", repetitions, 1, 10000);
    if (o.verify && !o.model.empty())
      throw CLI::ValidationError(fmt::format("--verify --model={}: a model launches nothing to verify", o.model));
    if (!o.model.empty() && o.device.rfind("cuda", 0) == 0)
      throw CLI::ValidationError(
          fmt::format("--model={} --device={}: a model takes the place of a device; leave one "
                      "of them out",
                      o.model, o.device));
    for (const auto& [family, ports] : families())
      if (app.count("--" + family.name))
        o.sizes[family.name] = parse_sizes(family.name, size_texts[family.name], family.size_names);

    for (const auto& extra : app.remaining()) {
      const bool for_benchmark = extra.rfind("--benchmark_", 0) == 0 || extra.rfind("--v=", 0) == 0;
      if (for_benchmark) {
        const std::string time_unit = "--benchmark_time_unit=";
        if (extra.rfind(time_unit, 0) == 0)
          one_of("benchmark_time_unit", extra.substr(time_unit.size()), {"ns", "us", "ms", "s"});
        o.for_benchmark.push_back(extra);
        continue;
      }
      const auto flag = extra.substr(0, extra.find('='));
      const auto guess = flag.rfind("-", 0) == 0 ? nearest(flag, own_flags(app)) : std::string{};
      throw CLI::ValidationError(fmt::format("{} '{}'{}; see --help",
                                             extra[0] == '-' ? "unknown flag" : "unexpected argument", extra,
                                             guess.empty() ? "" : ", did you mean " + guess + "?"));
    }
  } catch (const CLI::CallForHelp&) {
    print(app.help());
    return {std::nullopt, exit_ok};
  } catch (const CLI::CallForVersion&) {
    print(fmt::format("roofline_bench {}\n", ROOFLINE_VERSION));
    return {std::nullopt, exit_ok};
  } catch (const CLI::ParseError& error) {
    std::string message = error.what();
    std::replace(message.begin(), message.end(), '\n', ' ');
    fmt::print(stderr, "roofline_bench: {}\n", message);
    return {std::nullopt, exit_usage};
  }
  for (int i = 0; i < argc; ++i) o.command_line += (i ? " " : "") + std::string(i ? argv[i] : "roofline_bench");
  return {o, exit_ok};
}

}  // namespace roofline

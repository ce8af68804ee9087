#include "bench/options/help.hpp"

#include <memory>
#include <sstream>

#include "bench/text/output.hpp"
#include "bench/text/table.hpp"
#include "bench/text/words.hpp"

namespace roofline {

const char* const bench_help_footer = R"(Google Benchmark's own flags work as ever; the most useful ones:
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
  roofline_bench --device=virtual:v100 --modelled    a GPU in software: counts and bounds

Exit codes: 0 ok, 1 a verification failed, 2 usage, 3 invalid or inconclusive, 4 unreadable input
or failed write, 5 the filter matched nothing, 129/130/143 interrupted (what was finished is in
run.partial.json and next to it, complete results stay; --resume goes on).)";

namespace {

constexpr std::size_t option_column = 34;

/// The library indents the lines of a description but does not break them.
class WrappedHelp : public CLI::Formatter {
 public:
  std::string make_option_desc(const CLI::Option* option) const override {
    const auto text = wrap(CLI::Formatter::make_option_desc(option), terminal_width - option_column, 0);
    return text.substr(0, text.find_last_not_of('\n') + 1);
  }
  /// What a flag excludes is said when it is met.
  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_type_size() == 0) return "";
    const auto& usual = option->get_default_str();
    return " " + option->get_type_name() + (usual.empty() ? "" : "=" + usual) +
           (option->get_required() ? " (required)" : "");
  }
  std::string make_footer(const CLI::App* app) const override {
    std::string text;
    std::istringstream lines(app->get_footer());
    for (std::string line; std::getline(lines, line);)
      text += line.size() <= terminal_width ? line + "\n" : wrap(line, terminal_width, 2);
    return text;
  }
  std::string make_group(std::string group, bool positional, std::vector<const CLI::Option*> options) const override {
    return group == not_in_help ? "" : CLI::Formatter::make_group(std::move(group), positional, std::move(options));
  }
};

}  // namespace

void lay_out_help(CLI::App& app, const std::string& version) {
  app.set_help_flag("-h,--help", "this text");
  app.set_version_flag("--version", version, "version, commit, compiler");
  app.formatter(std::make_shared<WrappedHelp>());
  app.get_formatter()->column_width(option_column);
}

}  // namespace roofline

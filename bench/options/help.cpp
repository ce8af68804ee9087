#include "bench/options/help.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <stdexcept>

#include "bench/text/output.hpp"
#include "bench/text/table.hpp"
#include "bench/text/words.hpp"

namespace roofline {
namespace {

/// One flag, as shells and manuals need it.
struct ShellFlag {
  std::string name;   ///< --out
  std::string about;  ///< one line
  bool takes_value = false;
};

std::string in_one_line(std::string text) {
  for (auto& c : text)
    if (c == '\n') c = ' ';
  return text;
}

std::vector<ShellFlag> flags_of(const CLI::App& app) {
  std::vector<ShellFlag> flags;
  for (const auto* const option : app.get_options())
    if (!option->get_description().empty())
      for (const auto& name : option->get_lnames())
        flags.push_back({"--" + name, in_one_line(option->get_description()), option->get_items_expected_max() > 0});
  return flags;
}

std::vector<const CLI::App*> parts_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* part) { return !part->get_name().empty(); });
}

/// Text between single quotes of a shell.
std::string quoted_for_shell(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string words_of_part(const CLI::App& app) {
  std::string words;
  for (const auto* const part : parts_of(app)) words += part->get_name() + " ";
  for (const auto& flag : flags_of(app)) words += flag.name + (flag.takes_value ? "= " : " ");
  return words;
}

std::string for_bash(const CLI::App& app) {
  const auto& name = app.get_name();
  std::string cases;
  for (const auto* const part : parts_of(app))
    cases += fmt::format("    {}) words={} ;;\n", part->get_name(), quoted_for_shell(words_of_part(*part)));
  return fmt::format(R"(# bash completion of {0}: source it, or put it into bash-completion/completions/{0}
_{0}() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} words={1}
  case ${{COMP_WORDS[1]}} in
{2}    *) ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ ${{COMPREPLY[0]}} == *= ]] && compopt -o nospace
}}
complete -o default -F _{0} {0}
)",
                     name, quoted_for_shell(words_of_part(app)), cases);
}

std::string for_zsh(const CLI::App& app) {
  const auto& name = app.get_name();
  const auto described = [](const CLI::App& part) {
    std::string arguments;
    for (const auto& flag : flags_of(part)) {
      std::string about;
      for (const char c : flag.about)
        about += c == '[' || c == ']' || c == ':' ? std::string("\\") + c : std::string(1, c);
      arguments += " " + quoted_for_shell(fmt::format("{}{}[{}]{}", flag.name, flag.takes_value ? "=" : "", about,
                                                      flag.takes_value ? ":value:_files" : ""));
    }
    return arguments;
  };
  std::string names, cases;
  for (const auto* const part : parts_of(app)) {
    names += " " + quoted_for_shell(part->get_name() + ":" + in_one_line(part->get_description()));
    cases += fmt::format("    {}) _arguments{} '*:file:_files' ;;\n", part->get_name(), described(*part));
  }
  if (names.empty()) return fmt::format("#compdef {}\n_arguments{} '*:file:_files'\n", name, described(app));
  return fmt::format(R"(#compdef {0}
local -a parts=({1})
if (( CURRENT == 2 )); then
  _describe subcommand parts
  _arguments{2}
else
  local part=${{words[2]}}
  shift words; (( CURRENT-- ))
  case $part in
{3}  esac
fi
)",
                     name, names, described(app), cases);
}

std::string for_fish(const CLI::App& app) {
  const auto& name = app.get_name();
  const auto described = [&](const CLI::App& part, const std::string& condition) {
    std::string lines;
    for (const auto& flag : flags_of(part))
      lines += fmt::format("complete -c {}{} -l {}{} -d {}\n", name, condition, flag.name.substr(2),
                           flag.takes_value ? " -r" : "", quoted_for_shell(flag.about));
    return lines;
  };
  std::string lines;
  for (const auto* const part : parts_of(app)) {
    lines += fmt::format("complete -c {} -n __fish_use_subcommand -a {} -d {}\n", name, part->get_name(),
                         quoted_for_shell(in_one_line(part->get_description())));
    lines += described(*part, fmt::format(" -n '__fish_seen_subcommand_from {}'", part->get_name()));
  }
  return lines + described(app, parts_of(app).empty() ? "" : " -n __fish_use_subcommand");
}

/// Text in troff: nothing in it is a request or an escape.
std::string in_troff(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if ((safe.empty() || safe.back() == '\n') && (c == '.' || c == '\'')) safe += "\\&";
    safe += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  }
  return safe;
}

std::string flags_in_troff(const CLI::App& app) {
  std::string text;
  for (const auto& flag : flags_of(app))
    text +=
        fmt::format(".TP\n.B {}{}\n{}\n", in_troff(flag.name), flag.takes_value ? "=..." : "", in_troff(flag.about));
  return text;
}

}  // namespace

const char* const bench_help_footer = R"(Google Benchmark's own flags work as ever; the most useful ones:
  --benchmark_filter=REGEX             kernels (and ceilings) of this run that fit; of a family with
                                       none of them, and with --full, of all registered variants
  --benchmark_repetitions=N            repeat every row N times
  --benchmark_format=console|json|csv  format of standard output
  --benchmark_out=FILE                 a second copy of the result (--benchmark_out_format=json|csv)
  --benchmark_list_tests               the names of the rows of this run; with --full of all rows
  --benchmark_min_time=SECONDS, --benchmark_context=KEY=VALUE

Examples:
  roofline_bench                                     the default suite, ceilings to plots
  roofline_bench --quick                             the same in under half a minute
  roofline_bench --benchmark_filter=gpp              GPP alone, with efficiencies
  roofline_bench --benchmark_filter='nw:6.*stride:8'
  roofline_bench --ceilings=roofline-out/run.json --benchmark_filter=stream
  roofline_bench --describe gpp
  roofline_bench --device=virtual:v100 --modelled    a GPU in software: counts and bounds

Exit codes: 0 ok, 1 a verification failed, 2 usage, 3 invalid, inconclusive or out of memory,
4 unreadable input or failed write, 5 the filter matched nothing, 129/130/143 interrupted:
finished rows are in run.partial.json and the files next to it, earlier complete results are kept,
and --resume continues.)";

namespace {

constexpr std::size_t option_column = 34;

/// The library indents the lines of a description but does not break them.
class WrappedHelp : public CLI::Formatter {
 public:
  std::string make_option_desc(const CLI::Option* option) const override {
    const auto text = wrap(CLI::Formatter::make_option_desc(option), terminal_width - option_column, 0);
    return text.substr(0, text.find_last_not_of('\n') + 1);
  }
  /// Exclusions of a flag are left out here; a command line that violates one gets a message.
  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_type_size() == 0) return "";
    const auto& usual = option->get_default_str();
    return " " + option->get_type_name() + (usual.empty() ? "" : "=" + usual) +
           (option->get_required() ? " (required)" : "");
  }
  std::string make_footer(const CLI::App* app) const override { return wrap_lines(app->get_footer(), 2); }
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

const std::vector<std::string>& shells() {
  static const std::vector<std::string> all{"bash", "zsh", "fish", "man"};
  return all;
}

std::string completion(const CLI::App& app, const std::string& shell) {
  if (shell == "bash") return for_bash(app);
  if (shell == "zsh") return for_zsh(app);
  if (shell == "fish") return for_fish(app);
  throw std::invalid_argument(fmt::format("'{}' is not one of bash, zsh, fish, man", shell));
}

std::string man_page(const CLI::App& app) {
  const auto& name = app.get_name();
  auto text =
      fmt::format(".TH {} 1 \"\" \"roofline {}\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n.B {}\n{}[flags]\n.SH FLAGS\n{}",
                  name, ROOFLINE_VERSION, name, in_troff(in_one_line(app.get_description())), name,
                  parts_of(app).empty() ? "" : "subcommand ", flags_in_troff(app));
  for (const auto* const part : parts_of(app))
    text += fmt::format(".SH {} {}\n{}\n{}", name, part->get_name(), in_troff(part->get_description()),
                        flags_in_troff(*part));
  return text;
}

}  // namespace roofline

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>

#include "bench/options/shell_words.hpp"
#include "bench/storage/ceilings_file.hpp"
#include "bench/text/output.hpp"
#include "bench/text/printable.hpp"
#include "bench/text/renamed_flags.hpp"
#include "tools/roofline/subcommand.hpp"

namespace roofline::cli {
namespace {

std::vector<Definition>& registered() {
  static std::vector<Definition> all;
  return all;
}

/// A library's message can have several lines; ours has one.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

int error(int code, const std::string& line) {
  fmt::print(stderr, "roofline: {}\n", printable(first_line(line)));
  return code;
}

int run(int argc, char** argv) {
  CLI::App app("What stored runs say: tables, plots, comparisons. Every subcommand has its own --help.", "roofline");
  app.require_subcommand(1);
  app.set_version_flag("--version", version_line("roofline"));
  app.footer("Example: roofline show roofline-out/run.json");
  std::map<const CLI::App*, Action> actions;
  for (const auto& [name, about, define] : subcommands()) {
    auto* const part = app.add_subcommand(name, about);
    Flags flags(*part);
    actions[part] = define(flags);
  }
  std::string shell;
  auto* const completes =
      app.add_subcommand("completion", "what completes these commands in a shell, or their manual page");
  completes->add_option("SHELL", shell, "bash, zsh, fish; man: the manual page")
      ->required()
      ->check(CLI::IsMember(shells()));
  completes->footer("Example: source <(roofline completion bash); roofline_bench --completion=bash does the same");
  actions[completes] = [&] {
    print(shell == "man" ? man_page(app) : completion(app, shell));
    return exit_ok;
  };
  const RenamedFlags flags(argc, argv);
  if (!flags.notice().empty()) error(exit_ok, flags.notice());
  try {
    app.parse(flags.count(), flags.values());
  } catch (const CLI::Success& asked) {
    return app.exit(asked);
  } catch (const CLI::ParseError& wrong) {
    return error(exit_usage, first_line(wrong.what()) + " (see --help)");
  }
  return actions.at(app.get_subcommands().front())();
}

int guarded(int argc, char** argv) {
  try {
    const int code = run(argc, argv);
    require_printed();
    return code;
  } catch (const FileError& failure) {
    return error(exit_io, failure.what());
  } catch (const std::filesystem::filesystem_error& failure) {
    return error(exit_io, failure.what());
  } catch (const std::invalid_argument& wrong) {
    return error(exit_usage, wrong.what());
  } catch (const Inconclusive& reason) {
    return error(exit_inconclusive, reason.what());
  } catch (const FingerprintMismatch& foreign) {
    return error(exit_inconclusive, foreign.what());
  } catch (const std::exception& unexpected) {
    return error(exit_failed, unexpected.what());
  }
}

}  // namespace

Subcommand::Subcommand(const char* name, const char* about, Action (*define)(Flags&)) {
  registered().push_back({name, about, define});
}

std::vector<Definition> subcommands() {
  auto all = registered();
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return all;
}

}  // namespace roofline::cli

int main(int argc, char** argv) { return roofline::cli::guarded(argc, argv); }

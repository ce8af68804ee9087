#include "tools/roofline/subcommand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>

#include "bench/machine/own_program.hpp"
#include "bench/options/flag_checks.hpp"
#include "bench/options/help.hpp"
#include "bench/storage/ceilings_file.hpp"
#include "bench/text/clean.hpp"
#include "bench/text/output.hpp"
#include "bench/text/words.hpp"

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

/// Says which word of the command line nothing takes, with the nearest word that would be taken; empty: there is none.
std::string unknown_word(const CLI::App& app) {
  const auto parts = app.get_subcommands();
  auto left = parts.empty() ? app.remaining() : parts.front()->remaining();
  std::erase(left, "--");
  if (!parts.empty()) return left.empty() ? "" : unknown(left.front(), *parts.front());
  if (left.empty() || left.front().starts_with("-")) return left.empty() ? "" : unknown(left.front(), app);
  std::vector<std::string> names;
  for (const auto* const part : app.get_subcommands(nullptr)) names.push_back(part->get_name());
  return fmt::format("unknown subcommand '{}'{}; see --help", left.front(), did_you_mean(left.front(), names));
}

int run(int argc, char** argv) {
  CLI::App app("Shows stored runs: tables, plots, comparisons. Every subcommand has its own --help.", "roofline");
  app.require_subcommand(1);
  lay_out_help(app, version_line("roofline"));
  app.footer("Example: roofline show roofline-out/run.json");
  std::map<const CLI::App*, Action> actions;
  for (const auto& [name, about, define] : subcommands()) {
    auto* const part = app.add_subcommand(name, about);
    actions[part] = define(*part);
  }
  std::string shell;
  auto* const completes =
      app.add_subcommand("completion", "print a shell's completion of these commands, or their manual page");
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
    // A value that its flag refuses is said first.
    const bool is_wrong_value = dynamic_cast<const CLI::ValidationError*>(&wrong) != nullptr ||
                                dynamic_cast<const CLI::ConversionError*>(&wrong) != nullptr;
    const auto line = is_wrong_value ? "" : unknown_word(app);
    return error(exit_usage, line.empty() ? first_line(wrong.what()) + " (see --help)" : line);
  }
  return actions.at(app.get_subcommands().front())();
}

}  // namespace

int command(int argc, char** argv) {
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

Subcommand::Subcommand(const char* name, const char* about, Define define) {
  registered().push_back({name, about, std::move(define)});
}

std::vector<Definition> subcommands() {
  auto all = registered();
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return all;
}

int put(const std::string& text, const std::string& file) {
  file.empty() ? print(text) : write_file(file, text);
  return exit_ok;
}

double share_of(const char* flag, const std::string& text, double low, double high) {
  const bool percent = text.ends_with('%');
  const auto value = as_number<double>(text.substr(0, text.size() - percent));
  const double share = value.value_or(-1) / (percent ? 100 : 1);
  if (!(share >= low && share <= high))
    throw std::invalid_argument(fmt::format("{}={}: a share between 0 and 100 % is expected: 3% or 0.03", flag, text));
  return share;
}

std::vector<std::filesystem::path> files_in(const std::string& folder, const char* extension) {
  std::error_code error;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == extension) files.push_back(entry.path());
  if (error) throw FileError(fmt::format("{}: {}", folder, error.message()));
  std::sort(files.begin(), files.end());
  return files;
}

std::filesystem::path bench_program() { return own_program().parent_path() / "roofline_bench"; }

}  // namespace roofline::cli

#include "tools/roofline/ab_runs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <stdexcept>

#include "bench/any_program/launch.hpp"
#include "bench/any_program/program_file.hpp"
#include "bench/machine/clock.hpp"
#include "bench/text/output.hpp"

namespace roofline::cli {
namespace {

namespace fs = std::filesystem;

/// Words of a command line; quotes keep blanks, a backslash the character after it.
std::vector<std::string> words_of(const std::string& command) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  bool open = false;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (c == '\\' && quote != '\'' && i + 1 < command.size()) {
      word += command[++i], open = true;
    } else if (quote ? c == quote : c == '"' || c == '\'') {
      quote = quote ? 0 : c, open = true;
    } else if (!quote && (c == ' ' || c == '\t')) {
      if (open) words.push_back(word);
      word.clear(), open = false;
    } else {
      word += c, open = true;
    }
  }
  if (quote) throw std::invalid_argument(fmt::format("'{}': a quote is not closed", command));
  if (open) words.push_back(word);
  if (words.empty())
    throw std::invalid_argument("a side of ab needs a command, as in --base='base/roofline_bench --quick'");
  return words;
}

/// Runs a program to its end and returns its code; 128 + signal of one that was killed. `name` is for messages. Throws
/// Interrupted, and FileError when it took too long.
int run_program(const any_program::Launch& what, const std::string& name, double most_seconds) {
  auto launch = what;
  constexpr double grace_seconds = 10;  // for a run that was asked to stop: its row ends, and files are written
  double stopped = -1;
  bool too_long = false;
  launch.in = "/dev/null", launch.error = launch.out, launch.tick_microseconds = 20000;
  launch.meanwhile = [&](double now) {
    // Once: a second signal would mean "at once" to the program.
    if (stopped < 0 && (any_program::asked_to_stop() || now > most_seconds))
      too_long = !any_program::asked_to_stop(), any_program::signal_running(SIGTERM), stopped = now;
    if (stopped >= 0 && now - stopped > grace_seconds) any_program::signal_running(SIGKILL);
  };
  const auto ending = any_program::run(launch);
  if (const int signal = any_program::asked_to_stop()) throw Interrupted{signal};
  if (too_long) throw FileError(fmt::format("'{}' took longer than {:.0f} s and was stopped", name, most_seconds));
  return ending.code;
}

/// The last line of a program's output.
std::string last_line(const fs::path& log) {
  auto text = read_file(log);
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.rfind('\n') + 1).substr(0, 300);
}

}  // namespace

AbSide::AbSide(const std::string& command, const fs::path& root, char letter)
    : command_(command),
      folder_(root / std::string(1, letter)),
      program_(folder_ / "program"),
      flags_(words_of(command)) {
  const auto program = any_program::find_program(flags_.front());
  if (!program || ::access(program->c_str(), X_OK) != 0 || !fs::is_regular_file(*program))
    throw FileError(fmt::format("{}: there is no such program; build it, or give its path", flags_.front()));
  flags_.erase(flags_.begin());
  std::error_code error;
  fs::create_directories(folder_, error);
  fs::remove(program_, error);
  fs::create_symlink(fs::canonical(*program), program_, error);
  if (error) throw FileError(fmt::format("{}: {}", program_.string(), error.message()));
}

AbSide::Kind AbSide::kind_of_program(double most_seconds) {
  const auto help = folder_ / "help.txt";
  run_program({.file = program_, .name = program_, .arguments = {"--help"}, .in = {}, .out = help}, command_,
              most_seconds);
  const auto text = read_file(help);
  const auto says = [&](const char* flag) { return text.find(flag) != text.npos; };
  return says("--roofline-out")                       ? Kind::library
         : says("--benchmark_out=") && !says("--out") ? Kind::benchmark
                                                      : Kind::suite;
}

Side AbSide::run(const std::string& filter, double most_seconds) {
  if (runs_ == 0) kind_ = kind_of_program(most_seconds);
  out_ = folder_ / fmt::format("{:03d}", ++runs_);
  auto flags = flags_;
  if (!filter.empty()) flags.push_back("--benchmark_filter=" + filter);
  if (kind_ == Kind::suite) flags.push_back("--out=" + out_.string());
  if (kind_ == Kind::library) flags.insert(flags.end(), {"--roofline", "--roofline-out=" + out_.string()});
  if (kind_ == Kind::benchmark) {
    fs::create_directories(out_);
    flags.insert(flags.end(), {"--benchmark_out=" + run_json().string(), "--benchmark_out_format=json"});
  }
  const auto log = folder_ / fmt::format("{:03d}.log", runs_);
  const auto start = Clock::now();
  const int code = run_program({.file = program_, .name = program_, .arguments = flags, .in = {}, .out = log}, command_,
                               most_seconds);
  // A failed verification or a strict run has a result all the same.
  if (!fs::exists(run_json()))
    throw FileError(fmt::format("'{}' ended with code {} and wrote no result: {}", command_, code, last_line(log)));
  auto side = read_side(run_json());
  side.origin = command_;
  // A program of Google Benchmark does not tell how long it ran.
  if (auto& seconds = side.results.timer.run_seconds; seconds == 0) seconds = seconds_since(start);
  return side;
}

void AbSide::use_ceilings(const fs::path& run_json) {
  const bool said =
      std::any_of(flags_.begin(), flags_.end(), [](const auto& flag) { return flag.starts_with("--ceilings"); });
  // A program with ROOFLINE_MAIN keeps those of its machine itself.
  if (!said && kind_ == Kind::suite) flags_.push_back("--ceilings=" + run_json.string());
}

}  // namespace roofline::cli

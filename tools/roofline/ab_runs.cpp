#include "tools/roofline/ab_runs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <stdexcept>

#include "bench/machine/interrupt.hpp"
#include "bench/text/output.hpp"

namespace roofline::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t asked = 0;
void on_signal(int signal) { asked = signal; }

/// Time for a run that was asked to stop: its row ends, and files are written.
constexpr double grace_seconds = 10;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

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

/// The file that the shell would run.
fs::path program_named(const std::string& name) {
  if (name.find('/') == name.npos) {
    const char* const path = std::getenv("PATH");
    std::string_view rest = path ? path : "";
    while (!rest.empty()) {
      const auto colon = std::min(rest.find(':'), rest.size());
      const auto candidate = fs::path(rest.substr(0, colon)) / name;
      if (::access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate)) return fs::canonical(candidate);
      rest.remove_prefix(std::min(colon + 1, rest.size()));
    }
  } else if (::access(name.c_str(), X_OK) == 0 && fs::is_regular_file(name)) {
    return fs::canonical(name);
  }
  throw FileError(fmt::format("{}: there is no such program; build it, or give its path", name));
}

/// In the child: never returns.
[[noreturn]] void become(const fs::path& program, const std::vector<std::string>& flags, const fs::path& log) {
  const int in = ::open("/dev/null", O_RDONLY), out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (in < 0 || out < 0) ::_exit(127);
  ::dup2(in, 0), ::dup2(out, 1), ::dup2(out, 2);
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const auto& flag : flags) argv.push_back(const_cast<char*>(flag.c_str()));
  argv.push_back(nullptr);
  ::execv(program.c_str(), argv.data());
  ::_exit(127);
}

/// Waits for a process; one that takes too long, or an interrupt, ends it.
int wait_for(pid_t child, double most_seconds, const std::string& command) {
  const auto start = Clock::now();
  std::optional<Clock::time_point> stopped;
  bool too_long = false;
  for (int status = 0;;) {
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child) {
      if (asked) throw Interrupted{asked};
      if (too_long)
        throw FileError(fmt::format("'{}' took longer than {:.0f} s and was stopped", command, most_seconds));
      return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    if (ended < 0 && errno != EINTR) throw FileError(fmt::format("'{}': {}", command, std::strerror(errno)));
    const bool late = since(start) > most_seconds;
    // Once: a second signal would mean "at once" to the program.
    if (!stopped && (asked || late)) ::kill(child, SIGTERM), stopped = Clock::now(), too_long = late;
    if (stopped && since(*stopped) > grace_seconds) ::kill(child, SIGKILL);
    ::usleep(20'000);
  }
}

/// What a program said last.
std::string last_line(const fs::path& log) {
  auto text = read_file(log);
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.rfind('\n') + 1).substr(0, 300);
}

}  // namespace

void catch_ab_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  for (const int signal : interrupts()) sigaction(signal, &action, nullptr);
}

AbSide::AbSide(const std::string& command, const fs::path& root, char letter)
    : command_(command),
      folder_(root / std::string(1, letter)),
      program_(folder_ / "program"),
      flags_(words_of(command)) {
  const auto program = program_named(flags_.front());
  flags_.erase(flags_.begin());
  std::error_code error;
  fs::create_directories(folder_, error);
  fs::remove(program_, error);
  fs::create_symlink(program, program_, error);
  if (error) throw FileError(fmt::format("{}: {}", program_.string(), error.message()));
}

Side AbSide::run(const std::string& filter, double most_seconds) {
  const auto out = folder_ / fmt::format("{:03d}", ++runs_);
  const auto log = folder_ / fmt::format("{:03d}.log", runs_);
  auto flags = flags_;
  if (!filter.empty()) flags.push_back("--benchmark_filter=" + filter);
  flags.push_back("--out=" + out.string());
  const auto start = Clock::now();
  const pid_t child = ::fork();
  if (child < 0) throw FileError(fmt::format("'{}': {}", command_, std::strerror(errno)));
  if (child == 0) become(program_, flags, log);
  const int code = wait_for(child, most_seconds, command_);
  seconds_ += since(start);
  // A failed verification or a strict run has a result all the same.
  if (!fs::exists(out / "run.json"))
    throw FileError(fmt::format("'{}' ended with code {} and wrote no run.json: {}", command_, code, last_line(log)));
  auto side = read_side(out / "run.json");
  side.origin = command_;
  return side;
}

}  // namespace roofline::cli

#include "tools/roofline/program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>

#include "bench/machine/interrupt.hpp"
#include "bench/text/output.hpp"

namespace roofline::cli {
namespace {

using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t asked = 0;
void on_signal(int signal) { asked = signal; }

/// Time for a run that was asked to stop: its row ends, and files are written.
constexpr double grace_seconds = 10;
constexpr int look_microseconds = 20000;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// In the child: never returns.
[[noreturn]] void become(const Program& program) {
  // A group of its own is ended as a whole, and with whoever would do that.
  ::setpgid(0, 0), ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int in = ::open("/dev/null", O_RDONLY);
  const int out = ::open(program.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (in < 0 || out < 0) ::_exit(127);
  ::dup2(in, 0), ::dup2(out, 1), ::dup2(out, 2);
  ::close_range(3, ~0u, 0);
  std::vector<char*> argv{const_cast<char*>(program.file.c_str())};
  for (const auto& flag : program.flags) argv.push_back(const_cast<char*>(flag.c_str()));
  argv.push_back(nullptr);
  ::execv(program.file.c_str(), argv.data());
  ::_exit(127);
}

/// The status of a process that has ended.
std::optional<int> ended(pid_t process, const std::string& name) {
  int status = 0;
  const pid_t found = ::waitpid(process, &status, WNOHANG);
  if (found == 0 || (found < 0 && errno == EINTR)) return std::nullopt;
  if (found < 0) throw FileError(fmt::format("'{}': {}", name, std::strerror(errno)));
  return status;
}

}  // namespace

void catch_ab_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  for (const int signal : interrupts()) sigaction(signal, &action, nullptr);
}

int run_program(const Program& program) {
  const auto start = Clock::now();
  const pid_t process = ::fork();
  if (process == 0) become(program);
  if (process < 0) throw FileError(fmt::format("'{}': {}", program.name, std::strerror(errno)));
  ::setpgid(process, process);  // whichever of the two comes first
  std::optional<Clock::time_point> stopped;
  bool too_long = false;
  for (;;) {
    if (const auto status = ended(process, program.name)) {
      ::kill(-process, SIGKILL);  // what it has left running
      if (asked) throw Interrupted{asked};
      if (too_long)
        throw FileError(
            fmt::format("'{}' took longer than {:.0f} s and was stopped", program.name, program.most_seconds));
      return WIFEXITED(*status) ? WEXITSTATUS(*status) : 128 + WTERMSIG(*status);
    }
    // Once: a second signal would mean "at once" to the program.
    if (!stopped && (asked || since(start) > program.most_seconds))
      too_long = !asked, ::kill(-process, SIGTERM), stopped = Clock::now();
    if (stopped && since(*stopped) > grace_seconds) ::kill(-process, SIGKILL);
    ::usleep(look_microseconds);
  }
}

}  // namespace roofline::cli

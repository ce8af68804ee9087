#include "bench/recovery/supervisor.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "bench/machine/interrupt.hpp"
#include "bench/options/options.hpp"
#include "bench/text/output.hpp"

namespace roofline {
namespace {

volatile std::sig_atomic_t child = 0, interrupted_by = 0;

Doubled doubled;

void pass_on(int signal) {
  if (doubled(milliseconds_now())) return;
  interrupted_by = signal;
  if (child > 0) ::kill(static_cast<pid_t>(child), signal);
}

struct End {
  int status = 0;
  bool too_slow = false;
};

/// Collects lines until the process has ended; stops it when a row takes too long.
End follow(pid_t process, int from, double row_seconds, std::vector<std::string>& lines) {
  using Clock = std::chrono::steady_clock;
  End end;
  std::string partial;
  auto last = Clock::now();
  for (;;) {
    pollfd ready{from, POLLIN, 0};
    const int n = ::poll(&ready, 1, 200);
    const bool late = std::chrono::duration<double>(Clock::now() - last).count() > row_seconds;
    if (n == 0 && late && !unfinished_row(lines).empty()) {
      end.too_slow = true;
      ::kill(process, SIGKILL);
    }
    if (n <= 0) continue;
    char buffer[65536];
    const auto got = ::read(from, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    last = Clock::now();
    partial.append(buffer, static_cast<std::size_t>(got));
    for (std::size_t line; (line = partial.find('\n')) != std::string::npos; partial.erase(0, line + 1))
      lines.push_back(partial.substr(0, line));
  }
  while (::waitpid(process, &end.status, 0) < 0 && errno == EINTR) {
  }
  return end;
}

}  // namespace

int supervise(const std::function<int(const Records&)>& work, const Supervision& limits) {
  std::vector<std::string> lines;
  interrupted_by = 0, doubled = {};
  struct sigaction forward {};
  forward.sa_handler = pass_on;
  for (const int signal : interrupts()) ::sigaction(signal, &forward, nullptr);
  for (int restarts = 0;; ++restarts) {
    int ends[2];
    if (::pipe(ends) != 0) return work({});  // no descriptors left: unsupervised
    std::fflush(nullptr);                    // or both processes would write what is buffered
    const pid_t process = ::fork();
    if (process < 0) return ::close(ends[0]), ::close(ends[1]), work({});
    if (process == 0) {
      ::close(ends[0]);
      // Out of the terminal's foreground group: its interrupts come once, through this program's first process.
      ::setpgid(0, 0);
      ::prctl(PR_SET_PDEATHSIG, SIGTERM);
      for (const int signal : interrupts()) std::signal(signal, SIG_DFL);
      if (interrupted_by) std::raise(interrupted_by);
      const int code = work(Records(lines, [to = ends[1]](const std::string& line) { write_all(to, line + "\n"); }));
      std::fflush(nullptr);
      ::_exit(code);  // no destructors, because those of a lost device may wait for ever
    }
    ::close(ends[1]);
    child = process;
    if (interrupted_by) ::kill(process, interrupted_by);  // it came before there was a child to pass it on to
    const auto end = follow(process, ends[0], limits.row_seconds, lines);
    child = 0;
    ::close(ends[0]);

    const bool lost = WIFEXITED(end.status) && WEXITSTATUS(end.status) == exit_device_lost;
    if (WIFEXITED(end.status) && !lost) return WEXITSTATUS(end.status);
    // It was to end, and nobody wants the rest of it.
    if (interrupted_by) return 128 + interrupted_by;
    const auto why = end.too_slow ? fmt::format("did not end within {:.0f} s", limits.row_seconds)
                     : lost       ? std::string("took the GPU with it")
                                  : fmt::format("crashed ({})", ::strsignal(WTERMSIG(end.status)));
    const auto row = unfinished_row(lines);
    // Between rows there is nothing to leave out: the next process would end the same way.
    if ((row.empty() && !lost) || restarts == limits.restarts) {
      complain(fmt::format("{}{}; the run ends", row.empty() ? "" : row + " ", why));
      return WIFSIGNALED(end.status) ? 128 + WTERMSIG(end.status) : exit_failed;
    }
    if (!row.empty())
      lines.push_back(line_of({.row = row, .failed = why + "; the other rows were measured by a new process"}));
  }
}

}  // namespace roofline

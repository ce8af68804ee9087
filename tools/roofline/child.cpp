#include "tools/roofline/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "bench/machine/interrupt.hpp"
#include "bench/run/turns.hpp"
#include "bench/text/output.hpp"
#include "bench/text/split.hpp"

namespace roofline::cli {
namespace {

using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t asked = 0;
void on_signal(int signal) { asked = signal; }

/// Time for a run that was asked to stop: its row ends, and files are written.
constexpr double grace_seconds = 10;
/// The same on every side: a longer number would make a longer environment, which moves the stack.
constexpr int socket_of_child = 3;
constexpr int look_milliseconds = 20;
/// A process that a shell was just creating when its group went on can have missed that.
constexpr double seconds_to_wake_again = 0.2;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// In the child: never returns.
[[noreturn]] void become(const Child::Command& command, int socket) {
  // A group of its own is stopped as a whole; without whoever would wake it up again it is to end.
  ::setpgid(0, 0), ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int in = ::open("/dev/null", O_RDONLY);
  const int out = ::open(command.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  const int turns = ::fcntl(socket, F_DUPFD, socket_of_child + 1);  // not where `in` or `out` may go
  if (in < 0 || out < 0 || turns < 0) ::_exit(127);
  ::dup2(in, 0), ::dup2(out, 1), ::dup2(out, 2), ::dup2(turns, socket_of_child);
  ::close_range(socket_of_child + 1, ~0u, 0);
  ::setenv(turns_variable, std::to_string(socket_of_child).c_str(), 1);
  std::vector<char*> argv{const_cast<char*>(command.program.c_str())};
  for (const auto& flag : command.flags) argv.push_back(const_cast<char*>(flag.c_str()));
  argv.push_back(nullptr);
  ::execv(command.program.c_str(), argv.data());
  ::_exit(127);
}

}  // namespace

void catch_ab_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  for (const int signal : interrupts()) sigaction(signal, &action, nullptr);
}

Child::~Child() {
  if (process_ > 0) end(SIGKILL), ::waitpid(process_, nullptr, 0);
  if (socket_ >= 0) ::close(socket_);
}

void Child::end(int signal) const {
  // A stopped process hears of it only when it goes on.
  ::kill(-process_, signal), ::kill(-process_, SIGCONT);
}

void Child::start() {
  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    throw FileError(fmt::format("'{}': {}", command_.name, std::strerror(errno)));
  process_ = ::fork();
  if (process_ == 0) become(command_, sockets[1]);
  const int error = errno;
  ::close(sockets[1]), socket_ = sockets[0];
  if (process_ < 0) throw FileError(fmt::format("'{}': {}", command_.name, std::strerror(error)));
  ::setpgid(process_, process_);  // whichever of the two comes first
  waiting_.ended = false;
}

void Child::advance(char answer) {
  const auto start_of_turn = Clock::now();
  if (process_ < 0) {
    start();
  } else {
    ::kill(-process_, SIGCONT);
    if (::send(socket_, &answer, 1, MSG_NOSIGNAL) < 0 && errno != EPIPE)
      throw FileError(fmt::format("'{}': {}", command_.name, std::strerror(errno)));
  }
  await();
  seconds_ += since(start_of_turn);
}

void Child::await() {
  const auto start_of_turn = Clock::now();
  std::optional<Clock::time_point> stopped;
  double woken = 0;
  bool too_long = false;
  for (;;) {
    const bool asks = hears();
    if (has_ended()) {
      if (asked) throw Interrupted{asked};
      if (too_long)
        throw FileError(
            fmt::format("'{}' took longer than {:.0f} s and was stopped", command_.name, command_.most_seconds));
      return;
    }
    if (asks && !stopped && !asked) return void(::kill(-process_, SIGSTOP));
    if (since(start_of_turn) > woken + seconds_to_wake_again) ::kill(-process_, SIGCONT), woken = since(start_of_turn);
    const bool late = seconds_ + since(start_of_turn) > command_.most_seconds;
    // Once: a second signal would mean "at once" to the program.
    if (!stopped && (asked || late)) {
      // Nobody answers any more.
      end(SIGTERM), stopped = Clock::now(), too_long = late;
      if (socket_ >= 0) ::close(socket_), socket_ = -1;
    }
    if (stopped && since(*stopped) > grace_seconds) end(SIGKILL);
  }
}

bool Child::hears() {
  pollfd question{socket_, POLLIN, 0};
  if (socket_ < 0 || ::poll(&question, 1, look_milliseconds) <= 0) {
    if (socket_ < 0) ::usleep(1000 * look_milliseconds);
    return false;
  }
  char buffer[4096];
  const auto got = ::recv(socket_, buffer, sizeof buffer, 0);
  if (got < 0) return false;
  // It ends, or has closed what it does not know: from now on only its end is waited for.
  if (got == 0) {
    ::close(socket_), socket_ = -1;
    ::usleep(1000);
    return false;
  }
  heard_.append(buffer, static_cast<std::size_t>(got));
  bool asks = false;
  for (auto end = heard_.find('\n'); end != heard_.npos; end = heard_.find('\n')) {
    const auto words = split(heard_.substr(0, end), '\t');
    heard_.erase(0, end + 1);
    if (words.size() == 2 && words[0] == "turn") asks = takes_turns_ = true, waiting_.row = words[1];
    if (!words.empty() && words[0] == "rows") waiting_.plan.assign(words.begin() + 1, words.end());
  }
  return asks;
}

bool Child::has_ended() {
  int status = 0;
  const pid_t ended = ::waitpid(process_, &status, WNOHANG);
  if (ended == 0 || (ended < 0 && errno == EINTR)) return false;
  if (ended < 0) throw FileError(fmt::format("'{}': {}", command_.name, std::strerror(errno)));
  ::kill(-process_, SIGKILL);  // what it has left running
  process_ = -1, waiting_.ended = true;
  code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return true;
}

}  // namespace roofline::cli

#include "bench/any_program/launch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "bench/machine/clock.hpp"
#include "bench/machine/interrupt.hpp"
#include "bench/machine/pinning.hpp"
#include "bench/text/output.hpp"

namespace roofline::any_program {
namespace {

volatile std::sig_atomic_t asked = 0;
pid_t running = 0;

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

/// In the child: never returns.
[[noreturn]] void become(const Launch& launch, int go, int failed) {
  ::setpgid(0, 0), ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int signal : interrupts()) ::signal(signal, SIG_DFL);
  const int in = ::open(launch.in.c_str(), O_RDONLY);
  const int out = ::open(launch.out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  const int error = launch.error.empty()         ? 2
                    : launch.error == launch.out ? out
                                                 : ::open(launch.error.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (in < 0 || out < 0 || error < 0) ::_exit(127);
  char ready = 0;
  if (::read(go, &ready, 1) != 1) ::_exit(127);
  ::dup2(in, 0), ::dup2(out, 1), ::dup2(error, 2);
  // Our own threads have no need of them; the program's have.
  for (const auto& variable : overridden_openmp_variables())
    ::setenv(variable.substr(0, variable.find('=')).c_str(), variable.c_str() + variable.find('=') + 1, 1);
  for (const auto& [name, value] : launch.environment) ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> argv{const_cast<char*>(launch.name.c_str())};
  for (const auto& argument : launch.arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  for (int file = 3; file < 64; ++file)
    if (file != failed) ::close(file);
  ::execv(launch.file.c_str(), argv.data());
  const int why = errno;
  static_cast<void>(!::write(failed, &why, sizeof why));
  ::_exit(127);
}

/// Copies the text that was added to a file since the last call to our standard output.
class Tail {
 public:
  explicit Tail(const std::filesystem::path& path) : file_(path, std::ios::binary) {}
  void show() {
    if (!file_.is_open()) return;
    file_.clear();
    for (std::array<char, 4096> part; file_.read(part.data(), part.size()), file_.gcount() > 0;)
      print({part.data(), static_cast<std::size_t>(file_.gcount())});
  }

 private:
  std::ifstream file_;
};

}  // namespace

void catch_stops() {
  struct sigaction action {};
  action.sa_handler = [](int signal) { asked = signal; };
  for (const int signal : interrupts()) ::sigaction(signal, &action, nullptr);
}

int asked_to_stop() { return asked; }

void signal_running(int signal) {
  if (running > 0) ::kill(-running, signal);
}

Ending run(const Launch& launch) {
  std::array<int, 2> go{}, failed{};
  if (::pipe2(go.data(), O_CLOEXEC) != 0 || ::pipe2(failed.data(), O_CLOEXEC) != 0)
    throw FileError(fmt::format("{}: {}", launch.file.string(), std::strerror(errno)));
  std::ofstream(launch.out).close();
  const pid_t process = ::fork();
  if (process == 0) become(launch, go[0], failed[1]);
  if (process < 0) throw FileError(fmt::format("{}: {}", launch.file.string(), std::strerror(errno)));
  ::close(go[0]), ::close(failed[1]);
  ::setpgid(process, process);
  if (launch.before) launch.before(process);
  running = process;
  Tail tail(launch.show_output ? launch.out : "");
  const auto start = Clock::now();
  static_cast<void>(!::write(go[1], "g", 1));
  ::close(go[1]);
  int status = 0;
  rusage used{};
  int stopped = 0;
  while (::wait4(process, &status, WNOHANG | WUNTRACED, &used) == 0 || WIFSTOPPED(status)) {
    // In a group of its own it must not use the terminal: it would wait for ever.
    if (WIFSTOPPED(status) && (WSTOPSIG(status) == SIGTTIN || WSTOPSIG(status) == SIGTTOU))
      stopped = WSTOPSIG(status), ::kill(-process, SIGKILL);
    status = 0;
    tail.show();
    if (launch.meanwhile) launch.meanwhile(seconds_since(start));
    ::usleep(static_cast<unsigned>(launch.tick_microseconds));
  }
  Ending ending{
      .elapsed = seconds_since(start), .user = seconds_of(used.ru_utime), .system = seconds_of(used.ru_stime)};
  running = 0;
  ::kill(-process, SIGKILL);  // what it has left running
  tail.show();
  int why = 0;
  const bool started = ::read(failed[0], &why, sizeof why) != sizeof why;
  ::close(failed[0]);
  if (!started) throw FileError(fmt::format("{}: {}", launch.file.string(), std::strerror(why)));
  ending.signal = stopped ? stopped : WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  ending.code = ending.signal ? 128 + ending.signal : WEXITSTATUS(status);
  return ending;
}

}  // namespace roofline::any_program

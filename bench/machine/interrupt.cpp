#include "bench/machine/interrupt.hpp"

#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace roofline {
namespace {

volatile std::sig_atomic_t requested = 0;
Doubled doubled;

void on_signal(int signal) {
  if (doubled(milliseconds_now())) return;
  if (requested != 0) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  requested = signal;
  // The current work may take seconds to end, so say that the signal was heard. Nothing else may be called here.
  constexpr char heard[] =
      "\nroofline_bench: interrupted: the current row is finished and the results so far are written (again: quit at "
      "once)\n";
  const int error = errno;
  if (::write(STDERR_FILENO, heard, sizeof heard - 1) < 0) errno = error;
}

}  // namespace

long milliseconds_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<long>(now.tv_sec) * 1000 + now.tv_nsec / 1000000;
}

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  for (const int signal : interrupts()) sigaction(signal, &action, nullptr);
}

std::vector<int> interrupts() {
  std::vector<int> signals;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now {};
    // Users of nohup want the program to live on. An ignored SIGINT does not mean this, because shells set it for every
    // background job.
    if (signal == SIGHUP && sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN) continue;
    signals.push_back(signal);
  }
  return signals;
}

void ignore_lost_readers() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

int interrupted() { return requested; }

void stop_if_interrupted() {
  if (requested != 0) throw Interrupted();
}

}  // namespace roofline

#include "bench/machine/interrupt.hpp"

#include <time.h>

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
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int interrupted() { return requested; }

}  // namespace roofline

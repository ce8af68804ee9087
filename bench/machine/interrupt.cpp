#include "bench/machine/interrupt.hpp"

#include <csignal>

namespace roofline {
namespace {

volatile std::sig_atomic_t requested = 0;

void on_signal(int signal) {
  if (requested != 0) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  requested = signal;
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int interrupted() { return requested; }

}  // namespace roofline

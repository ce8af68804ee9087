#include "bench/text/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace roofline {

Progress::Progress(int steps) : steps_(steps), on_terminal_(::isatty(STDERR_FILENO) == 1) {}

void Progress::begin(const std::string& name) {
  ++step_;
  if (!on_terminal_) return;
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  std::string left;
  if (step_ > 3) left = fmt::format(", about {:.0f} s left", elapsed / (step_ - 1) * (steps_ - step_ + 1));
  const auto line = fmt::format("\r\033[K[{}/{}] {:.60} ({:.0f} s{})", step_, steps_, name, elapsed, left);
  std::fputs(line.c_str(), stderr), std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() {
  if (!shown_) return;
  std::fputs("\r\033[K", stderr), std::fflush(stderr);
  shown_ = false;
}

}  // namespace roofline

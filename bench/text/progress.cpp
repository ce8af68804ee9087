#include "bench/text/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace roofline {

Progress::Progress() : on_terminal_(::isatty(STDERR_FILENO) == 1) {}

void Progress::show(const std::string& text) {
  if (!on_terminal_ || silent_) return;
  std::fputs(fmt::format("\r\033[K{:.95}", text).c_str(), stderr), std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() {
  if (!shown_) return;
  std::fputs("\r\033[K", stderr), std::fflush(stderr);
  shown_ = false;
}

}  // namespace roofline

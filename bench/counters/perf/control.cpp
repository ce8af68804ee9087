#include "bench/counters/perf/control.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "bench/counters/unavailable.hpp"
#include "bench/text/clean.hpp"
#include "bench/text/output.hpp"

namespace roofline::perf {
namespace {

/// Reading and writing, so that opening does not wait for the other side.
int open_fifo(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    throw FileError(fmt::format("ROOFLINE_PERF_CONTROL: {}: {}; mkfifo makes it", clean(path), std::strerror(errno)));
  return descriptor;
}

}  // namespace

Control::Control(const std::string& fifos, std::shared_ptr<CounterSource> modelled) : modelled_(std::move(modelled)) {
  const auto comma = fifos.find(',');
  if (comma == fifos.npos)
    throw FileError(fmt::format("ROOFLINE_PERF_CONTROL={}: two names are expected, CTL,ACK", clean(fifos)));
  to_ = open_fifo(fifos.substr(0, comma));
  try {
    from_ = open_fifo(fifos.substr(comma + 1));
  } catch (...) {
    ::close(to_);
    throw;
  }
}

Control::~Control() {
  ::close(to_);
  ::close(from_);
}

void Control::tell(const std::string& command) {
  constexpr int patience_ms = 5000;
  const auto line = command + "\n";
  if (::write(to_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    throw CountersUnavailable(fmt::format("ROOFLINE_PERF_CONTROL: cannot write: {}", std::strerror(errno)));
  pollfd answer{from_, POLLIN, 0};
  char text[16];
  if (::poll(&answer, 1, patience_ms) <= 0 || ::read(from_, text, sizeof text) <= 0)
    throw CountersUnavailable("ROOFLINE_PERF_CONTROL: no answer: run under perf stat -D -1 --control=fifo:CTL,ACK");
}

std::optional<Counts> Control::count(const std::string& row, const Workload& work) {
  work.launch();
  tell("enable");
  work.launch();
  tell("disable");
  return modelled_ ? modelled_->count(row, work) : std::nullopt;
}

}  // namespace roofline::perf

#include "bench/counters/perf/control.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

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

namespace {

/// Whether somebody has preloaded markers of his own: `roofline cpu`, which counts between them.
bool are_preloaded() { return ::dlsym(RTLD_DEFAULT, "likwid_markerStartRegion") != nullptr; }

void* loaded_likwid() {
  if (are_preloaded()) return ::dlopen(nullptr, RTLD_NOW);
  for (const char* const name : {"liblikwid.so.5", "liblikwid.so"})
    if (void* const library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  throw CountersUnavailable(
      "likwid-perfctr -m: liblikwid.so.5 cannot be loaded: LD_LIBRARY_PATH=<folder of LIKWID's libraries>");
}

}  // namespace

template <class Function>
Function* LikwidMarkers::function(const char* name) const {
  if (auto* const found = reinterpret_cast<Function*>(::dlsym(library_, name))) return found;
  throw CountersUnavailable(fmt::format("likwid-perfctr -m: LIKWID's library has no {}", name));
}

bool LikwidMarkers::wanted() {
  return (std::getenv("LIKWID_MODE") && std::getenv("LIKWID_FILEPATH")) || are_preloaded();
}

LikwidMarkers::LikwidMarkers(std::shared_ptr<CounterSource> modelled)
    : modelled_(std::move(modelled)), library_(loaded_likwid()) {
  start_ = function<int(const char*)>("likwid_markerStartRegion");
  stop_ = function<int(const char*)>("likwid_markerStopRegion");
  close_ = function<void()>("likwid_markerClose");
  const auto begin = function<void()>("likwid_markerInit");
  const auto join = function<void()>("likwid_markerThreadInit");
  begin();
#pragma omp parallel
  join();
}

LikwidMarkers::~LikwidMarkers() { close_(); }

std::optional<Counts> LikwidMarkers::count(const std::string& row, const Workload& work) {
  work.launch();
  std::atomic<int> refused = 0;
#pragma omp parallel
  if (const int code = start_(row.c_str())) refused = code;
  work.launch();
#pragma omp parallel
  if (const int code = stop_(row.c_str())) refused = code;
  if (refused)
    throw CountersUnavailable(fmt::format(
        "likwid-perfctr -m: LIKWID's markers answer {}: -c must name the CPUs of all threads", refused.load()));
  return modelled_ ? modelled_->count(row, work) : std::nullopt;
}

}  // namespace roofline::perf

#include "bench/counting/bounded_model.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <map>
#include <memory>
#include <stdexcept>
#include <thread>

#include "bench/machine/clock.hpp"
#include "bench/machine/interrupt.hpp"
#include "bench/recovery/records.hpp"
#include "bench/text/output.hpp"

namespace roofline {
namespace {

using Question = std::function<std::optional<Counts>()>;

/// The end of the answering process: one line, "unknown" or a record with counts. Never returns.
[[noreturn]] void answer(const Question& question, const std::string& row, int to) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  // On a thread of its own: the one that forked believes in a team of OpenMP whose threads stayed behind, and would
  // wait for them for ever.
  std::thread([&] {
    try {
      const auto counts = question();
      write_all(to, counts ? line_of({.row = row,
                                      .kernel = KernelPoint{.name = row, .family = {}, .counts = *counts, .time = {}}})
                           : "unknown");
    } catch (const std::exception& error) {
      write_all(to, line_of({.row = row, .failed = error.what()}));
    }
  }).join();
  ::_exit(0);  // no destructors: they belong to the process that asked
}

/// The child's output until it ends; empty when it takes too long or the run is interrupted.
std::string listen(int from, double seconds) {
  std::string text;
  const auto start = Clock::now();
  for (;;) {
    const double left = seconds - seconds_since(start);
    if (left <= 0 || interrupted()) return {};
    pollfd ready{from, POLLIN, 0};
    if (::poll(&ready, 1, static_cast<int>(1e3 * std::min(left, 0.2)) + 1) <= 0) continue;
    char buffer[4096];
    const auto got = ::read(from, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
  }
}

/// Empty when there was no answer in time.
std::string ask(const Question& question, const std::string& row, double seconds) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("the device model: no file descriptors left");
  const pid_t process = ::fork();
  if (process == 0) ::close(ends[0]), answer(question, row, ends[1]);
  ::close(ends[1]);
  const auto text = process < 0 ? std::string() : listen(ends[0], seconds);
  ::close(ends[0]);
  if (process < 0) throw std::runtime_error("the device model: no process to run it in");
  ::kill(process, SIGKILL);
  while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
  }
  return text;
}

class Bounded final : public CounterSource {
 public:
  Bounded(std::shared_ptr<CounterSource> modelled, const ModelBudget& budget,
          std::function<void(const std::string&)> warn)
      : modelled_(std::move(modelled)), budget_(budget), warn_(std::move(warn)) {}

  std::optional<Counts> count(const std::string& row, const Workload& work) override {
    return in_time(counts_, row, "bytes", [&] { return modelled_->count(row, work); });
  }
  std::optional<Counts> operations(const std::string& row, const Workload& work) override {
    return in_time(operations_, row, "kinds of FLOPs", [&] { return modelled_->operations(row, work); });
  }

 private:
  using Known = std::map<std::string, std::optional<Counts>>;

  std::optional<Counts> in_time(Known& known, const std::string& row, const char* what, const Question& question) {
    if (const auto found = known.find(row); found != known.end()) return found->second;
    const double left = budget_.run_seconds - spent_;
    const auto start = Clock::now();
    const auto text = left > 0 ? ask(question, row, std::min(budget_.row_seconds, left)) : std::string();
    spent_ += seconds_since(start);
    auto& counts = known[row];
    if (text.empty() && !interrupted()) {
      const bool of_run = spent_ >= budget_.run_seconds;
      warn_(
          fmt::format("the device model takes more than {:.3g} s for {}; {} of such rows are unknown, "
                      "--counters=model waits for them",
                      of_run ? budget_.run_seconds : budget_.row_seconds, of_run ? "this run" : "a row", what));
    } else if (!text.empty() && text != "unknown") {
      const auto answer = record_of(text);
      if (!answer.kernel) throw std::runtime_error(answer.failed);
      counts = answer.kernel->counts;
    }
    return counts;
  }

  std::shared_ptr<CounterSource> modelled_;
  ModelBudget budget_;
  std::function<void(const std::string&)> warn_;
  double spent_ = 0;
  Known counts_, operations_;
};

}  // namespace

std::shared_ptr<CounterSource> bounded(std::shared_ptr<CounterSource> modelled, const ModelBudget& budget,
                                       std::function<void(const std::string&)> warn) {
  if (!modelled) return nullptr;
  return std::make_shared<Bounded>(std::move(modelled), budget, std::move(warn));
}

}  // namespace roofline

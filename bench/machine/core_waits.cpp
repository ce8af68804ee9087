#include "bench/machine/core_waits.hpp"

#include <fmt/format.h>
#include <omp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "bench/machine/live_file.hpp"

namespace roofline {
namespace {

long this_thread() { return ::syscall(SYS_gettid); }

/// The schedstat of each thread of the team that this thread leads.
class Team {
 public:
  /// Absent when a file cannot be read: the system does not tell, or a thread has ended since.
  std::optional<std::vector<double>> waits() {
    std::vector<double> seconds;
    for (auto& file : files_) {
      const auto waited = parse_schedstat(file.read());
      if (!waited) return std::nullopt;
      seconds.push_back(*waited);
    }
    return seconds;
  }

  bool is_of(int threads, long leader) const {
    return files_.size() == static_cast<std::size_t>(threads) && leader_ == leader;
  }

  void look_up(int threads, long leader) {
    std::vector<long> ids(static_cast<std::size_t>(threads), 0);
#pragma omp parallel num_threads(threads)
    ids[static_cast<std::size_t>(omp_get_thread_num())] = this_thread();
    files_.clear();
    for (const auto id : ids) files_.emplace_back(fmt::format("/proc/self/task/{}/schedstat", id));
    leader_ = leader;
  }

 private:
  std::vector<LiveFile> files_;
  long leader_ = 0;
};

}  // namespace

std::optional<double> parse_schedstat(std::string_view text) {
  // nanoseconds on a CPU, nanoseconds of waiting for one, number of time slices
  double figures[3] = {};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (auto& figure : figures) {
    while (at != end && *at == ' ') ++at;
    const auto [next, error] = std::from_chars(at, end, figure);
    if (error != std::errc()) return std::nullopt;
    at = next;
  }
  return 1e-9 * figures[1];
}

std::vector<double> core_waits() {
  static Team team;
  static bool told = true;
  const int threads = omp_get_max_threads();
  const long leader = this_thread();
  if (!told) return {};
  std::optional<std::vector<double>> waits;
  if (team.is_of(threads, leader)) waits = team.waits();
  if (!waits) {  // the first look, another team, or the library has started other threads
    team.look_up(threads, leader);
    waits = team.waits();
    told = waits.has_value();
  }
  return waits.value_or(std::vector<double>());
}

std::optional<Waited> waited_between(const std::vector<double>& before, const std::vector<double>& after) {
  if (before.empty() || before.size() != after.size()) return std::nullopt;
  Waited waited;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const double seconds = std::max(0.0, after[i] - before[i]);
    waited.longest = std::max(waited.longest, seconds), waited.all += seconds;
  }
  return waited;
}

}  // namespace roofline

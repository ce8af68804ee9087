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

/// The schedstat of each thread. A team of another size, or that another thread leads, has other threads.
std::vector<LiveFile>& files_of_team() {
  static std::vector<LiveFile> files;
  static std::pair<int, long> known;
  const int threads = omp_get_max_threads();
  const std::pair team(threads, this_thread());
  if (team == known) return files;
  std::vector<long> ids(static_cast<std::size_t>(threads), 0);
#pragma omp parallel num_threads(threads)
  ids[static_cast<std::size_t>(omp_get_thread_num())] = this_thread();
  files.clear();
  for (const auto id : ids) files.emplace_back(fmt::format("/proc/self/task/{}/schedstat", id));
  known = team;
  return files;
}

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
  std::vector<double> seconds;
  for (auto& file : files_of_team()) {
    const auto waited = parse_schedstat(file.read());
    if (!waited) return {};
    seconds.push_back(*waited);
  }
  return seconds;
}

double most_waited(const std::vector<double>& before, const std::vector<double>& after) {
  if (before.size() != after.size()) return 0;
  double most = 0;
  for (std::size_t i = 0; i < before.size(); ++i) most = std::max(most, after[i] - before[i]);
  return most;
}

}  // namespace roofline

#include "bench/machine/pinning.hpp"

#include <fmt/format.h>
#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <set>

#include "bench/machine/cgroup.hpp"
#include "bench/text/clean.hpp"

namespace roofline {
namespace {

constexpr int most_cpus = 1 << 20;

std::vector<int> affinity_mask() {
  // The kernel refuses a mask that is smaller than its own.
  for (int capacity = 1024; capacity <= most_cpus; capacity *= 2) {
    std::vector<cpu_set_t> mask(static_cast<std::size_t>(capacity) / CPU_SETSIZE);
    const auto bytes = mask.size() * sizeof(cpu_set_t);
    if (sched_getaffinity(0, bytes, mask.data()) != 0) continue;
    std::vector<int> cpus;
    for (int cpu = 0; cpu < capacity; ++cpu)
      if (CPU_ISSET_S(cpu, bytes, mask.data())) cpus.push_back(cpu);
    return cpus;
  }
  return {};
}

std::vector<int> openmp_places() {
  std::set<int> cpus;
  for (int place = 0; place < omp_get_num_places(); ++place) {
    std::vector<int> ids(static_cast<std::size_t>(omp_get_place_num_procs(place)));
    omp_get_place_proc_ids(place, ids.data());
    cpus.insert(ids.begin(), ids.end());
  }
  return {cpus.begin(), cpus.end()};
}

constexpr std::size_t most = 64;
const char* taken_out[most];
std::size_t number = 0;

// By hand: nothing of the C library is set up yet, and a sanitizer would look into tables that it has not made.
#define ROOFLINE_EARLY \
  __attribute__((no_sanitize("address", "undefined"), optimize("no-tree-loop-distribute-patterns")))

ROOFLINE_EARLY bool begins(const char* text, const char* with) {
  while (*with != '\0')
    if (*text++ != *with++) return false;
  return true;
}

ROOFLINE_EARLY void take_out(int, char**, char** environment) {
  char** keep = environment;
  for (char** at = environment; *at != nullptr; ++at) {
    const bool openmp = begins(*at, "OMP_") || begins(*at, "GOMP_") || begins(*at, "KMP_");
    if (openmp && number < most)
      taken_out[number++] = *at;
    else
      *keep++ = *at;
  }
  *keep = nullptr;
}

// libgomp reads the environment when it is loaded, long before main(); functions of this section run before that. They
// exist in programs only: in a shared library the variables stay, and pin_threads() notices what they do.
#if defined(__ELF__) && (!defined(__PIC__) || defined(__PIE__))
__attribute__((section(".preinit_array"), used)) void (*const early)(int, char**, char**) = take_out;
#else
[[maybe_unused]] void (*const late)(int, char**, char**) = take_out;
#endif

}  // namespace

std::vector<int> parse_cpu_list(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  std::set<int> cpus;
  const char *at = text.data(), *const end = at + text.size();
  const auto number = [&](int& value) {
    const auto [stop, error] = std::from_chars(at, end, value);
    at = stop;
    return error == std::errc{} && value >= 0 && value < most_cpus;
  };
  while (at != end) {
    int first = 0;
    if (!number(first)) return {};
    int last = first;
    if (at != end && *at == '-' && (++at, !number(last) || last < first)) return {};
    for (int cpu = first; cpu <= last; ++cpu) cpus.insert(cpu);
    if (at != end && (*at++ != ',' || at == end)) return {};
  }
  return {cpus.begin(), cpus.end()};
}

std::string format_cpu_list(std::vector<int> cpus) {
  std::sort(cpus.begin(), cpus.end());
  std::string text;
  for (std::size_t i = 0; i < cpus.size(); ++i) {
    const auto first = i;
    while (i + 1 < cpus.size() && cpus[i + 1] == cpus[i] + 1) ++i;
    text += fmt::format("{}{}", text.empty() ? "" : ",", cpus[first]);
    if (i > first) text += fmt::format("-{}", cpus[i]);
  }
  return text;
}

std::vector<int> allowed_cpus() {
  auto cpus = openmp_places();
  if (cpus.empty()) cpus = affinity_mask();
  // Linux keeps the affinity inside the cpuset; sandboxes that imitate it do not all do so.
  const auto cpuset = parse_cpu_list(cgroup_cpuset());
  std::vector<int> both;
  std::set_intersection(cpus.begin(), cpus.end(), cpuset.begin(), cpuset.end(), std::back_inserter(both));
  return both.empty() ? cpus : both;
}

std::string misplaced(const std::vector<int>& seen, const std::vector<int>& wanted, int threads) {
  if (static_cast<int>(seen.size()) != threads)
    return fmt::format("{} threads were asked for, {} run", threads, seen.size());
  if (std::count(seen.begin(), seen.end(), -1) > 0) return {};
  for (std::size_t i = 0; i < seen.size() && i < wanted.size(); ++i)
    if (seen[i] != wanted[i])
      return fmt::format("thread {} was pinned to CPU {} and runs on CPU {}", i, wanted[i], seen[i]);
  return {};
}

bool keep_to(const std::vector<int>& cpus) {
  if (cpus.empty()) return true;
  // A cpu_set_t ends at CPU 1023.
  const auto most = static_cast<std::size_t>(*std::max_element(cpus.begin(), cpus.end())) + 1;
  auto* const set = CPU_ALLOC(most);
  const auto bytes = CPU_ALLOC_SIZE(most);
  CPU_ZERO_S(bytes, set);
  for (const int cpu : cpus) CPU_SET_S(static_cast<std::size_t>(cpu), bytes, set);
  const bool kept = sched_setaffinity(0, bytes, set) == 0;
  CPU_FREE(set);
  return kept;
}

std::vector<int> pin_threads(const Machine& machine, int threads) {
  omp_set_dynamic(0);
  omp_set_num_threads(threads);
  const bool enough = static_cast<int>(machine.cpus.size()) >= threads;
  std::vector<int> seen(static_cast<std::size_t>(threads), -1);
  int running = 0, refused = 0;
#pragma omp parallel num_threads(threads) reduction(+ : refused)
  {
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    if (enough) refused += !keep_to({machine.cpus[thread]});
#pragma omp single
    running = omp_get_num_threads();
    // After the barrier at the end of `single` all of them run at once.
    seen[thread] = sched_getcpu();
  }
  seen.resize(static_cast<std::size_t>(running));
  // Some sandboxes refuse to pin; the threads then run where the system puts them, and thread_cpus says where.
  const auto why = misplaced(seen, enough && refused == 0 ? machine.cpus : std::vector<int>{}, threads);
  if (!why.empty())
    throw WrongThreads(
        why +
        ", so the tables' numbers of threads would be wrong; look for a limit of processes, a job scheduler or a tool");
  return seen;
}

double empty_region_seconds() {
  constexpr int looks = 31, regions = 20;
  std::array<double, looks> seconds{};
  int dummy = 0;
  for (auto& look : seconds) {
    const double start = omp_get_wtime();
    for (int i = 0; i < regions; ++i)
#pragma omp parallel reduction(+ : dummy)
      dummy += 1;
    look = (omp_get_wtime() - start) / regions;
  }
  std::nth_element(seconds.begin(), seconds.begin() + looks / 2, seconds.end());
  return dummy > 0 ? seconds[looks / 2] : 0;
}

std::vector<std::string> overridden_openmp_variables() {
  std::vector<std::string> variables;
  for (std::size_t i = 0; i < number; ++i) variables.push_back(clean(taken_out[i]));
  return variables;
}

}  // namespace roofline

#include "bench/ranks/core_share.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "bench/machine/pinning.hpp"

namespace roofline {
namespace {

/// Which of `of` equal parts this rank has.
struct Part {
  int number = 0, of = 1;
};

bool overlap(const std::vector<int>& a, const std::vector<int>& b) {
  return std::any_of(a.begin(), a.end(), [&](int cpu) { return std::find(b.begin(), b.end(), cpu) != b.end(); });
}

}  // namespace

CoreShare core_share(const std::vector<std::vector<int>>& cores, double quota, const std::vector<Sibling>& siblings,
                     int local_rank, int ranks, bool whole_machine) {
  std::set<int> mine;
  for (const auto& core : cores) mine.insert(core.begin(), core.end());
  const std::vector<int> cpus(mine.begin(), mine.end());
  CoreShare share;
  Part part{0, 0};
  if (static_cast<int>(siblings.size()) < ranks) {
    if (whole_machine) part = {local_rank, ranks};
    share.note = fmt::format("{} of {} ranks of this node were found; ", siblings.size(), ranks);
  } else {
    for (const auto& sibling : siblings) {
      if (sibling.cpus == cpus) {
        if (sibling.local_rank < local_rank) ++part.number;
        ++part.of;
      } else if (overlap(sibling.cpus, cpus)) {
        share.conflict = fmt::format("CPUs {} are bound to local ranks {} and {}", format_cpu_list(cpus), local_rank,
                                     sibling.local_rank);
      }
    }
  }
  if (part.of <= 1) {
    share.note += fmt::format("this rank keeps to CPUs {}, to which its launcher bound it", format_cpu_list(cpus));
    return share;
  }
  const int granted = quota > 0 ? std::max(1, static_cast<int>(std::floor(quota))) : static_cast<int>(cores.size());
  const int usable = std::min(static_cast<int>(cores.size()), granted), each = std::max(1, usable / part.of);
  for (int i = 0; i < each; ++i) {
    const auto& core = cores[static_cast<std::size_t>(part.number * each + i) % static_cast<std::size_t>(usable)];
    share.cpus.insert(share.cpus.end(), core.begin(), core.end());
  }
  const auto words = [](int n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); };
  share.note += fmt::format("{} of this node share {} out: {} each, CPU{} {} for this one", words(part.of, "rank"),
                            words(usable, "core"), words(each, "core"), share.cpus.size() == 1 ? "" : "s",
                            format_cpu_list(share.cpus));
  if (part.of > usable)
    share.conflict = fmt::format("{} of this node run on {}", words(part.of, "rank"), words(usable, "core"));
  return share;
}

bool keep_to(const std::vector<int>& cpus) {
  if (cpus.empty()) return true;
  const auto most = static_cast<std::size_t>(*std::max_element(cpus.begin(), cpus.end())) + 1;
  auto* const set = CPU_ALLOC(most);
  const auto bytes = CPU_ALLOC_SIZE(most);
  CPU_ZERO_S(bytes, set);
  for (const int cpu : cpus) CPU_SET_S(static_cast<std::size_t>(cpu), bytes, set);
  const bool kept = sched_setaffinity(0, bytes, set) == 0;
  CPU_FREE(set);
  return kept;
}

}  // namespace roofline

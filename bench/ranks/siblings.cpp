#include "bench/ranks/siblings.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <optional>
#include <set>
#include <sstream>
#include <thread>

#include "bench/machine/cgroup.hpp"
#include "bench/machine/pinning.hpp"
#include "bench/text/output.hpp"

namespace roofline {
namespace fs = std::filesystem;
namespace {

/// Which of `of` equal parts this rank has.
struct Part {
  int number = 0, of = 1;
};

bool overlap(const std::vector<int>& a, const std::vector<int>& b) {
  return std::any_of(a.begin(), a.end(), [&](int cpu) { return std::find(b.begin(), b.end(), cpu) != b.end(); });
}

/// When a process began, in ticks since boot: with its number it is known again. Empty: there is none.
std::string begin_of(const std::string& process) {
  const auto text = read_text("/proc/" + process + "/stat");
  const auto name_end = text.rfind(')');
  if (name_end == text.npos) return {};
  std::istringstream fields(text.substr(name_end + 1));
  std::string field;
  for (int number = 3; number <= 22 && fields >> field; ++number)
    if (number == 3 && field == "Z") return {};
  return field;
}

std::optional<Sibling> read_sibling(const fs::path& file, int local_rank) {
  std::istringstream text(read_text(file.string()));
  std::string process, began, cpus, devices;
  if (!(text >> process >> began >> cpus) || began != begin_of(process)) return std::nullopt;
  std::getline(text >> std::ws, devices);
  return Sibling{local_rank, parse_cpu_list(cpus), devices};
}

std::string in_a_file_name(const std::string& text) {
  std::string name;
  for (const char c : text.substr(0, 120)) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
  return name;
}

bool is_own_folder(const fs::path& folder) {
  ::mkdir(folder.c_str(), 0700);
  struct stat about {};
  return ::lstat(folder.c_str(), &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == ::geteuid() &&
         (about.st_mode & 077) == 0;
}

}  // namespace

Siblings::Siblings(const fs::path& folder, const std::string& session, const Place& place, Sibling self)
    : prefix_(folder / in_a_file_name(session + "-" + place.node)),
      self_(std::move(self)),
      ranks_(place.local_ranks.value_or(1)) {
  if (folder.empty() || ranks_ == 1) return;
  const auto process = std::to_string(::getpid());
  try {
    write_file(file_of(self_.local_rank),
               fmt::format("{} {} {} {}\n", process, begin_of(process), format_cpu_list(self_.cpus), self_.devices));
  } catch (const FileError&) {  // a full /dev/shm: the others do not find this one, and say so
  }
}

Siblings::~Siblings() {
  std::error_code none;
  if (ranks_ > 1) fs::remove(file_of(self_.local_rank), none);
}

fs::path Siblings::file_of(int local_rank) const { return prefix_.string() + fmt::format("-{}", local_rank); }

std::vector<Sibling> Siblings::all(double seconds) const {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  for (;;) {
    std::vector<Sibling> found;
    for (int rank = 0; rank < ranks_; ++rank) {
      if (rank == self_.local_rank)
        found.push_back(self_);
      else if (auto other = read_sibling(file_of(rank), rank))
        found.push_back(std::move(*other));
    }
    if (static_cast<int>(found.size()) == ranks_ || std::chrono::steady_clock::now() >= end) return found;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

fs::path sibling_folder() {
  const auto name = fmt::format("roofline-{}", ::geteuid());
  std::error_code none;
  for (const auto& parent : {fs::path("/dev/shm"), fs::temp_directory_path(none)})
    if (is_own_folder(parent / name)) return parent / name;
  return {};
}

std::string session_of(const Place& place, const Environment& variables) {
  // PMIx names launches, and a step of Slurm has a number. Ranks of others have one parent on a node: Hydra's proxy.
  if (const auto name = variables.find("PMIX_NAMESPACE"); name != variables.end())
    return place.job + "-" + name->second;
  if (variables.contains("SLURM_STEP_ID") && place.launcher == "Slurm step") return place.job;
  return fmt::format("{}-parent-{}", place.job, ::getppid());
}

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

}  // namespace roofline

#include "bench/ranks/place.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

#include "bench/text/clean.hpp"
#include "bench/text/words.hpp"

namespace roofline {
namespace {

/// The variables of one launcher; null: it has none for that.
struct LauncherLine {
  const char* launcher;
  const char *rank, *size;
  const char *local_rank = nullptr, *local_size = nullptr;
  const char* condition = nullptr;  ///< must be set for the line to fit
  const char* node = nullptr;       ///< local_size is a list over nodes, of which this one is meant
  int first = 0;                    ///< smallest number that is a rank
};

// Nearest launcher first. mpirun in a batch script leaves the script's SLURM_PROCID=0 in every rank, so Slurm comes
// late. SLURM_NTASKS is never read: a batch script without srun has it, and is one process. PMI_RANK alone comes last:
// PALS and Hydra set it, too, and tell more.
constexpr LauncherLine lines[] = {
    // docs.open-mpi.org, 11.1; PRRTE sets the same
    {"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE"},
    // MPICH and Intel MPI: hydra/proxy/pmip_cb.c
    {"Hydra (MPICH, Intel MPI)", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
    {"MVAPICH2", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_LOCAL_RANK",
     "MV2_COMM_WORLD_LOCAL_SIZE"},
    {"jsrun (LSF)", "JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE", "JSM_NAMESPACE_LOCAL_RANK"},
    {"HPE PALS", "PALS_RANKID", "PMI_SIZE", "PALS_LOCAL_RANKID", "PALS_LOCAL_SIZE"},
    // flux-environment(7)
    {"Flux", "FLUX_TASK_RANK", "FLUX_JOB_SIZE", "FLUX_TASK_LOCAL_ID"},
    // Names that anybody may use: only where torchrun's own variable says that they are its.
    {"torchrun", "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "TORCHELASTIC_RUN_ID"},
    // srun(1)
    {"Slurm step", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE", nullptr,
     "SLURM_NODEID"},
    {"PMI", "PMI_RANK", "PMI_SIZE"},
    // A number and no total. The job script itself is task 1 (TM_INIT_TASK of OpenPBS).
    {"pbsdsh", "PBS_TASKNUM", nullptr, nullptr, nullptr, nullptr, nullptr, 2},
    {"Kubernetes Indexed Job", "JOB_COMPLETION_INDEX", nullptr},
};

/// Not negative, and nothing but a number.
std::optional<int> whole_number(std::string_view text) {
  const auto value = as_number<int>(text);
  return value && *value >= 0 ? value : std::nullopt;
}

/// Whether all variables of the line are there.
bool fits_launcher(const LauncherLine& line, const Environment& variables) {
  for (const auto* const name : {line.rank, line.size, line.local_rank, line.local_size, line.condition, line.node})
    if (name && !variables.contains(name)) return false;
  const auto number = whole_number(variables.at(line.rank));
  return !number || *number >= line.first;
}

/// The place that the variables of a matching line describe.
Detected place_by(const LauncherLine& line, const Environment& variables) {
  std::string bad;
  const auto complain_of = [&](const char* name, const std::string& expected) {
    if (bad.empty())
      bad = fmt::format("{}={}: {} is expected of {}; this process runs as if it were alone (--ranks=off says so)",
                        name, clean(variables.at(name)).substr(0, 40), expected, line.launcher);
  };
  const auto number = [&](const char* name) {
    const auto& text = variables.at(name);
    const auto value = line.node && name == line.local_size
                           ? slurm_tasks_on(text, whole_number(variables.at(line.node)).value_or(-1))
                           : whole_number(text);
    if (!value) complain_of(name, "a number, 0 or more,");
    return value;
  };
  Place place;
  place.launcher = line.launcher;
  const auto pair = [&](const char* rank, const char* size, std::optional<int>& to_rank, std::optional<int>& to_size) {
    if (size) to_size = number(size);
    if (rank) to_rank = number(rank);
    if (to_rank && to_size && *to_rank >= *to_size)
      complain_of(rank, fmt::format("a number below {}={}", size, clean(variables.at(size))));
  };
  pair(line.rank, line.size, place.rank, place.ranks);
  pair(line.local_rank, line.local_size, place.local_rank, place.local_ranks);
  if (!bad.empty()) return {{}, bad};
  return {place, {}};
}

constexpr std::size_t longest_node_name = 128;

bool is_name_of_a_folder(const std::string& name) {
  return !name.empty() && name.size() <= longest_node_name && name != "." && name != ".." &&
         name.find_first_of("/\\") == name.npos && clean(name) == name;
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::string usable(std::string name) {
  name = clean(name).substr(0, longest_node_name);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '/' || c == '\\'; }, '-');
  return is_name_of_a_folder(name) ? name : "unnamed";
}

}  // namespace

Environment environment() {
  Environment variables;
  for (char** at = environ; at && *at; ++at) {
    const std::string_view entry(*at);
    if (const auto equals = entry.find('='); equals != entry.npos)
      variables.emplace(entry.substr(0, equals), entry.substr(equals + 1));
  }
  return variables;
}

std::optional<int> slurm_tasks_on(const std::string& tasks_per_node, int node) {
  if (node < 0) return std::nullopt;
  std::string_view rest(tasks_per_node);
  while (!rest.empty()) {
    const auto comma = rest.find(',');
    auto part = rest.substr(0, comma);
    int nodes = 1;
    if (const auto open = part.find("(x"); open != part.npos) {
      if (!part.ends_with(')')) return std::nullopt;
      const auto number = whole_number(part.substr(open + 2, part.size() - open - 3));
      if (!number) return std::nullopt;
      nodes = *number, part = part.substr(0, open);
    }
    const auto tasks = whole_number(part);
    if (!tasks || node < nodes) return tasks;
    node -= nodes;
    rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 1);
  }
  return std::nullopt;
}

Detected detect_place(const Environment& variables) {
  for (const auto& line : lines)
    if (fits_launcher(line, variables)) return place_by(line, variables);
  return {};
}

std::string launcher_line(const Place& place) {
  if (place.launcher.empty()) return {};
  auto text = place.launcher;
  const auto add = [&](const char* what, const std::optional<int>& number, const std::optional<int>& total) {
    if (number) text += fmt::format(", {} {}", what, *number);
    if (number && total) text += fmt::format(" of {}", *total);
  };
  add("rank", place.rank, place.ranks), add("local", place.local_rank, place.local_ranks);
  return text;
}

std::string rank_folder(const Place& place) {
  if (!place.among_others()) return {};
  if (place.local_ranks == 1) return place.node;
  return fmt::format("{}.{}", place.node, place.local_rank.value_or(*place.rank));
}

std::string node_name(const Environment& variables) {
  for (const auto* const name : {node_variable, "SLURMD_NODENAME"})
    if (const auto found = variables.find(name); found != variables.end() && !found->second.empty())
      return usable(found->second);
  return usable(host_name());
}

std::string node_name() { return node_name(environment()); }

void require_node_name(const std::string& name) {
  if (!is_name_of_a_folder(name))
    throw std::invalid_argument(fmt::format("--node={}: expected the name of a folder, of at most {} bytes",
                                            clean(name).substr(0, longest_node_name), longest_node_name));
}

std::string job_of(const Environment& variables) {
  const auto value = [&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : clean(found->second);
  };
  auto job = value("SLURM_JOB_ID");
  if (const auto array = value("SLURM_ARRAY_JOB_ID"); !array.empty() && !value("SLURM_ARRAY_TASK_ID").empty())
    job = array + "_" + value("SLURM_ARRAY_TASK_ID");
  if (const auto step = value("SLURM_STEP_ID"); !job.empty() && !step.empty()) job += "." + step;
  for (const auto* const name : {"PBS_JOBID", "LSB_JOBID", "FLUX_JOB_ID", "PALS_APID", "TORCHELASTIC_RUN_ID"})
    if (job.empty()) job = value(name);
  return job;
}

}  // namespace roofline

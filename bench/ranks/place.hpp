#pragma once
#include <map>
#include <optional>
#include <string>

namespace roofline {

/// The starter of this process, and its number among how many. Unknown values are absent; a process alone has none of
/// them.
struct Place {
  std::string node;                          ///< name of this machine among others
  std::string launcher = {};                 ///< "Open MPI"; empty: nobody who numbers processes
  std::optional<int> rank = {}, ranks = {};  ///< this one, and how many; some launchers number without a total
  std::optional<int> local_rank = {};        ///< among those on this node
  std::optional<int> local_ranks = {};       ///< how many are on this node
  std::string job = {};                      ///< of the scheduler, with array task and step; empty: none
  std::string window = {};                   ///< "own": not the time windows of other ranks; empty: no other ranks
  std::string conflict = {};                 ///< by what ranks do to one another, in words; empty: nothing is known

  /// Whether it is one of several: their windows differ, so their rates must not be added up.
  bool among_others() const { return rank && ranks.value_or(2) > 1; }
  /// Whether another one prints tables and progress.
  bool silent() const { return rank.value_or(0) > 0 && ranks.has_value(); }
};

/// Variables by name.
using Environment = std::map<std::string, std::string>;

/// The place of this process.
Environment environment();

/// A launcher's statement about this process. The nearest launcher wins: the first line of a table that has all of its
/// variables. If its variables do not hold numbers, or the rank is not below the size, the search ends with a single
/// process, because launchers further out (the batch system that started mpirun) number other processes.
struct Detected {
  Place place;
  std::string warning;  ///< one line on variables that hold nonsense; empty: none
};
Detected detect_place(const Environment& variables);

/// Tasks on one node of a Slurm step, from SLURM_STEP_TASKS_PER_NODE: "2(x2),1" has 2, 2 and 1. Absent: not such a
/// list, or no such node.
std::optional<int> slurm_tasks_on(const std::string& tasks_per_node, int node);

/// "Open MPI, rank 3 of 8, local 1 of 2"; empty where there is no launcher.
std::string launcher_line(const Place& place);

/// The folder of a rank's files in that of the run: empty for one process, NODE for one on each node, NODE.L with
/// several on a node, L the local rank. Where no launcher tells how many are on a node, L makes folders differ too.
std::string rank_folder(const Place& place);

/// The variable that names this node, and that --node sets: ROOFLINE_NODE.
inline constexpr const char* node_variable = "ROOFLINE_NODE";

/// The name of this node: ROOFLINE_NODE, else SLURMD_NODENAME, else the result of gethostname(). It is part of the
/// names of files and folders, so other characters are replaced by '-'.
std::string node_name(const Environment& variables);
std::string node_name();

/// Checks the value of --node: a name of one folder, without control characters. Throws std::invalid_argument.
void require_node_name(const std::string& name);

/// The scheduler's number of this job, with array task and step: "1234_7.0"; empty: no scheduler tells one.
std::string job_of(const Environment& variables);

}  // namespace roofline

#pragma once
#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "reporters/cluster/node_run.hpp"

namespace roofline::cluster {

/// All runs of a cluster: values are kept, files are not, so that ten thousand of them take some ten MB.
struct Fleet {
  struct Row {
    std::string name;
    RowRate::Sum sum = RowRate::Sum::none;
    bool headline = false;
  };
  struct Run : NodeRun {  ///< whose `rows` are empty
    std::string file;
    std::vector<double> logs;         ///< of the rates, by row; NaN: the run lacks it
    std::vector<bool> bound_by_dram;  ///< the same
    std::size_t hash = 0;             ///< of the file's text
  };
  /// A node, or of several ranks that measured on it at the same time one: "n0004.1".
  struct Node {
    std::string name, host;
    std::vector<Run> runs;  ///< in the order of their dates
  };
  struct Unread {
    std::string file, why;
  };

  std::vector<Row> rows;            ///< of all machines, by name
  std::vector<Node> nodes;          ///< by name
  std::vector<Unread> unread;       ///< by file
  std::vector<std::string> copies;  ///< files with the same text as another one: not counted
  std::size_t files = 0;
};

/// Reads the files, several at a time. One that cannot be read is among `unread` and costs the others nothing. The
/// order of the names changes nothing. `progress` is told how many have been read.
Fleet read_fleet(const std::vector<std::string>& files, const std::string& group_by = {},
                 const std::function<void(std::size_t)>& progress = {});

/// The files that arguments name: files as they are, of folders every run.json below them, "-" the lines of standard
/// input. Each once. Throws FileError for a folder that cannot be read.
std::vector<std::string> files_named(const std::vector<std::string>& arguments);

/// Names as one text, sorted, each once, ranges of numbers at their ends folded and zeros in front kept:
/// "n[0004-0005,0017],x1". Slurm and Flux (RFC 29) read it. Names are those of hosts: see is_host_name().
std::string folded(const std::vector<std::string>& names);

/// Formats for schedulers: slurm and flux take the folded form, pbs names with spaces between them, lines one a line.
inline constexpr std::string_view list_forms[] = {"slurm", "flux", "pbs", "lines"};

/// The content of a file in that form; empty without names. Throws std::invalid_argument for another form.
std::string node_list(const std::vector<std::string>& names, std::string_view form);

/// Nodes of equal hardware, threads and instruction set, and of --group-by's value: they are compared with each other.
struct Group {
  std::vector<std::size_t> nodes;             ///< places in Fleet::nodes
  std::string title;                          ///< "AMD EPYC 9654, 192 cores, 768 GiB, 192 threads"
  std::string difference;                     ///< of a small group: how it differs from the nearest larger one
  std::array<std::string, fact_count> usual;  ///< what most of them have
  /// Properties of some nodes that differ from most of the group: "huge pages never (else madvise): n[0004-0005]".
  std::vector<std::string> differences;
};

/// The largest first. Memory that differs by less than 5 % is the same: systems keep a little of it. Runs of a node on
/// other hardware than its last one are taken out of the fleet.
std::vector<Group> groups_of(Fleet& fleet);

/// Properties of this run of a node that differ from most of the group, a text each.
std::vector<std::string> differences_of(const Group& group, const Fleet::Run& run);

}  // namespace roofline::cluster

#pragma once
#include <functional>
#include <string>
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

}  // namespace roofline::cluster

#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "bench/ranks/place.hpp"

namespace roofline {

/// A rank's message to the others of its node.
struct Sibling {
  int local_rank = 0;
  std::vector<int> cpus;  ///< that it may use, before any are shared out
  std::string devices;    ///< its CUDA_VISIBLE_DEVICES
};

/// The ranks of one launch on one node, found by files in a folder of this user; MPI is not needed for that.
class Siblings {
 public:
  /// Writes the file of this rank: FOLDER/SESSION-NODE-LOCALRANK, which is removed with the object. `session` is equal
  /// in all ranks of a launch and differs between launches. If the folder cannot be used, no siblings are found.
  Siblings(const std::filesystem::path& folder, const std::string& session, const Place& place, Sibling self);
  ~Siblings();
  Siblings(const Siblings&) = delete;
  Siblings& operator=(const Siblings&) = delete;

  /// All of them, this one too, by local rank. Waits until all are there, `seconds` at most. Files of processes that
  /// live no more do not count.
  std::vector<Sibling> all(double seconds) const;

 private:
  std::filesystem::path file_of(int local_rank) const;

  std::filesystem::path prefix_;
  Sibling self_;
  int ranks_ = 1;
};

/// Where siblings of this user meet: /dev/shm/roofline-UID, else in the folder for temporary files. Made with rights
/// for this user alone; empty where that is not possible.
std::filesystem::path sibling_folder();

/// Distinguishes this launch from others of the same job on this node.
std::string session_of(const Place& place, const Environment& variables);

/// The CPUs that a rank keeps to.
struct CoreShare {
  std::vector<int> cpus;  ///< empty: the ranks that it has
  std::string note;       ///< one line on what was done; empty: there was nothing to say
  std::string conflict;   ///< why ranks are in one another's way; empty: they are not
};

/// Shares the cores out among those ranks of a node that may use the same CPUs: to each as many whole cores, the rest
/// stays idle, so that all are measured alike. A rank that has CPUs of its own, bound by its launcher, keeps them.
/// `cores` are the CPUs of this rank by core; `quota` the CPUs that a control group grants to all together, 0: no
/// limit. `siblings` has this rank too; where `ranks` are more than those, they are taken to have what this one has if
/// that is every CPU of the machine (`whole_machine`).
CoreShare core_share(const std::vector<std::vector<int>>& cores, double quota, const std::vector<Sibling>& siblings,
                     int local_rank, int ranks, bool whole_machine);

}  // namespace roofline

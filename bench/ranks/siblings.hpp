#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "bench/ranks/place.hpp"

namespace roofline {

/// What a rank tells the others of its node.
struct Sibling {
  int local_rank = 0;
  std::vector<int> cpus;  ///< that it may use, before any are shared out
  std::string devices;    ///< its CUDA_VISIBLE_DEVICES
};

/// The ranks of one launch on one node, found by files in a folder of this user; MPI is not needed for that.
class Siblings {
 public:
  /// Writes the file of this rank: FOLDER/SESSION-NODE-LOCALRANK, which is removed with the object. `session` is equal
  /// in all ranks of a launch and differs between launches. A folder that cannot be used is no error: nobody is found.
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

/// What tells this launch from others of the same job on this node.
std::string session_of(const Place& place, const Environment& variables);

}  // namespace roofline

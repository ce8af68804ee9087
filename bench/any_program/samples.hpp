#pragma once
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace roofline::any_program {

/// Where the threads of a native run were, at equal steps of their own time.
struct Samples {
  std::string by;     ///< who took them: "perf events", "SIGPROF"; empty: nobody could
  double period = 0;  ///< seconds of a thread's time that a sample stands for
  using Place = std::pair<std::string, std::uint64_t>;      ///< a file, and an offset in it
  std::map<Place, std::map<pid_t, std::uint64_t>> threads;  ///< samples of each thread
  std::map<Place, std::vector<std::uint64_t>> times;        ///< ns of a clock of each sample; empty: not known

  std::uint64_t count() const;
};

/// The kernel's clock of a process and its children, 5000 times a second of each thread, by perf_event_open(2).
class PerfSampler {
 public:
  /// Samples a child that has not yet called exec, from there on. Null if the kernel does not allow it.
  static std::unique_ptr<PerfSampler> attach(pid_t child);
  ~PerfSampler();
  PerfSampler(const PerfSampler&) = delete;
  PerfSampler& operator=(const PerfSampler&) = delete;

  /// Takes what has come: often enough that no buffer runs over.
  void drain();
  Samples samples();

 private:
  PerfSampler();
  struct Rings;
  std::unique_ptr<Rings> rings_;
};

/// The samples of all processes that the preloaded sampler left in `folder`. Every sample stands for an equal part of
/// `seconds`, the time of all threads.
Samples preloaded_samples(const std::filesystem::path& folder, double seconds);

}  // namespace roofline::any_program

#pragma once
#include <sched.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/machine/machine.hpp"
#include "bench/model/roofline.hpp"
#include "bench/options/choices.hpp"
#include "bench/result/results.hpp"
#include "bench/sampling/ceiling_works.hpp"
#include "bench/suite/suite.hpp"

namespace roofline {

/// This machine as the ceilings, the counts and the tables of one process see it. `measure`: its levels are measured
/// now, once, with all usable cores, which takes up to 0.5 s, and 3 s the first time. Otherwise they come from an
/// earlier run, or from the machine's declaration. Remarks about this go to standard error.
Machine library_machine(bool measure);

/// Pins the threads of OpenMP while ceilings are sampled. Afterwards they, their number and the calling thread are as
/// free as before: the program around is somebody else's.
class Pinned {
 public:
  Pinned(const Machine& machine, int threads);
  ~Pinned();
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;

 private:
  int threads_, threads_before_;
  cpu_set_t before_;
};

/// The ceilings of this machine for some number of threads, and what is to be said about them.
struct MachineCeilings {
  std::vector<Ceiling> ceilings;
  CeilingsOrigin origin;
  std::vector<std::string> warnings;                          ///< one line each
  std::vector<std::pair<std::string, std::string>> failures;  ///< ceilings without a result, and why
};

/// All ceilings that can be measured with a number of threads.
Suite ceilings_suite(const Machine& machine, int threads);

/// Where the ceilings of this machine are kept: $XDG_CACHE_HOME/roofline (~/.cache/roofline), a file per fingerprint,
/// node and number of threads. Absent where neither variable names a folder.
std::optional<std::filesystem::path> kept_ceilings(const Machine& machine, int threads);

/// The kept ceilings, if they are of this machine as it is now. Measures nothing.
std::optional<MachineCeilings> find_ceilings(const Machine& machine, int threads);

/// The ceilings that the choice asks for: `auto` takes the kept ones, else measures the quick ones and keeps them;
/// `quick` and `full` measure and keep. Takes some seconds, once, during which the threads of OpenMP are pinned. Throws
/// FileError and FingerprintMismatch on a file, see read_ceilings().
MachineCeilings machine_ceilings(const Machine& machine, int threads, const CeilingsChoice& choice);

/// The ceilings of this machine for rows of one number of threads, and their own work, to be sampled next to these
/// rows.
class RoofsBeside {
 public:
  /// Takes or measures the ceilings as machine_ceilings() does, and throws what it throws.
  RoofsBeside(const Machine& machine, int threads, const CeilingsChoice& choice);
  RoofsBeside(const RoofsBeside&) = delete;
  RoofsBeside& operator=(const RoofsBeside&) = delete;

  /// Names of the ceilings that could bind a point, set up to be sampled. Ceilings that cannot be set up are left out.
  std::vector<std::string> binding(const KernelPoint& point);
  /// The rate of one of these now, in a sample of `seconds`. The calling thread and those of OpenMP are then as free as
  /// before.
  double sample(const std::string& name, double seconds);

  const MachineCeilings& ceilings() const { return ceilings_; }

 private:
  Suite suite_;
  MachineCeilings ceilings_;
  Roofline roofline_;
  CeilingWorks works_;
};

}  // namespace roofline

#pragma once
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/any_program/counts_file.hpp"
#include "bench/any_program/launch.hpp"
#include "bench/any_program/program_file.hpp"
#include "bench/any_program/program_rows.hpp"
#include "bench/any_program/samples.hpp"
#include "bench/machine/topology.hpp"

namespace roofline::any_program {

/// Runs a program twice: first by itself, for its times, then with a counter in it.
struct Runner {
  std::string name;                        ///< of the program, as it was given
  std::vector<std::string> arguments;      ///< of the program
  std::filesystem::path input;             ///< its standard input, a file that can be read again
  std::filesystem::path folder;            ///< for what the runs leave
  std::filesystem::path counts;            ///< the program that counts others
  std::filesystem::path sampler, markers;  ///< our shared objects
  bool with_regions = false;               ///< preload the markers
};

struct NativeRun {
  Ending ending;
  Samples samples;
  RegionTimes regions;
  std::string output;  ///< what it printed on standard output
};
/// Samples by perf events, else by the preloaded sampler; none of a static program where perf events are not allowed.
/// `show`: its output goes through.
NativeRun run_natively(const Runner& runner, const ProgramFile& program, bool show);

struct CountingChoice {
  std::vector<CacheLevel> caches;  ///< of one thread, as large as its share; none: no bytes
  std::string by = "function";     ///< of which the rows are: function, inlined, loop
  std::string only;                ///< the function whose bytes are counted; empty: all
  double most_seconds = 0;         ///< 0: no limit
  bool sampled = false;            ///< an eighth of the sets stands for all, windows for a long run
  bool libraries = false;          ///< whether lines and parts of their functions are wanted
};
struct CountedProgram {
  Ending ending;
  CountedRun counted;
  std::string output, complaints;  ///< on standard output and standard error
  bool stopped = false;            ///< by a signal to us, or by the limit of time
};
/// Shows progress. If the program was stopped or died, the counts until then are there and marked. Throws FileError.
CountedProgram run_counted(const Runner& runner, const ProgramFile& program, const CountingChoice& choice);

/// The first line in which two outputs differ although `again`, of a second native run, has it as `native` has: lines
/// in which these two differ hold times. Absent: there is none.
std::optional<std::string> other_result(const std::string& native, const std::string& again,
                                        const std::string& counted);

/// A package or a part of the build that counting needs is not here: one line that names it.
struct NotInstalled : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A folder for what runs leave, gone with the object.
class Workplace {
 public:
  /// Throws FileError.
  Workplace();
  ~Workplace();
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Where the build and the installation put the shared objects, seen from this program.
std::filesystem::path installed_folder();

/// The runner that counts a program in `folder`. Throws NotInstalled.
Runner make_runner(const std::filesystem::path& folder);

}  // namespace roofline::any_program

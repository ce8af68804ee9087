#pragma once
#include <filesystem>
#include <stdexcept>

#include "bench/any_program/runs.hpp"

namespace roofline::any_program {

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

/// The emulator and the shared objects for a program. Throws NotInstalled.
Runner make_runner(const ProgramFile& program, const std::filesystem::path& folder);

}  // namespace roofline::any_program

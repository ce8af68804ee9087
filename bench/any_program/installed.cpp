#include "bench/any_program/installed.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "bench/text/output.hpp"

namespace roofline::any_program {
namespace fs = std::filesystem;

Workplace::Workplace() {
  auto pattern = (fs::temp_directory_path() / "roofline-XXXXXX").string();
  if (!::mkdtemp(pattern.data())) throw FileError(fmt::format("{}: {}", pattern, std::strerror(errno)));
  path_ = pattern;
}

Workplace::~Workplace() {
  std::error_code none;
  fs::remove_all(path_, none);
}

fs::path installed_folder() {
  return (fs::read_symlink("/proc/self/exe").parent_path() / ".." / "lib" / "roofline").lexically_normal();
}

Runner make_runner(const ProgramFile& program, const fs::path& folder) {
  Runner runner;
  runner.folder = folder, runner.input = "/dev/null";
  runner.plugin = installed_folder() / "libroofline_count.so";
  runner.sampler = installed_folder() / "libroofline_sampler.so";
  runner.markers = installed_folder() / "libroofline_markers.so";
  if (!fs::exists(runner.plugin))
    throw NotInstalled(
        fmt::format("there is no {}: install the packages libcapstone-dev, libdw-dev and qemu-user, and "
                    "build again",
                    runner.plugin.string()));
  const std::string emulator = program.arm ? "qemu-aarch64" : "qemu-x86_64";
  const auto found = find_program(emulator);
  if (!found) throw NotInstalled(fmt::format("there is no {}: install the package qemu-user (QEMU 6 to 8)", emulator));
  runner.emulator = *found;
  return runner;
}

}  // namespace roofline::any_program

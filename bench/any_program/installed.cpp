#include "bench/any_program/installed.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "bench/any_program/workplace.hpp"
#include "bench/text/output.hpp"
#include "bench/text/words.hpp"

namespace roofline::any_program {
namespace {

namespace fs = std::filesystem;

fs::path in_path(const std::string& name) {
  const char* const path = std::getenv("PATH");
  for (const auto& folder : split(path ? path : "", ':'))
    if (::access((fs::path(folder) / name).c_str(), X_OK) == 0) return fs::path(folder) / name;
  throw NotInstalled(fmt::format("there is no {}: install the package qemu-user (QEMU 6 to 8)", name));
}

}  // namespace

Workplace::Workplace() {
  auto pattern = (fs::temp_directory_path() / "roofline-cpu-XXXXXX").string();
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
  runner.emulator = in_path(program.arm ? "qemu-aarch64" : "qemu-x86_64");
  return runner;
}

}  // namespace roofline::any_program

#include "bench/machine/own_program.hpp"

#include <cerrno>
#include <system_error>

namespace roofline {

std::filesystem::path own_program() {
  std::error_code unknown;  // without /proc
  const auto running = std::filesystem::read_symlink("/proc/self/exe", unknown);
  // The starter gives its own path as the first argument. The running file may be a loader, which says nothing.
  if (unknown || running.string().find("/lib/roofline/") != std::string::npos) return program_invocation_name;
  return running;
}

}  // namespace roofline

#include "bench/storage/kept_file.hpp"

#include <fmt/format.h>

#include "bench/levels/measured_levels.hpp"
#include "bench/machine/own_program.hpp"

namespace roofline {

std::optional<std::filesystem::path> kept_file(const std::string& prefix, const Machine& machine, int threads) {
  const auto levels = kept_levels_file(machine, threads);
  if (!levels) return std::nullopt;
  return levels->parent_path() / (prefix + levels->filename().string());
}

std::string this_program() {
  const auto path = own_program();
  const auto changed = std::filesystem::last_write_time(path).time_since_epoch().count();
  return fmt::format("{} {} {}", path.string(), std::filesystem::file_size(path), changed);
}

}  // namespace roofline

#include "bench/storage/result_files.hpp"

#include <fmt/format.h>

#include <exception>
#include <system_error>

#include "bench/text/output.hpp"

namespace roofline {
namespace fs = std::filesystem;

std::string partial_name(const std::string& name) {
  const fs::path path(name);
  return path.stem().string() + ".partial" + path.extension().string();
}

bool ResultFiles::try_to(const fs::path& path, const std::function<std::string()>& content) {
  try {
    write_file(path, content());
    return true;
  } catch (const FileError& error) {
    errors_.emplace_back(error.what());
    io_failed_ = true;
  } catch (const std::exception& error) {
    errors_.push_back(fmt::format("{}: not written: {}", path.string(), error.what()));
  }
  return false;
}

bool ResultFiles::write(const std::string& name, const std::function<std::string()>& content) {
  const auto partial = partial_name(name);
  const auto& own = complete_ ? name : partial;
  if (!try_to(folder_ / own, content)) return false;
  written_.push_back(own);
  std::error_code none;
  if (complete_) fs::remove(folder_ / partial, none);
  return true;
}

bool ResultFiles::write_elsewhere(const fs::path& path, const std::function<std::string()>& content) {
  std::error_code none;
  const bool replaces = !fs::exists(path, none) || fs::is_regular_file(path, none);
  const bool aside = !complete_ && replaces;
  return try_to(aside ? path.parent_path() / partial_name(path.filename().string()) : path, content);
}

}  // namespace roofline

#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace roofline {

/// Turns "run.json" into "run.partial.json", the name of an interrupted run's file, so that it never replaces a
/// complete result.
std::string partial_name(const std::string& name);

/// Writes the files of a run to its folder. If one of them cannot be written, the others still are.
class ResultFiles {
 public:
  /// A run that is not `complete` writes under partial_name(); one that is removes what such a run has left.
  ResultFiles(std::filesystem::path folder, bool complete) : folder_(std::move(folder)), complete_(complete) {}

  /// Writes folder/name; false when `content` threw or the file could not be written, see errors().
  bool write(const std::string& name, const std::function<std::string()>& content);
  /// The same for a file anywhere else; devices and pipes keep their names.
  bool write_elsewhere(const std::filesystem::path& path, const std::function<std::string()>& content);

  const std::vector<std::string>& written() const { return written_; }  ///< names within the folder
  const std::vector<std::string>& errors() const { return errors_; }    ///< one line each
  bool failed_to_write() const { return io_failed_; }                   ///< one of them is the file system's

 private:
  bool try_to(const std::filesystem::path& path, const std::function<std::string()>& content);

  std::filesystem::path folder_;
  bool complete_, io_failed_ = false;
  std::vector<std::string> written_, errors_;
};

}  // namespace roofline

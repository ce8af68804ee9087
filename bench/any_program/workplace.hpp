#pragma once
#include <filesystem>

namespace roofline::any_program {

/// A folder for what the runs leave, gone with the object.
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

}  // namespace roofline::any_program

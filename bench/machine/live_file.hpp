#pragma once
#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

namespace roofline {

/// A file of /proc or /sys that is read again and again.
class LiveFile {
 public:
  explicit LiveFile(const std::filesystem::path& path) : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  LiveFile(LiveFile&& other) noexcept : file_(std::exchange(other.file_, -1)), buffer_(std::move(other.buffer_)) {}
  ~LiveFile() {
    if (file_ >= 0) ::close(file_);
  }

  /// Its first 64 KiB as they are now; empty when it cannot be read. Valid until the next read.
  std::string_view read() {
    buffer_.resize(std::size_t{1} << 16);
    const auto size = file_ < 0 ? -1 : ::pread(file_, buffer_.data(), buffer_.size(), 0);
    return {buffer_.data(), size < 0 ? 0 : static_cast<std::size_t>(size)};
  }

 private:
  int file_;
  std::vector<char> buffer_;
};

}  // namespace roofline

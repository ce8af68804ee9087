#pragma once
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace roofline {

/// A file that cannot be read or written: one line saying which and why. Exit code 4.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Makes sure that `path` can be written before anything is measured: its folder exists (created if need be) and takes
/// a file. Throws FileError.
void require_writable(const std::filesystem::path& path);

/// Replaces `path` by `content` in one step (temporary file, flush to disk, rename): a reader sees the old file or the
/// whole new one. Devices and pipes are written directly. Throws FileError; the old file then still stands.
void write_file(const std::filesystem::path& path, const std::string& content);

/// Prints on standard output. A failure does not throw, so that a run goes on to its files; require_printed() tells it.
void print(std::string_view text);

/// Columns of the terminal that standard output is, at least 60; a pipe or a file has as many as a table may need.
std::size_t output_width();

/// At the end of the program: throws FileError when something could not be written to standard output.
void require_printed();

/// Throws FileError.
std::string read_file(const std::filesystem::path& path);

}  // namespace roofline

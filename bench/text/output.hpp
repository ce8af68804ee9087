#pragma once
#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace roofline {

/// A file that cannot be read or written: one line saying which and why. Exit code 4.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Whether a path names a pipe, a terminal or /dev/null, no file that could be written anew.
bool is_special(const std::filesystem::path& path);

/// Makes sure that `path` can be written before anything is measured: its folder exists (created if need be) and takes
/// a file. Throws FileError.
void require_writable(const std::filesystem::path& path);

/// Replaces `path` by `content` in one step (temporary file, flush to disk, rename): a reader sees the old file or the
/// whole new one. Devices and pipes are written directly. Throws FileError; the old file then still stands.
void write_file(const std::filesystem::path& path, const std::string& content);

/// Writes everything to an open descriptor, and waits for the disk where `sync` says so; returns 0 or errno.
int write_all(int file, std::string_view content, bool sync = false);

/// Prints on standard output. A failure does not throw, so that a run goes on to its files; require_printed() tells it.
void print(std::string_view text);

/// One line on standard error, "roofline_bench: LINE", without characters that would control a terminal. Never throws,
/// because a standard error that is closed or full should not end a run.
void complain(std::string_view line);

/// Makes sure that the descriptors 0 to 2 are open. Otherwise the first file that the program opens would receive the
/// text for a closed one. Text for a standard output that was closed still counts as lost.
void hold_standard_streams();

/// Columns of the terminal that standard output is, at least 60; a pipe or a file has as many as a table may need.
std::size_t output_width();

/// Whether the locale that the environment asks for is one of UTF-8.
bool terminal_speaks_utf8();

/// Whether text on standard output may be coloured: it is a terminal, no dumb one, and NO_COLOR is not set.
bool may_be_coloured();

/// At the end of the program: throws FileError when something could not be written to standard output.
void require_printed();

/// The name that stands for standard input, where a file is read.
inline constexpr const char* standard_input = "-";

/// The content of a file or pipe of at most `most` bytes, or of standard input; anything else (a device, a terminal, a
/// pipe that nobody writes into) is refused. Throws FileError.
std::string read_file(const std::filesystem::path& path, std::size_t most = std::size_t{64} << 20);

/// The text of somebody's file as parsers take it: UTF-8 without a byte order mark, lines that end in \n. UTF-16, as
/// PowerShell writes it, is told by its mark or by the zero bytes of its first letters. Throws FileError where a
/// character of it is cut in half.
std::string plain_text(std::string bytes, const std::string& origin);

/// The same of a file. Throws FileError as read_file() does.
std::string read_plain_text(const std::filesystem::path& path);

/// One status line on a terminal. Silent when stderr is not a terminal.
class Progress {
 public:
  Progress();
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Replaces the line by the current work.
  void show(const std::string& text);
  /// Removes the line, so that something else can be printed.
  void clear();

  /// From now on nothing is shown, because one of several processes is enough on a terminal.
  static void silence() { silent_ = true; }

 private:
  inline static bool silent_ = false;
  bool on_terminal_, shown_ = false;
};

}  // namespace roofline

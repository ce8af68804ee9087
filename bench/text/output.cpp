#include "bench/text/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <system_error>
#include <utility>

#include "bench/text/clean.hpp"

namespace roofline {
namespace fs = std::filesystem;
namespace {

void append_utf8(std::string& text, std::uint32_t c) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80 | (c >> shift & 0x3f)); };
  if (c < 0x80) return void(text += static_cast<char>(c));
  if (c < 0x800) return text += static_cast<char>(0xc0 | c >> 6), tail(0);
  if (c < 0x10000) return text += static_cast<char>(0xe0 | c >> 12), tail(6), tail(0);
  text += static_cast<char>(0xf0 | c >> 18), tail(12), tail(6), tail(0);
}

std::string from_utf16(const std::string& bytes, bool big_endian, const std::string& origin) {
  const auto unit = [&](std::size_t at) {
    const auto low = static_cast<unsigned char>(bytes[at + big_endian]);
    return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + !big_endian]) << 8 | low);
  };
  if (bytes.size() % 2 != 0) throw FileError(origin + ": UTF-16, and its last character is cut in half");
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 2) {
    auto c = unit(at);
    if (c >= 0xd800 && c < 0xdc00 && at + 3 < bytes.size() && (unit(at + 2) & 0xfc00) == 0xdc00)
      c = 0x10000 + ((c & 0x3ff) << 10 | (unit(at += 2) & 0x3ff));
    else if (c >= 0xd800 && c < 0xe000)
      c = 0xfffd;  // half of a pair
    append_utf8(text, c);
  }
  return text;
}

[[noreturn]] void fail(const fs::path& path, const std::string& what, int error) {
  throw FileError(fmt::format("{}: {}: {}", path.string(), what, std::strerror(error)));
}

/// A name of an open descriptor, as /dev/stdout is: a link into /proc, which a rename would replace for everybody.
bool names_a_descriptor(fs::path path) {
  std::error_code ignored;
  for (int links = 0; links < 8 && !path.string().starts_with("/proc/") && fs::is_symlink(path, ignored); ++links)
    path = path.parent_path() / fs::read_symlink(path, ignored);
  return path.string().starts_with("/proc/");
}

int print_error = 0;  ///< of the first failure: a stream forgets what it could not write

fs::path temporary(const fs::path& path) { return path.string() + fmt::format(".{}.tmp", ::getpid()); }

/// Whether somebody writes, or has written, into a pipe that was opened without waiting. Takes the first byte, where
/// there is one; reads wait from then on.
bool has_writer(int pipe, std::string& content) {
  constexpr int tries = 30, milliseconds = 10;
  bool found = false;
  for (int i = 0; i < tries && !found; ++i) {
    char byte = 0;
    const auto got = ::read(pipe, &byte, 1);
    if (got == 1) content += byte;
    pollfd state{pipe, POLLIN, 0};
    found = got == 1 || (got < 0 && errno == EAGAIN) || (::poll(&state, 1, 0) > 0 && (state.revents & POLLHUP) != 0);
    if (!found) ::poll(nullptr, 0, milliseconds);
  }
  return found && ::fcntl(pipe, F_SETFL, 0) == 0;
}

}  // namespace

int write_all(int file, std::string_view content, bool sync) {
  const char* at = content.data();
  for (std::size_t left = content.size(); left > 0;) {
    const auto done = ::write(file, at, left);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return errno;
    at += done, left -= static_cast<std::size_t>(done);
  }
  return sync && ::fsync(file) != 0 ? errno : 0;
}

bool is_special(const fs::path& path) {
  if (names_a_descriptor(path)) return true;
  std::error_code ignored;
  const auto status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

void require_writable(const fs::path& path) {
  std::error_code unknown;  // a name that is too long, a loop of links: opening it tells
  if (fs::is_directory(path, unknown)) fail(path, "cannot write", EISDIR);
  const bool special = is_special(path);
  if (!special) {
    std::error_code error;
    if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
    if (error) fail(path.parent_path(), "cannot create the folder", error.value());
  }
  // A probe of a few blocks finds a full disk as well as a missing permission.
  const auto probe = special ? path : temporary(path);
  // A pipe nobody reads would wait for ever: it is an error (ENXIO).
  const int file = ::open(probe.c_str(), special ? O_WRONLY | O_NONBLOCK : O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0) fail(path, "cannot write", errno);
  int error = 0;
  if (!special) error = write_all(file, std::string(16384, '\n'), true);
  ::close(file);
  if (!special) ::unlink(probe.c_str());
  if (error) fail(path, "cannot write", error);
}

void write_file(const fs::path& path, const std::string& content) {
  const bool special = is_special(path);
  const auto target = special ? path : temporary(path);
  // The file behind a descriptor may hold something already.
  const int file = ::open(target.c_str(), special ? O_WRONLY | O_APPEND : O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0) fail(path, "cannot write", errno);
  int error = write_all(file, content, !special);
  if (::close(file) != 0 && !error) error = errno;
  if (!error && !special && ::rename(target.c_str(), path.c_str()) != 0) error = errno;
  if (!error) return;
  if (!special) ::unlink(target.c_str());
  fail(path, "cannot write", error);
}

void print(std::string_view text) {
  if (text.empty()) return;  // it may have no place at all, which fwrite() forbids
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written && !print_error) print_error = errno ? errno : EIO;
}

std::size_t output_width() {
  constexpr std::size_t unlimited = 100'000, least = 60;
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return unlimited;
  return std::max<std::size_t>(size.ws_col, least);
}

bool terminal_speaks_utf8() {
  const auto* const locale = std::setlocale(LC_CTYPE, "");
  return locale && std::string(locale).find("UTF-8") != std::string::npos;
}

bool may_be_coloured() {
  const auto is_set = [](const char* name, std::string_view value) {
    const auto* const found = std::getenv(name);
    return found && (value.empty() ? *found != '\0' : value == found);
  };
  return ::isatty(STDOUT_FILENO) == 1 && !is_set("NO_COLOR", {}) && !is_set("TERM", "dumb");
}

void require_printed() {
  print({});
  if (print_error) fail("standard output", "cannot write", print_error);
}

void complain(std::string_view line) {
  const auto text = fmt::format("roofline_bench: {}\n", clean(line));
  std::fflush(stdout);
  // One write: lines of several processes do not mix. Nobody is left to be told that it failed.
  write_all(STDERR_FILENO, text);
}

void hold_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    // open() gives the lowest free number. Read-only: writing to it fails.
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF && ::open("/dev/null", O_RDONLY) != stream) return;
}

std::string read_file(const fs::path& path, std::size_t most) {
  const bool is_input = path == standard_input;
  // A pipe without a writer must not block here.
  const int file = is_input ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) fail(path, "cannot read", errno);
  struct stat about {};
  const bool known = ::fstat(file, &about) == 0,
             is_pipe = known && (S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode));
  if (!is_pipe && !(known && S_ISREG(about.st_mode))) {
    const bool on_terminal = ::isatty(file) == 1;
    ::close(file);
    if (S_ISDIR(about.st_mode)) fail(path, "cannot read", EISDIR);
    throw FileError(fmt::format("{}: cannot read: {}", path.string(),
                                on_terminal ? "a terminal, neither a file nor a pipe" : "neither a file nor a pipe"));
  }
  std::string content;
  // A pipe gives its content once, but several readers may look at a file: who comes later gets what it gave.
  static std::map<std::pair<dev_t, ino_t>, std::string> given;
  const std::pair which(about.st_dev, about.st_ino);
  if (is_pipe && !is_input && !has_writer(file, content)) {
    ::close(file);
    if (given.contains(which)) return given.at(which);
    throw FileError(fmt::format("{}: cannot read: a pipe that no program writes into", path.string()));
  }
  if (!is_pipe) content.reserve(std::min(most, static_cast<std::size_t>(about.st_size)));
  char buffer[65536];
  ssize_t got = 1;
  while (content.size() <= most && (got = ::read(file, buffer, sizeof buffer)) != 0) {
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) break;
    content.append(buffer, static_cast<std::size_t>(got));
  }
  const int error = errno;
  ::close(file);
  if (got < 0) fail(path, "cannot read", error);
  if (content.size() > most)
    throw FileError(fmt::format("{}: cannot read: larger than {} MiB", path.string(), most >> 20));
  if (is_pipe && content.empty() && given.contains(which)) return given.at(which);
  if (is_pipe) given[which] = content;
  return content;
}

std::string plain_text(std::string text, const std::string& origin) {
  const bool marked_little = text.starts_with("\xff\xfe"), marked_big = text.starts_with("\xfe\xff");
  const bool little = marked_little || (text.size() > 1 && text[0] != 0 && text[1] == 0);
  if (little || marked_big || (text.size() > 1 && text[0] == 0 && text[1] != 0))
    text = from_utf16(text, !little, origin);
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') text[kept++] = text[i];
  text.resize(kept);
  return text;
}

std::string read_plain_text(const std::filesystem::path& path) { return plain_text(read_file(path), path.string()); }

Progress::Progress() : on_terminal_(::isatty(STDERR_FILENO) == 1) {}

void Progress::show(const std::string& text) {
  if (!on_terminal_ || silent_) return;
  std::fputs(fmt::format("\r\033[K{:.95}", text).c_str(), stderr), std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() {
  if (!shown_) return;
  std::fputs("\r\033[K", stderr), std::fflush(stderr);
  shown_ = false;
}

}  // namespace roofline

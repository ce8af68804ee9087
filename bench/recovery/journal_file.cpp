#include "bench/recovery/journal_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "bench/text/clean.hpp"
#include "bench/text/output.hpp"

namespace roofline {
namespace fs = std::filesystem;
namespace {

using json = nlohmann::ordered_json;

constexpr int format_version = 2;
constexpr std::size_t largest_journal = std::size_t{256} << 20;

std::string first_line(const JournalFile::Key& key) {
  return json{{"journal", format_version},
              {"command_line", clean(key.command_line)},
              {"fingerprint", clean(key.fingerprint)},
              {"program", key.program},
              {"date", key.date}}
      .dump();
}

}  // namespace

JournalFile::JournalFile(const fs::path& folder, const Key& key, bool resume) : path_(folder / "run.journal") {
  open();
  if (resume && ::lseek(file_, 0, SEEK_END) == 0)
    complain(fmt::format("--resume: {} holds no interrupted run; a new one begins", folder.string()));
  if (::lseek(file_, 0, SEEK_END) > 0) try {
      resume ? read_old(key) : put_aside();
    } catch (...) {
      ::close(file_);  // no destructor follows, and the lock would stay
      throw;
    }
  if (::lseek(file_, 0, SEEK_END) == 0) record(first_line(key));
}

JournalFile::~JournalFile() {
  if (file_ >= 0) ::close(file_);
}

void JournalFile::open() {
  if (file_ >= 0) ::close(file_);
  file_ = ::open(path_.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  if (file_ < 0) throw FileError(fmt::format("{}: cannot write: {}", path_.string(), std::strerror(errno)));
  // File systems without locks go without.
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw FileError(fmt::format("{}: another run writes into this folder; choose another --out", path_.string()));
}

void JournalFile::read_old(const Key& key) {
  const auto text = read_file(path_, largest_journal);
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines_.push_back(text.substr(begin, end - begin));
  // What follows the last line end was cut off by the end of its process.
  if (begin < text.size() && ::ftruncate(file_, static_cast<off_t>(begin)) != 0)
    throw FileError(fmt::format("{}: cannot write: {}", path_.string(), std::strerror(errno)));
  if (lines_.empty()) return;
  const auto first = json::parse(lines_.front(), nullptr, false);
  const auto field = [&](const char* name) {
    const auto it = first.find(name);
    return it != first.end() && it->is_string() ? it->get<std::string>() : std::string();
  };
  if (!first.is_object() || !first.contains("journal") || first["journal"] != format_version)
    throw FileError(fmt::format("{}:1: not the journal of a run of this version; without --resume a new one begins",
                                path_.string()));
  const std::pair<const char*, std::string> wanted[] = {
      {"command_line", clean(key.command_line)}, {"fingerprint", clean(key.fingerprint)}, {"program", key.program}};
  for (const auto& [name, now] : wanted)
    if (field(name) != now)
      throw std::invalid_argument(fmt::format("--resume: {} is of another run, its {} is '{}', now '{}'",
                                              path_.string(), name, field(name), now));
  resumed_from_ = field("date");
  lines_.erase(lines_.begin());
}

void JournalFile::put_aside() {
  auto old = path_;
  old += ".old";
  if (::rename(path_.c_str(), old.c_str()) != 0)
    throw FileError(fmt::format("{}: cannot rename: {}", path_.string(), std::strerror(errno)));
  complain(
      fmt::format("an earlier run into this folder did not end; its rows are kept in {} (--resume goes on with them)",
                  old.string()));
  open();
}

void JournalFile::record(const std::string& line) {
  const auto text = line + "\n";
  // One write: a reader, and a process that goes on with it, sees the whole line or knows by its end that it is cut
  // off.
  const auto done = ::write(file_, text.data(), text.size());
  const bool written = done == static_cast<ssize_t>(text.size()) && ::fdatasync(file_) == 0;
  if (written || said_) return;
  said_ = true;
  complain(fmt::format("{}: cannot write: {}: a sudden end of this run would lose its rows", path_.string(),
                       std::strerror(errno)));
}

void JournalFile::remove() { ::unlink(path_.c_str()); }

}  // namespace roofline

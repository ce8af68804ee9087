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

constexpr int format_version = 3;
constexpr std::size_t largest_journal = std::size_t{256} << 20;

std::string first_line(const JournalFile::Key& key) {
  return json{{"journal", format_version},
              {"command_line", clean(key.command_line)},
              {"fingerprint", clean(key.fingerprint)},
              {"program", key.program},
              {"date", key.date}}
      .dump();
}

/// The complete lines of a journal. Text after the last line end was cut off when its process ended.
struct Lines {
  std::vector<std::string> whole;
  std::size_t bytes = 0;  ///< of the whole lines
  bool is_cut_off = false;
};

Lines lines_of(const fs::path& file) {
  const auto text = read_file(file, largest_journal);
  Lines lines;
  for (std::size_t end; (end = text.find('\n', lines.bytes)) != std::string::npos; lines.bytes = end + 1)
    lines.whole.push_back(text.substr(lines.bytes, end - lines.bytes));
  lines.is_cut_off = lines.bytes < text.size();
  return lines;
}

json head_of(const std::vector<std::string>& lines) {
  return lines.empty() ? json() : json::parse(lines.front(), nullptr, false);
}

bool is_journal(const json& head) {
  return head.is_object() && head.contains("journal") && head["journal"] == format_version;
}

std::string field(const json& head, const char* name) {
  const auto it = head.find(name);
  return it != head.end() && it->is_string() ? it->get<std::string>() : std::string();
}

/// How the run of a journal differs from one that would go on with it; empty: it does not.
std::string difference(const json& head, const JournalFile::Key& key) {
  const std::pair<const char*, std::string> wanted[] = {
      {"command_line", clean(key.command_line)}, {"fingerprint", clean(key.fingerprint)}, {"program", key.program}};
  for (const auto& [name, now] : wanted)
    if (field(head, name) != now) return fmt::format("its {} is '{}', now '{}'", name, field(head, name), now);
  return "";
}

/// How many lines of a file a run could go on with; 0: it is not the journal of this run.
std::size_t usable_lines(const fs::path& file, const JournalFile::Key& key) {
  std::error_code none;
  if (!fs::is_regular_file(file, none)) return 0;
  const auto lines = lines_of(file).whole;
  const auto head = head_of(lines);
  return is_journal(head) && difference(head, key).empty() ? lines.size() : 0;
}

}  // namespace

JournalFile::JournalFile(const fs::path& folder, const Key& key, Begin begin)
    : path_(folder / "run.journal"), old_(folder / "run.journal.old"), key_(key) {
  open();
  try {
    if (begin == Begin::resumed) prefer_longer(key);
    const bool is_new = ::lseek(file_, 0, SEEK_END) == 0;
    if (is_new && begin == Begin::resumed)
      complain(fmt::format("--resume: {} holds no interrupted run; a new one begins", folder.string()));
    if (!is_new) begin == Begin::anew ? put_aside() : read_old(key);
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
  // A file system without locks works without one.
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw FileError(fmt::format("{}: another run writes into this folder; choose another --out", path_.string()));
}

void JournalFile::read_old(const Key& key) {
  auto lines = lines_of(path_);
  if (lines.is_cut_off && ::ftruncate(file_, static_cast<off_t>(lines.bytes)) != 0)
    throw FileError(fmt::format("{}: cannot write: {}", path_.string(), std::strerror(errno)));
  lines_ = std::move(lines.whole);
  if (lines_.empty()) return;
  const auto head = head_of(lines_);
  if (!is_journal(head))
    throw FileError(fmt::format("{}:1: not the journal of a run of this version; without --resume a new one begins",
                                path_.string()));
  if (const auto other = difference(head, key); !other.empty())
    throw std::invalid_argument(
        fmt::format("--resume: {} is of another run: {}; repeat the command line of that run, or leave --resume out",
                    path_.string(), other));
  resumed_from_ = field(head, "date");
  lines_.erase(lines_.begin());
}

void JournalFile::move(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0)
    throw FileError(fmt::format("{}: cannot rename: {}", from.string(), std::strerror(errno)));
}

void JournalFile::put_aside() {
  move(path_, old_);
  complain(fmt::format(
      "an earlier run into this folder did not end; its rows are kept in {}: the same command with --resume goes on "
      "with them",
      old_.string()));
  open();
}

void JournalFile::prefer_longer(const Key& key) {
  const auto kept = usable_lines(old_, key);
  if (kept <= usable_lines(path_, key)) return;
  auto between = path_;
  between += ".swap";
  move(path_, between);
  move(old_, path_);
  // A journal without lines was made by open().
  if (fs::file_size(between) > 0)
    move(between, old_);
  else
    fs::remove(between);
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

void JournalFile::remove() {
  // A later --resume must not mix rows from before this complete run into a new one.
  if (usable_lines(old_, key_) > 0) ::unlink(old_.c_str());
  ::unlink(path_.c_str());
}

}  // namespace roofline

#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace roofline {

/// The journal of a run as the file FOLDER/run.journal, which holds every finished row from the moment it is finished
/// and is gone when the run's files are written. Each line is flushed to disk. One process at a time may hold it.
class JournalFile {
 public:
  /// Two processes belong to one run if these agree; the first line of the file.
  struct Key {
    std::string command_line;  ///< without --resume
    std::string fingerprint;   ///< of the target
    std::string program;       ///< version and compiler
    std::string date = {};     ///< when the run began; may differ
  };

  enum class Begin {
    anew,          ///< a journal that is there is kept as run.journal.old, said on stderr
    next_process,  ///< goes on with the journal of a process before this one, of the same run
    resumed        ///< goes on with an interrupted run: this run's own journal, and of two the one with more lines
  };
  /// Begins a journal, or goes on with one; where there is none it begins one. A resumed run.journal.old and
  /// run.journal change places. Throws FileError when the file cannot be written or is not a journal, or another
  /// process holds it; std::invalid_argument when it is of another run.
  JournalFile(const std::filesystem::path& folder, const Key& key, Begin begin);
  ~JournalFile();
  JournalFile(const JournalFile&) = delete;
  JournalFile& operator=(const JournalFile&) = delete;

  /// The lines of the file, without the first.
  const std::vector<std::string>& lines() const { return lines_; }
  /// When the resumed run began; empty for a new one.
  const std::string& resumed_from() const { return resumed_from_; }
  const std::filesystem::path& path() const { return path_; }

  /// Adds a line. A failure is reported once, on stderr, because a full disk should not end a run.
  void record(const std::string& line);
  /// The run is complete and written: the file is not needed any more, and neither is an older one of the same run.
  void remove();

 private:
  void open();
  void read_old(const Key& key);
  void put_aside();
  void prefer_longer(const Key& key);
  static void move(const std::filesystem::path& from, const std::filesystem::path& to);

  std::filesystem::path path_, old_;
  Key key_;
  int file_ = -1;
  bool said_ = false;
  std::string resumed_from_;
  std::vector<std::string> lines_;
};

}  // namespace roofline

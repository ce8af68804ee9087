#pragma once
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bench/model/ceiling.hpp"
#include "bench/model/kernel_point.hpp"
#include "bench/sampling/kernel_row.hpp"

namespace roofline {

/// The results of a run so far, row by row, as lines of text that outlive its process. A kernel that hangs or destroys
/// the GPU's context takes the process with it, and the next process carries on after that row.
class RowJournal {
 public:
  /// Without a record nothing is kept: runs that are not supervised.
  RowJournal() = default;
  /// `lines` of the processes before; new ones go to `record`. A line that was cut off is passed over. Throws
  /// std::invalid_argument, naming the line, on one that is whole and no line of a journal.
  RowJournal(const std::vector<std::string>& lines, std::function<void(const std::string&)> record);

  /// The facts about a kernel that are found once, before or after its rounds.
  struct Once {
    Counts counts;
    std::uint64_t declared_flops = 0;
    double in_core = 0;
    std::string tuning;
    std::vector<Trial> trials;
  };

  /// The same run with its lines kept in a file as well: `lines` are what the file holds already, among them the
  /// results of this journal, if it has any; new ones go to both.
  RowJournal kept_in(const std::vector<std::string>& lines, std::function<void(const std::string&)> file) const;
  /// Whether a process before this one has found out anything.
  bool empty() const;

  void begin(const std::string& row) const;                        ///< from here on a sudden end is this row's failure
  void add(const std::string& row, const Ceiling& ceiling) const;  ///< one that is not sampled in rounds
  void add(const std::string& row, int round, const Visit& visit) const;     ///< of a ceiling
  void add(const std::string& row, int round, const RowRound& found) const;  ///< of a kernel
  void add(const std::string& row, const Once& once) const;
  void fail(const std::string& row, const std::string& why) const;
  void verified(const std::string& row) const;

  // The results of earlier processes. Null or empty where there is none.
  const std::vector<Ceiling>& ceilings(const std::string& row) const;
  const Visit& ceiling_round(const std::string& row, int round) const;
  const RowRound* kernel_round(const std::string& row, int round) const;
  const Once* counts(const std::string& row) const;
  /// Rows with a result.
  std::size_t rows() const;
  /// Why the row failed, empty when it did not.
  std::string failure(const std::string& row) const;
  bool was_verified(const std::string& row) const;

 private:
  void read(const std::vector<std::string>& lines);

  std::function<void(const std::string&)> record_;
  std::map<std::string, std::vector<Ceiling>> ceilings_;
  std::map<std::pair<std::string, int>, Visit> ceiling_rounds_;
  std::map<std::pair<std::string, int>, RowRound> kernel_rounds_;
  std::map<std::string, Once> once_;
  std::map<std::string, std::string> failures_;
  std::set<std::string> verified_;
};

/// Lines that a supervisor itself reads and writes.
std::string begin_line(const std::string& row);
std::string failure_line(const std::string& row, const std::string& why);
/// Counts of a row as one line, and back; a failure_line() instead throws its reason as std::runtime_error.
std::string counts_line(const std::string& row, const Counts& counts);
Counts read_counts_line(const std::string& line);
/// The row of the last line that begins one, when nothing was found out of it; empty otherwise.
std::string unfinished_row(const std::vector<std::string>& lines);

}  // namespace roofline

#pragma once
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bench/model/ceiling.hpp"
#include "bench/model/kernel_point.hpp"
#include "bench/result/results.hpp"
#include "bench/sampling/ceiling_works.hpp"
#include "bench/sampling/row_rounds.hpp"

namespace roofline {

/// One thing that a run found out, or that happened in it. As text it is a line of JSON with the fields of run.json.
struct Record {
  std::string row = {};                    ///< a kernel's or a ceiling's; empty: of the whole run
  int round = 0;                           ///< of `found` and `visit`
  std::string event = {};                  ///< "planned", "begin", "verified"; of the run: "end", all is measured
  std::optional<RowRound> found = {};      ///< a round of a kernel, with its probes
  std::optional<Visit> visit = {};         ///< of a ceiling in a round
  std::optional<Ceiling> ceiling = {};     ///< planned, or set up; with a rate: it is not sampled in rounds
  std::optional<KernelPoint> kernel = {};  ///< planned, counted or modelled, without its rounds
  std::string failed = {};                 ///< why the row has no result: a fault
  std::string skipped = {};                ///< why it has none: something that is missing here
  std::string fact = {};                   ///< fields of the block "roofline" of run.json, as JSON
};

/// A run: the list of its records. Whoever measures appends; results_of() says what they mean. The records outlive the
/// process where they are written somewhere as lines: a kernel that hangs or destroys the GPU's context takes the
/// process with it, and the next one goes on after that row.
class Records {
 public:
  using Sink = std::function<void(const std::string&)>;

  Records() = default;
  /// The records of the processes before this one; new ones go to `sink`, too. A line that was cut off is passed over.
  /// Throws std::invalid_argument, naming the line, on one that is whole and no record.
  explicit Records(const std::vector<std::string>& lines, Sink sink = {});
  /// The same run with its lines kept in a file as well: `lines` are what the file holds already, among them the
  /// results of these records, if there are any; new ones go to both.
  Records kept_in(const std::vector<std::string>& lines, Sink file) const;

  void append(Record record);
  /// The fields that `say` fills in are facts of the run. A later fact replaces an earlier one; of a list it adds what
  /// is not there yet.
  void say(const std::function<void(Results&)>& say);
  void begin(const std::string& row);  ///< from here on a sudden end is this row's failure

  const std::vector<Record>& all() const { return all_; }
  /// Whether a process before this one has found out anything about a row.
  bool empty() const;
  /// Rows with a result.
  std::size_t rows() const;
  // The records know this of a row; null or empty: nothing. Pointers are valid until the next record.
  const Record* of_round(const std::string& row, int round) const;
  const Ceiling* ceiling(const std::string& row) const;
  const KernelPoint* kernel(const std::string& row) const;
  std::string missing(const std::string& row) const;  ///< why it has no result
  bool was(const std::string& event, const std::string& row) const { return events_.contains({event, row}); }

 private:
  void enter(Record record);

  std::vector<Record> all_;
  std::vector<Sink> sinks_;
  std::map<std::pair<std::string, int>, std::size_t> rounds_;
  std::map<std::string, std::size_t> ceilings_, kernels_;
  std::map<std::string, std::string> missing_;
  std::set<std::pair<std::string, std::string>> events_;  ///< each with its row
};

/// As a line of text, and back. Reading throws std::exception on a line that is not a record, or has times that are not
/// positive.
std::string line_of(const Record& record);
Record record_of(const std::string& line);
/// The row that was begun last, when nothing was found out of it; empty otherwise. Lines that were cut off do not
/// count.
std::string unfinished_row(const std::vector<std::string>& lines);

}  // namespace roofline

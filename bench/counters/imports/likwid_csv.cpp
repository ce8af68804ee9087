#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "bench/counters/imports/imported.hpp"
#include "bench/text/clean.hpp"
#include "bench/text/output.hpp"
#include "bench/text/words.hpp"

namespace roofline::perf {
namespace {

/// LIKWID joins its columns with commas and quotes nothing. One at the end has a last column that is empty.
std::vector<std::string> columns(const std::string& line) { return split(line + ",", ','); }

/// The counts of one group of events in one region. Runs appended to one file are added up.
struct GroupCounts {
  std::string region;
  int line = 0;  ///< of its last table
  int tables = 0;
  double calls = 0;
  EventCounts events;
  std::map<std::string, std::string> unknown;  ///< events that a unit did not count, and where
};

/// Follows the lines of a file: which table they are in, and what that counts.
class LikwidReader {
 public:
  explicit LikwidReader(const std::string& file) : file_(file) {}

  void take(const std::string& text, int line) {
    line_ = line;
    const auto fields = columns(text);
    const auto& first = fields.front();
    if (first == "STRUCT") return begin_struct(fields);
    if (first == "TABLE") return begin_table(text);
    if (first == "Region" && fields.size() > 1) return begin(fields[1], "");
    if (first == "Group" && fields.size() > 1) return begin(region_, fields[1]);
    if (named_below_ && fields.size() > 2) return begin(fields[2], fields[0]);
    if (first == "Event" && fields.size() > 2 && fields[1] == "Counter") return begin_events(fields);
    if (first == "call count") return void(calls_ = most(fields, 1));
    if (first.empty() || first == "Metric" || first.starts_with("---")) close();
    if (table_) add(fields);  // else the program's own lines, or heads
  }

  ImportedEvents events() {
    close();
    for (auto& [key, counts] : counts_)
      for (const auto& [event, place] : counts.unknown) {
        counts.events.erase(event);
        complain(fmt::format("{}: {} is not counted: nan or nothing on a unit of it ({})", file_, clean(event),
                             clean(place)));
      }
    if (counts_.empty())
      throw FileError(fmt::format("{}: no table of raw counts: not the output of likwid-perfctr -O", file_));
    ImportedEvents result;
    const GroupCounts* whole = nullptr;
    for (const auto& [key, counts] : counts_) {
      if (counts.tables > 1 && counts.region.empty())
        refuse_line(file_, counts.line, "a second table of the same group without a region: two runs in one file");
      if (counts.region.empty() && std::exchange(whole, &counts))
        refuse_line(file_, counts.line, "several groups took turns, each counted a part of the time: one -g a run");
      for (const auto& [event, count] : counts.events)
        result[counts.region].try_emplace(event, counts.calls > 0 ? count / counts.calls : count);
    }
    return result;
  }

 private:
  /// Ends a table of events; its last row must have been there.
  void close() {
    if (table_ && rows_ > 0)
      refuse_line(file_, line_, fmt::format("a table of events lacks {} of its rows: the file was cut short", rows_));
    table_ = nullptr;
  }
  void begin(const std::string& region, const std::string& group) {
    close();
    region_ = region, group_ = group, rows_ = 0, named_below_ = false;
  }
  void begin_struct(const std::vector<std::string>& fields) {
    begin("", "");
    calls_ = 0;
    // likwid-perfctr 4.0 names group and region in a line of its own: "1,MEM,region".
    named_below_ = fields.size() > 2 && fields[2] == "5";
  }
  /// "TABLE,Region NAME,Group 1 Raw,FLOPS_DP,6"; for a whole program, and in version 4.0, "TABLE,Group 1
  /// Raw,FLOPS_DP,6".
  void begin_table(const std::string& text) {
    const auto at = text.find(",Group ");
    if (at == text.npos) return close();
    const auto tail = columns(text.substr(at + 1));
    begin(text.starts_with("TABLE,Region ") ? text.substr(13, std::max(at, std::size_t{13}) - 13) : region_,
          tail[0].substr(6, tail[0].find(' ', 6) - 6));
    if (tail.size() > 2) rows_ = as_number<int>(tail[2]).value_or(0);
  }
  void begin_events(const std::vector<std::string>& fields) {
    const auto rows = rows_;
    close();
    // "Event,Counter,Sum,Min,Max,Avg" heads statistics of the table before.
    if (fields[2].starts_with("Sum")) return;
    table_ = &counts_[{region_, group_}];
    table_->region = region_, table_->line = line_, ++table_->tables;
    table_->calls += std::exchange(calls_, 0);
    rows_ = rows;
    cores_ = 0;
    for (auto field = fields.begin() + 2; field != fields.end(); ++field) cores_ += !field->empty();
  }
  /// The largest of a row's counts: each thread enters a region once per call.
  double most(const std::vector<std::string>& fields, std::size_t from) const {
    double value = 0;
    for (std::size_t i = from; i < fields.size(); ++i)
      value = std::max(value, event_count(fields[i], fields[0], file_, line_).value_or(0));
    return value;
  }
  void add(const std::vector<std::string>& fields) {
    const auto& name = fields.front();
    if (fields.size() < 2 + cores_) refuse_line(file_, line_, "a row of events lacks counts: the file was cut short");
    if (std::count_if(fields.begin() + 2, fields.end(), [](const auto& f) { return !f.empty(); }) >
        static_cast<std::ptrdiff_t>(cores_))
      refuse_line(file_, line_, "a row of events has more counts than there are cores: commas between thousands?");
    double sum = 0;
    bool counted = false, lost = false;
    if (name == "Region calls") table_->calls += most(fields, 2);
    if (name.find(' ') == name.npos) {  // times have spaces
      for (std::size_t i = 2; i < fields.size(); ++i) {
        // Joules alone have a fraction.
        const auto value = (name.starts_with("PWR_") ? event_count : whole_count)(fields[i], name, file_, line_);
        sum += value.value_or(0), counted = counted || value;
        lost = lost || fields[i].find("nan") != fields[i].npos;  // "-": a thread that does not read this unit
      }
      const auto event = plain_event_name(name);
      table_->events[event] += sum;
      if (lost || !counted) table_->unknown.emplace(event, fmt::format("{}, line {}", fields[1], line_));
    }
    if (rows_ > 0 && --rows_ == 0) table_ = nullptr;
  }

  const std::string& file_;
  std::string region_, group_;                                         // of the tables to come
  double calls_ = 0;                                                   // of the table to come
  std::map<std::pair<std::string, std::string>, GroupCounts> counts_;  // by region and group
  GroupCounts* table_ = nullptr;                                       // the one whose rows are read
  int line_ = 0, rows_ = 0;                                            // rows: still to come, 0 where not announced
  std::size_t cores_ = 0;
  bool named_below_ = false;
};

}  // namespace

bool is_likwid_csv(const std::string& text) {
  for (const auto* const head : {"STRUCT,Info,", "TABLE,Region ", "TABLE,Group ", "Event,Counter,"})
    if (text.starts_with(head) || text.find(std::string("\n") + head) != text.npos) return true;
  return false;
}

ImportedEvents parse_likwid_csv(const std::string& text, const std::string& file) {
  LikwidReader reader(file);
  int number = 0;
  for (auto& line : split(text, '\n')) {
    if (line.ends_with("\r")) line.pop_back();
    reader.take(line, ++number);
  }
  return reader.events();
}

}  // namespace roofline::perf

#include "bench/run/row_journal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "bench/run/journal_values.hpp"

namespace roofline {
namespace {

using nlohmann::json;

/// As text that is JSON whatever bytes the strings hold.
std::string line_of(const json& j) { return j.dump(-1, ' ', false, json::error_handler_t::replace); }

template <class Map>
const typename Map::mapped_type& found(const Map& map, const std::string& row) {
  static const typename Map::mapped_type none;
  const auto it = map.find(row);
  return it == map.end() ? none : it->second;
}

}  // namespace

RowJournal::RowJournal(const std::vector<std::string>& lines, std::function<void(const std::string&)> record)
    : record_(std::move(record)) {
  read(lines);
}

void RowJournal::read(const std::vector<std::string>& lines) {
  for (std::size_t i = 0; i < lines.size(); ++i) try {
      const auto j = json::parse(lines[i], nullptr, false);
      if (j.is_discarded()) continue;  // cut off by the end of its process
      if (!j.is_object()) throw std::invalid_argument("not an object");
      const auto row = j.value("row", std::string());
      if (j.contains("ceiling")) ceilings_[row].push_back(to_ceiling(j["ceiling"]));
      if (j.contains("better_ceiling")) ceilings_[row] = {to_ceiling(j["better_ceiling"])};
      if (j.contains("kernel")) kernels_[row].push_back(to_kernel(row, j["kernel"]));
      if (j.contains("first_turn")) first_turns_[row] = to_kernel(row, j["first_turn"]);
      if (j.contains("counts")) counts_.insert_or_assign(row, to_counts(j["counts"]));
      if (j.contains("failed")) failures_[row] = j["failed"];
      if (j.contains("verified")) verified_.insert(row);
      if (j.contains("shown")) shown_.push_back(j["shown"]);
    } catch (const std::exception& error) {
      throw std::invalid_argument(fmt::format("line {}: not a line of a journal: {}", i + 1, error.what()));
    }
}

RowJournal RowJournal::kept_in(const std::vector<std::string>& lines,
                               std::function<void(const std::string&)> file) const {
  RowJournal both(lines, [first = record_, second = std::move(file)](const std::string& line) {
    if (first) first(line);
    second(line);
  });
  // A supervisor knows which row ended its process; the process itself could not write that down.
  both.failures_.insert(failures_.begin(), failures_.end());
  both.verified_.insert(verified_.begin(), verified_.end());
  both.shown_ = shown_;
  return both;
}

void RowJournal::begin(const std::string& row) const {
  if (record_) record_(begin_line(row));
}
void RowJournal::add(const std::string& row, const Ceiling& ceiling) const {
  if (record_) record_(line_of({{"row", row}, {"ceiling", to_json(ceiling)}}));
}
void RowJournal::replace(const std::string& row, const Ceiling& ceiling) const {
  if (record_) record_(line_of({{"row", row}, {"better_ceiling", to_json(ceiling)}}));
}
void RowJournal::add_first_turn(const std::string& row, const Kernel& kernel) const {
  if (record_) record_(line_of({{"row", row}, {"first_turn", to_json(kernel)}}));
}
void RowJournal::add(const std::string& row, const Kernel& kernel) const {
  if (record_) record_(line_of({{"row", row}, {"kernel", to_json(kernel)}}));
}
void RowJournal::add(const std::string& row, const Counts& counts) const {
  if (record_) record_(counts_line(row, counts));
}
void RowJournal::fail(const std::string& row, const std::string& why) const {
  if (record_) record_(failure_line(row, why));
}
void RowJournal::verified(const std::string& row) const {
  if (record_) record_(line_of({{"row", row}, {"verified", true}}));
}
void RowJournal::shown(const std::string& section) const {
  if (record_) record_(line_of({{"shown", section}}));
}

const std::vector<Ceiling>& RowJournal::ceilings(const std::string& row) const { return found(ceilings_, row); }
const std::vector<RowJournal::Kernel>& RowJournal::kernels(const std::string& row) const {
  return found(kernels_, row);
}
const RowJournal::Kernel* RowJournal::first_turn(const std::string& row) const {
  const auto it = first_turns_.find(row);
  return it == first_turns_.end() ? nullptr : &it->second;
}
const Counts* RowJournal::counts(const std::string& row) const {
  const auto it = counts_.find(row);
  return it == counts_.end() ? nullptr : &it->second;
}
std::size_t RowJournal::rows() const {
  auto kernels = first_turns_.size();
  for (const auto& [row, results] : kernels_) kernels += !first_turns_.contains(row);
  return ceilings_.size() + kernels + counts_.size();
}
bool RowJournal::empty() const { return rows() == 0 && failures_.empty() && verified_.empty() && shown_.empty(); }
std::string RowJournal::failure(const std::string& row) const { return found(failures_, row); }
bool RowJournal::was_verified(const std::string& row) const { return verified_.contains(row); }
bool RowJournal::was_shown(const std::string& section) const {
  return std::find(shown_.begin(), shown_.end(), section) != shown_.end();
}

std::string begin_line(const std::string& row) { return line_of({{"begin", row}}); }
std::string failure_line(const std::string& row, const std::string& why) {
  return line_of({{"row", row}, {"failed", why}});
}

std::string counts_line(const std::string& row, const Counts& counts) {
  return line_of({{"row", row}, {"counts", to_json(counts)}});
}
Counts read_counts_line(const std::string& line) {
  const auto j = json::parse(line);
  if (j.contains("failed")) throw std::runtime_error(j["failed"].get<std::string>());
  return to_counts(j["counts"]);
}

std::string unfinished_row(const std::vector<std::string>& lines) {
  std::string open;
  for (const auto& line : lines) {
    const auto j = json::parse(line, nullptr, false);
    if (j.is_discarded()) continue;
    if (j.contains("begin")) open = j["begin"];
    if (j.value("row", std::string()) == open) open.clear();
  }
  return open;
}

}  // namespace roofline

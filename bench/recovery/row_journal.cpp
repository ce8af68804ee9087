#include "bench/recovery/row_journal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "bench/storage/json_fields.hpp"
#include "bench/storage/result_fields.hpp"

namespace roofline {
namespace stored {

template <class Io, Is<RowRound> T>
void fields(Io& io, T& r) {
  io.must("samples", r.samples, "of the kernel");
  io("probes", r.probes, "rates of each ceiling before, between and after them");
  io("clock", r.clock, "clock of the processor meanwhile, in Hz");
  io("core_distance", r.core_distance, "seconds, before the round");
}

template <class Io, Is<Visit> T>
void fields(Io& io, T& v) {
  io.must("rates", v.rates, "of its samples");
  io("core_distance", v.core_distance, "seconds, before the visit");
}

template <class Io, Is<RowJournal::Once> T>
void fields(Io& io, T& o) {
  io.must("counts", o.counts, "of one launch");
  io.must("declared_flops", o.declared_flops, "by the formula");
  io("in_core", o.in_core, "seconds of a launch in the core's caches");
  io("tuning", o.tuning, "tuning of a tuned row");
  io("trials", o.trials, "by which it was chosen");
}

}  // namespace stored

namespace {

using stored::Json;
using stored::Reader;
using stored::Writer;

template <class T>
T read_value(const Json& j, const char* key) {
  T value{};
  Reader::read(j.at(key), std::string("/") + key, value);
  return value;
}

/// Times and rates are positive, or the file is damaged.
void require_positive(bool positive) {
  if (!positive) throw std::invalid_argument("a time or a rate is not positive");
}

/// As text that is JSON whatever bytes the strings hold.
std::string line_of(const Json& j) { return j.dump(-1, ' ', false, Json::error_handler_t::replace); }

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
      const auto j = Json::parse(lines[i], nullptr, false);
      if (j.is_discarded()) continue;  // cut off by the end of its process
      if (!j.is_object()) throw std::invalid_argument("not an object");
      const auto row = j.value("row", std::string());
      if (j.contains("ceiling")) ceilings_[row].push_back(read_value<Ceiling>(j, "ceiling"));
      if (j.contains("once")) once_.insert_or_assign(row, read_value<Once>(j, "once"));
      if (j.contains("visit")) {
        const auto& visit = ceiling_rounds_[{row, j.at("round").get<int>()}] = read_value<Visit>(j, "visit");
        require_positive(std::all_of(visit.rates.begin(), visit.rates.end(), [](double rate) { return rate > 0; }));
      }
      if (j.contains("found")) {
        auto& found = kernel_rounds_[{row, j.at("round").get<int>()}] = read_value<RowRound>(j, "found");
        require_positive(!found.samples.empty() && std::all_of(found.samples.begin(), found.samples.end(),
                                                               [](const Sample& s) { return s.seconds > 0; }));
        for (const auto& [ceiling, rates] : found.probes)
          require_positive(std::all_of(rates.begin(), rates.end(), [](double rate) { return rate > 0; }));
      }
      if (j.contains("failed")) failures_[row] = j["failed"];
      if (j.contains("verified")) verified_.insert(row);
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
  return both;
}

void RowJournal::begin(const std::string& row) const {
  if (record_) record_(begin_line(row));
}
void RowJournal::add(const std::string& row, const Ceiling& ceiling) const {
  if (record_) record_(line_of({{"row", row}, {"ceiling", Writer::write(ceiling)}}));
}
void RowJournal::add(const std::string& row, int round, const Visit& visit) const {
  if (record_) record_(line_of({{"row", row}, {"round", round}, {"visit", Writer::write(visit)}}));
}
void RowJournal::add(const std::string& row, int round, const RowRound& found) const {
  if (record_) record_(line_of({{"row", row}, {"round", round}, {"found", Writer::write(found)}}));
}
void RowJournal::add(const std::string& row, const Once& once) const {
  if (record_) record_(line_of({{"row", row}, {"once", Writer::write(once)}}));
}
void RowJournal::fail(const std::string& row, const std::string& why) const {
  if (record_) record_(failure_line(row, why));
}
void RowJournal::verified(const std::string& row) const {
  if (record_) record_(line_of({{"row", row}, {"verified", true}}));
}
const std::vector<Ceiling>& RowJournal::ceilings(const std::string& row) const { return found(ceilings_, row); }
const Visit& RowJournal::ceiling_round(const std::string& row, int round) const {
  static const Visit none;
  const auto it = ceiling_rounds_.find({row, round});
  return it == ceiling_rounds_.end() ? none : it->second;
}
const RowRound* RowJournal::kernel_round(const std::string& row, int round) const {
  const auto it = kernel_rounds_.find({row, round});
  return it == kernel_rounds_.end() ? nullptr : &it->second;
}
const RowJournal::Once* RowJournal::counts(const std::string& row) const {
  const auto it = once_.find(row);
  return it == once_.end() ? nullptr : &it->second;
}
std::size_t RowJournal::rows() const {
  std::set<std::string> rows;
  for (const auto& [key, found] : kernel_rounds_) rows.insert(key.first);
  for (const auto& [key, found] : ceiling_rounds_) rows.insert(key.first);
  for (const auto& [row, once] : once_) rows.insert(row);
  for (const auto& [row, ceiling] : ceilings_) rows.insert(row);
  return rows.size();
}
bool RowJournal::empty() const { return rows() == 0 && failures_.empty() && verified_.empty(); }
std::string RowJournal::failure(const std::string& row) const { return found(failures_, row); }
bool RowJournal::was_verified(const std::string& row) const { return verified_.contains(row); }
std::string begin_line(const std::string& row) { return line_of({{"begin", row}}); }
std::string failure_line(const std::string& row, const std::string& why) {
  return line_of({{"row", row}, {"failed", why}});
}

std::string counts_line(const std::string& row, const Counts& counts) {
  return line_of({{"row", row}, {"counts", Writer::write(counts)}});
}
Counts read_counts_line(const std::string& line) {
  const auto j = Json::parse(line);
  if (j.contains("failed")) throw std::runtime_error(j["failed"].get<std::string>());
  return read_value<Counts>(j, "counts");
}

std::string unfinished_row(const std::vector<std::string>& lines) {
  std::string open;
  for (const auto& line : lines) {
    const auto j = Json::parse(line, nullptr, false);
    if (j.is_discarded()) continue;
    if (j.contains("begin")) open = j["begin"];
    if (j.value("row", std::string()) == open) open.clear();
  }
  return open;
}

}  // namespace roofline

#include "bench/recovery/records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "bench/storage/json_fields.hpp"
#include "bench/storage/run_fields.hpp"

namespace roofline {
namespace stored {

template <class Io, Is<RowRound> T>
void fields(Io& io, T& r) {
  io.must("samples", r.samples, "of the kernel");
  io("probes", r.probes, "rates of each ceiling before, between and after them");
  io("clock", r.clock, "clock of the processor meanwhile, in Hz");
  io("core_distance", r.core_distance, "core distance before the round, in seconds");
  io("cpu_seconds", r.cpu_seconds, "CPU time of the calling thread during a launch");
}

template <class Io, Is<Visit> T>
void fields(Io& io, T& v) {
  io.must("rates", v.rates, "rates of its samples");
  io("of_fma", v.of_fma, "rate over that of FMAs alone");
  io("core_distance", v.core_distance, "core distance before the visit, in seconds");
  io("theory", v.theory, "theory at the highest clock so far");
  io("clock", v.clock, "the highest clock so far, in Hz");
}

template <class Io, Is<Record> T>
void fields(Io& io, T& r) {
  io("row", r.row, "a kernel's or a ceiling's; absent: of the whole run");
  io("round", r.round, "number of the round");
  io("event", r.event, "planned, begin, verified, end");
  io("found", r.found, "a round of a kernel");
  io("visit", r.visit, "a visit of a ceiling");
  io("ceiling", r.ceiling, "a ceiling without its visits");
  io("kernel", r.kernel, "a kernel without its rounds");
  io("failed", r.failed, "why it has no result");
  io("skipped", r.skipped, "why it has none here");
}

}  // namespace stored

namespace {

using stored::Json;
using stored::Reader;
using stored::Writer;

/// As text that is JSON whatever bytes the strings hold.
std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// Times and rates are positive, or the file is damaged.
void require_positive(const Record& record) {
  const auto positive = [](const std::vector<double>& rates) {
    return std::all_of(rates.begin(), rates.end(), [](double rate) { return rate > 0; });
  };
  bool all = !record.visit || (!record.visit->rates.empty() && positive(record.visit->rates));
  if (const auto& found = record.found) {
    all = all && !found->samples.empty();
    for (const auto& sample : found->samples) all = all && sample.seconds > 0;
    for (const auto& [ceiling, rates] : found->probes) all = all && positive(rates);
  }
  if (!all) throw std::invalid_argument("a time or a rate is not positive");
}

template <class Map, class Key>
const Record* found_in(const std::vector<Record>& all, const Map& map, const Key& key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &all[found->second];
}

}  // namespace

std::string line_of(const Record& record) {
  auto json = Writer::write(record);
  if (!record.fact.empty()) json["fact"] = Json::parse(record.fact);
  return text_of(json);
}

Record record_of(const std::string& line) {
  const auto json = Json::parse(line);
  Record record;
  Reader::read(json, "", record);
  if (json.contains("fact")) {
    Results read;
    Reader::read(json["fact"], "/fact", read);
    record.fact = text_of(json["fact"]);
  }
  require_positive(record);
  return record;
}

std::string unfinished_row(const std::vector<std::string>& lines) {
  std::string open;
  for (const auto& line : lines) {
    const auto json = Json::parse(line, nullptr, false);
    if (json.is_discarded()) continue;
    const auto row = json.value("row", std::string());
    if (json.value("event", std::string()) == "begin")
      open = row;
    else if (row == open)
      open.clear();
  }
  return open;
}

Records::Records(const std::vector<std::string>& lines, Sink sink) {
  for (std::size_t i = 0; i < lines.size(); ++i) try {
      if (Json::accept(lines[i])) enter(record_of(lines[i]));
    } catch (const std::exception& error) {
      throw std::invalid_argument(fmt::format("line {}: not a line of a journal: {}", i + 1, error.what()));
    }
  if (sink) sinks_.push_back(std::move(sink));
}

Records Records::kept_in(const std::vector<std::string>& lines, Sink file) const {
  Records both(lines);
  // A supervisor knows which row ended its process; the process itself could not write that down.
  for (const auto& record : all_)
    if (!record.failed.empty() && both.missing(record.row).empty()) both.enter(record);
  both.sinks_ = sinks_;
  both.sinks_.push_back(std::move(file));
  return both;
}

void Records::enter(Record record) {
  const auto place = all_.size();
  if (record.found || record.visit) rounds_[{record.row, record.round}] = place;
  if (record.ceiling) ceilings_[record.row] = place;
  if (record.kernel) kernels_[record.row] = place;
  if (!record.failed.empty()) missing_.emplace(record.row, record.failed);
  if (!record.skipped.empty()) missing_.emplace(record.row, record.skipped);
  if (!record.event.empty()) events_.emplace(record.event, record.row);
  all_.push_back(std::move(record));
}

void Records::append(Record record) {
  if (!sinks_.empty())
    for (const auto line = line_of(record); const auto& sink : sinks_) sink(line);
  enter(std::move(record));
}

void Records::say(const std::function<void(Results&)>& say) {
  Results results;
  const auto unsaid = Writer::write(results);
  say(results);
  const auto all = Writer::write(results);
  auto said = Json::object();
  for (const auto& [field, value] : all.items())
    if (!unsaid.contains(field) || unsaid[field] != value) said[field] = value;
  if (!said.empty()) append({.fact = text_of(said)});
}

void Records::begin(const std::string& row) { append({.row = row, .event = "begin"}); }

bool Records::empty() const {
  const auto is_verified = [](const auto& event) { return event.first == "verified"; };
  return rows() == 0 && missing_.empty() && std::none_of(events_.begin(), events_.end(), is_verified);
}

std::size_t Records::rows() const {
  std::set<std::string> rows;
  for (const auto& [key, place] : rounds_) rows.insert(key.first);
  for (const auto& [row, place] : kernels_)
    if (all_[place].kernel->is_bound()) rows.insert(row);
  for (const auto& [row, place] : ceilings_)
    if (all_[place].ceiling->sustained && all_[place].ceiling->rate > 0) rows.insert(row);
  return rows.size();
}

const Record* Records::of_round(const std::string& row, int round) const {
  return found_in(all_, rounds_, std::pair(row, round));
}
const Ceiling* Records::ceiling(const std::string& row) const {
  const auto* const record = found_in(all_, ceilings_, row);
  return record ? &*record->ceiling : nullptr;
}
const KernelPoint* Records::kernel(const std::string& row) const {
  const auto* const record = found_in(all_, kernels_, row);
  return record ? &*record->kernel : nullptr;
}
std::string Records::missing(const std::string& row) const {
  const auto found = missing_.find(row);
  return found == missing_.end() ? std::string() : found->second;
}

}  // namespace roofline

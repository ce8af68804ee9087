#include "bench/run/row_journal.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace roofline {
namespace {

using nlohmann::json;

json to_json(const Counts& counts) {
  const auto& o = counts.operations;
  json traffic = json::array();
  for (const auto& level : counts.traffic) traffic.push_back(level ? json{level->read, level->written} : json());
  json range = json::array();
  for (const auto& level : counts.range) range.push_back(level ? json{level->low, level->high} : json());
  return {{"operations", {o.add, o.mul, o.fma, o.div, o.sqrt, o.logic}},
          {"precision", counts.precision},
          {"operations_source", static_cast<int>(counts.operations_source)},
          {"kinds_known", counts.kinds_known},
          {"traffic", traffic},
          {"range", range},
          {"traffic_source", static_cast<int>(counts.traffic_source)},
          {"modelled_levels", counts.modelled_levels},
          {"modelled_device", counts.modelled_device},
          {"note", counts.traffic_note},
          {"details", counts.details}};
}

Counts to_counts(const json& j) {
  Counts counts;
  const auto& o = j["operations"];
  counts.operations = {.add = o[0], .mul = o[1], .fma = o[2], .div = o[3], .sqrt = o[4], .logic = o[5]};
  j["precision"].get_to(counts.precision);
  counts.operations_source = static_cast<Source>(j["operations_source"].get<int>());
  counts.kinds_known = j["kinds_known"];
  for (std::size_t i = 0; i < counts.traffic.size(); ++i)
    if (const auto& level = j["traffic"][i]; !level.is_null()) counts.traffic[i] = Traffic{level[0], level[1]};
  for (std::size_t i = 0; i < counts.range.size(); ++i)
    if (const auto& level = j["range"][i]; !level.is_null()) counts.range[i] = Span{level[0], level[1]};
  counts.traffic_source = static_cast<Source>(j["traffic_source"].get<int>());
  j["modelled_levels"].get_to(counts.modelled_levels);
  j["modelled_device"].get_to(counts.modelled_device);
  j["note"].get_to(counts.traffic_note);
  j["details"].get_to(counts.details);
  return counts;
}

json to_json(const RowJournal::Kernel& kernel) {
  const auto& [point, m] = kernel;
  return {{"family", point.family},  {"counts", to_json(point.counts)},        {"threads", point.threads},
          {"fma", point.fma},        {"declared_flops", point.declared_flops}, {"seconds", m.seconds},
          {"batch", m.batch},        {"cpu_seconds", m.cpu_seconds},           {"contaminated", m.contaminated},
          {"converged", m.converged}};
}

RowJournal::Kernel to_kernel(const std::string& row, const json& j) {
  RowJournal::Kernel kernel;
  auto& [point, m] = kernel;
  j["seconds"].get_to(m.seconds);
  m.batch = j["batch"], m.cpu_seconds = j["cpu_seconds"];
  m.contaminated = j["contaminated"], m.converged = j["converged"];
  point.name = row;
  point.family = j["family"];
  point.counts = to_counts(j["counts"]);
  point.time = m.interval();
  point.samples = static_cast<int>(m.seconds.size());
  point.converged = m.converged, point.contaminated = m.contaminated;
  point.threads = j["threads"], point.fma = j["fma"];
  point.declared_flops = j["declared_flops"];
  return kernel;
}

json to_json(const Ceiling& c) {
  json j{{"name", c.name},
         {"kind", static_cast<int>(c.kind)},
         {"threads", c.threads},
         {"precision", c.precision},
         {"operation", static_cast<int>(c.operation)},
         {"isa", c.isa},
         {"ilp", c.ilp},
         {"level", static_cast<int>(c.level)},
         {"mix", name(c.mix)},
         {"working_set", c.working_set},
         {"explicit", c.bytes_per_explicit_byte},
         {"rate", c.rate},
         {"low", c.rate_low},
         {"high", c.rate_high},
         {"samples", c.samples},
         {"variant", c.variant},
         {"winner", c.winner},
         {"sustained", c.sustained},
         {"clocks", {c.clock_begin, c.clock_end}}};
  if (c.theory) j["theory"] = *c.theory;
  return j;
}

Ceiling to_ceiling(const json& j) {
  Ceiling c;
  c.name = j["name"], c.kind = static_cast<Ceiling::Kind>(j["kind"].get<int>()), c.threads = j["threads"];
  c.precision = j["precision"], c.operation = static_cast<Operation>(j["operation"].get<int>());
  c.isa = j["isa"], c.ilp = j["ilp"];
  c.level = static_cast<MemoryLevel>(j["level"].get<int>()), c.mix = mix_of(j["mix"].get<std::string>()).value();
  c.working_set = j["working_set"], c.bytes_per_explicit_byte = j["explicit"];
  c.rate = j["rate"], c.rate_low = j["low"], c.rate_high = j["high"];
  c.samples = j["samples"], c.variant = j["variant"], c.winner = j["winner"];
  c.sustained = j["sustained"], c.clock_begin = j["clocks"][0], c.clock_end = j["clocks"][1];
  if (j.contains("theory")) c.theory = j["theory"];
  return c;
}

template <class Map>
const typename Map::mapped_type& found(const Map& map, const std::string& row) {
  static const typename Map::mapped_type none;
  const auto it = map.find(row);
  return it == map.end() ? none : it->second;
}

}  // namespace

RowJournal::RowJournal(const std::vector<std::string>& lines, std::function<void(const std::string&)> record)
    : record_(std::move(record)) {
  for (const auto& line : lines) {
    const auto j = json::parse(line, nullptr, false);
    if (j.is_discarded()) continue;  // cut off by the end of its process
    const auto row = j.value("row", std::string());
    if (j.contains("ceiling")) ceilings_[row].push_back(to_ceiling(j["ceiling"]));
    if (j.contains("kernel")) kernels_[row].push_back(to_kernel(row, j["kernel"]));
    if (j.contains("failed")) failures_[row] = j["failed"];
    if (j.contains("verified")) verified_.insert(row);
    if (j.contains("shown")) shown_.push_back(j["shown"]);
  }
}

void RowJournal::begin(const std::string& row) const {
  if (record_) record_(begin_line(row));
}
void RowJournal::add(const std::string& row, const Ceiling& ceiling) const {
  if (record_) record_(json{{"row", row}, {"ceiling", to_json(ceiling)}}.dump());
}
void RowJournal::add(const std::string& row, const Kernel& kernel) const {
  if (record_) record_(json{{"row", row}, {"kernel", to_json(kernel)}}.dump());
}
void RowJournal::fail(const std::string& row, const std::string& why) const {
  if (record_) record_(failure_line(row, why));
}
void RowJournal::verified(const std::string& row) const {
  if (record_) record_(json{{"row", row}, {"verified", true}}.dump());
}
void RowJournal::shown(const std::string& section) const {
  if (record_) record_(json{{"shown", section}}.dump());
}

const std::vector<Ceiling>& RowJournal::ceilings(const std::string& row) const { return found(ceilings_, row); }
const std::vector<RowJournal::Kernel>& RowJournal::kernels(const std::string& row) const {
  return found(kernels_, row);
}
std::string RowJournal::failure(const std::string& row) const { return found(failures_, row); }
bool RowJournal::was_verified(const std::string& row) const { return verified_.contains(row); }
bool RowJournal::was_shown(const std::string& section) const {
  return std::find(shown_.begin(), shown_.end(), section) != shown_.end();
}

std::string begin_line(const std::string& row) { return json{{"begin", row}}.dump(); }
std::string failure_line(const std::string& row, const std::string& why) {
  return json{{"row", row}, {"failed", why}}.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string counts_line(const std::string& row, const Counts& counts) {
  return json{{"row", row}, {"counts", to_json(counts)}}.dump();
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

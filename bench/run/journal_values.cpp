#include "bench/run/journal_values.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace roofline {
namespace {

using nlohmann::json;

/// A number of an enumeration whose last value is `last`.
template <class Enum>
Enum to_enum(const json& j, Enum last) {
  const auto value = j.get<int>();
  if (value < 0 || value > static_cast<int>(last)) throw std::invalid_argument("a number is out of range");
  return static_cast<Enum>(value);
}

json to_json(const Operations& o) { return {o.add, o.mul, o.fma, o.div, o.sqrt, o.logic}; }
Operations to_operations(const json& j) {
  return {.add = j.at(0), .mul = j.at(1), .fma = j.at(2), .div = j.at(3), .sqrt = j.at(4), .logic = j.at(5)};
}

template <class T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json();
}

std::optional<double> number_or_none(const json& j) { return j.is_null() ? std::nullopt : std::optional<double>(j); }

json to_json(const SideBySide& s) { return {s.quantity, s.measured, or_null(s.modelled), or_null(s.ratio), s.note}; }
SideBySide to_side_by_side(const json& j) {
  const auto number = [&](std::size_t i) { return number_or_none(j.at(i)); };
  return {.quantity = j.at(0), .measured = j.at(1), .modelled = number(2), .ratio = number(3), .note = j.at(4)};
}

std::vector<MemoryLevel> to_levels(const json& j) {
  std::vector<MemoryLevel> levels;
  for (const auto& level : j) levels.push_back(to_enum(level, all_memory_levels.back()));
  return levels;
}

}  // namespace

nlohmann::json to_json(const Counts& counts) {
  json traffic = json::array();
  for (const auto& level : counts.traffic) traffic.push_back(level ? json{level->read, level->written} : json());
  json range = json::array();
  for (const auto& level : counts.range) range.push_back(level ? json{level->low, level->high} : json());
  json beside = json::array();
  for (const auto& quantity : counts.beside) beside.push_back(to_json(quantity));
  return {{"operations", to_json(counts.operations)},
          {"executed", counts.executed ? to_json(*counts.executed) : json()},
          {"precision", counts.precision},
          {"operations_source", static_cast<int>(counts.operations_source)},
          {"kinds_known", counts.kinds_known},
          {"traffic", traffic},
          {"range", range},
          {"traffic_source", static_cast<int>(counts.traffic_source)},
          {"overwritten", or_null(counts.overwritten)},
          {"evaded", counts.evaded},
          {"streamed", or_null(counts.streamed)},
          {"lone", or_null(counts.lone)},
          {"regions", or_null(counts.regions)},
          {"split", or_null(counts.split)},
          {"gathered", or_null(counts.gathered)},
          {"gathers_by_instructions", counts.gathers_by_instructions},
          {"modelled_levels", counts.modelled_levels},
          {"modelled_writes", counts.modelled_writes},
          {"beside", beside},
          {"modelled_device", counts.modelled_device},
          {"note", counts.traffic_note},
          {"details", counts.details}};
}

Counts to_counts(const nlohmann::json& j) {
  Counts counts;
  counts.operations = to_operations(j.at("operations"));
  if (const auto& executed = j.at("executed"); !executed.is_null()) counts.executed = to_operations(executed);
  j.at("precision").get_to(counts.precision);
  counts.operations_source = to_enum(j.at("operations_source"), Source::executed);
  counts.kinds_known = j.at("kinds_known");
  for (std::size_t i = 0; i < counts.traffic.size(); ++i)
    if (const auto& level = j.at("traffic").at(i); !level.is_null())
      counts.traffic[i] = Traffic{level.at(0), level.at(1)};
  for (std::size_t i = 0; i < counts.range.size(); ++i)
    if (const auto& level = j.at("range").at(i); !level.is_null()) counts.range[i] = Span{level.at(0), level.at(1)};
  counts.traffic_source = to_enum(j.at("traffic_source"), Source::executed);
  counts.overwritten = number_or_none(j.at("overwritten"));
  counts.evaded = j.at("evaded");
  counts.streamed = number_or_none(j.at("streamed")), counts.lone = number_or_none(j.at("lone"));
  counts.regions = number_or_none(j.at("regions"));
  counts.split = number_or_none(j.at("split")), counts.gathered = number_or_none(j.at("gathered"));
  counts.gathers_by_instructions = j.value("gathers_by_instructions", false);
  counts.modelled_levels = to_levels(j.at("modelled_levels"));
  counts.modelled_writes = to_levels(j.at("modelled_writes"));
  for (const auto& quantity : j.at("beside")) counts.beside.push_back(to_side_by_side(quantity));
  j.at("modelled_device").get_to(counts.modelled_device);
  j.at("note").get_to(counts.traffic_note);
  j.at("details").get_to(counts.details);
  return counts;
}

nlohmann::json to_json(const RowJournal::Kernel& kernel) {
  const auto& [point, m] = kernel;
  auto trials = json::array();
  for (const auto& [form, seconds] : point.trials) trials.push_back({form, seconds});
  return {{"family", point.family},
          {"counts", to_json(point.counts)},
          {"threads", point.threads},
          {"fma", point.fma},
          {"declared_flops", point.declared_flops},
          {"seconds", m.seconds},
          {"least", m.least},
          {"batch", m.batch},
          {"cpu_seconds", m.cpu_seconds},
          {"contaminated", m.contaminated},
          {"replaced", m.replaced},
          {"converged", m.converged},
          {"paces", m.paces},
          {"core_clock", point.core_clock},
          {"core_distance", point.core_distance},
          {"in_caches", point.in_caches},
          {"lone_pace", point.lone_pace},
          {"form", point.form},
          {"trials", trials},
          {"pace", point.dram_pace ? json{point.dram_pace->before, point.dram_pace->after} : json()}};
}

RowJournal::Kernel to_kernel(const std::string& row, const nlohmann::json& j) {
  RowJournal::Kernel kernel;
  auto& [point, m] = kernel;
  j.at("seconds").get_to(m.seconds);
  m.batch = j.at("batch"), m.cpu_seconds = j.at("cpu_seconds");
  m.contaminated = j.at("contaminated"), m.converged = j.at("converged"), m.replaced = j.value("replaced", 0);
  m.least = j.value("least", std::vector<double>());
  const auto is_time = [](double seconds) { return seconds > 0; };
  if (!m.least.empty() && m.least.size() != m.seconds.size())
    throw std::invalid_argument("other times are missing than those without waiting");
  if (!std::all_of(m.least.begin(), m.least.end(), is_time)) throw std::invalid_argument("a time is not positive");
  if (m.seconds.empty() || m.batch < 1 || !std::all_of(m.seconds.begin(), m.seconds.end(), is_time))
    throw std::invalid_argument("times are missing or not positive");
  point.name = row;
  point.family = j.at("family");
  point.counts = to_counts(j.at("counts"));
  point.time = m.interval();
  point.samples = static_cast<int>(m.seconds.size());
  point.converged = m.converged, point.contaminated = m.contaminated, point.replaced = m.replaced;
  point.threads = j.at("threads"), point.fma = j.at("fma");
  point.declared_flops = j.at("declared_flops");
  point.core_clock = j.at("core_clock");
  point.core_distance = m.distance = j.at("core_distance");
  point.in_caches = j.value("in_caches", 0.0);
  point.lone_pace = j.value("lone_pace", false);
  j.at("form").get_to(point.form);
  for (const auto& trial : j.at("trials")) point.trials.push_back({trial.at(0), trial.at(1)});
  if (j.contains("paces")) j.at("paces").get_to(m.paces);
  note_samples(point, m);
  if (const auto pace = j.find("pace"); pace != j.end() && !pace->is_null())
    point.dram_pace = Pace{pace->at(0), pace->at(1)};
  return kernel;
}

nlohmann::json to_json(const Ceiling& c) {
  json j{{"name", c.name},
         {"kind", static_cast<int>(c.kind)},
         {"threads", c.threads},
         {"precision", c.precision},
         {"operation", static_cast<int>(c.operation)},
         {"isa", c.isa},
         {"ilp", c.ilp},
         {"warps", c.warps},
         {"whole_device", c.whole_device},
         {"level", static_cast<int>(c.level)},
         {"mix", name(c.mix)},
         {"working_set", c.working_set},
         {"explicit", c.bytes_per_explicit_byte},
         {"rate", c.rate},
         {"low", c.rate_low},
         {"high", c.rate_high},
         {"samples", c.samples},
         {"replaced", c.replaced},
         {"disturbed", c.disturbed},
         {"variant", c.variant},
         {"winner", c.winner},
         {"sustained", c.sustained},
         {"clocks", {c.clock_begin, c.clock_end, c.core_clock}},
         {"core_distance", c.core_distance}};
  if (c.theory) j["theory"] = *c.theory;
  return j;
}

Ceiling to_ceiling(const nlohmann::json& j) {
  Ceiling c;
  c.name = j.at("name"), c.kind = to_enum(j.at("kind"), Ceiling::Kind::overhead), c.threads = j.at("threads");
  c.precision = j.at("precision"), c.operation = to_enum(j.at("operation"), Operation::fma48div);
  c.isa = j.at("isa"), c.ilp = j.at("ilp");
  c.warps = j.at("warps"), c.whole_device = j.at("whole_device");
  c.level = to_enum(j.at("level"), all_memory_levels.back()), c.mix = mix_of(j.at("mix").get<std::string>()).value();
  c.working_set = j.at("working_set"), c.bytes_per_explicit_byte = j.at("explicit");
  c.rate = j.at("rate"), c.rate_low = j.at("low"), c.rate_high = j.at("high");
  c.replaced = j.value("replaced", 0), c.disturbed = j.value("disturbed", 0.0);
  c.samples = j.at("samples"), c.variant = j.at("variant"), c.winner = j.at("winner");
  c.sustained = j.at("sustained"), c.clock_begin = j.at("clocks").at(0), c.clock_end = j.at("clocks").at(1);
  c.core_clock = j.at("clocks").at(2);
  c.core_distance = j.at("core_distance");
  if (j.contains("theory")) c.theory = j.at("theory");
  return c;
}

}  // namespace roofline

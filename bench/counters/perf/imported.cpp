#include "bench/counters/perf/imported.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "bench/counters/perf/event_count.hpp"
#include "bench/counters/perf/likwid_csv.hpp"
#include "bench/text/clean.hpp"
#include "bench/text/json_reader.hpp"
#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"

namespace roofline::perf {
namespace {

/// "4294967296.000000" or a number.
std::string counter_value(const JsonReader& json) {
  const auto value = json.at("counter-value");
  try {
    return value.text();
  } catch (const FileError&) {
    return fmt::format("{}", value.number());
  }
}

ImportedEvents parse_perf_stat(const std::string& text, const std::string& file) {
  ImportedEvents result;
  auto& events = result[""];
  std::size_t at = 0;
  for (int line = 1; at < text.size(); ++line) {
    const auto end = std::min(text.find('\n', at), text.size());
    auto row = text.substr(at, end - at);
    at = end + 1;
    if (row.empty() || row.front() == '#' || row.find_first_not_of(" \t\r") == row.npos) continue;
    const auto place = fmt::format("{}:{}", file, line);
    const auto json = parse_json(row, place);
    const JsonReader reader(json, place);
    if (!reader.has("counter-value")) continue;  // a derived metric
    const auto event = reader.at("event").text();
    const auto value = event_count(counter_value(reader), event, file, line);
    if (!value) continue;
    if (const auto share = reader.number("pcnt-running"); share && *share < 99.995)
      refuse_line(file, line,
                  fmt::format("{} was counted {} % of the time: fewer events at once (-e), or one group each",
                              clean(event), *share));
    events[plain_event_name(event)] += *value;
  }
  return result;
}

}  // namespace

std::string plain_event_name(const std::string& event) {
  std::string plain;
  // "cpu/instructions/u" and "uncore_imc_0/cas_count_read/": the unit's name and the modifiers say where, not what.
  auto name = event;
  if (const auto slash = name.find('/'); slash != name.npos) {
    name = name.substr(slash + 1);
    name = name.substr(0, name.find('/'));
  }
  if (const auto colon = name.find(':'); colon != name.npos) name = name.substr(0, colon);
  for (const char c : name) {
    const auto sign = static_cast<unsigned char>(c);
    if (std::isalnum(sign))
      plain += static_cast<char>(std::toupper(sign));
    else if (!plain.empty() && plain.back() != '_')
      plain += '_';
  }
  return plain;
}

bool is_cpu_counters(const std::string& text) {
  const auto head = text.substr(0, 65536);
  const auto first = head.find_first_not_of(" \t\r\n");
  if (first != head.npos && (head[first] == '{' || (head[first] == '#' && head.find("\n{") != head.npos))) return true;
  return is_likwid_csv(text);
}

ImportedEvents parse_cpu_counters(const std::string& text, const std::string& file) {
  const auto first = text.find_first_not_of(" \t\r\n");
  const bool json = first != text.npos && (text[first] == '{' || text[first] == '#');
  auto events = json ? parse_perf_stat(text, file) : parse_likwid_csv(text, file);
  std::erase_if(events, [](const auto& row) { return row.second.empty(); });
  if (events.empty())
    throw FileError(fmt::format("{}: nothing was counted: every event is <not supported> or none", file));
  return events;
}

CpuValues values_of(const EventCounts& events, const std::vector<Formula>& formulas) {
  CpuValues values;
  for (const auto& formula : formulas) {
    EventCounts counts;
    for (const auto& term : formula.terms)
      for (const auto& name : {plain_event_name(term.event), plain_event_name(term.likwid)})
        if (const auto found = events.find(name); !name.empty() && found != events.end()) {
          counts[term.event] = found->second;
          break;
        }
    if (const auto value = formula.value(counts)) values[formula.quantity] = *value;
  }
  return values;
}

}  // namespace roofline::perf

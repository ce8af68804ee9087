#include "bench/counters/perf/imported.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "bench/text/clean.hpp"
#include "bench/text/csv.hpp"
#include "bench/text/json_reader.hpp"
#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"

namespace roofline::perf {
namespace {

[[noreturn]] void fail(const std::string& file, int line, const std::string& what) {
  throw FileError(fmt::format("{}:{}: {}", file, line, what));
}

/// A count; absent for what the programs write where there is none. Throws FileError on anything else.
std::optional<double> number(const std::string& text, const std::string& event, const std::string& file, int line) {
  if (text.empty() || text == "-" || text == "nan" || text.starts_with("<not ")) return std::nullopt;
  double value = 0;
  const auto* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || !std::isfinite(value) || value < 0)
    fail(file, line, fmt::format("'{}' is no count (event {})", clean(text.substr(0, 40)), clean(event)));
  // The largest counter has 64 bits: more is a counter that was read wrongly, and 1.8e19 one that went below zero.
  if (value > 1.8e19)
    fail(file, line, fmt::format("{} is no count of a counter of 64 bits (event {})", value, clean(event)));
  return value;
}

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
    const auto value = number(counter_value(reader), event, file, line);
    if (!value) continue;
    if (const auto share = reader.number("pcnt-running"); share && *share < 99.995)
      fail(file, line,
           fmt::format("{} was counted {} % of the time: fewer events at once (-e), or one group each", clean(event),
                       *share));
    events[plain_event_name(event)] += *value;
  }
  return result;
}

/// The tables of raw counts in a CSV file of LIKWID: from a header "Event,Counter,..." to what is no event.
class LikwidTables {
 public:
  explicit LikwidTables(const std::string& file) : file_(file) {}

  void take(const CsvRecord& record) {
    const auto& fields = record.fields;
    const auto& first = fields.front();
    if (first == "Region" && fields.size() > 1) return begin(fields[1]);
    if (first == "TABLE" && fields.size() > 1) {
      inside_ = false;
      if (fields[1].starts_with("Region ")) region_ = fields[1].substr(7);
      return;
    }
    if (first == "Event" && fields.size() > 1 && fields[1] == "Counter") {
      // "Event,Counter,Sum,Min,..." has statistics of the table before.
      inside_ = !(fields.size() > 2 && (fields[2] == "Sum" || fields[2].starts_with("Sum ")));
      seen_ = seen_ || inside_;
      return;
    }
    if (first.empty() || first == "Metric" || first == "STRUCT" || first == "Group") inside_ = false;
    if (!inside_) return;
    if (fields.size() < 3) fail(file_, record.line, "a row of events has no count: the file was cut short");
    add(record);
  }
  ImportedEvents events() const {
    auto result = sums_;
    for (auto& [region, events] : result)
      if (const auto calls = calls_.find(region); calls != calls_.end() && calls->second > 0)
        for (auto& [event, count] : events) count /= calls->second;
    return result;
  }
  bool seen() const { return seen_; }

 private:
  void begin(const std::string& region) { region_ = region, inside_ = false; }
  void add(const CsvRecord& record) {
    const auto& name = record.fields.front();
    // Times and, of a marked region, its calls: each thread enters it once per call.
    const bool calls = name == "Region calls" || name == "call count";
    if (!calls && name.find(' ') != name.npos) return;
    double sum = 0, most = 0;
    bool counted = false;
    for (std::size_t i = 2; i < record.fields.size(); ++i)
      if (const auto value = number(record.fields[i], name, file_, record.line))
        sum += *value, most = std::max(most, *value), counted = true;
    if (!counted) return;
    if (calls)
      calls_[region_] = most;
    else
      sums_[region_][plain_event_name(name)] += sum;
  }

  const std::string& file_;
  std::string region_;
  bool inside_ = false, seen_ = false;
  ImportedEvents sums_;
  std::map<std::string, double> calls_;
};

ImportedEvents parse_likwid(const std::string& text, const std::string& file) {
  const auto csv = parse_csv(text);
  if (!csv.complete) fail(file, csv.records.back().line, "a quote is not closed: the file was cut short");
  LikwidTables tables(file);
  for (const auto& record : csv.records)
    if (!record.fields.empty()) tables.take(record);
  if (!tables.seen())
    throw FileError(fmt::format("{}: no table of raw counts: not the output of likwid-perfctr -O", file));
  return tables.events();
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
  return head.find("Event,Counter,") != head.npos || head.starts_with("STRUCT,") || head.starts_with("TABLE,");
}

ImportedEvents parse_cpu_counters(const std::string& text, const std::string& file) {
  const auto first = text.find_first_not_of(" \t\r\n");
  const bool json = first != text.npos && (text[first] == '{' || text[first] == '#');
  auto events = json ? parse_perf_stat(text, file) : parse_likwid(text, file);
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

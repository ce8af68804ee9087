#include "bench/counters/imports/imported.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <set>

#include "bench/text/clean.hpp"
#include "bench/text/imports/unit.hpp"
#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"
#include "bench/text/words.hpp"

namespace roofline::perf {
namespace {

constexpr const char* in_c = "run it with LC_ALL=C";

/// "4294967296.000000" or a number.
std::string counter_value(const JsonReader& json) {
  const auto value = json.at("counter-value");
  try {
    return value.text();
  } catch (const FileError&) {
    return fmt::format("{}", value.number());
  }
}

/// perf scales some counts to bytes (ScaleUnit in its lists of events: "64Bytes" for transfers of memory). Returns the
/// counted lines of 64 B.
double unscaled(double value, const std::string& unit) {
  const auto known = unit_named(unit);
  return known && known->of == "byte" ? value * known->factor / 64 : value;
}

/// Adds counts up. Where one of those that make up an event is unknown, so is the event.
class PerfEvents {
 public:
  explicit PerfEvents(const std::string& file) : file_(file) {}

  /// `where` further distinguishes counts of one event: by core, socket or interval.
  void add(const std::string& event, const std::optional<double>& value, const std::string& unit,
           const std::optional<double>& share, int line, const std::string& where = {}) {
    const auto name = plain_event_name(event);
    if (!seen_.insert(event + "\n" + where).second)
      refuse_line(file_, line,
                  fmt::format("the file has {} twice: two runs (--append), or an event asked for twice? One file for "
                              "each run",
                              clean(event)));
    if (!value) {
      // Cores of the other kind, where the program did not run.
      if (!event.starts_with("cpu_")) unknown_[name] = event;
      return;
    }
    if (share && *share < 99.995)
      refuse_line(file_, line,
                  fmt::format("{} was counted {} % of the time: fewer events at once (-e), or one group each",
                              clean(event), *share));
    events_[name] += unscaled(*value, unit);
  }
  EventCounts all() {
    for (const auto& [name, event] : unknown_)
      if (events_.erase(name) > 0)
        complain(fmt::format("{}: {} is not counted: a part of it is unknown ({})", file_, name, clean(event)));
    return events_;
  }

 private:
  const std::string& file_;
  std::set<std::string> seen_;
  EventCounts events_;
  std::map<std::string, std::string> unknown_;
};

/// The number with a decimal comma that makes a line no JSON, or another number than it was; empty: none.
std::string number_with_comma(const std::string& line) {
  const auto found = matches(R"(: *"?(-?[0-9]+,[0-9]+)[^0-9])", line);
  return found.empty() ? std::string() : found[0].groups[1];
}

/// Keys of perf's JSON that say how much, and not where.
const std::set<std::string> counted_keys{"counter-value",    "unit",     "event",        "event-runtime",
                                         "pcnt-running",     "variance", "metric-value", "metric-unit",
                                         "metric-threshold", "counters"};

EventCounts parse_perf_json(const std::string& text, const std::string& file) {
  PerfEvents events(file);
  int line = 0;
  for (const auto& row : split(text, '\n')) {
    ++line;
    if (row.empty() || row.front() == '#' || row.find_first_not_of(" \t\r") == row.npos) continue;
    if (const auto number = number_with_comma(row); !number.empty())
      refuse_line(file, line,
                  fmt::format("'{}' has a decimal comma, which JSON has not: {} perf stat -j", number, in_c));
    const auto place = fmt::format("{}:{}", file, line);
    const auto json = parse_json(row, place);
    const JsonReader reader(json, place);
    if (!reader.has("counter-value")) continue;  // a derived metric
    const auto event = reader.at("event").text();
    std::string where;
    for (const auto& [key, part] : json.items())
      if (!counted_keys.contains(key)) where += key + part.dump() + ' ';
    events.add(event, event_count(counter_value(reader), event, file, line), reader.text("unit").value_or(""),
               reader.number("pcnt-running"), line, where);
  }
  return events.all();
}

/// One line of `perf stat -x`: value, unit, event, (the control group,) run time in ns, percent of the time.
struct PerfFields {
  std::string value, unit, event, percent;
  bool is_counted = false;  ///< the line is of this kind

  PerfFields(const std::string& line, char separator) {
    const auto fields = split(line, separator);
    const auto all = [](const std::string& text, const char* of) {
      return !text.empty() && text.find_first_not_of(of) == text.npos;
    };
    if (fields.size() < 5 || (!all(fields[0], "0123456789.,") && !fields[0].starts_with("<not "))) return;
    value = fields[0], unit = fields[1], event = fields[2];
    if (event.empty() || !std::isalpha(static_cast<unsigned char>(event[0]))) return;
    for (std::size_t i = 3; i + 1 < fields.size() && i < 5; ++i)
      if (!is_counted && all(fields[i], "0123456789") && all(fields[i + 1], "0123456789.,"))
        percent = fields[i + 1], is_counted = true;
  }
};

/// The separator between the fields of perf stat -x; 0 if it is not a line of perf.
char perf_separator(const std::string& text) {
  for (const char separator : {',', ';', '\t', '|', '/'})
    for (const auto& line : split(text.substr(0, 65536), '\n'))
      if (!line.starts_with("#") && PerfFields(line, separator).is_counted) return separator;
  return 0;
}

EventCounts parse_perf_csv(const std::string& text, const std::string& file) {
  PerfEvents events(file);
  const char separator = perf_separator(text);
  int line = 0;
  for (const auto& row : split(text, '\n')) {
    ++line;
    if (row.empty() || row.front() == '#') continue;
    const PerfFields fields(row, separator);
    // perf writes "100.00": a percentage without its point has lost it to the separator.
    const auto comma = fields.percent.find(',');
    if (!fields.is_counted || fields.percent.find_first_of(".,") == fields.percent.npos ||
        comma != fields.percent.npos || fields.value.find(',') != fields.value.npos)
      refuse_line(
          file, line,
          fmt::format("'{}' is not a line of perf stat -x in this form, or has decimal commas: {} perf stat -x,",
                      clean(row.substr(0, 60)), in_c));
    double percent = 0;
    std::from_chars(fields.percent.data(), fields.percent.data() + fields.percent.size(), percent);
    // Counts are whole numbers here; scaled ones have a unit.
    const auto value = (fields.unit.empty() ? whole_count : event_count)(fields.value, fields.event, file, line);
    events.add(fields.event, value, fields.unit, percent, line);
  }
  return events.all();
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
  return is_likwid_csv(text) || perf_separator(text) != 0;
}

ImportedEvents parse_cpu_counters(const std::string& text, const std::string& file) {
  ImportedEvents events;
  const auto first = text.find_first_not_of(" \t\r\n");
  if (perf_separator(text) != 0)
    events[""] = parse_perf_csv(text, file);
  else if (first != text.npos && (text[first] == '{' || text[first] == '#'))
    events[""] = parse_perf_json(text, file);
  else
    events = parse_likwid_csv(text, file);
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

void refuse_line(const std::string& file, int line, const std::string& what) {
  throw FileError(fmt::format("{}:{}: {}", file, line, what));
}

std::optional<double> event_count(const std::string& text, const std::string& event, const std::string& file,
                                  int line) {
  for (const auto* const none : {"", "-", "nan", "-nan", "nil"})
    if (text == none) return std::nullopt;
  if (text.starts_with("<not ")) return std::nullopt;
  const auto value = as_number<double>(text);
  if (!value || !std::isfinite(*value) || *value < 0)
    refuse_line(file, line, fmt::format("'{}' is not a count (event {})", clean(text.substr(0, 40)), clean(event)));
  // The largest counter has 64 bits: more is a counter that was read wrongly, and 1.8e19 one that went below zero.
  if (*value > 1.8e19)
    refuse_line(file, line, fmt::format("{} is not a value of a 64-bit counter (event {})", *value, clean(event)));
  return value;
}

std::optional<double> whole_count(const std::string& text, const std::string& event, const std::string& file,
                                  int line) {
  if (text.find('.') != text.npos && text.find_first_of("eE") == text.npos)
    refuse_line(file, line,
                fmt::format("'{}' is not a count: it has a fraction, or points between thousands (event {})",
                            clean(text.substr(0, 40)), clean(event)));
  return event_count(text, event, file, line);
}

}  // namespace roofline::perf

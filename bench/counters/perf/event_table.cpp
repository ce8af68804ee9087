#include "bench/counters/perf/event_table.hpp"

#include <fmt/format.h>
#include <linux/perf_event.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>

#include "bench/counters/unavailable.hpp"
#include "bench/machine/pinning.hpp"
#include "bench/text/parse_json.hpp"

namespace roofline::perf {
namespace {

int whole(const JsonReader& reader) { return static_cast<int>(std::clamp(reader.number(), -1e9, 1e9)); }

std::uint64_t hexadecimal(const JsonReader& reader) {
  const auto text = reader.text();
  std::uint64_t value = 0;
  const auto* const end = text.data() + text.size();
  if (!text.starts_with("0x") || std::from_chars(text.data() + 2, end, value, 16).ptr != end)
    reader.fail("a hexadecimal number is expected, \"0x1f03\"");
  return value;
}

EventTable::Match match_of(const JsonReader& json) {
  EventTable::Match match{.vendor = json.at("vendor").text()};
  if (json.has("midr_part")) {
    match.midr_part = static_cast<std::uint32_t>(whole(json.at("midr_part")));
    return match;
  }
  match.family = whole(json.at("family"));
  match.first_model = whole(json.at("models").at(0));
  match.last_model = whole(json.at("models").at(1));
  return match;
}

Term term_of(const JsonReader& json) {
  Term term{.event = json.at("event").text(),
            .likwid = json.text("likwid").value_or(""),
            .pmu = json.text("pmu").value_or(""),
            .config = hexadecimal(json.at("config")),
            .weight = json.at("weight").number()};
  if (term.weight <= 0) json.at("weight").fail("a positive number is expected");
  return term;
}

std::string first_line(const std::filesystem::path& file) {
  std::string line;
  std::getline(std::ifstream(file), line);
  return line;
}

/// "uncore_imc" has the devices uncore_imc, uncore_imc_0, uncore_imc_1, ...; not uncore_imc_free_running_0.
bool is_unit(const std::string& device, const std::string& pmu) {
  if (!device.starts_with(pmu)) return false;
  auto rest = device.substr(pmu.size());
  if (rest.starts_with("_")) rest.erase(0, 1);
  return std::all_of(rest.begin(), rest.end(), [](char c) { return '0' <= c && c <= '9'; });
}

}  // namespace

std::optional<double> Formula::value(const EventCounts& counts) const {
  double sum = 0;
  for (const auto& term : terms) {
    const auto found = counts.find(term.event);
    if (found == counts.end()) return std::nullopt;
    sum += term.weight * found->second;
  }
  return sum;
}

bool EventTable::is_of(const CpuIdentity& cpu) const {
  return std::any_of(matches.begin(), matches.end(), [&](const Match& m) {
    if (m.midr_part != 0) return m.midr_part == cpu.midr_part;
    return m.vendor == cpu.vendor && m.family == cpu.family && m.first_model <= cpu.model && cpu.model <= m.last_model;
  });
}

EventTable parse_event_table(std::string_view text, const std::string& origin) {
  const auto json = parse_json(text, origin);
  const JsonReader root(json, origin);
  EventTable table;
  table.title = root.at("title").text();
  table.unproven = root.text("unproven").value_or("");
  table.counters = whole(root.at("counters"));
  const auto matches = root.at("match");
  for (std::size_t i = 0; i < matches.size(); ++i) table.matches.push_back(match_of(matches.at(i)));
  const auto metrics = root.at("metrics"), not_counted = root.at("not_counted");
  std::size_t known = 0;
  for (std::size_t i = 0; i < cpu_quantity_names.size(); ++i) {
    const std::string key(cpu_quantity_names[i]);
    const auto quantity = static_cast<CpuQuantity>(i);
    if (not_counted.has(key)) table.not_counted[quantity] = not_counted.at(key).text();
    if (!metrics.has(key)) continue;
    ++known;
    const auto terms = metrics.at(key).at("terms");
    Formula formula{quantity, {}, metrics.at(key).at("source").text()};
    for (std::size_t t = 0; t < terms.size(); ++t) formula.terms.push_back(term_of(terms.at(t)));
    if (formula.terms.empty()) terms.fail("at least one event is expected");
    table.formulas.push_back(std::move(formula));
  }
  if (known != json["metrics"].size()) metrics.fail("a quantity here is not known");
  return table;
}

const std::map<std::string, EventTable>& event_tables() {
  static const auto all = [] {
    std::map<std::string, EventTable> tables;
    for (const auto& [name, text] : known_event_tables()) tables[name] = parse_event_table(text, name + ".json");
    return tables;
  }();
  return all;
}

const EventTable* event_table(const CpuIdentity& cpu) {
  for (const auto& [name, table] : event_tables())
    if (table.is_of(cpu)) return &table;
  return nullptr;
}

std::uint32_t midr_part() {
  const auto line = first_line("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1");
  std::uint64_t midr = 0;
  if (!line.starts_with("0x")) return 0;
  std::from_chars(line.data() + 2, line.data() + line.size(), midr, 16);
  const auto implementer = midr >> 24 & 0xff;
  return implementer == 0x41 ? static_cast<std::uint32_t>(midr >> 4 & 0xfff) : 0;
}

const std::vector<Formula>& common_formulas() {
  static const std::vector<Formula> formulas{
      {CpuQuantity::instructions, {{"instructions", "INSTR_RETIRED_ANY", {}, PERF_COUNT_HW_INSTRUCTIONS, 1}}, "Linux"},
      {CpuQuantity::cycles, {{"cycles", "CPU_CLK_UNHALTED_CORE", {}, PERF_COUNT_HW_CPU_CYCLES, 1}}, "Linux"}};
  return formulas;
}

std::vector<Event> events_of(const Formula& formula, const std::string& devices) {
  const bool common = !is_flops(formula.quantity) && !is_bytes(formula.quantity);
  std::vector<Event> events;
  for (const auto& term : formula.terms) {
    if (term.pmu.empty()) {
      events.push_back({term.event, {common ? PERF_TYPE_HARDWARE : PERF_TYPE_RAW, term.config}});
      continue;
    }
    const auto before = events.size();
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(devices, none)) {
      if (!is_unit(entry.path().filename().string(), term.pmu)) continue;
      const auto type = first_line(entry.path() / "type"), cpus = first_line(entry.path() / "cpumask");
      std::uint32_t number = 0;
      if (std::from_chars(type.data(), type.data() + type.size(), number).ec != std::errc{}) continue;
      events.push_back({term.event, {number, term.config, true}, parse_cpu_list(cpus)});
    }
    std::erase_if(events, [](const Event& e) { return e.what.whole_machine && e.cpus.empty(); });
    if (events.size() == before)
      throw CountersUnavailable(
          fmt::format("{}: no device {}* in {} (a guest sees none of the socket's counters; on "
                      "the bare machine: modprobe its driver)",
                      term.event, term.pmu, devices));
  }
  return events;
}

}  // namespace roofline::perf

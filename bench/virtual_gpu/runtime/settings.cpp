#include "bench/virtual_gpu/runtime/settings.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace roofline::runtime {
namespace {

std::string_view variable(const std::string& name) {
  const char* const value = std::getenv(("ROOFLINE_VIRTUAL_" + name).c_str());
  return value ? value : "";
}

template <class T>
T number(const std::string& name, T otherwise) {
  const auto text = variable(name);
  if (text.empty()) return otherwise;
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw std::invalid_argument(fmt::format("ROOFLINE_VIRTUAL_{}={}: expected a number", name, text));
  return value;
}

}  // namespace

void set_checks(Settings& settings, const std::string& checks) {
  for (std::string_view rest = checks; !rest.empty();) {
    const auto comma = std::min(rest.find(','), rest.size());
    const auto check = rest.substr(0, comma);
    const auto is = [&](std::string_view tool, std::string_view of_earlier_versions) {
      return check == "all" || check == tool || check == of_earlier_versions;
    };
    const bool memory = is("memcheck", "memory"), race = is("racecheck", "race"), init = is("initcheck", "init"),
               barrier = is("synccheck", "barrier");
    if (!memory && !race && !init && !barrier)
      throw std::invalid_argument(fmt::format("'{}' is none of memcheck, racecheck, initcheck, synccheck, all", check));
    settings.check_memory |= memory, settings.check_race |= race;
    settings.check_init |= init, settings.check_barrier |= barrier;
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
}

Settings settings_from_environment() {
  Settings settings;
  if (const auto device = variable("DEVICE"); !device.empty()) settings.device = device;
  set_checks(settings, std::string(variable("CHECK")));
  settings.faults = FaultPlan(variable("FAULTS"));
  settings.journal = variable("JOURNAL");
  settings.report = variable("REPORT");
  settings.table = number("TABLE", 0) != 0;
  settings.host_threads = number("THREADS", 0);
  settings.clocked = !variable("CLOCK").empty();
  settings.instruction_limit = number("LIMIT", std::uint64_t{0});
  return settings;
}

}  // namespace roofline::runtime

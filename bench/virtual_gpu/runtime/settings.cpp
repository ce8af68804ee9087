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
    const bool all = check == "all";
    if (!all && check != "memory" && check != "race" && check != "init" && check != "barrier")
      throw std::invalid_argument(fmt::format("check '{}' is none of memory, race, init, barrier, all", check));
    settings.check_memory |= all || check == "memory";
    settings.check_race |= all || check == "race";
    settings.check_init |= all || check == "init";
    settings.check_barrier |= all || check == "barrier";
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

#include "bench/virtual_gpu/runtime/settings.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "bench/text/words.hpp"

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
  if (const auto value = as_number<T>(text)) return *value;
  throw std::invalid_argument(fmt::format("ROOFLINE_VIRTUAL_{}={}: expected a number", name, text));
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
      throw std::invalid_argument(
          fmt::format("'{}' is not one of memcheck, racecheck, initcheck, synccheck, all", check));
    settings.check_memory |= memory;
    settings.check_race |= race;
    settings.check_init |= init;
    settings.check_barrier |= barrier;
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

namespace {

constexpr std::pair<std::string_view, Site> sites[] = {{"malloc", Site::allocation},
                                                       {"launch", Site::launch},
                                                       {"copy", Site::copy},
                                                       {"capture", Site::capture},
                                                       {"sync", Site::synchronise}};
constexpr std::pair<std::string_view, Fault> faults[] = {{"out-of-memory", Fault::out_of_memory},
                                                         {"illegal-address", Fault::illegal_address},
                                                         {"misaligned-address", Fault::misaligned_address},
                                                         {"launch-failure", Fault::launch_failure},
                                                         {"timeout", Fault::timeout},
                                                         {"hang", Fault::hang},
                                                         {"refused", Fault::refused}};

template <class T, std::size_t n>
T find(const std::pair<std::string_view, T> (&known)[n], std::string_view name, std::string_view rule) {
  std::string names;
  for (const auto& [text, value] : known) {
    if (text == name) return value;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", text);
  }
  throw std::invalid_argument(fmt::format("fault '{}': '{}' is not one of {}", rule, name, names));
}

}  // namespace

FaultPlan::Rule FaultPlan::parse(std::string_view text) {
  const auto equals = text.find('='), colon = text.rfind(':', equals);
  if (equals == std::string_view::npos || colon == std::string_view::npos)
    throw std::invalid_argument(
        fmt::format("fault '{}': expected SITE:NUMBER=FAULT, as in malloc:3=out-of-memory", text));
  Rule rule{};
  auto site = text.substr(0, colon);
  if (const auto open = site.find('('); open != std::string_view::npos && site.back() == ')') {
    rule.name = site.substr(open + 1, site.size() - open - 2);
    site = site.substr(0, open);
  }
  rule.site = find(sites, site, text);
  rule.fault = find(faults, text.substr(equals + 1), text);
  auto number = text.substr(colon + 1, equals - colon - 1);
  if (number.ends_with('+')) {
    rule.onwards = true;
    number.remove_suffix(1);
  }
  rule.first = as_number<unsigned long>(number).value_or(0);
  if (rule.first == 0)
    throw std::invalid_argument(fmt::format("fault '{}': '{}' is not a number from 1", text, number));
  return rule;
}

FaultPlan::FaultPlan(std::string_view text) {
  while (!trimmed(text).empty()) {
    const auto comma = std::min(text.find(','), text.size());
    rules_.push_back(parse(trimmed(text.substr(0, comma))));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
}

std::optional<Fault> FaultPlan::next(Site site, std::string_view name) {
  std::optional<Fault> fault;
  for (auto& rule : rules_) {
    if (rule.site != site || name.find(rule.name) == std::string_view::npos) continue;
    ++rule.seen;
    if (!fault && (rule.seen == rule.first || (rule.onwards && rule.seen > rule.first))) fault = rule.fault;
  }
  return fault;
}

}  // namespace roofline::runtime

#include "bench/options/choices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <map>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "bench/text/words.hpp"
#include "bench/virtual_gpu/runtime/settings.hpp"

namespace roofline {
namespace {

template <class Choice>
Choice parse(const char* flag, const std::string& text, const std::map<std::string, typename Choice::Kind>& words,
             const char* file) {
  if (const auto found = words.find(text); found != words.end()) return {found->second};
  std::error_code none;
  if (text.find_first_of("./") != text.npos || std::filesystem::exists(text, none)) return {Choice::Kind::file, text};
  std::vector<std::string> names;
  for (const auto& [word, kind] : words) names.push_back(word);
  throw std::invalid_argument(fmt::format("--{}={}: expected one of {}, or {}{}", flag, text, fmt::join(names, ", "),
                                          file, did_you_mean(text, names)));
}

constexpr std::string_view prefix = "virtual";

}  // namespace

CeilingsChoice parse_ceilings_choice(const std::string& text) {
  using Kind = CeilingsChoice::Kind;
  return parse<CeilingsChoice>(
      "ceilings", text, {{"auto", Kind::automatic}, {"quick", Kind::quick}, {"full", Kind::full}, {"none", Kind::none}},
      "the run.json of an earlier run");
}

CountersChoice parse_counters_choice(const std::string& text) {
  using Kind = CountersChoice::Kind;
  return parse<CountersChoice>("counters", text,
                               {{"auto", Kind::automatic},
                                {"cupti", Kind::cupti},
                                {"perf", Kind::perf},
                                {"model", Kind::model},
                                {"none", Kind::none}},
                               "a file of Nsight Compute, perf stat -j or LIKWID");
}

bool is_virtual(const std::string& device) {
  return device == prefix || device.compare(0, prefix.size() + 1, std::string(prefix) + ":") == 0;
}

bool on_virtual_clock(const std::string& device) {
  return is_virtual(device) && runtime::settings_from_environment().clocked;
}

std::string virtual_device_name(const std::string& device) {
  return device.size() > prefix.size() ? device.substr(prefix.size() + 1) : runtime::Settings().device;
}

}  // namespace roofline

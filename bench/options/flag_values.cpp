#include "bench/options/flag_values.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <set>
#include <string>

namespace roofline {
namespace {

[[noreturn]] void refuse(const std::string& line) { throw CLI::ValidationError(line); }

}  // namespace

void require_values(const CLI::App& app, int argc, const char* const* argv) {
  std::set<std::string> seen;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--") return;
    const auto equals = argument.find('=');
    const auto flag = argument.substr(0, equals);
    const auto* option = flag.rfind("--", 0) == 0 ? app.get_option_no_throw(flag) : nullptr;
    if (!option) continue;
    auto value = equals == std::string::npos ? std::nullopt : std::optional(argument.substr(equals + 1));
    if (option->get_expected_max() == 0) {
      if (value && *value != "true" && *value != "false") refuse(fmt::format("{}: {} takes no value", argument, flag));
      continue;
    }
    if (!value && i + 1 < argc && std::string_view(argv[i + 1]).rfind("--", 0) != 0) value = argv[++i];
    if (!value || value->empty())
      refuse(
          fmt::format("{}: the value is missing, expected {}={}; see --help", argument, flag, option->get_type_name()));
    if (!seen.insert(flag).second) refuse(fmt::format("{} is given twice; leave one out", flag));
  }
}

}  // namespace roofline

#include "tools/roofline/flags.hpp"

#include <fmt/format.h>

#include <map>

namespace roofline::cli {

CLI::Validator between(double low, double high) {
  return {[=](std::string& text) {
            double value = 0;
            const bool inside = CLI::detail::lexical_cast(text, value) && value >= low && value <= high;
            return inside ? std::string() : fmt::format("'{}' is no number from {} to {}", text, low, high);
          },
          fmt::format("[{} .. {}]", low, high)};
}

CLI::Validator as_seconds() {
  return CLI::AsNumberWithUnit(std::map<std::string, double>{{"s", 1}, {"min", 60}, {"h", 3600}});
}

void exclude(CLI::App& flags, const std::string& flag, const std::vector<std::string>& others) {
  for (const auto& other : others) flags.get_option(flag)->excludes(flags.get_option(other));
}

}  // namespace roofline::cli

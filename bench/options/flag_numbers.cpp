#include "bench/options/flag_numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <stdexcept>

namespace roofline {

Sizes parse_sizes(const std::string& flag, const std::string& text, const std::string& names) {
  Sizes sizes;
  const auto fail = [&](const std::string& why) {
    throw std::invalid_argument(fmt::format("--{}={}: {}; expected {}", flag, text, why, names));
  };
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const auto end = std::min(text.find(',', begin), text.size());
    const auto item = text.substr(begin, end - begin);
    Index value = 0;
    const auto [stopped, error] = std::from_chars(item.data(), item.data() + item.size(), value);
    if (error == std::errc::result_out_of_range) fail(fmt::format("{} is too large", item));
    if (error != std::errc{} || stopped != item.data() + item.size())
      fail(fmt::format("'{}' is not a whole number", item));
    if (value < 1) fail(fmt::format("{} is not a size", value));
    sizes.push_back(value);
    begin = end + 1;
  }
  const auto wanted = std::count(names.begin(), names.end(), ',') + 1;
  if (static_cast<std::ptrdiff_t>(sizes.size()) != wanted)
    fail(fmt::format("{} value{} given", sizes.size(), sizes.size() == 1 ? "" : "s"));
  return sizes;
}

double number(const std::string& flag, const std::string& text, double low, double high) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(value >= low && value <= high))
    throw std::invalid_argument(fmt::format("--{}={}: expected a number from {} to {}", flag, text, low, high));
  return value;
}

int whole(const std::string& flag, const std::string& text, int low, int high, const char* why) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < low || value > high)
    throw std::invalid_argument(
        fmt::format("--{}={}: expected a whole number from {} to {}{}", flag, text, low, high, why));
  return value;
}

void require_one_of(const std::string& flag, const std::string& text, const std::vector<std::string>& choices) {
  if (std::find(choices.begin(), choices.end(), text) == choices.end())
    throw std::invalid_argument(fmt::format("--{}={}: expected one of {}", flag, text, fmt::join(choices, ", ")));
}

std::vector<int> parse_thread_counts(const std::string& text, int cpus) {
  std::vector<int> counts;
  if (text == "sweep") {
    for (int n = 1; n < cpus; n *= 2) counts.push_back(n);
    counts.push_back(cpus);
    return counts;
  }
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    const int count = whole("threads", text.substr(begin, end - begin), 1, cpus, ", the CPUs this process may use");
    if (!counts.empty() && count <= counts.back())
      throw std::invalid_argument(fmt::format("--threads={}: the numbers of a sweep grow", text));
    counts.push_back(count), begin = end + 1;
  }
  return counts;
}

}  // namespace roofline

#include "bench/counters/perf/event_count.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "bench/text/clean.hpp"
#include "bench/text/output.hpp"

namespace roofline::perf {

void refuse_line(const std::string& file, int line, const std::string& what) {
  throw FileError(fmt::format("{}:{}: {}", file, line, what));
}

std::optional<double> event_count(const std::string& text, const std::string& event, const std::string& file,
                                  int line) {
  for (const auto* const none : {"", "-", "nan", "-nan", "nil"})
    if (text == none) return std::nullopt;
  if (text.starts_with("<not ")) return std::nullopt;
  double value = 0;
  const auto* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || !std::isfinite(value) || value < 0)
    refuse_line(file, line, fmt::format("'{}' is no count (event {})", clean(text.substr(0, 40)), clean(event)));
  // The largest counter has 64 bits: more is a counter that was read wrongly, and 1.8e19 one that went below zero.
  if (value > 1.8e19)
    refuse_line(file, line, fmt::format("{} is no count of a counter of 64 bits (event {})", value, clean(event)));
  return value;
}

std::optional<double> whole_count(const std::string& text, const std::string& event, const std::string& file,
                                  int line) {
  if (text.find('.') != text.npos && text.find_first_of("eE") == text.npos)
    refuse_line(file, line,
                fmt::format("'{}' is no count: it has a fraction, or points between thousands (event {})",
                            clean(text.substr(0, 40)), clean(event)));
  return event_count(text, event, file, line);
}

}  // namespace roofline::perf

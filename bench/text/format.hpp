#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace roofline {

/// The text for an unknown number in a table.
inline constexpr std::string_view absent = "-";

/// A number with `digits` significant digits, or all digits before the point: 0.0625, 65.9, 1204. "-" when not finite.
std::string significant(double value, int digits = 3);

/// The same, or "-".
std::string significant(const std::optional<double>& value, int digits = 3);

/// An efficiency in percent, never clamped: 0.9737 is "97.4", nothing is "-".
std::string percent(const std::optional<double>& fraction);

/// A time in the unit that suits it: "12.3 ms".
std::string duration(double seconds);

/// A size in binary units, which caches and memory come in: "48 KiB", "23.5 GiB".
std::string binary_size(double bytes);

/// "1 thread", "8 threads".
std::string threads_text(int threads);

/// 10^9 units, the unit of every rate in tables and plots.
constexpr double giga(double rate) { return rate * 1e-9; }

}  // namespace roofline

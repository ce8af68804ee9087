#include "bench/text/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace roofline {

std::string significant(double value, int digits) {
  if (!std::isfinite(value)) return std::string(absent);
  if (value == 0) return "0";
  const double magnitude = std::abs(value);
  if (magnitude < 1e-4 || magnitude >= 1e9) return fmt::format("{:.{}e}", value, digits - 1);
  int exponent = static_cast<int>(std::floor(std::log10(magnitude)));
  // Rounding may carry into the next decade: 99.97 with three digits is "100", not "100.0".
  if (magnitude >= std::pow(10.0, exponent + 1) - 0.5 * std::pow(10.0, exponent + 1 - digits)) ++exponent;
  return fmt::format("{:.{}f}", value, std::max(0, digits - 1 - exponent));
}

std::string significant(const std::optional<double>& value, int digits) {
  return value ? significant(*value, digits) : std::string(absent);
}

std::string threads_text(int threads) { return fmt::format("{} thread{}", threads, threads == 1 ? "" : "s"); }

std::string percent(const std::optional<double>& fraction) {
  if (!fraction || !std::isfinite(*fraction)) return std::string(absent);
  return fmt::format("{:.1f}", *fraction * 100);
}

std::string duration(double seconds) {
  if (!std::isfinite(seconds)) return std::string(absent);
  struct Unit {
    double seconds;
    const char* name;
  };
  constexpr std::array<Unit, 4> units{{{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}}};
  for (const auto& unit : units)
    if (seconds >= 0.9995 * unit.seconds) return significant(seconds / unit.seconds) + " " + unit.name;
  return significant(seconds * 1e9) + " ns";
}

std::string binary_size(double bytes) {
  constexpr std::array names{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < names.size()) bytes /= 1024, ++unit;
  return fmt::format("{:.4g} {}", bytes, names[unit]);
}

}  // namespace roofline

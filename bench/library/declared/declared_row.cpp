#include "bench/library/declared/declared_row.hpp"

#include <array>
#include <cmath>
#include <deque>
#include <utility>

namespace roofline {
namespace {

constexpr const char* mark = "roofline:row";  ///< how many threads have declared something
constexpr const char* single = "roofline:fp32";
constexpr const char* number = "roofline:counted";

struct Amount {
  const char* key;
  double DeclaredWork::*field;
};
constexpr std::array<Amount, 9> amounts{{{"roofline:add", &DeclaredWork::add},
                                         {"roofline:mul", &DeclaredWork::mul},
                                         {"roofline:fma", &DeclaredWork::fma},
                                         {"roofline:div", &DeclaredWork::div},
                                         {"roofline:sqrt", &DeclaredWork::sqrt},
                                         {"roofline:read", &DeclaredWork::read},
                                         {"roofline:written", &DeclaredWork::written},
                                         {"roofline:updated", &DeclaredWork::updated},
                                         {"roofline:threads", &DeclaredWork::threads}}};

std::deque<CountedKernel>& kernels() {
  static std::deque<CountedKernel> all;
  return all;
}

}  // namespace

void put(const DeclaredRow& row, benchmark::UserCounters& counters) {
  counters[mark] = 1;
  for (const auto& [key, field] : amounts)
    if (row.work.*field != 0) counters[key] = row.work.*field;
  if (row.work.precision == Precision::fp32) counters[single] = 1;
  if (row.counted) counters[number] = static_cast<double>(*row.counted);
}

std::optional<DeclaredRow> take(benchmark::UserCounters& counters) {
  const auto value = [&](const char* key) {
    const auto found = counters.find(key);
    if (found == counters.end()) return 0.0;
    const double was = found->second.value;
    counters.erase(found);
    return was;
  };
  const bool is_counted = counters.contains(number);
  const bool declares = value(mark) > 0;
  DeclaredRow row;
  for (const auto& [key, field] : amounts) row.work.*field = value(key);
  if (value(single) > 0) row.work.precision = Precision::fp32;
  const double counted = value(number);
  if (is_counted) row.counted = static_cast<std::size_t>(std::lround(counted));
  return declares ? std::optional(row) : std::nullopt;
}

std::size_t keep_count(CountedKernel kernel) {
  kernels().push_back(std::move(kernel));
  return kernels().size() - 1;
}

const CountedKernel& counted_kernel(std::size_t number) { return kernels().at(number); }

}  // namespace roofline

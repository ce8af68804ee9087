#include "bench/storage/row_columns.hpp"

namespace roofline::stored {
namespace {

struct Numbers {
  const std::function<void(const RowColumn&, double)>& see;

  static constexpr auto& levels() { return all_memory_levels; }
  /// A plain number of 0 is unknown.
  template <class T>
  void operator()(const RowColumn& column, const T& value) {
    if constexpr (std::is_arithmetic_v<T>)
      see(column, value > 0 ? static_cast<double>(value) : std::nan(""));
    else
      derived(column, value);
  }
  /// Amounts of 0 are known; a rate or an intensity of 0 says nothing.
  template <class T>
  void only(bool stored, const RowColumn& column, const T& value) {
    if constexpr (std::is_integral_v<T>)
      see(column, stored ? static_cast<double>(value) : std::nan(""));
    else
      see(column, value && *value > 0 ? *value : std::nan(""));
  }
  template <class T>
  void derived(const RowColumn& column, const T& value) {
    if constexpr (std::is_floating_point_v<T>) see(column, value);
    if constexpr (std::is_integral_v<T>) (*this)(column, value);
    if constexpr (std::is_same_v<T, std::optional<double>>) see(column, value.value_or(std::nan("")));
  }
};

}  // namespace

void each_number(const KernelPoint& point, const std::function<void(const RowColumn&, double)>& see) {
  Numbers numbers{see};
  row_columns(numbers, point);
}

}  // namespace roofline::stored

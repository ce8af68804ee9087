#pragma once
#include <type_traits>
#include <utility>

namespace roofline {

// A run-time value becomes a template argument.

/// f(std::true_type()) or f(std::false_type()).
template <class F>
void with_bool(bool value, F f) {
  value ? f(std::true_type()) : f(std::false_type());
}

/// f(std::integral_constant<int, value>()) for a value of 1..max; nothing for others.
template <int max, class F>
void with_number(int value, F f) {
  [&]<int... i>(std::integer_sequence<int, i...>) {
    ((value == i + 1 ? f(std::integral_constant<int, i + 1>()) : void()), ...);
  }
  (std::make_integer_sequence<int, max>());
}

}  // namespace roofline

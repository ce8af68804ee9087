#pragma once
#include <benchmark/benchmark.h>

#include <functional>
#include <roofline/declared_work.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace roofline {

/// Says what one iteration of a benchmark does, in one line after its loop:
///
///   for (auto _ : state) axpy(a, x, y);
///   roofline::Work(state).fma(x.size()).read(x).update(y);
///
/// With `--roofline` the row becomes a point of the roofline; without, the line does nothing. Either way it acts when
/// the loop is over: no instruction is added to it. In a benchmark of several threads each declares what it does
/// itself.
class Work : public detail::Declares<Work> {
 public:
  explicit Work(benchmark::State& state) : state_(state) {}
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  /// Hands over what was declared.
  ~Work();

  /// Holds what the benchmark left against what is right: a bool, or a function that returns one. Where it is false the
  /// row has no result but an error with the name of the check, and the program returns 1, with and without
  /// `--roofline`.
  template <class Verdict>
  Work& check(Verdict&& verdict, std::string_view what = "the result is wrong") {
    bool right = false;
    if constexpr (std::is_invocable_v<Verdict>)
      right = static_cast<bool>(std::invoke(std::forward<Verdict>(verdict)));
    else
      right = static_cast<bool>(verdict);
    if (!right && wrong_.empty()) wrong_ = what;
    return *this;
  }

 private:
  benchmark::State& state_;
  std::string wrong_;  ///< what the first check that failed says
};

}  // namespace roofline

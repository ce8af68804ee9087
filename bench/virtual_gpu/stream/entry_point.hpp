// Defines entry points of the CUDA runtime: ROOFLINE_CUDA(name, names of its parameters) { body }. Their types are
// those of the declaration in CUDA's header.
//
// In the replacement library an entry point has the runtime's own name. In our own executable the linker sends calls of
// `name` to __wrap_name (--wrap=name) and __real_name is the static runtime's: the selected device decides between
// them. The list of wrapped names is made from the uses of these macros (see CMakeLists.txt): the name stands first.
#pragma once

#include <cstddef>
#include <tuple>

#include "bench/virtual_gpu/stream/call.hpp"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // old functions are there, too

namespace roofline::runtime {

template <class Function>
struct Signature;
template <class R, class... A>
struct Signature<R(A...)> {
  using Type = R(A...);
  using Result = R;
  /// Counted from the end: the last parameter is number 1.
  template <std::size_t number>
  using Parameter = std::tuple_element_t<sizeof...(A) - number, std::tuple<A...>>;
};

}  // namespace roofline::runtime

#define ROOFLINE_RESULT(f) ::roofline::runtime::Signature<decltype(f)>::Result
#define ROOFLINE_P(f, number, name) [[maybe_unused]] ::roofline::runtime::Signature<decltype(f)>::Parameter<number> name
#define ROOFLINE_P0(f)
#define ROOFLINE_P1(f, p) ROOFLINE_P(f, 1, p)
#define ROOFLINE_P2(f, p, ...) ROOFLINE_P(f, 2, p), ROOFLINE_P1(f, __VA_ARGS__)
#define ROOFLINE_P3(f, p, ...) ROOFLINE_P(f, 3, p), ROOFLINE_P2(f, __VA_ARGS__)
#define ROOFLINE_P4(f, p, ...) ROOFLINE_P(f, 4, p), ROOFLINE_P3(f, __VA_ARGS__)
#define ROOFLINE_P5(f, p, ...) ROOFLINE_P(f, 5, p), ROOFLINE_P4(f, __VA_ARGS__)
#define ROOFLINE_P6(f, p, ...) ROOFLINE_P(f, 6, p), ROOFLINE_P5(f, __VA_ARGS__)
#define ROOFLINE_P7(f, p, ...) ROOFLINE_P(f, 7, p), ROOFLINE_P6(f, __VA_ARGS__)
#define ROOFLINE_P8(f, p, ...) ROOFLINE_P(f, 8, p), ROOFLINE_P7(f, __VA_ARGS__)
#define ROOFLINE_PICK(f, a, b, c, d, e, g, h, i, macro, ...) macro
/// The parameters of f under the names that follow it.
#define ROOFLINE_PARAMETERS(...)                                                                           \
  ROOFLINE_PICK(__VA_ARGS__, ROOFLINE_P8, ROOFLINE_P7, ROOFLINE_P6, ROOFLINE_P5, ROOFLINE_P4, ROOFLINE_P3, \
                ROOFLINE_P2, ROOFLINE_P1, ROOFLINE_P0)                                                     \
  (__VA_ARGS__)

#ifdef ROOFLINE_WRAPPED_RUNTIME
#define ROOFLINE_CUDA(f, ...)                                                                    \
  extern "C" ::roofline::runtime::Signature<decltype(f)>::Type __real_##f, __wrap_##f;           \
  static ROOFLINE_RESULT(f) virtual_##f(ROOFLINE_PARAMETERS(f __VA_OPT__(, ) __VA_ARGS__));      \
  extern "C" ROOFLINE_RESULT(f) __wrap_##f(ROOFLINE_PARAMETERS(f __VA_OPT__(, ) __VA_ARGS__)) {  \
    return ::roofline::runtime::selected() ? virtual_##f(__VA_ARGS__) : __real_##f(__VA_ARGS__); \
  }                                                                                              \
  static ROOFLINE_RESULT(f) virtual_##f(ROOFLINE_PARAMETERS(f __VA_OPT__(, ) __VA_ARGS__))
#else
#define ROOFLINE_CUDA(f, ...)                                          \
  extern "C" __attribute__((visibility("default"))) ROOFLINE_RESULT(f) \
      f(ROOFLINE_PARAMETERS(f __VA_OPT__(, ) __VA_ARGS__))
#endif

/// The body runs under `enter`, which is call() or query(), and has the process as `state`.
#define ROOFLINE_ENTERED(enter, f, ...)                                                                      \
  static cudaError_t body_of_##f(Process& __VA_OPT__(, ) ROOFLINE_PARAMETERS(f __VA_OPT__(, ) __VA_ARGS__)); \
  ROOFLINE_CUDA(f __VA_OPT__(, ) __VA_ARGS__) {                                                              \
    return enter([&](Process& state) { return body_of_##f(state __VA_OPT__(, ) __VA_ARGS__); });             \
  }                                                                                                          \
  static cudaError_t body_of_##f([[maybe_unused]] Process& state __VA_OPT__(, )                              \
                                     ROOFLINE_PARAMETERS(f __VA_OPT__(, ) __VA_ARGS__))
#define ROOFLINE_CALL(f, ...) ROOFLINE_ENTERED(::roofline::runtime::call, f __VA_OPT__(, ) __VA_ARGS__)
#define ROOFLINE_QUERY(f, ...) ROOFLINE_ENTERED(::roofline::runtime::query, f __VA_OPT__(, ) __VA_ARGS__)

/// The same under enter(key, body), which looks up what the parameter `key` stands for; the body has that as `found`
/// declares it.
#define ROOFLINE_FOUND(enter, key, found, f, ...)                                                     \
  static cudaError_t body_of_##f(Process&, found, ROOFLINE_PARAMETERS(f, __VA_ARGS__));               \
  ROOFLINE_CUDA(f, __VA_ARGS__) {                                                                     \
    return enter(key, [&](Process& state, auto& it) { return body_of_##f(state, it, __VA_ARGS__); }); \
  }                                                                                                   \
  static cudaError_t body_of_##f([[maybe_unused]] Process& state, [[maybe_unused]] found,             \
                                 ROOFLINE_PARAMETERS(f, __VA_ARGS__))
#define ROOFLINE_CALL_ON(f, ...) ROOFLINE_FOUND(::roofline::runtime::call_on, stream, Stream& on, f, __VA_ARGS__)

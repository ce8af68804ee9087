#pragma once
#include "microkernels/cpu/flops_isa.hpp"
#include "microkernels/lanes.hpp"

namespace roofline {
namespace {  // each instruction set has its own copy, see lanes.hpp

template <Form form, class V>
[[gnu::always_inline]] inline V step(int chain, V b, V scale, V offset) {
  if constexpr (form == Form::fma) return V::fma(b, scale, offset);
  if constexpr (form == Form::add) return V::add(b, offset);
  if constexpr (form == Form::mul) return V::mul(b, scale);
  if constexpr (form == Form::div) return V::div(b, scale);
  if constexpr (form == Form::div_fma) return V::fma(V::div(b, scale), scale, offset);
  return chain % 2 == 0 ? V::mul(b, scale) : V::add(b, offset);  // mul_and_add
}

template <Form form, class V, int chains>
void run_chains(void* out, double start, double scale_value, double offset_value, long steps) {
  V b[chains], scale = V::broadcast(scale_value), offset = V::broadcast(offset_value);
  V::hold(scale), V::hold(offset);
#pragma GCC unroll 32
  for (int chain = 0; chain < chains; ++chain) b[chain] = V::broadcast(start), V::hold(b[chain]);

  for (long done = 0; done < steps; done += step_unroll) {
#pragma GCC unroll 8
    for (int i = 0; i < step_unroll; ++i) {
      if constexpr (form == Form::mul_add) {
#pragma GCC unroll 32
        for (int chain = 0; chain < chains; ++chain) b[chain] = V::mul(b[chain], scale), V::hold(b[chain]);
#pragma GCC unroll 32
        for (int chain = 0; chain < chains; ++chain) b[chain] = V::add(b[chain], offset), V::hold(b[chain]);
      } else {
#pragma GCC unroll 32
        for (int chain = 0; chain < chains; ++chain) {
          b[chain] = step<form>(chain, b[chain], scale, offset);
          V::hold(b[chain]);
        }
      }
    }
  }

  auto* const elements = static_cast<typename V::Element*>(out);
#pragma GCC unroll 32
  for (int chain = 0; chain < chains; ++chain) V::store(elements + chain * V::lanes, b[chain]);
}

#if defined(__x86_64__)
inline void run_chain(long links) {
  unsigned link = 3, factor = 5;
  for (long done = 0; done < links; done += link_unroll)
#pragma GCC unroll 12
    for (int i = 0; i < link_unroll; ++i) asm volatile("imull %1, %0" : "+r"(link) : "r"(factor) : "cc");
}

template <class V, bool dense>
void run_clocked(long links) {
  constexpr int chains = dense ? 12 : 1;
  unsigned link = 3, factor = 5;
  V b[chains], scale = V::broadcast(-0.999), offset = V::broadcast(0.1);
  V::hold(scale), V::hold(offset);
#pragma GCC unroll 12
  for (int chain = 0; chain < chains; ++chain) b[chain] = V::broadcast(1), V::hold(b[chain]);
  for (long done = 0; done < links; done += link_unroll) {
#pragma GCC unroll 12
    for (int i = 0; i < link_unroll; ++i) {
      asm volatile("imull %1, %0" : "+r"(link) : "r"(factor) : "cc");
      const int first = dense ? 2 * i : 0, end = dense ? first + 2 : i % 2;
#pragma GCC unroll 2
      for (int f = first; f < end; ++f) {
        auto& chain = b[f % chains];
        chain = V::fma(chain, scale, offset);
        V::hold(chain);
      }
    }
  }
#pragma GCC unroll 12
  for (int chain = 0; chain < chains; ++chain) asm volatile("" ::"v"(b[chain].v));
}
#endif

/// Form::fmas_div. The divisions lie evenly among the FMAs, two chains of them in turns, so that none waits for one.
template <class V, int chains>
void run_fmas_beside_divisions(void* out, double start, double scale_value, double offset_value, long steps) {
  static_assert(step_unroll * chains % (2 * fmas_per_division) == 0);
  V b[chains], d[2], scale = V::broadcast(scale_value), offset = V::broadcast(offset_value);
  V::hold(scale), V::hold(offset);
#pragma GCC unroll 32
  for (int chain = 0; chain < chains; ++chain) b[chain] = V::broadcast(start), V::hold(b[chain]);
  for (V& x : d) x = V::broadcast(start), V::hold(x);

  for (long done = 0; done < steps; done += step_unroll) {
#pragma GCC unroll 8
    for (int i = 0; i < step_unroll; ++i) {
#pragma GCC unroll 32
      for (int chain = 0; chain < chains; ++chain) b[chain] = V::fma(b[chain], scale, offset), V::hold(b[chain]);
      const int fmas = (i + 1) * chains;
      if (fmas % fmas_per_division == 0) {
        V& x = d[fmas / fmas_per_division % 2];
        x = V::div(x, scale), V::hold(x);
      }
    }
  }

  auto* const elements = static_cast<typename V::Element*>(out);
#pragma GCC unroll 32
  for (int chain = 0; chain < chains; ++chain) V::store(elements + chain * V::lanes, b[chain]);
  for (int k = 0; k < 2; ++k) V::store(elements + (chains + k) * V::lanes, d[k]);
}

/// The rows of a table, collected at compile time.
struct FlopsRows {
  FlopsKernel rows[160] = {};
  int size = 0;

  template <Form form, class V, int... chains>
  constexpr void add() {
    ((rows[size++] = {form, sizeof(typename V::Element), V::lanes, chains, run_chains<form, V, chains>}), ...);
  }
  template <class V, int chains>
  constexpr void add_beside_divisions() {
    rows[size++] = {Form::fmas_div, sizeof(typename V::Element),          V::lanes,
                    chains,         run_fmas_beside_divisions<V, chains>, 2};
  }
  /// Two registers hold the operands; `registers` (16 or 32) less these is the longest list of chains.
  template <class V, int registers>
  constexpr void add_fused() {
    add<Form::fma, V, 1, 8, 10, 12, 14>();
    add<Form::div_fma, V, 1, 8, 12>();
    add_beside_divisions<V, 12>();
    if constexpr (registers >= 32) add<Form::fma, V, 16, 20, 24>(), add_beside_divisions<V, 24>();
  }
  template <class V, int registers>
  constexpr void add_unfused() {
    add<Form::mul_add, V, 1, 8, 12, 14>();
    add<Form::mul_and_add, V, 8, 12, 14>();
    add<Form::add, V, 1, 8, 12, 14>();
    add<Form::mul, V, 1, 8, 12, 14>();
    add<Form::div, V, 1, 8, 12>();
    if constexpr (registers >= 32) {
      add<Form::mul_add, V, 16, 20, 24>();
      add<Form::mul_and_add, V, 16, 20, 24>();
    }
  }
};

}  // namespace
}  // namespace roofline

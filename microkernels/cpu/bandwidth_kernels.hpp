#pragma once
#include "microkernels/cpu/bandwidth_isa.hpp"
#include "microkernels/cpu/lanes.hpp"

namespace roofline {
namespace {  // each instruction set has its own copy, see lanes.hpp

constexpr bool is_streaming(Mix mix) { return mix == Mix::write_nt || mix == Mix::copy_nt || mix == Mix::triad_nt; }

template <Mix mix, class V, int unroll, int streams>
double run_sweeps(double* a, const double* b, const double* c, long n, long sweeps) {
  constexpr int sums = unroll * streams < 16 ? unroll * streams : 16;
  constexpr int step = unroll * V::lanes;
  const V three = V::broadcast(3), one = V::broadcast(1);
  const long segment = n / streams;
  V sum[sums], value = V::broadcast(0);
#pragma GCC unroll 16
  for (int k = 0; k < sums; ++k) sum[k] = V::broadcast(0);

  for (long sweep = 0; sweep < sweeps; ++sweep) {
    value = V::add(value, one);
    for (long i = 0; i < segment; i += step) {
#pragma GCC unroll 32
      for (int stream = 0; stream < streams; ++stream) {
#pragma GCC unroll 32
        for (int u = 0; u < unroll; ++u) {
          const long at = stream * segment + i + u * V::lanes;
          if constexpr (mix == Mix::read) {
            V& s = sum[(stream * unroll + u) % sums];
            s = V::add(s, V::load(a + at));
          } else if constexpr (mix == Mix::update) {
            V::store(a + at, V::add(V::load(a + at), one));
          } else {
            V x = value;
            if constexpr (mix == Mix::copy || mix == Mix::copy_nt) x = V::load(b + at);
            if constexpr (mix == Mix::triad || mix == Mix::triad_nt)
              x = V::multiply_add(three, V::load(c + at), V::load(b + at));
            if constexpr (is_streaming(mix))
              V::store_streaming(a + at, x);
            else
              V::store(a + at, x);
          }
        }
      }
    }
    asm volatile("" ::: "memory");  // the next sweep loads and stores again
  }
  if constexpr (is_streaming(mix)) V::fence_streaming();

  double total = 0;
#pragma GCC unroll 16
  for (int k = 0; k < sums; ++k) total += V::sum(sum[k]);
  return total;
}

/// The rows of a table, collected at compile time.
struct BandwidthRows {
  BandwidthKernel rows[64] = {};
  int size = 0;

  template <Mix mix, class V, int unroll, int streams>
  constexpr void add() {
    rows[size++] = {mix, V::bytes, unroll, streams, run_sweeps<mix, V, unroll, streams>};
  }
  template <class V>
  constexpr void add_all() {
    add<Mix::read, V, 8, 1>(), add<Mix::read, V, 16, 1>(), add<Mix::read, V, 4, 2>(), add<Mix::read, V, 4, 4>();
    add<Mix::write, V, 4, 1>(), add<Mix::write, V, 8, 1>(), add<Mix::write, V, 4, 2>();
    add<Mix::write_nt, V, 4, 1>(), add<Mix::write_nt, V, 8, 1>(), add<Mix::write_nt, V, 4, 2>();
    add<Mix::copy, V, 4, 1>(), add<Mix::copy, V, 8, 1>(), add<Mix::copy, V, 4, 2>();
    add<Mix::copy_nt, V, 4, 1>(), add<Mix::copy_nt, V, 8, 1>(), add<Mix::copy_nt, V, 4, 2>();
    add<Mix::triad, V, 4, 1>(), add<Mix::triad, V, 8, 1>(), add<Mix::triad, V, 4, 2>();
    add<Mix::triad_nt, V, 4, 1>(), add<Mix::triad_nt, V, 8, 1>(), add<Mix::triad_nt, V, 4, 2>();
    add<Mix::update, V, 4, 1>(), add<Mix::update, V, 8, 1>(), add<Mix::update, V, 4, 2>();
  }
};

}  // namespace
}  // namespace roofline

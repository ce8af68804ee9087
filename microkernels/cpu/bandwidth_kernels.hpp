#pragma once
#include "bench/space/prefetch.hpp"
#include "microkernels/cpu/bandwidth_isa.hpp"
#include "microkernels/lanes.hpp"

namespace roofline {
namespace {  // each instruction set has its own copy, see lanes.hpp

constexpr int line_doubles = 8;

template <Mix mix, class V, int unroll, int streams, int lines_ahead>
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
          if constexpr (mix == Mix::read || mix == Mix::read_split) {
            if (lines_ahead > 0 && u * V::lanes % line_doubles == 0)
              prefetch_line<Prefetch::into_l1>(a + at + lines_ahead * line_doubles);
            V& s = sum[(stream * unroll + u) % sums];
            s = V::add(s, V::load(a + at + (mix == Mix::read_split)));
          } else if constexpr (mix == Mix::update) {
            V::store(a + at, V::add(V::load(a + at), one));
          } else {
            V x = value;
            if constexpr (mix == Mix::copy || mix == Mix::copy_nt) x = V::load(b + at);
            if constexpr (mix == Mix::triad || mix == Mix::triad_nt)
              x = V::multiply_add(three, V::load(c + at), V::load(b + at));
            if constexpr (facts(mix).streams)
              V::store_streaming(a + at, x);
            else
              V::store(a + at, x);
          }
        }
      }
    }
    asm volatile("" ::: "memory");  // the next sweep loads and stores again
  }
  if constexpr (facts(mix).streams) V::fence_streaming();

  double total = 0;
#pragma GCC unroll 16
  for (int k = 0; k < sums; ++k) total += V::sum(sum[k]);
  return total;
}

/// N / 2 complex numbers, each at the beginning of a line, side by side: loads of 16 B, joined pairwise.
template <int N>
[[gnu::always_inline]] inline typename LaneRegister<double, N>::Type joined_numbers(const double* p) {
  if constexpr (N == 2) {
    return *reinterpret_cast<const LaneRegister<double, 2>::Unaligned*>(p);
  } else {
    const auto low = joined_numbers<N / 2>(p), high = joined_numbers<N / 2>(p + N / 4 * line_doubles);
    if constexpr (N == 4)
      return __builtin_shufflevector(low, high, 0, 1, 2, 3);
    else
      return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
  }
}

/// Real and imaginary parts of as many complex numbers as V has lanes, in any order.
template <class V>
struct Numbers {
  V re, im;

  ROOFLINE_LANES Numbers joined(const double* p) {
    constexpr int w = V::lanes;
    const auto low = joined_numbers<w>(p), high = joined_numbers<w>(p + w / 2 * line_doubles);
    if constexpr (w == 2)
      return {{__builtin_shufflevector(low, high, 0, 2)}, {__builtin_shufflevector(low, high, 1, 3)}};
    else if constexpr (w == 4)
      return {{__builtin_shufflevector(low, high, 0, 4, 2, 6)}, {__builtin_shufflevector(low, high, 1, 5, 3, 7)}};
    else
      return {{__builtin_shufflevector(low, high, 0, 8, 2, 10, 4, 12, 6, 14)},
              {__builtin_shufflevector(low, high, 1, 9, 3, 11, 5, 13, 7, 15)}};
  }
#if defined(__AVX2__)
  static constexpr bool has_gathers = V::lanes >= 4;
  ROOFLINE_LANES Numbers gathered(const double* p) {
#if defined(__AVX512F__)
    if constexpr (V::lanes == 8) {
      const __m512i at = _mm512_setr_epi64(0, 8, 16, 24, 32, 40, 48, 56);
      // Masked: g++ 12 takes the unused operand of the plain ones for a mistake (GCC bug 105593).
      const auto of = [&](const double* from) __attribute__((always_inline)) {
        return _mm512_mask_i64gather_pd(_mm512_setzero_pd(), 0xff, at, from, 8);
      };
      return {{of(p)}, {of(p + 1)}};
    }
#endif
    if constexpr (V::lanes == 4) {
      const __m256i at = _mm256_setr_epi64x(0, 8, 16, 24);
      return {{_mm256_i64gather_pd(p, at, 8)}, {_mm256_i64gather_pd(p + 1, at, 8)}};
    }
  }
#else
  static constexpr bool has_gathers = false;
#endif
};

template <class V, int unroll, bool instructions>
double run_gathers(double* a, const double*, const double*, long n, long sweeps) {
  V re[unroll], im[unroll];
#pragma GCC unroll 4
  for (int u = 0; u < unroll; ++u) re[u] = im[u] = V::broadcast(0);
  for (long sweep = 0; sweep < sweeps; ++sweep) {
    for (long i = 0; i < n; i += unroll * V::lanes * line_doubles) {
#pragma GCC unroll 4
      for (int u = 0; u < unroll; ++u) {
        const double* const p = a + i + u * V::lanes * line_doubles;
        Numbers<V> numbers;
        if constexpr (instructions)
          numbers = Numbers<V>::gathered(p);
        else
          numbers = Numbers<V>::joined(p);
        re[u] = V::add(re[u], numbers.re), im[u] = V::add(im[u], numbers.im);
      }
    }
    asm volatile("" ::: "memory");  // the next sweep loads again
  }
  double total = 0;
#pragma GCC unroll 4
  for (int u = 0; u < unroll; ++u) total += V::sum(re[u]) + 3 * V::sum(im[u]);
  return total;
}

/// The rows of a table, collected at compile time.
struct BandwidthRows {
  BandwidthKernel rows[64] = {};
  int size = 0;

  template <Mix mix, class V, int unroll, int streams, int lines_ahead = 0>
  constexpr void add() {
    rows[size++] = {mix,   V::bytes,   unroll, streams, run_sweeps<mix, V, unroll, streams, lines_ahead>,
                    false, lines_ahead};
  }
  template <class V, int unroll>
  constexpr void add_gathers() {
    rows[size++] = {Mix::gather, V::bytes, unroll, 1, run_gathers<V, unroll, false>};
    if constexpr (Numbers<V>::has_gathers)
      rows[size++] = {Mix::gather, V::bytes, unroll, 1, run_gathers<V, unroll, true>, true};
  }
  template <class V>
  constexpr void add_all() {
    add_gathers<V, 2>(), add_gathers<V, 4>();
    add<Mix::read_split, V, 8, 1>(), add<Mix::read_split, V, 16, 1>();
    add<Mix::read, V, 8, 1>(), add<Mix::read, V, 16, 1>(), add<Mix::read, V, 4, 2>(), add<Mix::read, V, 4, 4>();
    add<Mix::read, V, 8, 1, 16>(), add<Mix::read, V, 8, 1, 64>();
    add<Mix::write, V, 4, 1>(), add<Mix::write, V, 8, 1>(), add<Mix::write, V, 4, 2>();
    add<Mix::write_nt, V, 4, 1>(), add<Mix::write_nt, V, 8, 1>(), add<Mix::write_nt, V, 4, 2>();
    // As a compiler writes the loop, which memory may like best: copy at DRAM 3 to 13 % faster than unrolled.
    add<Mix::copy, V, 1, 1>(), add<Mix::triad, V, 1, 1>(), add<Mix::update, V, 1, 1>(), add<Mix::read, V, 1, 1>();
    add<Mix::write, V, 1, 1>();
    add<Mix::copy, V, 4, 1>(), add<Mix::copy, V, 8, 1>(), add<Mix::copy, V, 4, 2>();
    add<Mix::copy_nt, V, 4, 1>(), add<Mix::copy_nt, V, 8, 1>(), add<Mix::copy_nt, V, 4, 2>();
    add<Mix::triad, V, 4, 1>(), add<Mix::triad, V, 8, 1>(), add<Mix::triad, V, 4, 2>();
    add<Mix::triad_nt, V, 4, 1>(), add<Mix::triad_nt, V, 8, 1>(), add<Mix::triad_nt, V, 4, 2>();
    add<Mix::update, V, 4, 1>(), add<Mix::update, V, 8, 1>(), add<Mix::update, V, 4, 2>();
  }
};

}  // namespace
}  // namespace roofline

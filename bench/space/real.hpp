#pragma once
#include <cstdint>
#include <type_traits>

/// Marks a kernel body: inlined into every traversal, callable from every space.
#if defined(__CUDACC__)
#define ROOFLINE_BODY __host__ __device__ __forceinline__
#else
#define ROOFLINE_BODY inline __attribute__((always_inline))
#endif

/// Marks a lambda of a kernel body, which must not become a call.
#define ROOFLINE_INLINED __attribute__((always_inline))

/// Before a loop of a kernel body: unrolls it n times in every space; 1 keeps it a loop.
#define ROOFLINE_PRAGMA(text) _Pragma(#text)
#if defined(__CUDA_ARCH__)
#define ROOFLINE_UNROLL(n) ROOFLINE_PRAGMA(unroll n)
#elif defined(__CUDACC__)
#define ROOFLINE_UNROLL(n)  // the host's half of a .cu file, whose compiler passes know neither form
#else
#define ROOFLINE_UNROLL(n) ROOFLINE_PRAGMA(GCC unroll n)
#endif

namespace roofline {

using Index = std::int64_t;

template <class V, bool Fma>
struct Real;

/// A multiplication that has not been executed yet: an addition turns it into a fused multiply-add, anything else into
/// a plain multiplication. Never name one with `auto`: write `const real p = a * b`, or it is executed at every use.
template <class V>
struct Product {
  V left, right;
};

/// The arithmetic type of every kernel. V executes one operation (a SIMD pack, a counting value, a CUDA lane).
///
/// The mode is part of the type: with Fma, `a * b + c` is one fused operation wherever it is written, without it is
/// always two. No compiler contraction is involved (the project builds with -ffp-contract=off), so the operations that
/// are counted are the operations that run, on every compiler, and both modes live side by side in one program.
template <class V, bool Fma>
struct Real {
  V value;

  Real() = default;
  Real(const Real&) = default;
  Real& operator=(const Real&) & = default;
  /// `view[at] = x` would call this. A load is a value, so an assignment to it would be lost.
  template <class X>
  ROOFLINE_BODY void operator=(const X&) && {
    static_assert(!std::is_same_v<X, X>, "view[at] is a load: to store x write view.set(at, x)");
  }
  ROOFLINE_BODY Real(V v) : value(v) {}
  ROOFLINE_BODY Real(double everywhere) : value(V::broadcast(everywhere)) {}
  ROOFLINE_BODY Real(const Product<V>& p) : value(V::mul(p.left, p.right)) {}

  friend ROOFLINE_BODY Real operator+(Real a, Real b) { return V::add(a.value, b.value); }
  friend ROOFLINE_BODY Real operator-(Real a, Real b) { return V::sub(a.value, b.value); }
  friend ROOFLINE_BODY Real operator/(Real a, Real b) { return V::div(a.value, b.value); }
  /// A change of sign; not counted as an operation, as in every published FLOP count used here.
  friend ROOFLINE_BODY Real operator-(Real a) { return V::negate(a.value); }

  friend ROOFLINE_BODY auto operator*(Real a, Real b) {
    if constexpr (Fma)
      return Product<V>{a.value, b.value};
    else
      return Real(V::mul(a.value, b.value));
  }

  ROOFLINE_BODY Real& operator+=(Real b) { return *this = *this + b; }
  ROOFLINE_BODY Real& operator-=(Real b) { return *this = *this - b; }
  ROOFLINE_BODY Real& operator+=(const Product<V>& p) { return *this = V::fma(p.left, p.right, value); }
  ROOFLINE_BODY Real& operator-=(const Product<V>& p) { return *this = V::fnma(p.left, p.right, value); }
};

// The contraction rules, once for all spaces. If both operands are products, the left one is rounded first and the
// right one is fused, as g++ and nvcc do with a * b + c * d.

template <class V>
using Fused = Real<V, true>;
/// Not deduced, so that a number will do: a * b + 1.0.
template <class V>
using Plain = std::type_identity_t<Fused<V>>;

template <class V>
ROOFLINE_BODY Fused<V> operator+(const Product<V>& p, const Plain<V>& c) {
  return V::fma(p.left, p.right, c.value);
}
template <class V>
ROOFLINE_BODY Fused<V> operator+(const Plain<V>& c, const Product<V>& p) {
  return V::fma(p.left, p.right, c.value);
}
template <class V>
ROOFLINE_BODY Fused<V> operator-(const Product<V>& p, const Plain<V>& c) {
  return V::fms(p.left, p.right, c.value);
}
template <class V>
ROOFLINE_BODY Fused<V> operator-(const Plain<V>& c, const Product<V>& p) {
  return V::fnma(p.left, p.right, c.value);
}
template <class V>
ROOFLINE_BODY Fused<V> operator+(const Product<V>& p, const Product<V>& q) {
  return Fused<V>(p) + q;
}
template <class V>
ROOFLINE_BODY Fused<V> operator-(const Product<V>& p, const Product<V>& q) {
  return Fused<V>(p) - q;
}
template <class V>
ROOFLINE_BODY Fused<V> operator-(const Product<V>& p) {
  return V::negate(V::mul(p.left, p.right));
}
template <class V>
ROOFLINE_BODY Product<V> operator*(const Product<V>& p, const Plain<V>& c) {
  return {V::mul(p.left, p.right), c.value};
}
template <class V>
ROOFLINE_BODY Product<V> operator*(const Plain<V>& c, const Product<V>& p) {
  return {c.value, V::mul(p.left, p.right)};
}
template <class V>
ROOFLINE_BODY Product<V> operator*(const Product<V>& p, const Product<V>& q) {
  return {V::mul(p.left, p.right), V::mul(q.left, q.right)};
}
template <class V>
ROOFLINE_BODY Fused<V> operator/(const Product<V>& p, const Plain<V>& c) {
  return Fused<V>(p) / c;
}
template <class V>
ROOFLINE_BODY Fused<V> operator/(const Plain<V>& c, const Product<V>& p) {
  return c / Fused<V>(p);
}
template <class V>
ROOFLINE_BODY Fused<V> operator/(const Product<V>& p, const Product<V>& q) {
  return Fused<V>(p) / Fused<V>(q);
}

/// The place a body works at: the element `i`, for as many lanes as V has (element i, i + 1, ...).
template <class V, bool Fma>
struct At {
  using real = Real<V, Fma>;
  Index i;

  friend ROOFLINE_BODY At operator+(At at, Index offset) { return {at.i + offset}; }
  friend ROOFLINE_BODY At operator-(At at, Index offset) { return {at.i - offset}; }
};

/// A contiguous array of doubles as a kernel sees it. `view[at]` is a load, `view.set(at, x)` a store; one line of
/// kernel source per access keeps the source-level byte count readable.
struct View {
  double* data = nullptr;

  template <class V, bool Fma>
  ROOFLINE_BODY Real<V, Fma> operator[](At<V, Fma> at) const {
    return V::load(data + at.i);
  }
  template <class V, bool Fma>
  ROOFLINE_BODY void set(At<V, Fma> at, Real<V, Fma> x) const {
    V::store(data + at.i, x.value);
  }
  /// A streaming (non-temporal) store: the line goes to memory without being read first. Packs must be aligned to their
  /// own size.
  template <class V, bool Fma>
  ROOFLINE_BODY void set_streaming(At<V, Fma> at, Real<V, Fma> x) const {
    V::store_streaming(data + at.i, x.value);
  }
};

/// An array that is written past the caches; for whole rows from an aligned start.
struct Streamed {
  double* data = nullptr;

  template <class V, bool Fma>
  ROOFLINE_BODY void set(At<V, Fma> at, Real<V, Fma> x) const {
    View{data}.set_streaming(at, x);
  }
};

}  // namespace roofline

#pragma once
#include <cmath>
#include <cstdint>

#include "bench/model/counts.hpp"
#include "bench/simulator/cache_hierarchy.hpp"
#include "bench/space/real.hpp"

namespace roofline {

/// What a kernel body did: its operations by kind and its accesses, passed on to a cache model if there is one.
struct Recording {
  Operations operations;
  std::uint64_t loads = 0, stores = 0;  ///< accesses of one element
  std::uint64_t load_bytes = 0, store_bytes = 0;
  CacheHierarchy* caches = nullptr;

  /// Adds what another one counted.
  Recording& operator+=(const Recording& other) {
    operations += other.operations;
    loads += other.loads, stores += other.stores;
    load_bytes += other.load_bytes, store_bytes += other.store_bytes;
    return *this;
  }
};

/// The recording that the counting space writes to. One per thread: of a core that it stands for.
inline constinit thread_local Recording* active_recording = nullptr;

/// A double that counts what is done to it: the lane type of the counting space. Its fused operations round once, so a
/// counted run gives the bits of the real one.
struct Counted {
  using Mask = bool;
  static constexpr int lanes = 1;
  double v;

  static ROOFLINE_BODY Counted broadcast(double x) { return {x}; }
  static ROOFLINE_BODY Counted load(const double* p) {
    auto& to = *active_recording;
    ++to.loads, to.load_bytes += sizeof(double);
    if (to.caches) to.caches->load(reinterpret_cast<std::uintptr_t>(p), sizeof(double));
    return {*p};
  }
  static ROOFLINE_BODY void store(double* p, Counted x) {
    auto& to = *active_recording;
    ++to.stores, to.store_bytes += sizeof(double);
    if (to.caches) to.caches->store(reinterpret_cast<std::uintptr_t>(p), sizeof(double));
    *p = x.v;
  }
  static ROOFLINE_BODY void store_streaming(double* p, Counted x) {
    auto& to = *active_recording;
    ++to.stores, to.store_bytes += sizeof(double);
    if (to.caches) to.caches->store_streaming(reinterpret_cast<std::uintptr_t>(p), sizeof(double));
    *p = x.v;
  }

  static ROOFLINE_BODY Counted add(Counted a, Counted b) { return ++operations().add, Counted{a.v + b.v}; }
  static ROOFLINE_BODY Counted sub(Counted a, Counted b) { return ++operations().add, Counted{a.v - b.v}; }
  static ROOFLINE_BODY Counted mul(Counted a, Counted b) { return ++operations().mul, Counted{a.v * b.v}; }
  static ROOFLINE_BODY Counted div(Counted a, Counted b) { return ++operations().div, Counted{a.v / b.v}; }
  static ROOFLINE_BODY Counted negate(Counted a) { return {-a.v}; }
  static ROOFLINE_BODY Counted fma(Counted a, Counted b, Counted c) {
    return ++operations().fma, Counted{std::fma(a.v, b.v, c.v)};
  }
  static ROOFLINE_BODY Counted fms(Counted a, Counted b, Counted c) { return fma(a, b, negate(c)); }
  static ROOFLINE_BODY Counted fnma(Counted a, Counted b, Counted c) { return fma(negate(a), b, c); }
  static ROOFLINE_BODY Counted sqrt(Counted a) { return ++operations().sqrt, Counted{std::sqrt(a.v)}; }
  static ROOFLINE_BODY Counted abs(Counted a) { return ++operations().logic, Counted{std::abs(a.v)}; }
  static ROOFLINE_BODY Counted min(Counted a, Counted b) { return ++operations().logic, a.v < b.v ? a : b; }
  static ROOFLINE_BODY Counted max(Counted a, Counted b) { return ++operations().logic, a.v > b.v ? a : b; }
  static ROOFLINE_BODY Mask less(Counted a, Counted b) { return ++operations().logic, a.v < b.v; }
  static ROOFLINE_BODY Mask less_equal(Counted a, Counted b) { return ++operations().logic, a.v <= b.v; }
  static ROOFLINE_BODY Counted select(Mask mask, Counted a, Counted b) { return ++operations().logic, mask ? a : b; }

  ROOFLINE_BODY double sum() const { return v; }

 private:
  static ROOFLINE_BODY Operations& operations() { return active_recording->operations; }
};

/// Space that runs a kernel's own source and counts it.
///
/// `parallel` may run only a window of its iterations: after a warm-up that streams one last-level cache through the
/// model it measures `period` iterations or more, and scales to all of them. That is exact for operations when every
/// `period` consecutive iterations do the same work, which count() checks on the FLOPs of two periods.
template <bool Fma>
class Counting {
 public:
  static constexpr bool fma = Fma;
  using Lane = Counted;
  using At = roofline::At<Counted, Fma>;

  explicit Counting(class Sampler& sampler) : sampler_(sampler) {}

  template <class Slab>
  void parallel(Index n, Slab slab, Index period = 1);

  template <class Body>
  void lanes(Index begin, Index end, Body body) {
    for (Index i = begin; i < end; ++i) body(At{i});
  }

  template <class Body>
  double reduce(Index begin, Index end, Body body) {
    typename At::real sum = 0.0;
    for (Index i = begin; i < end; ++i) body(At{i}, sum);
    return sum.value.sum();
  }

 private:
  class Sampler& sampler_;
};

}  // namespace roofline

#pragma once
#include <algorithm>
#include <cstdint>

#include "bench/cache_model/cache_hierarchy.hpp"
#include "bench/model/counts.hpp"
#include "bench/space/pack_complex.hpp"
#include "bench/space/real.hpp"

namespace roofline {

/// Counts of a kernel body: its operations by kind, and its accesses, which are passed on to a cache model if there is
/// one.
struct Recording {
  Operations operations;
  std::uint64_t loads = 0, stores = 0;  ///< accesses of one element
  std::uint64_t load_bytes = 0, store_bytes = 0;
  std::uint64_t split_bytes = 0, gathered_bytes = 0;  ///< of the load_bytes: see Counts
  CacheHierarchy* caches = nullptr;

  /// Adds what another one counted.
  Recording& operator+=(const Recording& other) {
    operations += other.operations;
    loads += other.loads, stores += other.stores;
    load_bytes += other.load_bytes, store_bytes += other.store_bytes;
    split_bytes += other.split_bytes, gathered_bytes += other.gathered_bytes;
    return *this;
  }
};

/// The recording that the counting space writes to. There is one per thread, for the core that the thread stands for.
inline constinit thread_local Recording* active_recording = nullptr;

/// W doubles that count the operations on each of them: the lane type of the counting space. Fused operations round
/// once, so a counted run gives the bits of the real one. A load or store of several doubles accesses each cache once
/// for the lines that the instruction touches.
template <int W>
struct CountedPack {
  static constexpr int lanes = W, part_lanes = std::min(W, native_lanes), parts = W / part_lanes;
  using Part = Pack<part_lanes>;  ///< what this CPU has vectors for
  struct Mask {
    typename Part::Mask part[parts];
  };
  Part part[parts];

  static ROOFLINE_BODY CountedPack broadcast(double x) {
    return made([&](int) ROOFLINE_INLINED { return Part::broadcast(x); });
  }
  static ROOFLINE_BODY CountedPack load(const double* p) {
    see_load(p, W);
    return made([&](int i) ROOFLINE_INLINED { return Part::load(p + i * part_lanes); });
  }
  /// One number for all lanes, each of which loads it.
  static ROOFLINE_BODY CountedPack load_everywhere(const double* p) {
    see_load(p, 1);
    auto& to = *active_recording;  // the others find the line where the first one has put it
    to.loads += W - 1, to.load_bytes += bytes - sizeof(double);
    if (to.caches) to.caches->load_again(bytes - sizeof(double));
    return broadcast(*p);
  }
  static ROOFLINE_BODY void store(double* p, CountedPack x) {
    auto& to = *active_recording;
    if (to.caches) to.caches->store(reinterpret_cast<std::uintptr_t>(p), bytes);
    x.write(p, to);
  }
  static ROOFLINE_BODY void store_streaming(double* p, CountedPack x) {
    auto& to = *active_recording;
    if (to.caches) to.caches->store_streaming(reinterpret_cast<std::uintptr_t>(p), bytes);
    x.write(p, to);
  }
  /// Counts a load of `n` neighbours that something else carries out.
  static ROOFLINE_BODY void see_load(const double* p, unsigned n) {
    auto& to = *active_recording;
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    const unsigned size = n * static_cast<unsigned>(sizeof(double));
    constexpr unsigned line = 64;  // as long as the longest vectors
    to.loads += n, to.load_bytes += size;
    if (address % line + std::min(size, line) > line) to.split_bytes += size;
    if (to.caches) to.caches->load(address, size);
  }

  static ROOFLINE_BODY CountedPack add(CountedPack a, CountedPack b) {
    operations().add += W;
    return made([&](int i) ROOFLINE_INLINED { return Part::add(a.part[i], b.part[i]); });
  }
  static ROOFLINE_BODY CountedPack sub(CountedPack a, CountedPack b) {
    operations().add += W;
    return made([&](int i) ROOFLINE_INLINED { return Part::sub(a.part[i], b.part[i]); });
  }
  static ROOFLINE_BODY CountedPack mul(CountedPack a, CountedPack b) {
    operations().mul += W;
    return made([&](int i) ROOFLINE_INLINED { return Part::mul(a.part[i], b.part[i]); });
  }
  static ROOFLINE_BODY CountedPack div(CountedPack a, CountedPack b) {
    operations().div += W;
    return made([&](int i) ROOFLINE_INLINED { return Part::div(a.part[i], b.part[i]); });
  }
  static ROOFLINE_BODY CountedPack negate(CountedPack a) {
    return made([&](int i) ROOFLINE_INLINED { return Part::negate(a.part[i]); });
  }
  static ROOFLINE_BODY CountedPack fma(CountedPack a, CountedPack b, CountedPack c) {
    operations().fma += W;
    return made([&](int i) ROOFLINE_INLINED { return Part::fma(a.part[i], b.part[i], c.part[i]); });
  }
  static ROOFLINE_BODY CountedPack fms(CountedPack a, CountedPack b, CountedPack c) { return fma(a, b, negate(c)); }
  static ROOFLINE_BODY CountedPack fnma(CountedPack a, CountedPack b, CountedPack c) { return fma(negate(a), b, c); }
  static ROOFLINE_BODY CountedPack sqrt(CountedPack a) {
    operations().sqrt += W;
    return made([&](int i) ROOFLINE_INLINED { return Part::sqrt(a.part[i]); });
  }
  static ROOFLINE_BODY CountedPack abs(CountedPack a) {
    operations().logic += W;
    return made([&](int i) ROOFLINE_INLINED { return Part::abs(a.part[i]); });
  }
  static ROOFLINE_BODY CountedPack min(CountedPack a, CountedPack b) {
    operations().logic += W;
    return made([&](int i) ROOFLINE_INLINED { return Part::min(a.part[i], b.part[i]); });
  }
  static ROOFLINE_BODY CountedPack max(CountedPack a, CountedPack b) {
    operations().logic += W;
    return made([&](int i) ROOFLINE_INLINED { return Part::max(a.part[i], b.part[i]); });
  }
  static ROOFLINE_BODY Mask less(CountedPack a, CountedPack b) {
    operations().logic += W;
    Mask mask;
    for (int i = 0; i < parts; ++i) mask.part[i] = Part::less(a.part[i], b.part[i]);
    return mask;
  }
  static ROOFLINE_BODY Mask less_equal(CountedPack a, CountedPack b) {
    operations().logic += W;
    Mask mask;
    for (int i = 0; i < parts; ++i) mask.part[i] = Part::less_equal(a.part[i], b.part[i]);
    return mask;
  }
  static ROOFLINE_BODY CountedPack select(Mask mask, CountedPack a, CountedPack b) {
    operations().logic += W;
    return made([&](int i) ROOFLINE_INLINED { return Part::select(mask.part[i], a.part[i], b.part[i]); });
  }

  ROOFLINE_BODY double sum() const {
    double total = 0;
    for (const auto& some : part) total += some.sum();
    return total;
  }

 private:
  static constexpr unsigned bytes = W * sizeof(double);
  static ROOFLINE_BODY Operations& operations() { return active_recording->operations; }
  template <class PartOf>
  static ROOFLINE_BODY CountedPack made(PartOf part_of) {
    // No loop: an array that is only reached by constants is taken apart before all else. The thousands of operations
    // of LBM would be minutes of compilation otherwise, and still are where vectors are narrower.
    if constexpr (parts == 1) return {{part_of(0)}};
    if constexpr (parts == 2) return {{part_of(0), part_of(1)}};
    CountedPack result;
    ROOFLINE_UNROLL(1)
    for (int i = 0; i < parts; ++i) result.part[i] = part_of(i);
    return result;
  }
  ROOFLINE_BODY void write(double* p, Recording& to) const {
    to.stores += W, to.store_bytes += bytes;
    for (int i = 0; i < parts; ++i) Part::store(p + i * part_lanes, part[i]);
  }
};

/// One double, for the remainder of a row and for places where an inactive lane must not count.
using Counted = CountedPack<1>;

/// Lanes of the counting space: as many on every machine, whatever its vectors, so that counts are the same.
inline constexpr int counted_lanes = 8;

/// Complex numbers in packs: each looks at the lines of its own 16 B.
template <int W>
requires(W > 1) class Deinterleave<CountedPack<W>> {
  using V = CountedPack<W>;

 public:
  static ROOFLINE_BODY Complex<V> contiguous(const double* p) {
    V::see_load(p, 2 * W);
    return made([&](int i) ROOFLINE_INLINED { return Parts::contiguous(p + 2 * i * V::part_lanes); });
  }
  static ROOFLINE_BODY Complex<V> strided(const double* p, Index stride) {
    for (int lane = 0; lane < W; ++lane) V::see_load(p + 2 * lane * stride, 2);
    if (stride != 1) active_recording->gathered_bytes += 2 * W * sizeof(double);
    return made([&](int i) ROOFLINE_INLINED { return Parts::strided(p + 2 * i * V::part_lanes * stride, stride); });
  }

 private:
  using Parts = Deinterleave<typename V::Part>;
  template <class PartOf>
  static ROOFLINE_BODY Complex<V> made(PartOf part_of) {
    Complex<V> result;
    ROOFLINE_UNROLL(4)
    for (int i = 0; i < V::parts; ++i) {
      const auto some = part_of(i);
      result.re.part[i] = some.re, result.im.part[i] = some.im;
    }
    return result;
  }
};

/// Space that runs a kernel's own source and counts it.
///
/// `parallel` may run only a window of its iterations: after a warm-up that streams one last-level cache through the
/// model it measures `period` iterations or more, and scales to all of them. The result is exact for operations when
/// every `period` consecutive iterations do the same work, which count() checks on the FLOPs of two periods.
///
/// Rows are walked in packs of W elements: with 1 a body can leave out what it does not do to an element.
template <bool Fma, int W = counted_lanes>
class Counting {
 public:
  static constexpr bool fma = Fma;
  using Lane = CountedPack<W>;
  using Single = Counted;
  using At = roofline::At<Lane, Fma>;

  explicit Counting(class Sampler& sampler) : sampler_(sampler) {}

  template <class Chunk>
  void parallel(Index n, Chunk chunk, Index period = 1);

  template <class Body>
  void lanes(Index begin, Index end, Body body) {
    Index i = begin;
    for (; i + W <= end; i += W) body(At{i});
    if constexpr (W > 1)
      for (; i < end; ++i) body(roofline::At<Single, Fma>{i});
  }

  template <class Body>
  double reduce(Index begin, Index end, Body body) {
    typename At::real sum = 0.0;
    Real<Single, Fma> rest = 0.0;
    Index i = begin;
    for (; i + W <= end; i += W) body(At{i}, sum);
    for (; i < end; ++i) body(roofline::At<Single, Fma>{i}, rest);
    return sum.value.sum() + rest.value.sum();
  }

 private:
  class Sampler& sampler_;
};

}  // namespace roofline

#pragma once
#include "apps/stream/problem.hpp"
#include "bench/space/buffer.hpp"

namespace roofline::stream {

inline constexpr Index chunk = Index{1} << 15;  // elements; small against every cache level but L1

/// Three arrays of n doubles, as BabelStream has them.
struct Problem {
  Inputs inputs;
  Buffer a, b, c, partial;
  double sum = 0;

  Problem(Index n, Inputs given) : inputs(given), a(n), b(n), c(n), partial((n + chunk - 1) / chunk) { reset(); }
  /// The arrays as they are before a launch: rows share them, and each writes to what others read.
  void reset() {
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < size(); ++i) a[i] = inputs.a(i), b[i] = inputs.b(i), c[i] = inputs.c(i);
    sum = 0;
  }
  Index size() const { return a.size(); }
};

// The kernels on its arrays. `Output` says how results are stored.

template <class Output>
CopyTo<Output> copy_of(const Problem& p) {
  return {p.a.view(), {p.c.data()}};
}
template <class Output>
ScaleTo<Output> scale_of(const Problem& p) {
  return {{p.b.data()}, p.c.view(), s};
}
template <class Output>
AddTo<Output> add_of(const Problem& p) {
  return {p.a.view(), p.b.view(), {p.c.data()}};
}
template <class Output>
TriadTo<Output> triad_of(const Problem& p) {
  return {{p.a.data()}, p.b.view(), p.c.view(), s};
}

/// Calls f(chunk number, begin, end): whole chunks in parallel, then what remains, so that every chunk does equal work.
template <class Space, class F>
void for_chunks(Space space, Index n, F f) {
  space.parallel(n / chunk, [=](Index k) mutable { f(k, k * chunk, (k + 1) * chunk); });
  if (n % chunk != 0) space.parallel(1, [=](Index) mutable { f(n / chunk, n / chunk * chunk, n); });
}

template <class Space, class Body>
void for_each(Space space, Index n, Body body) {
  for_chunks(space, n, [=](Index, Index begin, Index end) mutable { space.lanes(begin, end, body); });
}

}  // namespace roofline::stream

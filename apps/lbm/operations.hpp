#pragma once
#include "apps/lbm/lattice.hpp"
#include "bench/model/counts.hpp"

namespace roofline::lbm {

// Operations per site, worked out from the formulas of lbm.hpp and the zeros and ones of the Hermite tables. The
// published counts of the same collision: 6472 (authors' constant), 6608 and 6682 (straightforward expressions; they
// multiply (s^2 - m), (q - 4) and some invariants out twice, which this source does not).

/// The same arithmetic without fused operations.
constexpr Operations without_fma(Operations o) {
  return {.add = o.add + o.fma, .mul = o.mul + o.fma, .fma = 0, .div = o.div};
}

/// A sum of terms a_k H_k, and the cost of its next term. With folding a factor 0 costs nothing and a factor of 1 or -1
/// costs an addition only; the first term is not added.
class TermCounter {
 public:
  explicit constexpr TermCounter(bool folding) : folding_(folding) {}
  /// One more term of a sum that already has a value (an accumulator).
  constexpr void accumulate(double factor) {
    if (vanishes(factor)) return;
    ++(is_unit(factor) ? operations.add : operations.fma);
  }
  /// The sum over components first to last on its own; false when nothing is left of it.
  constexpr bool contract(int first, int last, Velocity c) {
    bool begun = false;
    for (int k = first; k <= last; ++k) {
      const double factor = hermite(k, c);
      if (vanishes(factor)) continue;
      if (begun)
        accumulate(factor);
      else if (!is_unit(factor))
        ++operations.mul;
      begun = true;
    }
    return begun;
  }
  constexpr bool vanishes(double factor) const { return folding_ && factor == 0; }
  Operations operations;

 private:
  constexpr bool is_unit(double factor) const { return folding_ && (factor == 1 || factor == -1); }
  bool folding_;
};

/// Loops 1 to 5 for one population. `folding`: v2 to v4, else v0 and v1.
constexpr Operations population_operations(Velocity c, bool folding) {
  TermCounter n(folding);
  Operations& o = n.operations;
  const bool no_x = n.vanishes(c.x), no_y = n.vanishes(c.y), rests = no_x && no_y;

  o.add += 1;  // 1: rho
  n.accumulate(r * c.x), n.accumulate(r * c.y);

  o += {.add = 2, .mul = 1, .fma = 2};  // 2: (dx dx + dy dy) f
  for (int k = hxx; k <= hyyyy; ++k) n.accumulate(hermite(k, c));

  if (!folding) o += {.add = 3, .mul = 2, .fma = 2};           // 3: |c|^2 = q, q - 2, q - 4, q q - 8 q + 8
  if (!rests) o += {.mul = 1, .fma = no_x || no_y ? 0u : 1u};  // s = c.u
  if (!rests) o += {.add = 1, .mul = 1};                       // s2, d
  o += {.fma = 1};                                             // E2 / rho = d + t (q - 2)
  if (!rests) o += {.add = 1, .mul = 1, .fma = 1};             // E3: rho s, s2 - 3 m + 3 t (q - 4)
  if (!rests) o += {.add = 1, .mul = 1, .fma = 2};             // E4: s2 s2 - 6 m s2 + 3 m m, - 2 s2
  o += {.mul = 1, .fma = 2};                                   // (q - 4) d, 6 t (), 3 t t ()
  n.contract(hxx, hyy, c), n.contract(hxxx, hyyy, c), n.contract(hxxxx, hyyyy, c);
  o += {.mul = 1, .fma = 4};                          // -E2, -E4, two rates, f - w ()
  if (!rests) o += {.fma = 2};                        // -E3 and its rate
  o += {.fma = (no_x ? 0u : 1u) + (no_y ? 0u : 1u)};  // F.c

  for (int k = h0; k <= hyyyy; ++k) n.accumulate(hermite(k, c));  // 4

  n.contract(h0, hy, c), n.contract(hxx, hyy, c), n.contract(hxxx, hyyy, c), n.contract(hxxxx, hyyyy, c);  // 5
  o += {.mul = 1, .fma = rests ? 2u : 3u};  // three prefactors, w
  return o;
}

/// Velocity, temperature, relaxation times, force.
inline constexpr Operations force_operations{.add = 3, .mul = 11, .fma = 8, .div = 3};

/// The five loops.
constexpr Operations five_loops(bool folding) {
  Operations o{.mul = 2, .div = 1};                        // u = rho u / rho
  o += force_operations + Operations{.mul = 1, .fma = 1};  // |u|^2
  o += Operations{.mul = 6 + 2};                           // multiples of m and t, rates
  o += Operations{.add = 2 * 1, .mul = 2 * 5};             // multiplicities of P and Q
  for (const Velocity c : velocities) o += population_operations(c, folding);
  return o;
}

/// v5: the same in moment space, with parities.
constexpr Operations moment_space() {
  TermCounter n(true);
  bool begun[components] = {};
  for (int a = 0; a <= reach; ++a)
    for (int b = 0; b <= reach; ++b) {
      if (population_of({a, b}) < 0) continue;
      n.operations.add += 2 * (a > 0 && b > 0 ? 8 : a + b > 0 ? 2 : 0);  // into parities and back
      bool parity_begun[2][2] = {};
      for (int k = 0; k < components; ++k) {
        const double factor = hermite(k, Velocity{a, b});
        if (factor == 0) continue;
        auto& part_begun = parity_begun[orders[k].x % 2][orders[k].y % 2];
        ++(part_begun ? n.operations.fma : n.operations.mul);
        part_begun = true;
      }
    }
  // Moments: the first term is that of the fastest quad, so that the rest is added to it.
  for (int a = reach; a >= 0; --a)
    for (int b = reach; b >= 0; --b)
      for (int k = 0; k < components && population_of({a, b}) >= 0; ++k) {
        const double factor = hermite(k, Velocity{a, b});
        if (factor == 0) continue;
        if (begun[k])
          n.accumulate(factor);
        else if (factor != 1)
          ++n.operations.mul;
        begun[k] = true;
      }
  const Operations macroscopic{.add = 4, .mul = 3, .fma = 1, .div = 1};  // u, sum f |c - u|^2
  const Operations powers{.add = 6, .mul = 10, .fma = 2};                // of u and t: e_i(ux), e_j(uy)
  const Operations relaxed{.add = 2 + 3, .fma = 3 + 9 * 2};              // momentum; xx, xxx, xxxx; the nine others
  return n.operations + macroscopic + force_operations + powers + relaxed;
}

}  // namespace roofline::lbm

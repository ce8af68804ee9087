#pragma once
#include <array>
#include <string_view>

#include "bench/space/real.hpp"

/// HPGMG's Gauss-Seidel red-black smoother: two operators, three ways to select a colour. The operators discretise
/// A x = -b div(beta grad x) in finite volumes of edge h; beta_i[at] is the face between cells i - 1 and i.
namespace roofline::gsrb {

/// A row of cells and its surroundings: element 0 of every array is the row's first cell.
template <class Array, class Output = Array>
struct Cells {
  Array x, rhs, beta_i, beta_j, beta_k, dinv;
  Output out;
  Array mask;    ///< RedBlack_FP: 1.0 where a cell has the colour that is updated, else 0.0
  Index j, k;    ///< strides: the next row, the next plane
  Index parity;  ///< cells with i = parity (mod 2) are updated
  double minus_b_h2inv;
};

/// Ghost values outside a Dirichlet boundary: layer g is the sum over the 4 cells c inside of weight[g][c] x(c).
using GhostWeights = std::array<std::array<double, 4>, 2>;

/// 7-point operator, second order, 18 FLOP (11 add, 7 mul); reads 6 x and 6 beta besides the centre.
/// A x = -b/h^2 sum over the 6 faces of beta (x_neighbour - x)
struct SevenPoint {
  static constexpr std::string_view name = "7pt";
  static constexpr Index radius = 1;
  static constexpr int flops = 18;
  static constexpr GhostWeights ghost_weights{{{-1, 0, 0, 0}}};  // linear, HPGMG apply_BCs_p1

  template <class Row, class At>
  static ROOFLINE_BODY auto apply(const Row& box, At at, typename At::real centre) {
    using real = typename At::real;
    const Index j = box.j, k = box.k;
    const real west = box.x[at - 1];
    const real east = box.x[at + 1];
    const real south = box.x[at - j];
    const real north = box.x[at + j];
    const real below = box.x[at - k];
    const real above = box.x[at + k];
    const real beta_west = box.beta_i[at];
    const real beta_east = box.beta_i[at + 1];
    const real beta_south = box.beta_j[at];
    const real beta_north = box.beta_j[at + j];
    const real beta_below = box.beta_k[at];
    const real beta_above = box.beta_k[at + k];

    real sum = beta_west * (west - centre);
    sum += beta_east * (east - centre);
    sum += beta_south * (south - centre);
    sum += beta_north * (north - centre);
    sum += beta_below * (below - centre);
    sum += beta_above * (above - centre);
    return real(box.minus_b_h2inv) * sum;
  }
};

/// Fourth-order finite-volume operator (HPGMG operators.fv4.c), 110 FLOP (83 add, 27 mul); reads 24 x and 30 beta
/// besides the centre. With the outward unit step e of a face and a tangential step f:
/// A x = -b/h^2 { 1/12 sum over 6 faces of beta [15 (x(e) - x) - (x(2e) - x(-e))]
///              + 1/48 sum over 6 faces, 2 tangents of [beta(f) - beta(-f)] [x(e+f) - x(f) - x(e-f) + x(-f)] }
struct FourthOrder {
  static constexpr std::string_view name = "fv4";
  static constexpr Index radius = 2;
  static constexpr int flops = 110;
  static constexpr GhostWeights ghost_weights{
      // cell averages of a quartic that is 0 on the face, apply_BCs_v4
      {{-77.0 / 12, 43.0 / 12, -17.0 / 12, 3.0 / 12}, {-505.0 / 12, 335.0 / 12, -145.0 / 12, 27.0 / 12}}};

  template <class Row, class At>
  static ROOFLINE_BODY auto apply(const Row& box, At at, typename At::real centre) {
    using real = typename At::real;
    const Index j = box.j, k = box.k;
    const real x_w = box.x[at - 1];
    const real x_e = box.x[at + 1];
    const real x_s = box.x[at - j];
    const real x_n = box.x[at + j];
    const real x_b = box.x[at - k];
    const real x_a = box.x[at + k];
    const real x_ww = box.x[at - 2];
    const real x_ee = box.x[at + 2];
    const real x_ss = box.x[at - 2 * j];
    const real x_nn = box.x[at + 2 * j];
    const real x_bb = box.x[at - 2 * k];
    const real x_aa = box.x[at + 2 * k];

    const real beta_w = box.beta_i[at];
    const real beta_w_s = box.beta_i[at - j];
    const real beta_w_n = box.beta_i[at + j];
    const real beta_w_b = box.beta_i[at - k];
    const real beta_w_a = box.beta_i[at + k];
    const real beta_e = box.beta_i[at + 1];
    const real beta_e_s = box.beta_i[at + 1 - j];
    const real beta_e_n = box.beta_i[at + 1 + j];
    const real beta_e_b = box.beta_i[at + 1 - k];
    const real beta_e_a = box.beta_i[at + 1 + k];
    const real beta_s = box.beta_j[at];
    const real beta_s_w = box.beta_j[at - 1];
    const real beta_s_e = box.beta_j[at + 1];
    const real beta_s_b = box.beta_j[at - k];
    const real beta_s_a = box.beta_j[at + k];
    const real beta_n = box.beta_j[at + j];
    const real beta_n_w = box.beta_j[at + j - 1];
    const real beta_n_e = box.beta_j[at + j + 1];
    const real beta_n_b = box.beta_j[at + j - k];
    const real beta_n_a = box.beta_j[at + j + k];
    const real beta_b = box.beta_k[at];
    const real beta_b_w = box.beta_k[at - 1];
    const real beta_b_e = box.beta_k[at + 1];
    const real beta_b_s = box.beta_k[at - j];
    const real beta_b_n = box.beta_k[at + j];
    const real beta_a = box.beta_k[at + k];
    const real beta_a_w = box.beta_k[at + k - 1];
    const real beta_a_e = box.beta_k[at + k + 1];
    const real beta_a_s = box.beta_k[at + k - j];
    const real beta_a_n = box.beta_k[at + k + j];

    real normal = beta_w * (15.0 * (x_w - centre) - (x_ww - x_e));
    normal += beta_e * (15.0 * (x_e - centre) - (x_ee - x_w));
    normal += beta_s * (15.0 * (x_s - centre) - (x_ss - x_n));
    normal += beta_n * (15.0 * (x_n - centre) - (x_nn - x_s));
    normal += beta_b * (15.0 * (x_b - centre) - (x_bb - x_a));
    normal += beta_a * (15.0 * (x_a - centre) - (x_aa - x_b));

    const real x_ws = box.x[at - 1 - j];
    const real x_wn = box.x[at - 1 + j];
    const real x_es = box.x[at + 1 - j];
    const real x_en = box.x[at + 1 + j];
    real mixed_ij = (beta_w_n - beta_w_s) * (x_wn - x_n - x_ws + x_s);
    mixed_ij += (beta_e_n - beta_e_s) * (x_en - x_n - x_es + x_s);
    mixed_ij += (beta_s_e - beta_s_w) * (x_es - x_e - x_ws + x_w);
    mixed_ij += (beta_n_e - beta_n_w) * (x_en - x_e - x_wn + x_w);
    const real x_wb = box.x[at - 1 - k];
    const real x_wa = box.x[at - 1 + k];
    const real x_eb = box.x[at + 1 - k];
    const real x_ea = box.x[at + 1 + k];
    real mixed_ik = (beta_w_a - beta_w_b) * (x_wa - x_a - x_wb + x_b);
    mixed_ik += (beta_e_a - beta_e_b) * (x_ea - x_a - x_eb + x_b);
    mixed_ik += (beta_b_e - beta_b_w) * (x_eb - x_e - x_wb + x_w);
    mixed_ik += (beta_a_e - beta_a_w) * (x_ea - x_e - x_wa + x_w);
    const real x_sb = box.x[at - j - k];
    const real x_sa = box.x[at - j + k];
    const real x_nb = box.x[at + j - k];
    const real x_na = box.x[at + j + k];
    real mixed_jk = (beta_s_a - beta_s_b) * (x_sa - x_a - x_sb + x_b);
    mixed_jk += (beta_n_a - beta_n_b) * (x_na - x_a - x_nb + x_b);
    mixed_jk += (beta_b_n - beta_b_s) * (x_nb - x_n - x_sb + x_s);
    mixed_jk += (beta_a_n - beta_a_s) * (x_na - x_n - x_sa + x_s);
    const real mixed = mixed_ij + mixed_ik + mixed_jk;

    const real sum = (1.0 / 12.0) * normal + (1.0 / 48.0) * mixed;
    return real(box.minus_b_h2inv) * sum;
  }
};

/// An array of which every second element is used: lanes are i, i + 2, i + 4, ... A pack gathers them from two loads
/// and stores them one by one.
struct EverySecond {
  double* data = nullptr;

  template <class V, bool Fma>
  ROOFLINE_BODY Real<V, Fma> operator[](At<V, Fma> at) const {
    if constexpr (V::lanes == 1)
      return V::load(data + at.i);
    else
      return gather<V>(data + at.i);
  }
  template <class V, bool Fma>
  ROOFLINE_BODY void set(At<V, Fma> at, Real<V, Fma> x) const {
    if constexpr (V::lanes == 1)
      V::store(data + at.i, x.value);
    else
      for (int lane = 0; lane < V::lanes; ++lane) data[at.i + 2 * lane] = x.value.v[lane];
  }

 private:
  template <class V>
  static ROOFLINE_BODY V gather(const double* p) {
    const auto low = V::load(p).v, high = V::load(p + V::lanes - 1).v;  // reads no element beyond the last one used
    decltype(low < high) pick{};
    for (int lane = 0; lane < V::lanes; ++lane) pick[lane] = 2 * lane < V::lanes ? 2 * lane : 2 * lane + 1;
    return V{__builtin_shuffle(low, high, pick)};
  }
};

/// A x, for residuals.
struct Apply {
  static constexpr Index cells_per_item = 1;
  using Array = View;

  template <class Operator, class Row, class At>
  static ROOFLINE_BODY void update(const Row& box, At at) {
    using real = typename At::real;
    const real x = box.x[at];
    box.out.set(at, real(Operator::apply(box, at, x)));
  }
};

/// GSRB_FP: every cell computes, the mask makes a copy of the other colour. 4 FLOP besides the operator, per cell.
/// x' = x + mask lambda (rhs - A x), lambda = 1 / diagonal of A
struct Fp {
  static constexpr std::string_view name = "fp";
  static constexpr Index flops = 4, cells_per_update = 1, cells_per_item = 1;
  using Array = View;

  template <class Operator, class Row, class At>
  static ROOFLINE_BODY void update(const Row& box, At at) {
    using real = typename At::real;
    const real x = box.x[at];
    const real rhs = box.rhs[at];
    const real lambda = box.dinv[at];
    const real mask = box.mask[at];
    box.out.set(at, real(x + mask * lambda * (rhs - Operator::apply(box, at, x))));
  }
};

/// `update()` in the lanes of the colour that is updated, `copied` in the others. One lane branches; a pack computes
/// all of its lanes, from an even i on, and switches those of the other colour off.
template <class V, bool Fma, class Update>
ROOFLINE_BODY Real<V, Fma> where_coloured(At<V, Fma> at, Index parity, Real<V, Fma> copied, Update update) {
  if constexpr (V::lanes == 1) {
    return ((at.i ^ parity) & 1) == 0 ? update() : copied;
  } else {
    decltype(copied.value.v < copied.value.v) lane{};
    for (int i = 0; i < V::lanes; ++i) lane[i] = i & 1;
    return V{lane == parity ? update().value.v : copied.value.v};
  }
}

/// GSRB_BRANCH: every cell is visited, the other colour is copied. 3 FLOP besides the operator, per updated cell.
struct Branch {
  static constexpr std::string_view name = "branch";
  static constexpr Index flops = 3, cells_per_update = 2, cells_per_item = 1;
  using Array = View;

  template <class Operator, class Row, class At>
  static ROOFLINE_BODY void update(const Row& box, At at) {
    using real = typename At::real;
    const real x = box.x[at];
    box.out.set(at, where_coloured(at, box.parity, x, [&]() ROOFLINE_INLINED -> real {
                  const real rhs = box.rhs[at];
                  const real lambda = box.dinv[at];
                  return x + lambda * (rhs - Operator::apply(box, at, x));
                }));
  }
};

/// GSRB_STRIDE2: half the work items; item t copies one cell and updates its neighbour, i = 2 t + parity. Nothing is
/// switched off, but loads and stores are strided. 3 FLOP besides the operator, per item.
struct Stride2 {
  static constexpr std::string_view name = "stride2";
  static constexpr Index flops = 3, cells_per_update = 2, cells_per_item = 2;
  using Array = EverySecond;

  template <class Operator, class Row, class At>
  static ROOFLINE_BODY void update(const Row& box, At item) {
    using real = typename At::real;
    const At other{2 * item.i + 1 - box.parity};
    const real copied = box.x[other];
    box.out.set(other, copied);

    const At at{2 * item.i + box.parity};
    const real x = box.x[at];
    const real rhs = box.rhs[at];
    const real lambda = box.dinv[at];
    box.out.set(at, x + lambda * (rhs - Operator::apply(box, at, x)));
  }
};

}  // namespace roofline::gsrb

#include "apps/gsrb/whole_packs.hpp"

#include <type_traits>

#include "bench/space/dispatch.hpp"
#include "bench/space/pack.hpp"
#include "bench/space/real.hpp"

namespace roofline::gsrb {
namespace {

/// An array as the pack sees it that begins at `cell`. Places around it are numbers like those of an array of 5 x 5 x 5
/// elements, constant after inlining.
struct Around {
  static constexpr Index j = 5, k = 25, centre = 2 * (1 + j + k);
  const double* cell = nullptr;
  Index j_stride = 0, k_stride = 0;
  bool joins = false;  ///< neighbours along the row, of two packs at aligned places

  template <class V, bool Fma>
  ROOFLINE_BODY Real<V, Fma> operator[](At<V, Fma> at) const {
    const Index along = at.i % j - 2;
    const double* const aligned = cell + (at.i / j % 5 - 2) * j_stride + (at.i / k - 2) * k_stride;
    if (!joins || along == 0) return V::load(aligned + along);
    if (along == -2) return V::template joined<V::lanes - 2>(V::load(aligned - V::lanes), V::load(aligned));
    if (along == -1) return V::template joined<V::lanes - 1>(V::load(aligned - V::lanes), V::load(aligned));
    if (along == 1) return V::template joined<1>(V::load(aligned), V::load(aligned + V::lanes));
    return V::template joined<2>(V::load(aligned), V::load(aligned + V::lanes));
  }
};

/// The pack of a row that begins at element i. Its loads of x do not cross the ends of cache lines, because such a load
/// costs L1 as much as two. Values of beta are used once, so keeping them in registers would waste registers.
template <class Operator, class Method, class V, class Output>
ROOFLINE_BODY void update_whole_pack(const Cells<View, Output>& row, Index i) {
  const auto around = [&](View array, bool joins) ROOFLINE_INLINED {
    return Around{array.data + i, row.j, row.k, joins};
  };
  const Cells<Around, Output> cells{.x = around(row.x, true),
                                    .rhs = around(row.rhs, false),
                                    .beta_i = around(row.beta_i, false),
                                    .beta_j = around(row.beta_j, false),
                                    .beta_k = around(row.beta_k, false),
                                    .dinv = around(row.dinv, false),
                                    .out = {row.out.data + i - Around::centre},
                                    .mask = around(row.mask, false),
                                    .j = Around::j,
                                    .k = Around::k,
                                    .parity = row.parity,
                                    .minus_b_h2inv = row.minus_b_h2inv};
  Method::template update<Operator>(cells, At<V, true>{Around::centre});
}

/// The rows of a dense level with boxes of edge n, for a sweep from x to temp with color000 = 0. The compiler knows the
/// distance of its vectors, which saves the registers of their addresses. The mask has only two different rows, which
/// stay in L1.
template <class Operator, class Output, Index n>
class DenseRows {
 public:
  explicit DenseRows(const Level& level)
      : first_(level.box(Vector{}, 0) + level.shape().at(0, 0, 0)),
        mask_(level.mask(0) + level.shape().at(0, 0, -Operator::radius)),
        j_(level.shape().j_stride),
        k_(level.shape().k_stride),
        minus_b_h2inv_(-level.h2inv()) {}

  Cells<View, Output> row(Index box, Index j, Index k) const {
    double* const first = first_ + box * shape.volume + j * j_ + k * k_;
    const auto start = [&](Vector which) { return first + static_cast<Index>(which) * shape.vector_stride(); };
    const Index parity = (j ^ k) & 1;
    return {.x = {start(Vector::x)},
            .rhs = {start(Vector::rhs)},
            .beta_i = {start(Vector::beta_i)},
            .beta_j = {start(Vector::beta_j)},
            .beta_k = {start(Vector::beta_k)},
            .dinv = {start(Vector::dinv)},
            .out = {start(Vector::temp)},
            .mask = {mask_ + parity * j_},
            .j = j_,
            .k = k_,
            .parity = parity,
            .minus_b_h2inv = minus_b_h2inv_};
  }

 private:
  static constexpr BoxShape shape{n, Operator::radius, Rows::dense};
  double *first_, *mask_;
  Index j_, k_;
  double minus_b_h2inv_;
};

template <class Operator, class Method, class Output, Index n, Prefetch into>
void sweep_whole_packs(const Level& level, const Walk& walk, Pass* pass) {
  using Space = OpenMp<true>;
  using Lane = typename Space::Lane;
  const DenseRows<Operator, Output, n> rows(level);
  for_each_row(Space{pass}, level.shape(), walk, [&](Index box, Index j, Index k, Index distance) ROOFLINE_INLINED {
    const auto row = rows.row(box, j, k);
    ROOFLINE_UNROLL(1)
    for (Index i = 0; i < n; i += Lane::lanes) {
      if constexpr (into != Prefetch::none) prefetch<Operator, into>(row, typename Space::At{i}, 1, distance);
      update_whole_pack<Operator, Method, Lane>(row, i);
    }
  });
}

/// One sweep from x to temp, color000 = 0, of a dense level with boxes of edge n.
template <class Operator, class Method, Index n>
Sweeping whole_pack_sweep_of(std::shared_ptr<Level> level, const Walk& walk) {
  Sweeping launch;
  with_bool(walk.streams, [&](auto streams) {
    using Output = std::conditional_t<streams, Streamed, View>;
    const auto asking = [&]<Prefetch into>(std::integral_constant<Prefetch, into>) {
      launch = [=](Pass* pass) { sweep_whole_packs<Operator, Method, Output, n, into>(*level, walk, pass); };
    };
    if (walk.rows_ahead == 0)
      asking(std::integral_constant<Prefetch, Prefetch::none>());
    else if (walk.into == Prefetch::into_l2)
      asking(std::integral_constant<Prefetch, Prefetch::into_l2>());
    else
      asking(std::integral_constant<Prefetch, Prefetch::into_l1>());
  });
  return launch;
}

}  // namespace

template <class Operator, class Method>
Sweeping whole_pack_sweep(std::shared_ptr<Level> level, const Walk& walk) {
  switch (level->shape().n) {
    case 16:
      return whole_pack_sweep_of<Operator, Method, 16>(level, walk);
    case 32:
      return whole_pack_sweep_of<Operator, Method, 32>(level, walk);
    case 64:
      return whole_pack_sweep_of<Operator, Method, 64>(level, walk);
    default:
      return whole_pack_sweep_of<Operator, Method, 128>(level, walk);
  }
}

template Sweeping whole_pack_sweep<FourthOrder, Fp>(std::shared_ptr<Level>, const Walk&);
template Sweeping whole_pack_sweep<FourthOrder, Branch>(std::shared_ptr<Level>, const Walk&);
template Sweeping whole_pack_sweep<SevenPoint, Fp>(std::shared_ptr<Level>, const Walk&);
template Sweeping whole_pack_sweep<SevenPoint, Branch>(std::shared_ptr<Level>, const Walk&);

}  // namespace roofline::gsrb

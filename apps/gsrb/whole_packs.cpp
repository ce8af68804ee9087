#include "apps/gsrb/whole_packs.hpp"

#include "bench/space/dispatch.hpp"
#include "bench/space/unroll.hpp"

namespace roofline::gsrb {
namespace {

template <class Operator, class Method, class Output, Index n, bool prefetches>
void sweep_boxes(const Level& level, const Walk& walk) {
  using Lane = OpenMp<true>::Lane;
  const DenseRows<Operator, Output, n> rows(level);
  for_each_row(OpenMp<true>{}, level.shape(), walk, [&](Index box, Index j, Index k, Index distance) ROOFLINE_INLINED {
    const auto row = rows.row(box, j, k);
    ROOFLINE_UNROLL(1)
    for (Index i = 0; i < n; i += Lane::lanes) {
      if constexpr (prefetches) prefetch<Operator>(row, OpenMp<true>::At{i}, 1, distance);
      update_whole_pack<Operator, Method, Lane, true>(row, i);
    }
  });
}

template <class Operator, class Method, Index n>
std::function<void()> sweep_of_edge(std::shared_ptr<Level> level, const Walk& walk) {
  std::function<void()> launch;
  with_bool(walk.streams, [&](auto streams) {
    with_bool(walk.rows_ahead > 0, [&](auto prefetches) {
      using Output = std::conditional_t<streams, Streamed, View>;
      launch = [=] { sweep_boxes<Operator, Method, Output, n, prefetches>(*level, walk); };
    });
  });
  return launch;
}

}  // namespace

template <class Operator, class Method>
std::function<void()> whole_pack_sweep(std::shared_ptr<Level> level, const Walk& walk) {
  switch (level->shape().n) {
    case 16:
      return sweep_of_edge<Operator, Method, 16>(level, walk);
    case 32:
      return sweep_of_edge<Operator, Method, 32>(level, walk);
    case 64:
      return sweep_of_edge<Operator, Method, 64>(level, walk);
    default:
      return sweep_of_edge<Operator, Method, 128>(level, walk);
  }
}

template std::function<void()> whole_pack_sweep<FourthOrder, Fp>(std::shared_ptr<Level>, const Walk&);
template std::function<void()> whole_pack_sweep<FourthOrder, Branch>(std::shared_ptr<Level>, const Walk&);
template std::function<void()> whole_pack_sweep<SevenPoint, Fp>(std::shared_ptr<Level>, const Walk&);
template std::function<void()> whole_pack_sweep<SevenPoint, Branch>(std::shared_ptr<Level>, const Walk&);

}  // namespace roofline::gsrb

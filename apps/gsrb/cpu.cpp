#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <tuple>
#include <type_traits>

#include "apps/gsrb/gsrb.hpp"
#include "apps/gsrb/problem.hpp"
#include "apps/gsrb/solve.hpp"
#include "apps/gsrb/tuned.hpp"
#include "apps/gsrb/whole_packs.hpp"
#include "bench/cache_model/set_launch.hpp"
#include "bench/machine/machine.hpp"
#include "bench/space/launches.hpp"
#include "bench/suite/suite.hpp"
#include "bench/suite/tunings.hpp"

namespace roofline::gsrb {
namespace {

template <class Operator>
std::shared_ptr<Level> make_level(int number, std::uint64_t seed, Rows rows = Rows::padded) {
  return std::make_shared<Level>(smoothing_problem<Operator>(number, seed, rows));
}

/// Stores past the caches pay for levels that no cache holds.
bool exceeds(double last_level_cache, int number) {
  return vectors * sizeof(double) * std::pow(8.0, number) > last_level_cache;
}

/// At most so many parts of a sweep, each of whole boxes, which share no data.
Index parts_of_boxes(Index parts) {
  if (boxes % omp_get_max_threads() != 0) return 1;
  const auto boxes_of_thread = static_cast<std::uint64_t>(std::max<Index>(1, boxes / omp_get_max_threads()));
  return static_cast<Index>(std::bit_floor(std::min(static_cast<std::uint64_t>(parts), boxes_of_thread)));
}

template <class Operator, class Method, bool Fma>
Workload make(const std::shared_ptr<Level>& level, std::uint64_t seed, const Walk& walk) {
  for (Index box = 0; box < boxes; ++box)  // another row has left results there
    std::fill_n(level->box(Vector::temp, box), level->shape().volume, 0.0);
  Workload work;
  // Cells at a time: one where those that are switched off are not to count.
  constexpr int counted = std::is_same_v<Method, Fp> ? counted_lanes : 1;
  const auto of_walk = [level](const Walk& chosen) -> InSpace {
    return [level, chosen](Pass* pass) {
      sweep<Operator, Method>(OpenMp<Fma>{pass}, *level, Vector::x, Vector::temp, 0, chosen);
    };
  };
  set_forms(work, of_walk(walk));
  work.divided = [in_parts = divided(of_walk(walk))](Index parts) { return in_parts(parts_of_boxes(parts)); };
  work.in_core = in_core(of_walk(walk.in_core()), walk.in_core().bytes(level->shape()));
  work.trace = [level, walk](Sampler& sampler) {
    sweep<Operator, Method>(Counting<Fma, counted>{sampler}, *level, Vector::x, Vector::temp, 0, walk);
  };
  work.check = [level, seed] { return check_sweep<Operator>(*level, seed); };
  work.declared_flops = declared_flops<Operator, Method>(level->cells());
  return work;
}

template <class Operator, class Method>
Workload make(const std::shared_ptr<Level>& level, std::uint64_t seed, const LoopTuning& tuning) {
  auto work = make<Operator, Method, true>(level, seed, tuning.walk);
  if constexpr (Method::cells_per_item == 1)
    if (tuning.whole_packs) {
      const auto sweep = whole_pack_sweep<Operator, Method>(level, tuning.walk);
      set_forms(work, sweep);
      work.divided = [in_parts = divided(sweep)](Index parts) { return in_parts(parts_of_boxes(parts)); };
      work.in_core =
          in_core(whole_pack_sweep<Operator, Method>(level, tuning.walk.in_core()), work.in_core.chunk_bytes);
      forget_costly_loads(work);
    }
  return work;
}

using MakeLevel = std::function<std::shared_ptr<Level>()>;

template <class Operator, class Method>
std::vector<KernelTuning> tunings(int number, std::uint64_t seed, bool usually_streams, const MakeLevel& padded) {
  const auto dense = made_once([=] { return make_level<Operator>(number, seed, Rows::dense); });
  std::vector<KernelTuning> all;
  for (const auto& tuning : tunings_of<Method>(number, usually_streams))
    all.push_back({tuning.name(), [=] {
                     return make<Operator, Method>(tuning.rows == Rows::dense ? dense() : padded(), seed, tuning);
                   }});
  return all;
}

Family describe() {
  return {
      .name = "gsrb",
      .flops = "fv4: 114 per cell (fp), 113 per updated cell (branch, stride2); 7pt: 22 and 21",
      .bytes =
          "fv4: 58 loads and 1 store per cell at L1 (fp), 7pt: 16 and 1; 56 B compulsory at DRAM, 64 B with "
          "write-allocate",
      .teaches = "half the FLOPs are not half the time: a bandwidth-bound smoother moves the same lines either way",
      .description = R"(HPGMG's Gauss-Seidel red-black smoother, one sweep over a level of the finite-volume multigrid:
  x' = x + lambda (rhs - A x) where i + j + k is even, x' = x elsewhere; lambda = 1 / diagonal of A
  A x = -div(beta grad x), out of place, in 8 boxes of edge 2^(level-1), rows padded to 32 cells,
  ghost cells filled
op       fv4: fourth-order finite volumes, 25 x and 30 beta per cell (NERSC talk)
         7pt: second order, 7 x and 6 beta per cell
fp       every cell computes; an array of 1.0 and 0.0 switches the update on and off
branch   every cell is visited, a branch switches the update on and off. On a CPU a vector computes
         all its cells and keeps every second result; the FLOPs of the others do not count, as those
         of masked lanes on a GPU do not
stride2  half as many work items, each copies one cell and updates its neighbour: strided loads and
         stores
fma      0: no contraction. In either mode the three methods give the same bits
The published kernel executes 12 more FLOP per thread (h h, its reciprocal, b / h^2), which this
program computes once, before the timed launch.
Where the level is larger than the last cache, fp and branch use streaming stores.
Look at: fp memory-bound at the levels that no cache holds, its intensity rising slightly with the
level (surface to volume); branch with half the intensity and half the GFLOP/s of fp in about the
same time. At level 7 a row is 64 cells and 32 of padding and ghosts, which a CPU's prefetchers
fetch as well: a part of the distance to the DRAM roof.)",
      .size_names = "level",
      .size_range = "2^level cells along each edge, 3..8",
      .default_sizes = {7},
      .quick_sizes = {},
      .small_sizes = {5}};
}

/// The text of --describe about a method: its computation, the finding of the NERSC talk, and the result to look at.
template <class Method>
constexpr std::string_view method_text;
template <>
constexpr std::string_view method_text<Fp> =
    "every cell computes x + mask lambda (rhs - A x). The talk: bandwidth-bound at every level, intensity rising "
    "slightly with the level. Look at: the DRAM point, which is below its roof by the cost of the padding";
template <>
constexpr std::string_view method_text<Branch> =
    "every second cell is updated, the others are copied. The talk: half the FLOPs of fp, equal bytes, half the "
    "intensity and GFLOP/s, comparable time. Look at: the point half as far right and half as high";
template <>
constexpr std::string_view method_text<Stride2> =
    "half the work items, each copies one cell and updates its neighbour. The talk: FLOPs of branch, but stores that "
    "fill half a line each, so extra writes and nearly twice the time from level 7 on. Look at: where branch streams "
    "its rows past the caches, half-filled lines must be read first, 8 B per cell more; in cache only the strided "
    "accesses cost";

Selection selection_of(std::string_view method, std::string_view op, int level, bool fma, Index default_level) {
  if (!fma) return Selection::full;
  if (level == default_level) return op == "fv4" && method != "stride2" ? Selection::quick : Selection::standard;
  // Levels 4 and 5 lie well inside caches. Level 6 has 22 MB, of which a last cache that others share holds now more,
  // now less, so that its share of a roof does not repeat.
  return op == "fv4" && method == "fp" && (level == 4 || level == 5) ? Selection::standard : Selection::full;
}

void add_variants(Suite& suite, const Sizes& sizes) {
  const auto chosen = sizes.at(0);
  require_level(chosen, fmt::format("--gsrb={}", chosen));
  const auto& caches = suite.machine().caches;
  const double last_level_cache = caches.empty() ? 0 : static_cast<double>(caches.back().size);
  const auto add = [&]<class Operator, class Method, bool Fma>(std::tuple<Operator, Method>, std::bool_constant<Fma>,
                                                               const std::vector<MakeLevel>& shared) {
    for (int level = lowest_level; level <= highest_level; ++level) {
      if (suite.has_fixed_size("gsrb") && level != chosen) continue;
      const bool streams = Method::cells_per_item == 1 && exceeds(last_level_cache, level);
      suite.add({.name = row_name<Operator, Method>(level, Fma),
                 .family = "gsrb",
                 .selection = selection_of(Method::name, Operator::name, level, Fma, chosen),
                 .fma = Fma,
                 .make =
                     [=, seed = suite.seed(), padded = shared.at(static_cast<std::size_t>(level))] {
                       return make<Operator, Method, Fma>(padded(), seed, {.streams = streams});
                     },
                 .about = fmt::format("{} on {}^3 cells: {}", Operator::name, 1 << level, method_text<Method>)});
      if (!Fma) continue;
      suite.add({.name = row_name<Operator, Method>(level, Fma) + "/tuned",
                 .family = "gsrb",
                 .about = "layout, loads, chunks, prefetch and stores as they are fastest here",
                 .tunings = tunings<Operator, Method>(level, suite.seed(), streams,
                                                      shared.at(static_cast<std::size_t>(level)))});
    }
  };
  const auto add_operator = [&]<class Operator>(Operator) {
    std::vector<MakeLevel> shared;
    for (int level = 0; level <= highest_level; ++level)
      shared.push_back(made_once([=, seed = suite.seed()] { return make_level<Operator>(level, seed); }));
    const auto add_method = [&]<class Method>(Method) {
      add(std::tuple<Operator, Method>(), std::true_type(), shared);
      add(std::tuple<Operator, Method>(), std::false_type(), shared);
    };
    add_method(Fp()), add_method(Branch()), add_method(Stride2());
  };
  add_operator(FourthOrder()), add_operator(SevenPoint());
}

const Registrar registrar(describe, add_variants);

}  // namespace

template void sweep<FourthOrder, Fp>(OpenMp<true>, const Level&, Vector, Vector, Index, const Walk&);
template void sweep<FourthOrder, Fp>(OpenMp<false>, const Level&, Vector, Vector, Index, const Walk&);
template void sweep<FourthOrder, Branch>(OpenMp<true>, const Level&, Vector, Vector, Index, const Walk&);
template void sweep<FourthOrder, Branch>(OpenMp<false>, const Level&, Vector, Vector, Index, const Walk&);
template void sweep<FourthOrder, Stride2>(OpenMp<true>, const Level&, Vector, Vector, Index, const Walk&);
template void sweep<FourthOrder, Stride2>(OpenMp<false>, const Level&, Vector, Vector, Index, const Walk&);
template void sweep<SevenPoint, Fp>(OpenMp<true>, const Level&, Vector, Vector, Index, const Walk&);
template void sweep<SevenPoint, Fp>(OpenMp<false>, const Level&, Vector, Vector, Index, const Walk&);
template void sweep<SevenPoint, Branch>(OpenMp<true>, const Level&, Vector, Vector, Index, const Walk&);
template void sweep<SevenPoint, Branch>(OpenMp<false>, const Level&, Vector, Vector, Index, const Walk&);
template void sweep<SevenPoint, Stride2>(OpenMp<true>, const Level&, Vector, Vector, Index, const Walk&);
template void sweep<SevenPoint, Stride2>(OpenMp<false>, const Level&, Vector, Vector, Index, const Walk&);
}  // namespace roofline::gsrb

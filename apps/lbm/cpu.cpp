#include <fmt/format.h>

#include <memory>
#include <new>
#include <stdexcept>

#include "apps/lbm/collide.hpp"
#include "apps/lbm/expected.hpp"
#include "apps/lbm/propagate.hpp"
#include "bench/cache_model/set_launch.hpp"
#include "bench/levels/levels.hpp"
#include "bench/machine/machine.hpp"
#include "bench/space/launches.hpp"
#include "bench/suite/suite.hpp"
#include "bench/suite/tunings.hpp"

namespace roofline::lbm {
namespace {

/// Lattices of the initial pattern; as many as a kernel needs.
struct Problem {
  Grid grid;
  std::uint64_t seed;
  Buffer parameters;  ///< the tables of v0; a Buffer, so that its modelled cache sets are the same in every run
  Buffer bulk, from, to, result;

  Problem(const Grid& g, std::uint64_t seed_of_inputs)
      : grid(g),
        seed(seed_of_inputs),
        parameters(sizeof(Tables) / sizeof(double)),
        bulk(g.ly),
        from(initial_lattice(g, seed)) {
    new (parameters.data()) Tables(known_tables);
    for (Index iy = 0; iy < grid.ly; ++iy) bulk[iy] = is_bulk(grid, iy) ? 1.0 : 0.0;
  }

  /// A lattice of zeros: rows share lattices, and another one may have left the right results there.
  void clear(Buffer& lattice) {
    if (lattice.size() == 0)
      lattice = Buffer(elements());
    else
      lattice.zero();
  }
  const Tables* tables() const { return std::launder(reinterpret_cast<const Tables*>(parameters.data())); }
  Index elements() const { return populations * grid.plane(); }
  Collision collision(const Buffer& in, const Buffer& out) const {
    return {grid, in.view(), out.view(), bulk.view(), fluid, {tables(), populations}};
  }
};

using MakeProblem = std::function<std::shared_ptr<Problem>()>;

/// Every element of a lattice, halos included. Elements outside the halos in use must still be zero.
template <class Expected>
std::function<Check()> checked(std::shared_ptr<const Problem> problem, Buffer Problem::*lattice) {
  return [problem, lattice] { return check_lattice<Expected>(problem->grid, (*problem).*lattice, problem->seed); };
}

/// Bytes of a column's populations, read and written.
double column_bytes(const Grid& grid) { return 2.0 * populations * sizeof(double) * static_cast<double>(grid.ly); }

/// `stored`: the version, or the one like it whose stores do not go past the caches, if there is one.
Workload make_collide(const std::shared_ptr<Problem>& problem, const Version& version, const Version* stored,
                      Index packs = 0) {
  problem->clear(problem->to);
  Collision collision = problem->collision(problem->from, problem->to);
  collision.packs = packs;
  Workload work;
  const auto launch_of = [&](const Version& v) -> InSpace {
    return [problem, collision, launch = v.launch](Pass* pass) { launch(collision.within(pass)); };
  };
  set_forms(work, launch_of(version), 0, Neighbours::share_nothing);
  if (stored) work.in_core = in_core(launch_of(*stored), column_bytes(problem->grid));
  work.trace = [problem, collision, trace = version.trace](Sampler& sampler) { trace(collision, sampler); };
  work.check = checked<ExpectedCollision>(problem, &Problem::to);
  work.declared_flops = collide_flops(problem->grid, version.per_site.flops());
  return work;
}

/// v5, and its stages over blocks of packs.
std::vector<KernelTuning> tunings_of(const MakeProblem& problem, const Version& v5) {
  std::vector<KernelTuning> all{{"pack by pack", [=, &v5] { return make_collide(problem(), v5, nullptr); }}};
  const auto staged = staged_tunings();
  for (const auto& [version, packs] : staged)
    all.push_back({fmt::format("{}, {} packs", version.name, packs),
                   [=, version = version, stored = staged.back().version, packs = packs] {
                     return make_collide(problem(), version, &stored, packs);
                   }});
  return all;
}

Workload make_propagate(const std::shared_ptr<Problem>& problem) {
  problem->clear(problem->to);
  fill_halos(OpenMp<true>{}, problem->grid, problem->from.view(), Edge::wall);
  Workload work;
  set_launch<true>(
      work, [problem](auto space) { propagate(space, problem->grid, problem->from.view(), problem->to.view()); });
  forget_costly_loads(work);  // where a pack begins in a line depends on the population, of which a window sees few
  work.check = checked<ExpectedMove>(problem, &Problem::to);
  return work;
}

/// In place: a lattice of its own.
Workload make_boundaries(const Grid& grid, std::uint64_t seed) {
  auto problem = std::make_shared<Problem>(grid, seed);
  Workload work;
  const auto launch = [problem](auto space) {
    rest_at_walls(space, problem->grid, problem->from.view(), walls);
    fill_halos(space, problem->grid, problem->from.view(), Edge::wall);
  };
  set_launch<true>(work, launch, column_bytes(grid));
  work.check = checked<ExpectedBoundaries>(problem, &Problem::from);
  work.declared_flops = wall_flops(grid);
  return work;
}

/// Halos, propagate, walls, collide. A third lattice takes the result, so that every launch makes the same step and the
/// timed one can be verified; it changes neither operations nor traffic.
Workload make_step(const std::shared_ptr<Problem>& problem, const Version& version) {
  problem->clear(problem->to), problem->clear(problem->result);
  const auto& grid = problem->grid;
  const Collision collision = problem->collision(problem->to, problem->result);
  const auto move = [problem](auto space) {
    fill_halos(space, problem->grid, problem->from.view(), Edge::wall);
    propagate(space, problem->grid, problem->from.view(), problem->to.view());
    rest_at_walls(space, problem->grid, problem->to.view(), walls);
  };
  Workload work;
  work.launch = [move, collision, launch = version.launch] {
    move(OpenMp<true>{});
    launch(collision);
  };
  work.trace = [move, collision, trace = version.trace](Sampler& sampler) {
    move(Counting<true>{sampler});
    trace(collision, sampler);
  };
  work.check = checked<ExpectedStep>(problem, &Problem::result);
  work.declared_flops = wall_flops(grid) + collide_flops(grid, version.per_site.flops());
  return work;
}

Family describe() {
  return {.name = "lbm",
          .flops = "collide v0, v1: 6275, v2-v4: 5117, v5: 756 per site (published 6472 and about 6600); propagate 0",
          .bytes = "592 compulsory per site (37 x 8 read and written); 888 with write-allocate (collide v0-v3)",
          .teaches = "one physics, six points: traffic, spills, latency and algebra move it across the roofline",
          .description =
              R"(Thermal lattice Boltzmann on D2Q37 (Rayleigh-Taylor convection): propagate moves the 37 populations
of each site along their velocities, bc rebuilds the rows at the walls and fills halos, collide
relaxes with three relaxation times, a force, and a projection on 15 Hermite moments; step is all of
them.
collide v0..v4 are the five versions of the GTC 2020 talk (V100: 39, 56, 37, 25.2, 24.3 ms at 14.7 M
sites) as their counterparts on a CPU, v5 is our own; --describe lbm/collide/v0 (to v5)
explains one. SIMD is over sites along y.
fma:0 exists for v0 and v1: the same loops with separate multiplications and additions.
The talk's grid is --lbm=1920,7680; it needs 13 GB for all rows.
Look at: collide v0-v4 under the compute ceiling of their FMA mix, v5 and propagate on the DRAM
roof; in the talk collide takes 69 % of an iteration and propagate 21 %.)",
          .size_names = "LX,LY",
          .size_range = "sites along x, 1 or more, and y, a multiple of 32 (on a GPU of 256)",
          .default_sizes = {0, 0},
          .quick_sizes = {0, 0},
          .small_sizes = {5, 256},
          .size_arguments = {"lx", "ly"}};
}

/// Two lattices, together at least three last-level caches. LX is odd: else the 37 populations of a site, which are a
/// multiple of NX NY apart, would share few sets of the first cache.
Grid default_grid(const Machine& machine) {
  constexpr Index ly = 1024, bytes_per_column = 2 * populations * sizeof(double) * ly;
  return {.lx = (static_cast<Index>(beyond_caches(machine, 3)) / bytes_per_column / 32 + 1) * 32 + 1, .ly = ly};
}

void add_variants(Suite& suite, const Sizes& sizes) {
  const bool automatic = sizes[0] == 0 && sizes[1] == 0;
  auto grid = automatic ? default_grid(suite.machine()) : Grid{sizes[0], sizes[1]};
  if (automatic) grid.lx = within_memory(suite, "lbm", grid.lx, 3.0 * populations * sizeof(double) * (grid.ly + 32.0));
  if (grid.lx < 1 || grid.ly < 1 || grid.ly % block != 0)
    throw std::invalid_argument(
        fmt::format("--lbm={},{}: LX must be 1 or more, LY a multiple of {}", grid.lx, grid.ly, block));
  require_memory(3.0 * populations * sizeof(double) * (static_cast<double>(grid.lx) + 6) * (grid.ly + 32.0),
                 fmt::format("lbm with three lattices of {} x {} sites", grid.lx, grid.ly));
  const auto seed = suite.seed();
  const MakeProblem problem = made_once([=] { return std::make_shared<Problem>(grid, seed); });
  const auto add = [&](std::string name, Selection selection, bool fma, std::function<Workload()> make,
                       const char* about) {
    suite.add({std::move(name), "lbm", selection, fma, std::move(make), about});
  };
  const Version* best = nullptr;
  for (const auto& version : versions()) {
    const bool is_v4 = version.name == std::string("v4");
    if (is_v4) best = &version;
    add(
        collide_name(version.name, grid, version.fma),
        !version.fma ? Selection::full
        : is_v4      ? Selection::quick
                     : Selection::standard,
        version.fma,
        [problem, &version] { return make_collide(problem(), version, version.streams ? nullptr : &version); },
        version.about);
    if (version.name == std::string("v5"))
      suite.add({.name = collide_name(version.name, grid, true) + "/tuned",
                 .family = "lbm",
                 .about = "v5 in stages over blocks of packs, so that the chains of one pack overlap with others",
                 .tunings = tunings_of(problem, version)});
  }
  add(
      row_name("propagate", grid), Selection::quick, true, [problem] { return make_propagate(problem()); },
      "every population moves along its velocity: a copy with 37 shifts, streaming stores, 592 B per site.\n"
      "GTC 2020, V100: 11.97 ms, 729 GB/s, 81 % of the HBM peak. Look at: it should sit on the DRAM copy roof");
  add(
      row_name("bc", grid), Selection::standard, true, [grid, seed] { return make_boundaries(grid, seed); },
      "walls (three rows at rest, temperature interpolated) and the halos. GTC 2020, V100: 0.216 ms of 56");
  add(
      row_name("step", grid), Selection::standard, true, [problem, best] { return make_step(problem(), *best); },
      "halos, propagate, walls, collide v4. GTC 2020, V100: 56.2 ms with v0; collide takes 39 of these and propagate "
      "12");
}

const Registrar registrar(describe, add_variants);

}  // namespace
}  // namespace roofline::lbm

#include "apps/lbm/simulated.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "apps/lbm/lbm.hpp"
#include "bench/run/suite.hpp"
#include "bench/simulator/gpu_model.hpp"
#include "bench/simulator/warp.hpp"

namespace roofline::lbm {
namespace {

using Place = At<Warp, true>;
constexpr unsigned block_sites = 256;

/// How a loop of the body uses the populations of a site.
struct Use {
  bool load, store;
};

/// The lattice as a warp of a version sees it: what a parameter costs, and where populations live. One object per loop.
struct WarpTables {
  using real = Place::real;
  const GpuLattice* lattice;
  GpuVersion version;
  Use populations_are;

  template <class Body>
  void for_each(Body body) const {
    for (int p = 0; p < populations; ++p) {
      if (populations_are.load) population(p, Access::local_load);
      body(p);
      if (populations_are.store) population(p, Access::local_store);
    }
  }
  real w(int p) const { return parameter(0, p, known_tables.w[p]); }
  real x(int p) const { return parameter(1, p, known_tables.cx[p]); }
  real y(int p) const { return parameter(2, p, known_tables.cy[p]); }
  real cx(int p) const { return x(p); }
  real cy(int p) const { return y(p); }
  real c2(real cx, real cy, int) const { return cx * cx + cy * cy; }
  template <int k>
  real h(Fixed<k>, int p) const {
    return parameter(3 + k, p, known_tables.h[k][p]);
  }

 private:
  real parameter(int array, int p, double value) const {
    if (version == GpuVersion::v0) active_warp->uniform_load(lattice->tables + array * populations + p, sizeof(double));
    if (version == GpuVersion::v1) active_warp->on_chip(Access::constant);
    return value;
  }
  void population(int p, Access access) const {
    if (version == GpuVersion::v4)
      active_warp->on_chip(Access::shared);
    else if (version != GpuVersion::v3_registers)
      active_warp->local(access, p);
  }
};

struct Site {
  Index column, iy;  ///< element of the column's first site, y of lane 0
};

Site site_of(const Grid& grid, Index block, unsigned warp) {
  const Index blocks_y = grid.ly / block_sites;
  return {grid.site(block / blocks_y, 0), block % blocks_y * block_sites + static_cast<Index>(warp) * warp_lanes};
}

WarpProgram collide(const GpuLattice& lattice, GpuVersion version, Index block, unsigned warp) {
  using real = Place::real;
  const auto [column, iy] = site_of(lattice.grid, block, warp);
  const Place at{column + iy};
  const Index plane = lattice.grid.plane();
  const View in{lattice.in}, out{lattice.out}, bulk{lattice.bulk};
  const auto tables = [&](Use use) { return WarpTables{&lattice, version, use}; };

  real f[populations], q[components];
  Moments<real> moments;
  take_in(
      tables({false, true}), [&](auto p) { return in[at + p * plane]; }, f, moments);
  co_await step;
  find_moments(tables({true, false}), f, moments);
  co_await step;
  relax(tables({true, true}), f, moments, Fluid{}, bulk[Place{iy}]);
  co_await step;
  project(tables({true, false}), f, q);
  co_await step;
  give_out(tables({false, false}), q, [&](auto p, real x) { out.set(at + p * plane, x); });
}

WarpProgram propagate(const GpuLattice& lattice, Index block, unsigned warp) {
  const auto [column, iy] = site_of(lattice.grid, block, warp);
  const Place at{column + iy};
  const View in{lattice.in}, out{lattice.out};
  for (int p = 0; p < populations; ++p) {
    const Index from = p * lattice.grid.plane() - velocities[p].x * lattice.grid.ny() - velocities[p].y;
    const Place::real f = in[at + from];
    out.set(at + p * lattice.grid.plane(), f);
  }
  co_await step;
}

GpuKernel on_lattice(const GpuLattice& lattice) {
  GpuKernel kernel;
  kernel.blocks = lattice.grid.sites() / block_sites;
  kernel.threads = block_sites;
  kernel.memory = lattice.memory;
  return kernel;
}

}  // namespace

GpuLattice::GpuLattice(const Grid& g) : grid(g) {
  if (g.lx < 1 || g.ly < 1 || g.ly % block_sites != 0)
    throw std::invalid_argument(
        fmt::format("lbm on a modelled GPU: {} x {} sites: LY must be a multiple of {}", g.lx, g.ly, block_sites));
  const Index elements = populations * grid.plane();
  const auto doubles = static_cast<std::uint64_t>(2 * elements + grid.ly + 18 * populations);
  memory = std::make_shared<DeviceMemory>(doubles * sizeof(double) + 4096);
  in = memory->allocate<double>(elements);
  out = memory->allocate<double>(elements);
  bulk = memory->allocate<double>(grid.ly);
  tables = memory->allocate<double>(18 * populations);
  for (Index iy = 0; iy < grid.ly; ++iy) bulk[iy] = iy < reach || iy >= grid.ly - reach ? 0.0 : 1.0;
}

GpuKernel gpu_collide(std::shared_ptr<const GpuLattice> lattice, GpuVersion version) {
  static constexpr std::array<const char*, 6> names{"v0", "v1", "v2", "v3", "v3_registers", "v4"};
  auto kernel = on_lattice(*lattice);
  const bool few_registers = version <= GpuVersion::v2;
  kernel.name = fmt::format("lbm/collide/{}", names[static_cast<std::size_t>(version)]);
  kernel.registers = few_registers ? 80 : 254;
  kernel.mapping = few_registers && version != GpuVersion::v2
                       ? "blocks of 256 as published; 80 registers per thread as published for v2"
                       : "blocks of 256 and registers as published";
  if (version <= GpuVersion::v3) kernel.local = populations * sizeof(double);
  if (version == GpuVersion::v4) kernel.shared = populations * sizeof(double) * block_sites;
  kernel.program = [lattice, version](Index block, unsigned warp) { return collide(*lattice, version, block, warp); };
  return kernel;
}

GpuKernel gpu_propagate(std::shared_ptr<const GpuLattice> lattice) {
  auto kernel = on_lattice(*lattice);
  kernel.name = "lbm/propagate";
  kernel.mapping = "blocks of 256 as published; 40 registers per thread are assumed";
  kernel.registers = 40;
  kernel.program = [lattice](Index block, unsigned warp) { return propagate(*lattice, block, warp); };
  return kernel;
}

namespace {

void add_variants(Suite& suite, const Sizes& sizes) {
  const auto lattice = std::make_shared<const GpuLattice>(Grid{sizes.at(0), sizes.at(1)});
  const auto size = fmt::format("lx:{}/ly:{}", sizes[0], sizes[1]);
  const auto add = [&](std::string name, Selection selection, auto make) {
    suite.add({.name = std::move(name),
               .family = "lbm",
               .selection = selection,
               .make = simulated([=](const GpuModel& model) {
                 const auto kernel = make();
                 return model.count(kernel, affordable(model.device(), kernel));
               }),
               .about = make().mapping});
  };
  for (const auto version :
       {GpuVersion::v0, GpuVersion::v1, GpuVersion::v2, GpuVersion::v3, GpuVersion::v3_registers, GpuVersion::v4}) {
    const auto make = [=] { return gpu_collide(lattice, version); };
    const bool ends = version == GpuVersion::v0 || version == GpuVersion::v4;
    add(fmt::format("{}/{}/fma:1", make().name, size), ends ? Selection::quick : Selection::standard, make);
  }
  add(fmt::format("lbm/propagate/{}", size), Selection::quick, [=] { return gpu_propagate(lattice); });
}

// The talk's 4.06 GB lattice.
const Registrar registrar("lbm", Platform::modelled, {add_variants, {1920, 7680}, {160, 1024}, {}});

}  // namespace

}  // namespace roofline::lbm

#include "apps/lbm/column_walk.hpp"

namespace roofline::lbm {
namespace {

/// v0, v1, v2: the five loops in one function.
template <template <class> class Tables, bool Fma>
struct OnePass {
  static constexpr bool fma = Fma, streams = false;
  template <class Space>
  static ROOFLINE_BODY void column(const Collision& c, Index column) {
    using At = typename Space::At;
    using real = typename At::real;
    const Tables<real> lattice(c.parameters);
    const Index plane = c.grid.plane();
    for (Index iy = 0; iy < c.grid.ly; iy += Space::Lane::lanes) {
      const At at{column + iy};
      real f[populations], q[components];
      Moments<real> moments;
      take_in(
          lattice, [&](auto p) ROOFLINE_INLINED { return c.in[at + p * plane]; }, f, moments);
      find_moments(lattice, f, moments);
      relax(lattice, f, moments, c.fluid, c.bulk[At{iy}]);
      project(lattice, f, q);
      give_out(lattice, q, [&](auto p, real x) ROOFLINE_INLINED { c.out.set(at + p * plane, x); });
    }
  }
};

constexpr const char* about_v0 =
    R"(Tables behind a pointer, 37 given at run time, the populations of a pack in a local array: 63 loads
per population in the source (1 own, 62 parameters), 1 store. Ordinary stores: with write-allocate
888 B per site.
GTC 2020, V100: 39 ms; reads to writes 63:1, device traffic above 3 x the grid, bound by DRAM.
On a CPU a parameter is one broadcast operand that 8 sites share and L1 keeps; it costs next to
nothing.)";
constexpr const char* about_v1 =
    R"(Static constant tables and a constant bound; the loops stay loops. Parameter loads have left the
account.
GTC 2020, V100 (constant memory): 56 ms, slower than v0, as indexed constant loads saturate the ADU
and IDC units.
A CPU has no such unit: the time is that of v0.)";
constexpr const char* about_v2 =
    R"(Loops unrolled by templates, tables known to the compiler: terms with a zero factor vanish, factors
1 and -1 and |c|^2 fold. 5117 FLOP are left of 6275 (published account: 6472, about 6600).
GTC 2020, V100: 37 ms; constants are operands at fixed offsets of the constant bank (DFMA R8, R2,
c[0x3][0x128]), 80 registers, 37.5 % occupancy, bound by latency.
Here the body is 50 KB of code, more than the instruction cache holds. An instruction has no
constant in it: before the loop g++ 12 broadcasts some 600 from the tables to the stack, and it
spills 700 registers per pack.)";
}  // namespace

// Units of their own for these and for those of collide.cpp: each takes half a minute to compile.
std::vector<Version> one_pass_versions() {
  constexpr Operations loops = five_loops(false), folded = five_loops(true);
  return {
      version<OnePass<PointerTables, true>>("v0", loops, about_v0),
      version<OnePass<PointerTables, false>>("v0", loops, about_v0),
      version<OnePass<StaticTables, true>>("v1", loops, about_v1),
      version<OnePass<StaticTables, false>>("v1", loops, about_v1),
      version<OnePass<FoldedTables, true>>("v2", folded, about_v2),
  };
}

}  // namespace roofline::lbm

#include "apps/lbm/collide.cuh"

namespace roofline::lbm {
namespace {

template <class Real>
using IndexedConstants = StaticTables<Real, ConstantMemory>;

}  // namespace

// A unit of their own for these, those of collide.cu and that of collide_shared.cu: each takes a quarter of a minute.
std::vector<CudaVersion> local_memory_versions() {
  constexpr auto v0 =
      "parameter arrays in global memory, 37 given at run time, populations in local memory: 63 loads per population.\n"
      "GTC 2020, V100: 39 ms; reads to writes 63:1, bound by DRAM";
  constexpr auto v1 =
      "parameter arrays in constant memory, loops of 37: indexed constant loads.\n"
      "GTC 2020, V100: 56 ms, slower than v0, as they saturate the ADU and IDC units";
  constexpr auto v2 =
      "loops unrolled: constants are operands of instructions, populations stay in local memory; 80 registers per\n"
      "thread, 3 blocks per SM.\n"
      "GTC 2020, V100: 37 ms, 37.5 % occupancy, bound by memory latency";
  constexpr auto v3 =
      "as v2 with launch bounds (256, 1): one block per SM, 254 registers.\n"
      "GTC 2020, V100: 25.2 ms, less device traffic; extra writes remain";
  constexpr Operations loops = five_loops(false), folded = five_loops(true);
  return {
      version<OwnPopulations<PointerTables, true, 1>>("v0", true, loops, v0),
      version<OwnPopulations<PointerTables, false, 1>>("v0", false, loops, v0),
      version<OwnPopulations<IndexedConstants, true, 1>>("v1", true, loops, v1),
      version<OwnPopulations<IndexedConstants, false, 1>>("v1", false, loops, v1),
      version<LocalPopulations<FixedConstants, 3>>("v2", true, folded, v2),
      version<LocalPopulations<FixedConstants, 1>>("v3", true, folded, v3),
  };
}

}  // namespace roofline::lbm

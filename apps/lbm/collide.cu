#include "apps/lbm/collide.cuh"

namespace roofline::lbm {

const std::vector<CudaVersion>& cuda_versions() {
  constexpr auto v3_registers =
      "as v3 with the populations where the compiler wants them: in registers, or spilled.\n"
      "Look at: the writes of v3 besides its results are gone, as in v4";
  constexpr auto v5 =
      "our own: the collision in moment space, in registers, 756 FLOP per site.\n"
      "Look at: the point has moved under the DRAM roof";
  constexpr Operations folded = five_loops(true);
  static const std::vector<CudaVersion> all = [] {
    auto list = local_memory_versions();
    list.push_back(version<OwnPopulations<FixedConstants, true, 1>>("v3_registers", true, folded, v3_registers));
    list.push_back(shared_memory_version());
    list.push_back(version<MomentsPerThread>("v5", true, moment_space(), v5));
    return list;
  }();
  return all;
}

}  // namespace roofline::lbm

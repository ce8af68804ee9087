#pragma once
#include <memory>

#include "apps/gpp/gpp.hpp"
#include "bench/simulator/gpu_kernel.hpp"

/// GPP in the CUDA mapping of the published roofline experiment, for the device model.
namespace roofline::gpp {

/// The arrays of a problem in the memory of a device. They are zero unless a test fills them: addresses and counts do
/// not depend on values.
class GpuProblem {
 public:
  /// The published sizes are 512, 32768, 20. Throws std::invalid_argument unless ncouls is a multiple of 32 and
  /// nodes_per_group is in 1..ncouls.
  GpuProblem(Index number_bands, Index ncouls, Index nodes_per_group);

  Index number_bands, ncouls, ngpown;
  std::shared_ptr<DeviceMemory> memory;
  double *aqsm, *aqsn, *i_eps, *wtilde;  ///< complex, as in gpp::Problem
  double *vcoul, *wx, *achtemp;
  int *inv_igp_index, *indinv;

  Index iterations() const { return number_bands * ngpown * ncouls; }
};

/// Grid (number_bands, ngpown) with bands fastest, one warp per block, ig = (x 32 + lane) stride + igs.
///
/// Three complex loads of 16 B per lane and, in the loop as the compiled code has them, 3 + nw broadcasts: indinv,
/// vcoul, aqsm and each wx. Which three the published 51 + nw B stand for is not known; these three are assumed. Before
/// the loop: inv_igp_index. At the end 2 nw atomic additions. Throws std::invalid_argument unless 1 <= nw <= 6 and
/// the stride divides ncouls / 32.
template <bool Fma>
GpuKernel gpu_kernel(std::shared_ptr<const GpuProblem> problem, int nw, Index stride = 1);

extern template GpuKernel gpu_kernel<true>(std::shared_ptr<const GpuProblem>, int, Index);
extern template GpuKernel gpu_kernel<false>(std::shared_ptr<const GpuProblem>, int, Index);

}  // namespace roofline::gpp

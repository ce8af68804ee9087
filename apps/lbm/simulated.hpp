#pragma once
#include <memory>

#include "apps/lbm/grid.hpp"
#include "bench/simulator/gpu_kernel.hpp"

/// The ladder of collide kernels of the GTC 2020 talk in its CUDA mapping, for the device model.
namespace roofline::lbm {

/// Where a version keeps what; the arithmetic is the shared body in all of them.
enum class GpuVersion {
  v0,            ///< parameters in global memory, populations in local memory
  v1,            ///< parameters in constant memory
  v2,            ///< parameters are immediate operands
  v3,            ///< one block per SM, 254 registers, populations still in local memory
  v3_registers,  ///< the same, populations in registers: what the compiler may make of v3
  v4,            ///< populations in shared memory
};

/// Two lattices and the parameters in the memory of a device; zero unless a test fills them.
class GpuLattice {
 public:
  /// Throws std::invalid_argument unless ly is a multiple of 256, the block.
  explicit GpuLattice(const Grid& grid);

  Grid grid;
  std::shared_ptr<DeviceMemory> memory;
  double *in, *out;
  double* bulk;    ///< LY flags
  double* tables;  ///< 18 arrays of 37
};

/// Blocks of 256 sites along y, grid (LY / 256, LX). 37 loads and 37 stores of a site beside what the version adds: v0
/// 62 parameter loads per population; local or shared populations are written in loop 1, read in 2, read and written in
/// 3, read in 4.
///
/// FLOPs are those of the body with run-time tables; the constants that v2 and later fold are counted by the CPU's
/// counting space, not here.
GpuKernel gpu_collide(std::shared_ptr<const GpuLattice> lattice, GpuVersion version);

/// The pull-form copy: 37 loads at shifted places and 37 stores per site, no FLOP.
GpuKernel gpu_propagate(std::shared_ptr<const GpuLattice> lattice);

}  // namespace roofline::lbm

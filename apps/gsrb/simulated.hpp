#pragma once
#include <array>
#include <memory>

#include "apps/gsrb/gsrb.hpp"
#include "bench/simulator/gpu_kernel.hpp"

/// HPGMG's smoothers in the CUDA mapping that the NERSC talk profiled, for the device model.
namespace roofline::gsrb {

enum class GpuMethod { fp, branch, stride2 };

/// A level of the published run: 2^level cells in each direction in 8 boxes, in the padded layout with ghosts. Boxes of
/// one vector lie one after another, vectors after vectors.
class GpuLevel {
 public:
  /// Throws std::invalid_argument unless level is 5..8, the levels that run on the GPU.
  explicit GpuLevel(int level);

  Index edge() const { return n_; }  ///< of a box
  Index j_stride() const { return j_; }
  Index k_stride() const { return k_; }
  /// First cells of a box, in the plane k of it; the mask row is that of the colour that a sweep updates.
  Cells<View> cells(Index box, Index k, Index colour) const;
  const std::shared_ptr<DeviceMemory>& memory() const { return memory_; }
  /// The words that each warp reads first: pointers, strides and the tile of a block.
  const double* descriptor(Index block) const { return descriptors_ + block * descriptor_words; }

  static constexpr Index boxes = 8, ghosts = 2;
  static constexpr Index descriptor_words = 20;
  static constexpr double b = 1.0;
  double h() const { return h_; }

 private:
  Index n_, j_, k_, volume_;
  double h_;
  std::shared_ptr<DeviceMemory> memory_;
  std::array<double*, 7> vectors_{};  ///< x, rhs, beta_i, beta_j, beta_k, Dinv, out: of box 0, ghosts included
  double* mask_;                      ///< RedBlack_FP: two planes
  double* descriptors_;
};

/// One sweep of color000 = `colour`. Tiles of 32 x 4 x 8 cells (16 x 4 x 8 at level 5), a thread walks the 8 planes;
/// STRIDE2 has half the threads, each of which copies one cell and updates its neighbour.
///
/// FLOP per thread beside the cells: 12, h h (1), its reciprocal (10 on V100), b / h^2 (1).
template <class Operator>
GpuKernel gpu_sweep(std::shared_ptr<const GpuLevel> level, GpuMethod method, Index colour = 0);

extern template GpuKernel gpu_sweep<FourthOrder>(std::shared_ptr<const GpuLevel>, GpuMethod, Index);
extern template GpuKernel gpu_sweep<SevenPoint>(std::shared_ptr<const GpuLevel>, GpuMethod, Index);

}  // namespace roofline::gsrb

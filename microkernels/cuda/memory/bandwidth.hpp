#pragma once
#include <driver_types.h>

#include <array>
#include <cstdint>

#include "bench/model/mix.hpp"
#include "bench/space/real.hpp"

namespace roofline {

/// The operation of a sweep on arrays a, b, c: sums of b; a = value; a = b; a = b + 3 c; a = a + 1. They use 32-bit
/// integers, whose results are exact in any order; to the memory they are the mixes of STREAM.
enum class CudaMix { read, write, copy, triad, update };
struct CudaMixTraits {
  Mix mix;
  int arrays;    ///< that it works on
  int accesses;  ///< loads and stores of one element
};
constexpr CudaMixTraits traits(CudaMix mix) {
  constexpr std::array<CudaMixTraits, 5> all{
      {{Mix::read, 1, 1}, {Mix::write, 1, 1}, {Mix::copy, 2, 2}, {Mix::triad, 3, 3}, {Mix::update, 1, 2}}};
  return all[static_cast<std::size_t>(mix)];
}

/// Sixteen bytes: the amount that one instruction of a thread moves.
struct alignas(16) Vector16 {
  std::uint32_t word[4];
};

/// Which vectors the threads of a launch work on: all threads side by side over one array, or those of every block over
/// a part of its own.
struct VectorSweep {
  int blocks = 1, threads = 32;
  int unroll = 1;             ///< vectors that a thread has in flight at once
  bool per_block = false;     ///< every block its own part
  std::uint32_t vectors = 0;  ///< in one array: in a block's part, or in the whole; a multiple of chunk()

  ROOFLINE_BODY std::uint32_t stride() const {
    return static_cast<std::uint32_t>(per_block ? threads : blocks * threads);
  }
  ROOFLINE_BODY std::uint32_t chunk() const { return stride() * static_cast<std::uint32_t>(unroll); }
  ROOFLINE_BODY std::uint32_t begin(int block, int thread) const {
    return per_block ? static_cast<std::uint32_t>(block) * vectors + static_cast<std::uint32_t>(thread)
                     : static_cast<std::uint32_t>(block * threads + thread);
  }
  /// Bound of the first index of a chunk.
  ROOFLINE_BODY std::uint32_t end(int block, int thread) const { return begin(block, thread) + vectors; }
  std::uint64_t all_vectors() const {
    return std::uint64_t{vectors} * (per_block ? static_cast<unsigned>(blocks) : 1u);
  }
  /// The largest sweep of this shape of at most `most` vectors; vectors = 0 when there is none.
  VectorSweep fitted(std::uint64_t most) const {
    auto sweep = *this;
    const std::uint64_t part = per_block ? most / static_cast<unsigned>(blocks) : most;
    sweep.vectors = static_cast<std::uint32_t>(part / chunk() * chunk());
    return sweep;
  }
};

/// Contents of b and c, and what `write` stores.
ROOFLINE_BODY std::uint32_t sweep_b(std::uint32_t word) { return word * 2654435761u; }
ROOFLINE_BODY std::uint32_t sweep_c(std::uint32_t word) { return word ^ 0x5bd1e995u; }
inline constexpr std::uint32_t sweep_value = 0x9e3779b9u;
/// The required value of a word of `a` after `sweeps` sweeps over zeros.
ROOFLINE_BODY std::uint32_t swept_word(CudaMix mix, std::uint32_t word, std::uint32_t sweeps) {
  switch (mix) {
    case CudaMix::write:
      return sweep_value;
    case CudaMix::copy:
      return sweep_b(word);
    case CudaMix::triad:
      return sweep_b(word) + 3 * sweep_c(word);
    default:
      return sweeps;
  }
}

/// Where loads and stores may be kept. Loads that go by L1 come in two ways: `l2` asks for the copy in L2 (.cg), which
/// a compiler may make a strong load of, with an order to keep; `l2_weak` is an ordinary load that leaves nothing in L1
/// (L1::no_allocate). Which one a GPU likes better is found by trying.
enum class CudaCache { l1, l2, l2_weak };

struct SweepLaunch {
  VectorSweep sweep;
  int sweeps = 1;
  Vector16 *a = nullptr, *b = nullptr, *c = nullptr;
  std::uint64_t* out = nullptr;  ///< 2 x blocks: BlockClock; reads add every thread's sum of words, modulo 2^32
};
/// unroll: 1, 2, 4 or 8; for l2_weak 4 or 8, with a mix that has loads.
cudaError_t launch_sweep(CudaMix mix, CudaCache cache, const SweepLaunch& launch);

/// b and c get their contents, a zeros; pointers may be null.
cudaError_t launch_fill(Vector16* a, Vector16* b, Vector16* c, std::uint64_t vectors);
/// Adds the number of wrong vectors of a to out[0].
cudaError_t launch_verify(CudaMix mix, const Vector16* a, std::uint64_t vectors, std::uint32_t sweeps,
                          std::uint64_t* out);

/// The same in shared memory, every block with arrays of its own: sweep.vectors of a block's array. out as above, but
/// of every thread: its wrong words after the last sweep.
cudaError_t launch_shared_sweep(CudaMix mix, const SweepLaunch& launch);
int shared_sweep_blocks_per_sm(CudaMix mix, const VectorSweep& sweep);

}  // namespace roofline

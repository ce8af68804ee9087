#pragma once
#include <vector>

#include "bench/model/mix.hpp"

namespace roofline {

/// A loop over arrays of n doubles, `sweeps` times: sums of a; a = s; a = b; a = b + 3 c; a = a + 1, and with _nt past
/// the caches; `n` is a multiple of `block`. Arrays are aligned to 64 bytes. read_split: the sum of the n doubles
/// behind the first one; gather: the real parts of the complex numbers at the beginning of each line, and three times
/// their imaginary parts.
struct BandwidthKernel {
  Mix mix;
  int vector_bytes;
  int unroll;   ///< vectors per iteration and stream
  int streams;  ///< parts of an array that are walked side by side
  /// Returns the sum over all sweeps for reads, else 0. The values written are those of the last sweep: its number for
  /// writes (1, 2, ...).
  double (*run)(double* a, const double* b, const double* c, long n, long sweeps);
  bool gather_instructions = false;  ///< of the mix gather: else 16 B at a time, joined in registers
  int lines_ahead = 0;               ///< that a read asks for (software prefetch); 0: none
};
inline constexpr int bandwidth_block = 256;  ///< doubles: the longest iteration of any kernel

struct BandwidthKernels {
  const BandwidthKernel* data = nullptr;
  int size = 0;
  const BandwidthKernel* begin() const { return data; }
  const BandwidthKernel* end() const { return data + size; }
};

/// The mixes with 128-bit, 256-bit and 512-bit instructions; empty where the compiler has none.
BandwidthKernels bandwidth_baseline();
BandwidthKernels bandwidth_256();
BandwidthKernels bandwidth_512();
/// All that this CPU runs.
std::vector<BandwidthKernel> bandwidth_kernels_of_this_cpu();

/// How the sum of every stride-th double is taken: scalar loads in 8 sums, of neighbours, of neighbours that were asked
/// for before, each of an eighth of the array, pairs of a quarter of it, asked for into L2 or into L1 (unpaired lines
/// on a Zen 5: 30 and 40 GB/s), or twice: the double behind each as well, for strides of a line or more. On a Zen 4 the
/// second load of a line is what starts its prefetchers on unpaired lines: 24 GB/s against 19 where cores share a last
/// cache, 40 against 19 (23 in streams) with one for each.
enum class Strided { plain, prefetched, in_streams, in_streams_prefetched, in_streams_into_l1, twice };
/// Sum of every stride-th of n doubles; stride is 2, 4, 8 or 16, n a multiple of 1024.
double sum_strided(const double* a, long n, int stride, Strided way);

/// A permutation of 0..2^bits-1 without visible order (odd multiplications and right shifts are bijections modulo
/// 2^bits).
[[gnu::always_inline]] inline unsigned long scatter(unsigned long i, int bits) {
  const unsigned long mask = (1ul << bits) - 1;
  i = (i * 0x9E3779B97F4A7C15ul) & mask;
  i ^= i >> (bits / 2 + 1);
  i = (i * 0xD6E8FEB86659FD93ul) & mask;
  return i ^ (i >> (bits / 2 + 1));
}

/// Sum of the first doubles of the cache lines scatter(i, bits), first <= i < last: independent loads, as many in
/// flight as the core can hold.
double sum_scattered(const double* lines, unsigned long first, unsigned long last, int bits);

}  // namespace roofline

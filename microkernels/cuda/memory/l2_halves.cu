#include "microkernels/cuda/loops.cuh"
#include "microkernels/cuda/memory/l2_halves.hpp"

namespace roofline {
namespace {

constexpr int repetitions = 3;

__device__ __forceinline__ unsigned sm_id() {
  unsigned id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  return id;
}
__device__ __forceinline__ long long cycles() {
  long long now;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
  return now;
}
__device__ __forceinline__ std::uint32_t add_atomically(std::uint32_t* p, std::uint32_t x) {
  std::uint32_t before;
  asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(before) : "l"(p), "r"(x) : "memory");
  return before;
}

/// `zero` is 0, which the compiler does not know: each addition needs the result of the one before.
__global__ void probe(std::uint32_t* words, int chunks, std::uint32_t zero, std::uint32_t* out) {
  constexpr std::uint32_t chunk_words = 4 * l2_chunk_vectors;
  std::uint32_t* const mine = out + std::size_t{blockIdx.x} * (chunks + 1);
  mine[0] = sm_id();
  // SMs begin at different places and so do not meet.
  int chunk = static_cast<int>(std::size_t{blockIdx.x} * chunks / gridDim.x);
#pragma unroll 1
  for (int repetition = 0; repetition < repetitions; ++repetition)
#pragma unroll 1
    for (int i = 0; i < chunks; ++i, chunk = chunk + 1 < chunks ? chunk + 1 : 0) {
      std::uint32_t* const word = words + std::size_t{chunk_words} * chunk;
      std::uint32_t x = zero;
      const auto begin = cycles();
#pragma unroll
      for (int step = 0; step < l2_probe_steps; ++step) x = add_atomically(word, x & zero);
      // Waits for the last one.
      if (x == ~zero) mine[0] = ~0u;
      const auto taken = static_cast<std::uint32_t>(cycles() - begin);
      mine[1 + chunk] = repetition == 0 ? taken : min(mine[1 + chunk], taken);
    }
}

template <int unroll>
__global__ void __launch_bounds__(l2_read_threads) read_chunks(L2Read read) {
  extern __shared__ int chunk_of[];
  const int thread = threadIdx.x, in_chunk = thread % l2_chunk_vectors;
  const int place = read.place_of_sm[sm_id()];
  for (int i = thread; i < read.per_sm; i += blockDim.x) chunk_of[i] = read.chunk[place * read.per_sm + i];
  __syncthreads();
  std::uint32_t sum = 0;
  constexpr int at_once = l2_read_threads / l2_chunk_vectors;
  const BlockClock clock;
#pragma unroll 1
  for (int sweep = 0; sweep < read.sweeps; ++sweep)
#pragma unroll 1
    for (int k = thread / l2_chunk_vectors; k < read.per_sm; k += at_once * unroll) {
      Vector16 x[unroll];
#pragma unroll
      for (int u = 0; u < unroll; ++u) {
        const Vector16* const p = read.data + std::size_t{l2_chunk_vectors} * chunk_of[k + u * at_once] + in_chunk;
        asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(x[u].word[0]), "=r"(x[u].word[1]), "=r"(x[u].word[2]), "=r"(x[u].word[3])
                     : "l"(p)
                     : "memory");
      }
#pragma unroll
      for (int u = 0; u < unroll; ++u) sum += x[u].word[0] + x[u].word[1] + x[u].word[2] + x[u].word[3];
    }
  clock.stop(read.out);
  read.out[2 * gridDim.x + blockIdx.x * blockDim.x + thread] = sum;
}

template <class Kernel>
cudaError_t allow(Kernel kernel, std::size_t shared_bytes) {
  return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes));
}

}  // namespace

cudaError_t launch_l2_probe(std::uint32_t* words, int chunks, int blocks, std::size_t shared_bytes,
                            std::uint32_t* out) {
  if (const auto error = allow(probe, shared_bytes); error != cudaSuccess) return error;
  probe<<<blocks, 1, shared_bytes>>>(words, chunks, 0, out);
  return cudaGetLastError();
}

cudaError_t launch_l2_read(const L2Read& read, int unroll, int blocks, std::size_t shared_bytes) {
  const auto kernel = unroll == 2 ? read_chunks<2> : read_chunks<4>;
  if (const auto error = allow(kernel, shared_bytes); error != cudaSuccess) return error;
  kernel<<<blocks, l2_read_threads, shared_bytes>>>(read);
  return cudaGetLastError();
}

}  // namespace roofline

#include "microkernels/cuda/loops.cuh"
#include "microkernels/cuda/memory/bandwidth.hpp"

namespace roofline {
namespace {

/// Loads and stores that are executed wherever they are written, and kept where `cache` says.
template <CudaCache cache>
__device__ __forceinline__ Vector16 load(const Vector16* p) {
  Vector16 x;
  if constexpr (cache == CudaCache::l1)
    asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x.word[0]), "=r"(x.word[1]), "=r"(x.word[2]), "=r"(x.word[3])
                 : "l"(p)
                 : "memory");
  else if constexpr (cache == CudaCache::l2_weak)
    asm volatile("ld.global.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x.word[0]), "=r"(x.word[1]), "=r"(x.word[2]), "=r"(x.word[3])
                 : "l"(p)
                 : "memory");
  else
    asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x.word[0]), "=r"(x.word[1]), "=r"(x.word[2]), "=r"(x.word[3])
                 : "l"(p)
                 : "memory");
  return x;
}
template <CudaCache cache>
__device__ __forceinline__ void store(Vector16* p, const Vector16& x) {
  if constexpr (cache == CudaCache::l1)
    asm volatile("st.global.wb.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(x.word[0]), "r"(x.word[1]), "r"(x.word[2]),
                 "r"(x.word[3])
                 : "memory");
  else
    asm volatile("st.global.cg.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(x.word[0]), "r"(x.word[1]), "r"(x.word[2]),
                 "r"(x.word[3])
                 : "memory");
}

__device__ __forceinline__ std::uint32_t shared_address(const void* p) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}

/// The vectors of one array, in global or in shared memory.
template <CudaCache cache>
struct GlobalArray {
  Vector16* data;
  __device__ __forceinline__ Vector16 get(std::uint32_t i) const { return load<cache>(data + i); }
  __device__ __forceinline__ void set(std::uint32_t i, const Vector16& x) const { store<cache>(data + i, x); }
};
struct SharedArray {
  std::uint32_t address;
  __device__ __forceinline__ Vector16 get(std::uint32_t i) const {
    Vector16 x;
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x.word[0]), "=r"(x.word[1]), "=r"(x.word[2]), "=r"(x.word[3])
                 : "r"(address + 16 * i)
                 : "memory");
    return x;
  }
  __device__ __forceinline__ void set(std::uint32_t i, const Vector16& x) const {
    asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(address + 16 * i), "r"(x.word[0]), "r"(x.word[1]),
                 "r"(x.word[2]), "r"(x.word[3])
                 : "memory");
  }
};

template <class Word>
__device__ __forceinline__ Vector16 each_word(Word word) {
  Vector16 x;
#pragma unroll
  for (int w = 0; w < 4; ++w) x.word[w] = word(w);
  return x;
}

/// One chunk: `unroll` vectors of a thread, `stride` apart; all loads before the first use.
template <CudaMix mix, int unroll, class Array>
__device__ __forceinline__ void sweep_chunk(Array a, Array b, Array c, std::uint32_t i, std::uint32_t stride,
                                            Vector16& sum) {
  Vector16 x[unroll], y[unroll];
#pragma unroll
  for (int u = 0; u < unroll; ++u) {
    if constexpr (mix == CudaMix::read || mix == CudaMix::copy || mix == CudaMix::triad) x[u] = b.get(i + u * stride);
    if constexpr (mix == CudaMix::triad) y[u] = c.get(i + u * stride);
    if constexpr (mix == CudaMix::update) x[u] = a.get(i + u * stride);
  }
#pragma unroll
  for (int u = 0; u < unroll; ++u) {
    if constexpr (mix == CudaMix::read) sum = each_word([&](int w) { return sum.word[w] + x[u].word[w]; });
    if constexpr (mix == CudaMix::write) x[u] = sum;
    if constexpr (mix == CudaMix::triad) x[u] = each_word([&](int w) { return x[u].word[w] + 3 * y[u].word[w]; });
    if constexpr (mix == CudaMix::update) x[u] = each_word([&](int w) { return x[u].word[w] + 1; });
    if constexpr (mix != CudaMix::read) a.set(i + u * stride, x[u]);
  }
}

template <class Array>
struct Arrays {
  Array a, b, c;
};

template <CudaMix mix, int unroll, class Array>
__device__ __forceinline__ std::uint32_t run_sweeps(const VectorSweep& sweep, int sweeps, const Arrays<Array>& arrays,
                                                    std::uint32_t begin, std::uint32_t value, std::uint64_t* out) {
  Vector16 sum{{value, value, value, value}};
  const std::uint32_t stride = sweep.stride(), end = begin + sweep.vectors;
  const BlockClock clock;
#pragma unroll 1
  for (int k = 0; k < sweeps; ++k)
#pragma unroll 1
    for (std::uint32_t i = begin; i < end; i += unroll * stride)
      sweep_chunk<mix, unroll>(arrays.a, arrays.b, arrays.c, i, stride, sum);
  clock.stop(out);
  return sum.word[0] + sum.word[1] + sum.word[2] + sum.word[3];
}

template <CudaMix mix, CudaCache cache, int unroll>
__global__ void __launch_bounds__(1024) global_sweep(VectorSweep sweep, int sweeps, Vector16* a, Vector16* b,
                                                     Vector16* c, std::uint32_t value, std::uint64_t* out) {
  using Array = GlobalArray<cache>;
  const int block = static_cast<int>(blockIdx.x), thread = static_cast<int>(threadIdx.x);
  const auto sum =
      run_sweeps<mix, unroll>(sweep, sweeps, Arrays<Array>{{a}, {b}, {c}}, sweep.begin(block, thread), value, out);
  if constexpr (mix == CudaMix::read) out[2 * sweep.blocks + block * sweep.threads + thread] = sum;
}

/// Arrays a, b, c follow each other in dynamic shared memory, as many as the mix has.
template <CudaMix mix, int unroll>
__global__ void __launch_bounds__(1024)
    shared_sweep(VectorSweep sweep, int sweeps, std::uint32_t value, std::uint64_t* out) {
  extern __shared__ Vector16 memory[];
  const std::uint32_t n = sweep.vectors, thread = threadIdx.x, threads = blockDim.x;
  constexpr bool writes = mix != CudaMix::read;
  Vector16 *const a = memory, *const b = memory + (writes ? n : 0), *const c = memory + 2 * n;
  for (std::uint32_t i = thread; i < n; i += threads) {
    if constexpr (writes) a[i] = Vector16{};
    if constexpr (mix == CudaMix::read || mix == CudaMix::copy || mix == CudaMix::triad)
      b[i] = each_word([&](int w) { return sweep_b(4 * i + w); });
    if constexpr (mix == CudaMix::triad) c[i] = each_word([&](int w) { return sweep_c(4 * i + w); });
  }
  __syncthreads();
  const auto at = [](const Vector16* p) { return SharedArray{shared_address(p)}; };
  const auto sum = run_sweeps<mix, unroll>(sweep, sweeps, Arrays<SharedArray>{at(a), at(b), at(c)}, thread, value, out);
  __syncthreads();
  // A thread reads the vectors thread, thread + threads, ...: the ones it checks.
  std::uint32_t wrong = 0, expected_sum = 0;
  for (std::uint32_t i = thread; i < n; i += threads)
    for (int w = 0; w < 4; ++w) {
      if constexpr (writes) wrong += a[i].word[w] != swept_word(mix, 4 * i + w, sweeps);
      expected_sum += sweep_b(4 * i + w);
    }
  if constexpr (!writes) wrong = sum != expected_sum * static_cast<std::uint32_t>(sweeps);
  out[2 * gridDim.x + blockIdx.x * threads + thread] = wrong;
}

__global__ void fill(Vector16* a, Vector16* b, Vector16* c, std::uint64_t vectors) {
  for (std::uint64_t i = threadIdx.x + std::uint64_t{blockIdx.x} * blockDim.x; i < vectors;
       i += std::uint64_t{gridDim.x} * blockDim.x) {
    const auto first = static_cast<std::uint32_t>(4 * i);
    if (a) a[i] = Vector16{};
    if (b) b[i] = each_word([&](int w) { return sweep_b(first + w); });
    if (c) c[i] = each_word([&](int w) { return sweep_c(first + w); });
  }
}

__global__ void verify(CudaMix mix, const Vector16* a, std::uint64_t vectors, std::uint32_t sweeps,
                       unsigned long long* out) {
  for (std::uint64_t i = threadIdx.x + std::uint64_t{blockIdx.x} * blockDim.x; i < vectors;
       i += std::uint64_t{gridDim.x} * blockDim.x) {
    bool right = true;
    for (int w = 0; w < 4; ++w)
      right = right && a[i].word[w] == swept_word(mix, static_cast<std::uint32_t>(4 * i) + w, sweeps);
    if (!right) atomicAdd(out, 1ull);
  }
}

template <CudaMix mix, CudaCache cache, int unroll>
cudaError_t launch_global(const SweepLaunch& l) {
  const auto kernel = global_sweep<mix, cache, unroll>;
  if (cache == CudaCache::l1)
    if (const auto error =
            cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxL1);
        error != cudaSuccess)
      return error;
  kernel<<<l.sweep.blocks, l.sweep.threads>>>(l.sweep, l.sweeps, l.a, l.b, l.c, mix == CudaMix::write ? sweep_value : 0,
                                              l.out);
  return cudaGetLastError();
}

template <CudaMix mix>
std::size_t shared_bytes(const VectorSweep& sweep) {
  return sizeof(Vector16) * sweep.vectors * traits(mix).arrays;
}

template <CudaMix mix, int unroll>
cudaError_t launch_shared(const SweepLaunch& l) {
  shared_sweep<mix, unroll><<<l.sweep.blocks, l.sweep.threads, shared_bytes<mix>(l.sweep)>>>(
      l.sweep, l.sweeps, mix == CudaMix::write ? sweep_value : 0, l.out);
  return cudaGetLastError();
}

/// Calls `body` with the mix as a compile-time constant.
template <class Body>
auto with_mix(CudaMix mix, Body body) {
  switch (mix) {
    case CudaMix::read:
      return body.template operator()<CudaMix::read>();
    case CudaMix::write:
      return body.template operator()<CudaMix::write>();
    case CudaMix::copy:
      return body.template operator()<CudaMix::copy>();
    case CudaMix::triad:
      return body.template operator()<CudaMix::triad>();
    default:
      return body.template operator()<CudaMix::update>();
  }
}

}  // namespace

cudaError_t launch_sweep(CudaMix mix, CudaCache cache, const SweepLaunch& l) {
  return with_mix(mix, [&]<CudaMix constant>() {
    if (cache == CudaCache::l2_weak) {
      if constexpr (constant == CudaMix::write)
        return cudaErrorInvalidValue;
      else
        return l.sweep.unroll == 4   ? launch_global<constant, CudaCache::l2_weak, 4>(l)
               : l.sweep.unroll == 8 ? launch_global<constant, CudaCache::l2_weak, 8>(l)
                                     : cudaErrorInvalidValue;
    }
    const bool l1 = cache == CudaCache::l1;
    switch (l.sweep.unroll) {
      case 1:
        return l1 ? launch_global<constant, CudaCache::l1, 1>(l) : launch_global<constant, CudaCache::l2, 1>(l);
      case 2:
        return l1 ? launch_global<constant, CudaCache::l1, 2>(l) : launch_global<constant, CudaCache::l2, 2>(l);
      case 4:
        return l1 ? launch_global<constant, CudaCache::l1, 4>(l) : launch_global<constant, CudaCache::l2, 4>(l);
      case 8:
        return l1 ? launch_global<constant, CudaCache::l1, 8>(l) : launch_global<constant, CudaCache::l2, 8>(l);
      default:
        return cudaErrorInvalidValue;
    }
  });
}

cudaError_t launch_shared_sweep(CudaMix mix, const SweepLaunch& l) {
  return with_mix(mix, [&]<CudaMix constant>() {
    switch (l.sweep.unroll) {
      case 2:
        return launch_shared<constant, 2>(l);
      case 4:
        return launch_shared<constant, 4>(l);
      default:
        return cudaErrorInvalidValue;
    }
  });
}

int shared_sweep_blocks_per_sm(CudaMix mix, const VectorSweep& sweep) {
  return with_mix(mix, [&]<CudaMix constant>() {
    const auto kernel = sweep.unroll == 2 ? shared_sweep<constant, 2> : shared_sweep<constant, 4>;
    return resident_blocks(kernel, sweep.threads, shared_bytes<constant>(sweep));
  });
}

cudaError_t launch_fill(Vector16* a, Vector16* b, Vector16* c, std::uint64_t vectors) {
  fill<<<1024, 256>>>(a, b, c, vectors);
  return cudaGetLastError();
}

cudaError_t launch_verify(CudaMix mix, const Vector16* a, std::uint64_t vectors, std::uint32_t sweeps,
                          std::uint64_t* out) {
  verify<<<1024, 256>>>(mix, a, vectors, sweeps, reinterpret_cast<unsigned long long*>(out));
  return cudaGetLastError();
}

}  // namespace roofline

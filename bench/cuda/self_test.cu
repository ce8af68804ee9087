#include <cuda_runtime_api.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>

#include "bench/cuda/counting.hpp"
#include "bench/cuda/device_buffer.hpp"
#include "bench/cuda/error.hpp"

namespace roofline {
namespace {

using Count = unsigned long long;

constexpr int block_size = 256;
constexpr int chain_steps = 1000;

void finish(const char* kernel) {
  cuda::require(cudaGetLastError(), kernel);
  cuda::finish();
}

/// 8 B read and 8 B written per element, neighbouring lanes on neighbouring elements.
__global__ void copy(const double* __restrict__ from, double* __restrict__ to, Count n) {
  const Count i = blockIdx.x * Count{block_size} + threadIdx.x;
  if (i < n) to[i] = from[i];
}

/// Two chains with 2 FMAs, an addition and 3 multiplications in each of `chain_steps` steps per thread, in instructions
/// that the compiler cannot change: no two of the numbers are equal.
__global__ void chain_64(double* out) {
  double a = threadIdx.x, b = blockIdx.x;
  for (int i = 0; i < chain_steps; ++i) {
    asm volatile("fma.rn.f64 %0, %0, %0, %0;" : "+d"(a));
    asm volatile("fma.rn.f64 %0, %0, %0, %0;" : "+d"(b));
    asm volatile("add.rn.f64 %0, %0, %0;" : "+d"(a));
    asm volatile("mul.rn.f64 %0, %0, %0;" : "+d"(b));
    asm volatile("mul.rn.f64 %0, %0, %0;" : "+d"(a));
    asm volatile("mul.rn.f64 %0, %0, %0;" : "+d"(b));
  }
  out[blockIdx.x * block_size + threadIdx.x] = __longlong_as_double(__double_as_longlong(a) ^ __double_as_longlong(b));
}

__global__ void chain_32(float* out) {
  float a = __int_as_float(threadIdx.x), b = __int_as_float(blockIdx.x);
  for (int i = 0; i < chain_steps; ++i) {
    asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(a));
    asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(b));
    asm volatile("add.rn.f32 %0, %0, %0;" : "+f"(a));
    asm volatile("mul.rn.f32 %0, %0, %0;" : "+f"(b));
    asm volatile("mul.rn.f32 %0, %0, %0;" : "+f"(a));
    asm volatile("mul.rn.f32 %0, %0, %0;" : "+f"(b));
  }
  out[blockIdx.x * block_size + threadIdx.x] = __int_as_float(__float_as_int(a) ^ __float_as_int(b));
}

__global__ void fma_chain_16x2(unsigned* out) {
  unsigned a = threadIdx.x, b = blockIdx.x;
  for (int i = 0; i < chain_steps; ++i) {
    asm volatile("fma.rn.f16x2 %0, %0, %0, %0;" : "+r"(a));
    asm volatile("fma.rn.f16x2 %0, %0, %0, %0;" : "+r"(b));
  }
  out[blockIdx.x * block_size + threadIdx.x] = a ^ b;
}

/// Every lane reads 8 B of a sector of its own: 32 sectors per request.
__global__ void strided_read(const double* __restrict__ from, Count sectors, double* never) {
  const Count i = blockIdx.x * Count{block_size} + threadIdx.x;
  if (i >= sectors) return;
  const long long bits = __double_as_longlong(from[4 * i]);
  if (bits == 0x7ff8dead0000beefll) *never = 0;  // not in the data; the compiler cannot know
}

/// Integer work and stores without FLOPs.
__global__ void integers(unsigned* out) {
  unsigned x = blockIdx.x * block_size + threadIdx.x;
  for (int i = 0; i < 100; ++i) x = x * 1664525u + 1013904223u;
  out[blockIdx.x * block_size + threadIdx.x] = x;
}

unsigned blocks_for(Count n) { return static_cast<unsigned>((n + block_size - 1) / block_size); }

// FLOPs: exact. Bytes: 3 % at DRAM; the others count requests and are exact but for what a counter
// of hardware adds at the edges.
constexpr double exact = 0.001, edges = 0.03, stray = 10;
/// Words of ECC that stand in the memory itself make up to an eighth more traffic (suspected: no card has shown it).
constexpr double words_of_ecc = 0.13;

/// ECC is on, and the memory has no lines of its own for it, as HBM has (JESD235): a stack of that is 1024 bits wide,
/// the GDDR of a whole card at most 512.
bool ecc_in_dram() {
  return cuda::attribute(cudaDevAttrEccEnabled) != 0 && cuda::attribute(cudaDevAttrGlobalMemoryBusWidth) < 1024;
}

std::vector<KnownAnswer> no_flops() {
  using enum Quantity;
  return {{fp64_add, 0, stray}, {fp64_mul, 0, stray}, {fp64_fma, 0, stray},
          {fp32_add, 0, stray}, {fp32_mul, 0, stray}, {fp32_fma, 0, stray}};
}

std::shared_ptr<const cuda::DeviceBuffer<>> memory(Count doubles) {
  return std::make_shared<const cuda::DeviceBuffer<>>(static_cast<Index>(doubles));
}

/// Doubles of each array of the copy. Throws std::runtime_error where the memory is too small.
Count length(const Gpu& gpu) {
  std::size_t free = 0, total = 0;
  cuda::require(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  // Data that stay in L2 at the end are balanced by data that were there before, but not to the last byte.
  const auto wanted = std::max(256e6, 32 * gpu.l2_bytes), possible = static_cast<double>(free) / 4;
  if (possible < 4 * gpu.l2_bytes) throw std::runtime_error("self-test of the counters: too little free device memory");
  return static_cast<Count>(std::min(wanted, possible)) / sizeof(double) / (4 * block_size) * (4 * block_size);
}

/// The arrays that the kernels share, and the kernels.
class SelfTest {
 public:
  explicit SelfTest(const Gpu& gpu)
      : n_(length(gpu)),
        flush_n_(2 * static_cast<Count>(std::max(gpu.l2_bytes, 1e6)) / sizeof(double)),
        chain_blocks_(static_cast<unsigned>(8 * gpu.sms)),
        ecc_(ecc_in_dram() ? words_of_ecc : 0) {
    from_->clear(), flush_from_->clear();
  }

  SelfTestKernel copies() const {
    using enum Quantity;
    const double elements = static_cast<double>(n_), bytes = 8 * elements, sectors = bytes / 32;
    std::vector<KnownAnswer> answers{{load_bytes, bytes, exact},
                                     {store_bytes, bytes, exact},
                                     {load_sectors, sectors, exact},
                                     {store_sectors, sectors, exact},
                                     {load_requests, elements / 32, exact},
                                     {store_requests, elements / 32, exact},
                                     {l1_bytes, 2 * bytes, edges, true},
                                     {l2_sectors, 2 * sectors, edges},
                                     {l2_read_sectors, sectors, edges},
                                     {l2_write_sectors, sectors, edges},
                                     {dram_read, bytes, edges, false, ecc_},
                                     {dram_written, bytes, edges, false, ecc_}};
    const auto more = no_flops();
    answers.insert(answers.end(), more.begin(), more.end());
    return {{"copy", answers}, flush(), [from = from_, to = to_, n = n_] {
              copy<<<blocks_for(n), block_size>>>(from->data(), to->data(), n);
              finish("copy");
            }};
  }
  SelfTestKernel fp64() const {
    using enum Quantity;
    return {{"FP64 chain", {{fp64_fma, chain(2), exact}, {fp64_add, chain(1), exact}, {fp64_mul, chain(3), exact}}},
            flush(),
            [to = to_, blocks = chain_blocks_] {
              chain_64<<<blocks, block_size>>>(to->data());
              finish("chain_64");
            }};
  }
  SelfTestKernel fp32() const {
    using enum Quantity;
    return {{"FP32 chain", {{fp32_fma, chain(2), exact}, {fp32_add, chain(1), exact}, {fp32_mul, chain(3), exact}}},
            flush(),
            [to = to_, blocks = chain_blocks_] {
              chain_32<<<blocks, block_size>>>(reinterpret_cast<float*>(to->data()));
              finish("chain_32");
            }};
  }
  SelfTestKernel fp16x2() const {
    return {{"FP16x2 FMA chain", {{Quantity::fp16_fma, chain(2), edges, true}}},
            flush(),
            [to = to_, blocks = chain_blocks_] {
              fma_chain_16x2<<<blocks, block_size>>>(reinterpret_cast<unsigned*>(to->data()));
              finish("fma_chain_16x2");
            }};
  }
  SelfTestKernel strided() const {
    using enum Quantity;
    const double bytes = 8 * static_cast<double>(n_), sectors = bytes / 32;
    return {{"strided read",
             {{load_bytes, 8 * sectors, exact},
              {load_sectors, sectors, exact},
              {load_requests, sectors / 32, exact},
              {store_bytes, 0, stray},
              {store_sectors, 0, stray},
              {store_requests, 0, stray},
              {l2_read_sectors, sectors, edges},
              {dram_read, bytes, edges, false, ecc_}}},
            flush(),
            [from = from_, to = to_, n = n_] {
              strided_read<<<blocks_for(n / 4), block_size>>>(from->data(), n / 4, to->data());
              finish("strided_read");
            }};
  }
  SelfTestKernel integer_work() const {
    return {{"integers", no_flops()}, flush(), [to = to_, blocks = chain_blocks_] {
              integers<<<blocks, block_size>>>(reinterpret_cast<unsigned*>(to->data()));
              finish("integers");
            }};
  }

 private:
  /// A copy like the first kernel's. L2 then holds as many unwritten bytes when the kernel begins as when it ends.
  std::function<void()> flush() const {
    return [from = flush_from_, to = flush_to_, n = flush_n_] {
      copy<<<blocks_for(n), block_size>>>(from->data(), to->data(), n);
      finish("the copy that fills L2");
    };
  }
  /// FLOPs of all threads if each step has `in_a_step`.
  double chain(int in_a_step) const { return 1.0 * in_a_step * chain_steps * chain_blocks_ * block_size; }

  Count n_, flush_n_;
  unsigned chain_blocks_;
  double ecc_;
  std::shared_ptr<const cuda::DeviceBuffer<>> from_ = memory(n_), to_ = memory(n_);
  std::shared_ptr<const cuda::DeviceBuffer<>> flush_from_ = memory(flush_n_), flush_to_ = memory(flush_n_);
};

}  // namespace

std::vector<SelfTestKernel> self_test_kernels(const Gpu& gpu) {
  const SelfTest test(gpu);
  return {test.copies(), test.fp64(), test.fp32(), test.fp16x2(), test.strided(), test.integer_work()};
}

}  // namespace roofline

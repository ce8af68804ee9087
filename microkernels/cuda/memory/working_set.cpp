#include "microkernels/cuda/memory/working_set.hpp"

#include <algorithm>

#include "bench/virtual_gpu/runtime/virtual_run.hpp"

namespace roofline {
namespace {

constexpr double kib = 1024, mib = 1024 * kib, gib = 1024 * mib;

}  // namespace

double cuda_working_set(const Gpu& gpu, MemoryLevel level) {
  switch (level) {
    case MemoryLevel::L1:  // Turing's can be as small as 32 KiB, later ones have 100 KiB and more (Programming Guide)
      return (gpu.major < 8 ? 24 : 64) * kib;
    case MemoryLevel::shared:  // of every block; all devices give a block 48 KiB
      return 48 * kib;
    case MemoryLevel::L2:  // halves of an L2 may both keep a line that SMs of both sides read
      return gpu.l2_bytes / 3;
    case MemoryLevel::sysmem:
      return std::min(256 * mib, gpu.memory_bytes / 4);
    default:  // a launch of about a millisecond on the fastest memory of today
      return std::min(std::max(4 * gib, 8 * gpu.l2_bytes), gpu.memory_bytes / 4);
  }
}

double cuda_ceiling_set(const Gpu& gpu, MemoryLevel level) {
  const double bytes = cuda_working_set(gpu, level);
  return runtime::untimed() ? std::min(bytes, 32 * mib) : bytes;
}

std::vector<VectorSweep> cuda_sweeps(const Gpu& gpu, MemoryLevel level, CudaMix mix) {
  struct Shape {
    int threads, blocks_per_sm, unroll;  ///< without blocks_per_sm a block for each chunk, as STREAM is written
  };
  std::vector<Shape> shapes;
  const bool per_block = level == MemoryLevel::L1 || level == MemoryLevel::shared;
  if (level == MemoryLevel::L1)
    shapes = {{1024, 1, 1}, {1024, 1, 2}, {1024, 1, 4}, {512, 2, 2},
              {256, 2, 4},  {512, 1, 1},  {512, 1, 2},  {256, 1, 4}};
  else if (level == MemoryLevel::shared)
    shapes = {{256, 1, 2}, {256, 1, 4}, {512, 1, 2}};  // as many blocks as fit
  else if (level == MemoryLevel::L2)
    shapes = {{1024, 1, 1}, {1024, 1, 2}, {1024, 1, 4}, {512, 1, 4}, {512, 1, 8}, {256, 4, 2}, {512, 1, 1}};
  else if (level == MemoryLevel::DRAM)
    shapes = {{1024, 1, 1}, {1024, 1, 2}, {1024, 1, 4}, {1024, 1, 8}, {256, 4, 4}, {256, 4, 8}, {512, 1, 4}};
  else
    shapes = {{1024, 1, 4}, {256, 1, 4}};

  // In a read each thread writes a sum, which would be a third of such a block's bytes.
  if (level == MemoryLevel::DRAM && mix != CudaMix::read)
    shapes.insert(shapes.end(), {{256, 0, 2}, {256, 0, 4}, {512, 0, 4}});

  std::vector<VectorSweep> sweeps;
  const double bytes = cuda_ceiling_set(gpu, level) * (level == MemoryLevel::L1 ? gpu.sms : 1);
  for (const auto& [threads, blocks_per_sm, unroll] : shapes) {
    const auto most = static_cast<std::uint64_t>(bytes / sizeof(Vector16)) / static_cast<unsigned>(traits(mix).arrays);
    VectorSweep sweep{level == MemoryLevel::shared ? 1 : blocks_per_sm * gpu.sms, threads, unroll, per_block, 0};
    if (blocks_per_sm == 0)
      sweep.per_block = true, sweep.blocks = static_cast<int>(most / static_cast<unsigned>(threads * unroll));
    sweep = sweep.fitted(most);
    if (sweep.vectors > 0) sweeps.push_back(sweep);
  }
  return sweeps;
}

}  // namespace roofline

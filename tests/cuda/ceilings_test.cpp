#include "microkernels/ceilings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <sstream>

#include "bench/machine/machine.hpp"
#include "bench/options/listing.hpp"
#include "bench/suite/suite.hpp"
#include "microkernels/cuda/ert.hpp"
#include "microkernels/cuda/flops/flops.hpp"
#include "microkernels/cuda/flops/tensor.hpp"
#include "microkernels/cuda/flops/units.hpp"
#include "microkernels/cuda/memory/bandwidth.hpp"
#include "microkernels/cuda/memory/scattered_kernels.hpp"
#include "microkernels/cuda/memory/working_set.hpp"
#include "microkernels/working_set.hpp"

namespace roofline::ceilings_test {
namespace {

Gpu gpu_of(int major, int minor, int sms, double memory_bytes, double l2_bytes) {
  Gpu gpu;
  gpu.major = major, gpu.minor = minor, gpu.sms = sms, gpu.memory_bytes = memory_bytes, gpu.l2_bytes = l2_bytes;
  return gpu;
}
const Gpu h200 = gpu_of(9, 0, 132, 141e9, 50 << 20), t4 = gpu_of(7, 5, 40, 16e9, 4 << 20);

std::map<std::string, CeilingVariant> ceilings_of(const Gpu& gpu) {
  const Machine machine;
  Suite suite({Platform::cuda, {}, 1, machine, {}});
  add_cuda_ceilings(suite, gpu);
  std::map<std::string, CeilingVariant> all;
  for (const auto& ceiling : suite.ceilings()) all.emplace(ceiling.ceiling.name, ceiling);
  EXPECT_EQ(all.size(), suite.ceilings().size()) << "two ceilings of one name";
  return all;
}

TEST(CudaCeilings, AreNamedByResourceAndInstruction) {
  const auto all = ceilings_of(h200);
  for (const char* name :
       {"ceiling/flops/fp16x2/div/vector", "ceiling/flops/bf16x2/mul/vector",
        "ceiling/flops/fp64/fma/vector/chain/warps:4", "ceiling/flops/fp64/fma/vector/warps:32",
        "ceiling/flops/fp64/fma/tensor:mma.m16n8k16", "ceiling/flops/fp16/fma/tensor:mma.m16n8k16.f16sums",
        "ceiling/flops/int8/fma/tensor:mma.m16n8k32", "ceiling/instructions/issue", "ceiling/bandwidth/shared/triad",
        "ceiling/bandwidth/L2/copy", "ceiling/bandwidth/DRAM/stride:4", "ceiling/bandwidth/DRAM/random",
        "ceiling/bandwidth/sysmem/write", "ceiling/bandwidth/sysmem/h2d", "ceiling/bandwidth/sysmem/d2h",
        "ceiling/flops/fp64/fma/vector/sustained", "ceiling/flops/fp16/fma/tensor/sustained",
        "ceiling/bandwidth/DRAM/read/sustained"}) {
    ASSERT_TRUE(all.count(name)) << name;
    EXPECT_FALSE(all.at(name).make.empty()) << name;
  }
}

TEST(CudaCeilings, OfInstructionsThatAGpuLacksAreNotThere) {
  const auto turing = ceilings_of(t4), hopper = ceilings_of(h200);
  for (const char* name : {"ceiling/flops/fp64/fma/tensor:mma.m8n8k4", "ceiling/flops/bf16x2/fma/vector",
                           "ceiling/flops/bf16/fma/tensor:mma.m16n8k16"})
    EXPECT_FALSE(turing.count(name)) << name;
  EXPECT_TRUE(turing.count("ceiling/flops/fp16/fma/tensor:mma.m16n8k8"));
  EXPECT_TRUE(hopper.count("ceiling/flops/fp8/fma/tensor:wgmma.m64n256k32"));
  EXPECT_FALSE(
      ceilings_of(gpu_of(10, 0, 148, 180e9, 126 << 20)).count("ceiling/flops/fp8/fma/tensor:wgmma.m64n256k32"));
  EXPECT_FALSE(hopper.count("ceiling/flops/fp8/fma/tensor:mma.m16n8k32")) << "emulated there";
}

TEST(CudaCeilings, LoadsThatLeaveNothingInL1CompeteBeyondIt) {
  const auto all = ceilings_of(h200);
  const auto kernels = [&](const char* name, MemoryLevel level, CudaMix mix) {
    return all.at(name).make.size() - cuda_sweeps(h200, level, mix).size();
  };
  EXPECT_GE(kernels("ceiling/bandwidth/L2/read", MemoryLevel::L2, CudaMix::read), 3u);
  EXPECT_GE(kernels("ceiling/bandwidth/DRAM/triad", MemoryLevel::DRAM, CudaMix::triad), 4u);
  EXPECT_EQ(kernels("ceiling/bandwidth/DRAM/write", MemoryLevel::DRAM, CudaMix::write), 0u) << "it loads nothing";
  EXPECT_EQ(kernels("ceiling/bandwidth/L1/read", MemoryLevel::L1, CudaMix::read), 0u) << "L1 is to be read";
}

TEST(CudaCeilings, TheRoofOfKernelsIsInAQuickRun) {
  const auto all = ceilings_of(h200);
  for (const char* name : {"ceiling/flops/fp64/fma/vector", "ceiling/flops/fp64/nofma/vector",
                           "ceiling/bandwidth/L1/read", "ceiling/bandwidth/L2/read", "ceiling/bandwidth/DRAM/read"})
    EXPECT_EQ(all.at(name).selection, Selection::quick) << name;
}

TEST(CudaCeilings, UnderLoadAreApartFromTheRoofs) {
  int sustained = 0;
  for (const auto& [name, variant] : ceilings_of(h200)) {
    EXPECT_EQ(variant.ceiling.sustained, name.ends_with("/sustained")) << name;
    sustained += variant.ceiling.sustained;
    if (variant.ceiling.sustained) {
      EXPECT_NE(variant.selection, Selection::quick) << name << " takes seconds";
    }
  }
  EXPECT_EQ(sustained, 4);
}

TEST(CudaCeilings, AreListedInAHundredColumns) {
  const Machine machine;
  Suite suite({Platform::cuda, {}, 1, machine, {}});
  add_cuda_ceilings(suite, h200);
  const auto text = list_families(suite);
  EXPECT_NE(text.find("/sustained"), text.npos);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
  const auto loaded = describe(suite, "ceiling/bandwidth/DRAM/read/sustained");
  ASSERT_TRUE(loaded);
  EXPECT_NE(loaded->find("a load of four seconds"), loaded->npos) << *loaded;
}

TEST(CudaErtGrid, IsThatOfThePublishedSweep) {
  const auto v100 = gpu_of(7, 0, 80, 16e9, 6 << 20);
  for (const std::uint32_t threads : {64, 128, 256, 512, 1024}) {
    const auto grid = ert_grid(v100, threads);
    EXPECT_EQ(grid.blocks * grid.threads, 163840u);
    EXPECT_EQ(grid.stride(), 163840u);
  }
  EXPECT_EQ(ert_grid(v100, 1024).blocks, 160u);
}

TEST(CudaErtGrid, ItsIndicesDoNotOverflowAtTheLargestArray) {
  const ErtGrid grid{148 * 32, 64, false, static_cast<std::uint32_t>(ert_most_elements)};
  EXPECT_LT(std::uint64_t{grid.n} + grid.stride(), std::uint64_t{1} << 32);
}

TEST(CudaErtGrid, PlateausGetTheirNamesFromTheSizesOfTheDevice) {
  const auto caches = caches_of(h200);
  ASSERT_EQ(caches.size(), 2u);
  EXPECT_EQ(level_of_working_set(caches, 30 << 20, 1), MemoryLevel::L1) << "132 x 256 KiB";
  EXPECT_EQ(level_of_working_set(caches, 40 << 20, 1), MemoryLevel::L2);
  EXPECT_EQ(level_of_working_set(caches, 60 << 20, 1), MemoryLevel::DRAM);
  EXPECT_EQ(caches_of(gpu_of(99, 0, 1, 1e9, 1 << 20)).size(), 1u) << "no source for its L1";
}

// 33.5 TFLOP/s FP64 and 66.9 FP32 and FP64 tensor, 989 FP16 of the H100 SXM data sheet at 1.98 and 1.83 GHz.
TEST(CudaUnits, GiveTheRatesOfTheDataSheet) {
  Ceiling fma;
  EXPECT_NEAR(*flops_per_clock(h200, fma) * 132 * 1.98e9, 33.5e12, 0.05e12);
  fma.isa = "tensor:mma.m16n8k16";
  EXPECT_NEAR(*flops_per_clock(h200, fma) * 132 * 1.98e9, 66.9e12, 0.05e12);
  fma.precision = "fp16";
  EXPECT_NEAR(*flops_per_clock(h200, fma) * 132 * 1.83e9, 989.4e12, 0.5e12);
  Ceiling separate;
  separate.operation = Operation::nofma, separate.precision = "fp32";
  EXPECT_EQ(*flops_per_clock(h200, separate), 128);
  separate.operation = Operation::div;
  EXPECT_FALSE(flops_per_clock(h200, separate)) << "a division is no instruction";
  EXPECT_FALSE(vector_lanes(gpu_of(99, 0, 1, 1, 1), "fp64")) << "no source";
}

/// Little's law: the bytes that an SM must have under way, with 30 % to spare, so that reads of memory reach `rate`.
double needed_in_flight(double rate, double latency, int sms) { return 1.3 * rate * latency / sms; }

TEST(CudaSweeps, KeepEnoughUnderWayForTheFastestMemories) {
  // Loaded latencies are 0.7 to 0.9 us to DRAM, some 0.3 us to L2.
  struct Card {
    Gpu gpu;
    double dram, l2;
  };
  const Card cards[] = {{gpu_of(8, 0, 108, 40e9, 40 << 20), 1.56e12, 5e12},
                        {gpu_of(9, 0, 132, 80e9, 50 << 20), 3.35e12, 7e12},
                        {h200, 4.8e12, 10e12},
                        {gpu_of(10, 0, 148, 180e9, 126 << 20), 8e12, 20e12}};
  const auto most = [](const Gpu& gpu, MemoryLevel level, CudaMix mix) {
    double bytes = 0;
    for (const auto& sweep : cuda_sweeps(gpu, level, mix)) {
      const int loads = mix == CudaMix::triad ? 2 : 1, threads = std::min(2048, sweep.blocks / gpu.sms * sweep.threads);
      bytes = std::max(bytes, 16.0 * loads * sweep.unroll * threads);
    }
    return bytes;
  };
  for (const auto& [gpu, dram, l2] : cards)
    for (const auto mix : {CudaMix::read, CudaMix::copy, CudaMix::triad}) {
      EXPECT_GE(most(gpu, MemoryLevel::DRAM, mix), needed_in_flight(dram, 0.9e-6, gpu.sms)) << gpu.major;
      EXPECT_GE(most(gpu, MemoryLevel::L2, mix), needed_in_flight(l2, 0.3e-6, gpu.sms)) << gpu.major;
    }
}

TEST(CudaSweeps, FitTheirLevel) {
  for (const auto& gpu : {h200, t4})
    for (const auto mix : {CudaMix::read, CudaMix::triad}) {
      for (const auto& sweep : cuda_sweeps(gpu, MemoryLevel::L1, mix))
        EXPECT_LE(16.0 * static_cast<double>(sweep.all_vectors()) * traits(mix).arrays / gpu.sms, 64 << 10);
      for (const auto level : {MemoryLevel::L1, MemoryLevel::shared, MemoryLevel::L2, MemoryLevel::DRAM}) {
        const auto sweeps = cuda_sweeps(gpu, level, mix);
        ASSERT_FALSE(sweeps.empty()) << name(level);
        for (const auto& sweep : sweeps) {
          EXPECT_EQ(sweep.vectors % sweep.chunk(), 0u);
          const double bytes = 16.0 * static_cast<double>(sweep.all_vectors()) * traits(mix).arrays;
          if (level == MemoryLevel::L2) {
            EXPECT_LE(bytes, gpu.l2_bytes / 2);
          }
          if (level == MemoryLevel::DRAM) {
            EXPECT_GE(bytes, 8 * gpu.l2_bytes);
          }
          if (level == MemoryLevel::shared) {
            EXPECT_LE(bytes, 48 << 10);
          }
        }
      }
    }
}

TEST(CudaScattered, OrdersAreBijections) {
  for (const int bits : {5, 10, 17}) {
    std::set<std::uint32_t> random, cycle;
    std::uint32_t at = 0;
    for (std::uint32_t i = 0; i < 1u << bits; ++i) {
      random.insert(scattered(i, bits));
      cycle.insert(at = next_sector(at, bits));
    }
    EXPECT_EQ(random.size(), 1u << bits);
    EXPECT_EQ(cycle.size(), 1u << bits);
    EXPECT_LT(*random.rbegin(), 1u << bits);
  }
}

TEST(CudaExpected, ChainsStayNormalAndDoNotAllEndAlike) {
  for (const auto& table :
       {cuda_flops_fp64(), cuda_flops_fp32(), cuda_flops_fp32x2(), cuda_flops_fp16(), cuda_flops_bf16()})
    for (const auto& kernel : table) {
      const auto operands = flops_operands(kernel);
      const auto format = format_of(kernel);
      EXPECT_EQ(format.round(operands.scale), operands.scale);
      EXPECT_EQ(format.round(operands.offset), operands.offset);
      EXPECT_NE(expected_checksum(kernel, 101), expected_checksum(kernel, 100)) << kernel.precision << kernel.chains;
      if (format.significand_bits >= 24) {
        EXPECT_NE(expected_checksum(kernel, 10'001), expected_checksum(kernel, 10'000)) << "stands still";
      }
    }
}

}  // namespace
}  // namespace roofline::ceilings_test

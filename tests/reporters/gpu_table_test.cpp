#include "reporters/tables/gpu_table.hpp"

#include <gtest/gtest.h>

#include "reporters/tables/machine_table.hpp"

namespace roofline::gpu_table_test {
namespace {

Results on_a_gpu() {
  Results results;
  results.gpu = Gpu{.index = 0,
                    .name = "NVIDIA H200",
                    .major = 9,
                    .minor = 0,
                    .sms = 132,
                    .clock_hz = 1.98e9,
                    .memory_bytes = 140.0 * (1u << 30),
                    .l2_bytes = 60.0 * (1 << 20),
                    .driver_version = 13000,
                    .runtime_version = 13000};
  results.counters = "CUPTI 13.0.1 on GH100, 38 metrics in 2 passes";
  results.machine.name = "some host";
  return results;
}

std::string text(const Table& table) {
  std::string all;
  for (const auto& row : table.rows)
    for (const auto& cell : row.cells) all += cell + "|";
  return all;
}

TEST(GpuTable, NamesTheDeviceItsMemoryAndWhoCounts) {
  const auto all = text(machine_table(on_a_gpu()));
  for (const char* part : {"NVIDIA H200 (cuda:0)", "132, compute capability 9.0, up to 1.98 GHz", "140 GiB, L2 60 MiB",
                           "CUDA 13.0, runtime 13.0", "CUPTI 13.0.1 on GH100", "some host"})
    EXPECT_NE(all.find(part), std::string::npos) << part << " in " << all;
}

TEST(GpuTable, TheSelfTestCountsWhatWasCountedAndCanFail) {
  auto results = on_a_gpu();
  const KnownAnswer answer{Quantity::dram_read, 100, 0.03}, informative{Quantity::fp16_fma, 100, 0, true};
  results.self_test = {{"copy", answer, 101}, {"copy", answer, 50}, {"copy", answer, {}}, {"fp16", informative, 200}};
  EXPECT_NE(text(machine_table(results)).find("1 of 2 known answers right"), std::string::npos);
}

TEST(GpuTable, OnTheCpuTheNoteSaysWhyThereIsNoGpu) {
  Results results;
  results.device_note = "no NVIDIA driver is loaded";
  EXPECT_NE(text(machine_table(results)).find("GPU|none: no NVIDIA driver is loaded"), std::string::npos);
}

}  // namespace
}  // namespace roofline::gpu_table_test

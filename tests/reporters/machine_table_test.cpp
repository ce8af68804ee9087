#include <gtest/gtest.h>

#include "reporters/tables/tables.hpp"
#include "tests/example_results.hpp"

namespace roofline::machine_table_test {
namespace {

TEST(MachineTable, SaysWhatTheMachineIs) {
  const auto text = to_text(machine_table(example::results()));
  for (const char* fact :
       {"AMD EPYC", "2 usable, CPUs 0-1, 1 thread per core", "avx512", "4.08 GHz", "measured in this run",
        "L1 48 KiB/12-way, L2 1 MiB/16-way, L3 32 MiB/16-way shared by 2", "CPUID tells 384 MiB", "23.47 GiB",
        "1 NUMA node", "madvise", "2026-11-20", "roofline_bench --out=roofline-out"})
    EXPECT_NE(text.find(fact), text.npos) << fact << "\n" << text;
}

TEST(MachineTable, UnknownFactsAreDashes) {
  const auto table = machine_table(Results{});
  for (const auto& row : table.rows) EXPECT_FALSE(row.cells[1].empty()) << row.cells[0];
  const auto text = to_text(table);
  EXPECT_NE(text.find("clock      -\n"), text.npos) << text;
  EXPECT_NE(text.find("caches     -\n"), text.npos) << text;
  EXPECT_NE(text.find("memory     -, 1 NUMA node"), text.npos) << text;
}

TEST(MachineTable, CpusAreRangesAndAQuotaIsShown) {
  Results results;
  results.machine.cpus = {0, 1, 2, 5, 8, 9};
  results.machine.quota = 1.5;
  const auto text = to_text(machine_table(results));
  EXPECT_NE(text.find("CPUs 0-2,5,8-9"), text.npos) << text;
  EXPECT_NE(text.find("quota 1.50 CPUs"), text.npos) << text;
}

TEST(MachineTable, SaysWhatStoresDoAndByWhichCeilings) {
  using enum StorePolicy::Outcome;
  const auto line = [](const StorePolicy& stores) {
    Results results;
    results.stores = stores;
    const auto text = to_text(machine_table(results));
    const auto begin = text.find("stores ");
    return begin == text.npos ? "" : text.substr(begin, text.find('\n', begin) - begin);
  };
  EXPECT_EQ(line({allocates, 0, 2, 49e9, 50e9, 40e9, ""}),
            "stores     allocate their lines (write 0.98 of update, at its bytes; 0.61 of write_nt per element)");
  EXPECT_EQ(line({evades, 0.62, 2, 72.5e9, 50e9, {}, ""}),
            "stores     evade reading 62 % of the lines that they overwrite (write 1.45 of update, at its bytes)");
  EXPECT_EQ(line({unknown, 0, 2, {}, {}, {}, "the ceiling of DRAM write was not measured"}),
            "stores     not known, taken to allocate their lines: the ceiling of DRAM write was not measured");
  EXPECT_EQ(to_text(machine_table(Results{})).find("stores "), std::string::npos) << "nobody asked";
}

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

TEST(GpuTable, NamesTheDeviceItsMemoryAndWhoCounts) {
  const auto all = to_text(machine_table(on_a_gpu()));
  for (const char* part : {"NVIDIA H200 (cuda:0)", "132, compute capability 9.0, up to 1.98 GHz", "140 GiB, L2 60 MiB",
                           "CUDA 13.0, runtime 13.0", "CUPTI 13.0.1 on GH100", "some host"})
    EXPECT_NE(all.find(part), std::string::npos) << part << " in " << all;
}

TEST(GpuTable, TheSelfTestCanFailAndMissCounts) {
  auto results = on_a_gpu();
  const KnownAnswer answer{Quantity::dram_read, 100, 0.03}, informative{Quantity::fp16_fma, 100, 0, true};
  results.self_test = {{"copy", answer, 101}, {"copy", answer, 50}, {"copy", answer, {}}, {"fp16", informative, 200}};
  EXPECT_NE(to_text(machine_table(results)).find("1 of 3 known answers right"), std::string::npos);
}

TEST(GpuTable, OfAnInstanceOfADividedGpuTheSelfTestDecides) {
  auto results = on_a_gpu();
  results.gpu->name = "NVIDIA H200 MIG 1g.18gb";
  EXPECT_NE(to_text(machine_table(results), 300).find("the self-test names"), std::string::npos);
}

TEST(GpuTable, OnTheCpuTheNoteSaysWhyThereIsNoGpu) {
  Results results;
  results.device_note = "no NVIDIA driver is loaded";
  EXPECT_NE(to_text(machine_table(results)).find("none: no NVIDIA driver is loaded"), std::string::npos);
}

}  // namespace
}  // namespace roofline::machine_table_test

#include "reporters/tables/machine_table.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace roofline::machine_table_test

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "bench/counters/perf/counter.hpp"
#include "bench/counters/perf/event_table.hpp"
#include "bench/counters/perf/known_kernels.hpp"
#include "bench/counters/unavailable.hpp"
#include "tests/command_line.hpp"

// The tables of events, and the self-test that catches what is wrong in them.
namespace roofline::perf::perf_tables_test {
namespace {

using enum CpuQuantity;

TEST(PerfTables, EveryCpuIsFoundAndTellsWhereItsFiguresAreFrom) {
  const std::map<std::string, CpuIdentity> cpus{{"zen2", {"AuthenticAMD", 23, 0x31, 0}},
                                                {"zen3", {"AuthenticAMD", 25, 1, 0}},
                                                {"zen4", {"AuthenticAMD", 25, 0x11, 0}},
                                                {"zen5", {"AuthenticAMD", 26, 2, 0}},
                                                {"skylake_sp", {"GenuineIntel", 6, 0x55, 0}},
                                                {"ice_lake_sp", {"GenuineIntel", 6, 0x6a, 0}},
                                                {"sapphire_rapids", {"GenuineIntel", 6, 0x8f, 0}},
                                                {"neoversen1", {"", 0, 0, 0xd0c}},
                                                {"neoversev1", {"", 0, 0, 0xd40}},
                                                {"neoversev2", {"", 0, 0, 0xd4f}}};
  EXPECT_EQ(event_tables().size(), cpus.size());
  for (const auto& [name, cpu] : cpus) {
    const auto* const table = event_table(cpu);
    ASSERT_EQ(table, &event_tables().at(name)) << name;
    for (const auto& formula : table->formulas) {
      EXPECT_GT(formula.source.size(), 10U) << name;
      EXPECT_LE(formula.terms.size(), static_cast<std::size_t>(table->counters)) << name;
    }
    for (const auto quantity : {l2_read, l2_written, l3_read, l3_written, dram_read, dram_written}) {
      const auto counted = std::any_of(table->formulas.begin(), table->formulas.end(),
                                       [&](const Formula& f) { return f.quantity == quantity; });
      EXPECT_NE(counted, table->not_counted.contains(quantity)) << name << " " << roofline::perf::name(quantity);
    }
  }
  EXPECT_EQ(event_table({"GenuineIntel", 6, 0x9e, 0}), nullptr);
}

const Formula& formula(const std::string& core, CpuQuantity quantity) {
  const auto& all = event_tables().at(core).formulas;
  return *std::find_if(all.begin(), all.end(), [&](const Formula& f) { return f.quantity == quantity; });
}

TEST(PerfTables, FormulasGiveFlopsByWidthAndBytesByLine) {
  // One scalar, two of 128, three of 256 and four of 512 bits: 1 + 4 + 12 + 32 FLOPs.
  EXPECT_EQ(formula("skylake_sp", flops_fp64)
                .value({{"fp_arith_inst_retired.scalar_double", 1},
                        {"fp_arith_inst_retired.128b_packed_double", 2},
                        {"fp_arith_inst_retired.256b_packed_double", 3},
                        {"fp_arith_inst_retired.512b_packed_double", 4}}),
            49);
  EXPECT_EQ(formula("skylake_sp", flops_fp32)
                .value({{"fp_arith_inst_retired.scalar_single", 1},
                        {"fp_arith_inst_retired.128b_packed_single", 2},
                        {"fp_arith_inst_retired.256b_packed_single", 3},
                        {"fp_arith_inst_retired.512b_packed_single", 4}}),
            1 + 8 + 24 + 64);
  EXPECT_EQ(formula("neoversev1", flops).value({{"fp_fixed_ops_spec", 10}, {"fp_scale_ops_spec", 10}}), 30);
  EXPECT_EQ(formula("neoversev2", flops).value({{"fp_fixed_ops_spec", 10}, {"fp_scale_ops_spec", 10}}), 20);
  EXPECT_EQ(formula("neoversev2", dram_read).value({{"cmem_rd_data", 2}}), 64);
  EXPECT_EQ(formula("zen4", dram_written).value({{"umc_cas_cmd.wr", 3}}), 192);
  EXPECT_EQ(formula("zen4", dram_written).value({}), std::nullopt) << "not counted is not zero";
}

TEST(PerfTables, EveryUnitOfTheUncoreIsOpenedOnEverySocket) {
  const testing::Scratch folder;
  const auto& devices = folder.path();
  for (const std::string unit : {"amd_umc_0", "amd_umc_1", "amd_umc_free_0", "amd_df"}) {
    std::filesystem::create_directories(devices / unit);
    std::ofstream(devices / unit / "type") << 20 + static_cast<int>(unit.size()) << "\n";
    std::ofstream(devices / unit / "cpumask") << "0,64\n";
  }
  const auto events = events_of(formula("zen4", dram_read), devices);
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].cpus, (std::vector{0, 64}));
  EXPECT_TRUE(events[0].what.whole_machine);
  EXPECT_EQ(events[0].what.type, 29U);
  EXPECT_THROW(events_of(formula("skylake_sp", dram_read), devices), CountersUnavailable);
}

/// The raw events of a Skylake server for the kernels of known answers, and one mistake planted in them or in the
/// table.
struct Skylake {
  std::string wrong_event = "";  ///< counts `factor` times what happened
  double factor = 1;
  std::string wrong_weight = "";  ///< the table's entry with half its weight

  EventCounts operator()(const Formula& formula, const KnownLaunch& kernel) const {
    EventCounts counts;
    for (const auto& term : formula.terms) {
      const auto answer = std::find_if(kernel.answers.begin(), kernel.answers.end(),
                                       [&](const auto& a) { return a.quantity == formula.quantity; });
      counts[term.event] = happens(term.event, kernel.name) ? answer->expected / lanes_or_line(term.event) : 0;
      if (term.event == wrong_event) counts[term.event] *= factor;
    }
    return counts;
  }
  /// Each kernel has one of the events of FLOPs, by the width of its instructions.
  static bool happens(const std::string& event, const std::string& kernel) {
    const auto has = [](const std::string& text, const char* part) { return text.find(part) != text.npos; };
    if (!event.starts_with("fp_arith")) return true;
    if (has(kernel, "of 1 ") || has(kernel, "FMA")) return has(event, "scalar");
    const std::map<std::string, int> bits{{"of 2 FP64", 128}, {"of 4 FP64", 256}, {"of 8 FP64", 512},
                                          {"of 4 FP32", 128}, {"of 8 FP32", 256}, {"of 16 FP32", 512}};
    for (const auto& [text, width] : bits)
      if (has(kernel, text.c_str())) return has(event, (std::to_string(width) + "b").c_str());
    return false;
  }
  /// From the manual, not from the table under test.
  static double lanes_or_line(const std::string& event) {
    const double scalar_bytes = event.find("double") != event.npos ? 8 : 4;
    for (const int bits : {128, 256, 512})
      if (event.find(std::to_string(bits) + "b") != event.npos) return bits / 8 / scalar_bytes;
    return event.find("scalar") != event.npos ? 1 : 64;
  }
  std::vector<std::string> refused() const {
    const std::vector<CacheLevel> caches{
        {MemoryLevel::L1, 32 << 10}, {MemoryLevel::L2, 1 << 20}, {MemoryLevel::L3, 32 << 20}};
    auto formulas = event_tables().at("skylake_sp").formulas;
    for (auto& formula : formulas)
      for (auto& term : formula.terms)
        if (term.event == wrong_weight) term.weight /= 2;
    return self_test(formulas, known_launches(2, caches, 32 << 20), *this).refused;
  }
};

TEST(PerfSelfTest, TrueCountersPass) { EXPECT_EQ(Skylake{}.refused(), std::vector<std::string>()); }

TEST(PerfSelfTest, EveryWrongWidthDoubledEventAndMissingUnitIsCaughtAndNamed) {
  for (const auto& formula : event_tables().at("skylake_sp").formulas)
    for (const auto& term : formula.terms) {
      for (const auto& planted : {Skylake{.wrong_weight = term.event}, Skylake{.wrong_event = term.event, .factor = 2},
                                  Skylake{.wrong_event = term.event, .factor = 0},
                                  // three of four memory controllers, five of six
                                  Skylake{.wrong_event = term.event, .factor = 0.75},
                                  Skylake{.wrong_event = term.event, .factor = 5.0 / 6}}) {
        const auto lines = planted.refused();
        ASSERT_EQ(lines.size(), 1U) << term.event;
        EXPECT_TRUE(lines[0].starts_with(name(formula.quantity))) << lines[0];
      }
    }
  const auto lines = Skylake{.wrong_weight = "fp_arith_inst_retired.512b_packed_double"}.refused();
  EXPECT_NE(lines.at(0).find("(-50.0 %) for mul and add in packs of 8 FP64"), std::string::npos) << lines[0];
}

TEST(PerfSelfTest, OnePercentOfFlopsAndFiveOfBytesAreLetThrough) {
  const auto caught = [](const char* event, double factor) {
    return Skylake{.wrong_event = event, .factor = factor}.refused().size();
  };
  EXPECT_EQ(caught("fp_arith_inst_retired.scalar_double", 1.009), 0U);
  EXPECT_EQ(caught("fp_arith_inst_retired.scalar_double", 1.011), 1U);
  EXPECT_EQ(caught("l1d.replacement", 0.96), 0U);
  EXPECT_EQ(caught("l1d.replacement", 0.94), 1U);
}

TEST(PerfSelfTest, InstructionsAndCyclesHaveKnownAnswersToo) {
  const auto refused = [](double instructions_factor, double cycles_factor) {
    return self_test(common_formulas(), known_launches(2, {}, 1e6),
                     [&](const Formula& f, const KnownLaunch& kernel) {
                       const double factor = f.quantity == instructions ? instructions_factor : cycles_factor;
                       return EventCounts{{f.terms[0].event, kernel.answers.at(0).expected * factor}};
                     })
        .refused;
  };
  EXPECT_EQ(refused(1, 1), std::vector<std::string>());
  ASSERT_EQ(refused(0.5, 1).size(), 1U);
  EXPECT_TRUE(refused(0.5, 1)[0].starts_with("instructions:")) << refused(0.5, 1)[0];
  ASSERT_EQ(refused(1, 2).size(), 1U);
  EXPECT_TRUE(refused(1, 2)[0].starts_with("cycles:")) << refused(1, 2)[0];
}

TEST(PerfSelfTest, FlopsWhereThereAreNoneAreCaught) {
  const auto lines = [](double stray) {
    return self_test({formula("zen4", flops)}, known_launches(1, {}, 1e6),
                     [&](const Formula& f, const KnownLaunch& kernel) {
                       for (const auto& answer : kernel.answers)
                         if (answer.quantity == f.quantity)
                           return EventCounts{{f.terms[0].event, std::max(answer.expected, stray)}};
                       return EventCounts{};
                     })
        .refused.size();
  };
  EXPECT_EQ(lines(999), 0U);
  EXPECT_EQ(lines(1001), 1U);
}

TEST(PerfSelfTest, TheKernelsRunAndWhatHasNoneIsRefused) {
  const std::vector<CacheLevel> caches{{MemoryLevel::L1, 1 << 10}, {MemoryLevel::L2, 16 << 10}};
  int launched = 0;
  for (const auto& kernel : known_launches(2, caches, 1 << 16)) kernel.launch(), ++launched;
  EXPECT_GE(launched, 12);
  const auto refused =
      self_test({formula("zen4", l3_read)}, known_launches(1, caches, 1 << 16), [](const Formula&, const KnownLaunch&) {
        return EventCounts();
      }).refused;
  ASSERT_EQ(refused.size(), 1U);
  EXPECT_NE(refused[0].find("no kernel of known answers"), std::string::npos);
}

}  // namespace
}  // namespace roofline::perf::perf_tables_test

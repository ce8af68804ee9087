#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <vector>

#include "bench/cache_model/sampler.hpp"
#include "bench/machine/machine.hpp"
#include "bench/space/buffer.hpp"
#include "bench/suite/suite.hpp"
#include "tests/bits.hpp"
#include "tests/one_thread.hpp"

namespace roofline::tuned_forms_test {
namespace {

/// Rows of a machine with so small an L2 that sweeps of the stencil go through it in several blocks and a rest.
std::vector<Variant> rows_of(const std::string& family, const Sizes& sizes) {
  static const Machine machine = [] {
    Machine m;
    m.caches = {{.level = MemoryLevel::L2, .size = 16 << 10}};
    return m;
  }();
  Suite suite(cpu_target(machine, 1), 5);
  for (const auto& [about, ports] : families())
    if (about.name == family) ports.at(Platform::cpu).add(suite, sizes);
  return suite.variants();
}

/// The row that a tuned one is a tuning of.
const Variant& published(const std::vector<Variant>& rows, const Variant& tuned) {
  const auto name = tuned.name.substr(0, tuned.name.rfind('/'));
  return *std::find_if(rows.begin(), rows.end(), [&](const Variant& row) { return row.name == name; });
}

struct Rows {
  const char* family;
  Sizes sizes;
  const char* part;   ///< of the names of the rows to look at
  std::size_t tuned;  ///< those that have tunings
};

/// DRAM bytes behind a cache of 32 KiB. Data written past it are not read first.
Traffic behind_a_cache(const Workload& work) {
  CacheHierarchy caches({{.level = MemoryLevel::L1, .size = 32 << 10, .ways = 8}});
  return *count(work.trace, &caches, true).at(MemoryLevel::DRAM);
}

/// All numbers of a problem after a launch by one thread, of which additions to shared sums have an order.
std::vector<double> launched(const std::function<Workload()>& make) {
  std::set<const double*> others;
  for (const auto buffer : live_buffers()) others.insert(buffer.data());
  const testing::OneThread one;
  const auto work = make();
  work.launch();
  std::vector<double> numbers;
  for (const auto buffer : live_buffers())
    if (!others.count(buffer.data())) numbers.insert(numbers.end(), buffer.begin(), buffer.end());
  return numbers;
}

/// The tuned rows of each family, at sizes that are not multiples of vectors or blocks.
class KernelTunings : public ::testing::TestWithParam<Rows> {};

TEST_P(KernelTunings, ComputeTheSameWithTheSameOperations) {
  const auto& [family, sizes, part, expected] = GetParam();
  std::size_t tuned = 0;
  const auto rows = rows_of(family, sizes);
  for (const auto& row : rows) {
    if (row.tunings.empty() || row.name.find(part) == row.name.npos) continue;
    ++tuned;
    EXPECT_TRUE(row.name.ends_with("/tuned")) << row.name;
    const auto& make_plain = published(rows, row).make;
    const auto expected_bits = launched(make_plain);
    const auto plain = make_plain();
    const auto of_plain = count(plain.trace, nullptr, true);
    EXPECT_EQ(behind_a_cache(row.tunings.front().make()), behind_a_cache(plain))
        << row.name << ": the first is published";
    std::set<std::string> names;
    for (const auto& tuning : row.tunings) {
      EXPECT_TRUE(names.insert(tuning.name).second) << row.name << " has two tunings " << tuning.name;
      const auto bits = launched(tuning.make);
      const bool has_other_layout = bits.size() != expected_bits.size();  // see GsrbBits
      EXPECT_TRUE(has_other_layout ? ::testing::AssertionSuccess() : testing::same_bits(bits, expected_bits))
          << row.name << ", " << tuning.name;
      const auto work = tuning.make();
      EXPECT_FALSE(work.check().ok) << row.name << ", " << tuning.name << " passes before it has run";
      work.launch();
      const auto check = work.check();
      EXPECT_TRUE(check.ok) << row.name << ", " << tuning.name << ": " << check.message;
      EXPECT_EQ(work.declared_flops, plain.declared_flops);
      const auto counts = count(work.trace, nullptr, true);
      EXPECT_EQ(counts.operations.flops(), work.declared_flops) << row.name << ", " << tuning.name;
      EXPECT_EQ(counts.operations.fma, of_plain.operations.fma);
      const bool loads_otherwise =
          tuning.name.starts_with("halves") || tuning.name.find("whole packs") != std::string::npos;
      EXPECT_FALSE(loads_otherwise && (counts.gathered || counts.split)) << row.name << ", " << tuning.name;
      EXPECT_EQ(counts.at(MemoryLevel::L1)->total(), of_plain.at(MemoryLevel::L1)->total());
    }
  }
  EXPECT_EQ(tuned, expected);
}

INSTANTIATE_TEST_SUITE_P(Families, KernelTunings,
                         ::testing::Values(Rows{"stream", {100001}, "", 4}, Rows{"stencil", {3}, "", 1},
                                           Rows{"stencil", {34}, "", 1}, Rows{"stencil", {67}, "", 1},
                                           Rows{"gpp", {3, 2, 141, 20}, "", 15}, Rows{"gsrb", {4}, "level:4", 6},
                                           Rows{"lbm", {3, 96}, "", 1}, Rows{"spmv", {9}, "", 1}),
                         [](const auto& info) { return info.param.family + std::to_string(info.param.sizes[0]); });

/// The bits of all numbers that a launch changes, added up: the same in any layout.
std::uint64_t changed_bits(const Workload& work) {
  const auto sum = [] {
    std::uint64_t bits = 0;
    for (const auto buffer : live_buffers())
      for (const double number : buffer) bits += std::bit_cast<std::uint64_t>(number);
    return bits;
  };
  const auto before = sum();
  work.launch();
  return sum() - before;
}

/// At the smallest level whose rows are whole packs, whatever its layout.
TEST(GsrbBits, OfTunedFormsAreThoseOfThePublishedSweep) {
  const auto rows = rows_of("gsrb", {5});
  for (const auto& row : rows) {
    if (row.tunings.empty() || row.name.find("level:5") == row.name.npos) continue;
    const auto expected = changed_bits(published(rows, row).make());
    EXPECT_NE(expected, 0u) << row.name;
    for (const auto& tuning : row.tunings) {
      const auto work = tuning.make();
      EXPECT_EQ(changed_bits(work), expected) << row.name << ", " << tuning.name;
      EXPECT_TRUE(work.check().ok) << row.name << ", " << tuning.name;
    }
  }
}

}  // namespace
}  // namespace roofline::tuned_forms_test

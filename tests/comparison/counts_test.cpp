#include <gtest/gtest.h>

#include <algorithm>

#include "tests/comparison/made_up.hpp"

namespace roofline::counts_test {
namespace {

using example::made_up_pairs;
using example::point_named;
using example::triad;
using example::verdict;

// Exact and deterministic classes, validity.

TEST(Compare, OneFlopMoreIsWorseAndOneLessIsBetter) {
  const auto more = compare(made_up_pairs(1, 1, [](Side& side) { ++point_named(side, triad).counts.operations.add; }));
  EXPECT_EQ(verdict(more, triad, "flops"), Verdict::worse);
  EXPECT_EQ(verdict(more, triad, "operations"), Verdict::worse);
  EXPECT_EQ(exit_code(more, {.times = false}), 1);
  const auto less = compare(made_up_pairs(1, 1, [](Side& side) { --point_named(side, triad).counts.operations.fma; }));
  EXPECT_EQ(verdict(less, triad, "flops"), Verdict::better);
}

TEST(Compare, AnUnfusedMultiplyAddIsWorseAtEqualFlops) {
  const auto comparison = compare(made_up_pairs(1, 1, [](Side& side) {
    auto& operations = point_named(side, triad).counts.operations;
    --operations.fma, ++operations.add, ++operations.mul;
  }));
  EXPECT_EQ(verdict(comparison, triad, "flops"), Verdict::same);
  EXPECT_EQ(verdict(comparison, triad, "operations"), Verdict::worse);
}

TEST(Compare, AByteMoreIsWorseOnlyUnderTheSameModel) {
  const auto a_byte_more = [](Side& side) { point_named(side, triad).counts.at(MemoryLevel::DRAM)->read += 1; };
  auto pairs = made_up_pairs(1, 1, a_byte_more);
  EXPECT_EQ(verdict(compare(pairs), triad, "bytes_DRAM"), Verdict::worse);
  pairs.front().next.model_hash = "other";
  EXPECT_EQ(verdict(compare(pairs), triad, "bytes_DRAM"), Verdict::not_comparable);
}

TEST(Compare, BytesOfAnotherFormAreNoMatterOfTheCode) {
  const auto pairs = made_up_pairs(1, 1, [](Side& side) {
    auto& point = point_named(side, triad);
    point.tuning = "streaming stores", point.counts.at(MemoryLevel::DRAM)->read -= 8;
  });
  const auto comparison = compare(pairs);
  EXPECT_EQ(verdict(comparison, triad, "bytes_DRAM"), Verdict::not_comparable);
  EXPECT_EQ(verdict(comparison, triad, "bytes_L1"), Verdict::same) << "of the source, whatever the tuning";
}

// How much stores evade is measured in each run, and says nothing of the program.
TEST(Compare, BytesAreComparedAsIfAllStoresAllocated) {
  const auto evading = [](double share, double more) {
    return [=](Side& side) {
      auto& counts = point_named(side, triad).counts;
      counts.overwritten = counts.at(MemoryLevel::DRAM)->written;
      counts.at(MemoryLevel::DRAM)->read += more;
      StorePolicy stores;
      stores.evaded = share;
      counts = restated(counts, stores);
      side.results.stores = stores;
    };
  };
  const auto notes = compare(made_up_pairs(1, 1, evading(0.61, 0))).notes;
  EXPECT_EQ(std::count(notes.begin(), notes.end(),
                       "stores evade reading 0 % -> 61 % of the lines that they overwrite: bytes of DRAM are compared "
                       "as if all were read"),
            1);
  EXPECT_EQ(verdict(compare(made_up_pairs(1, 1, evading(0.61, 0))), triad, "bytes_DRAM"), Verdict::same);
  EXPECT_EQ(verdict(compare(made_up_pairs(1, 1, evading(1, 0))), triad, "bytes_DRAM"), Verdict::same);
  EXPECT_EQ(verdict(compare(made_up_pairs(1, 1, evading(0.61, 64))), triad, "bytes_DRAM"), Verdict::worse);
  EXPECT_EQ(verdict(compare(made_up_pairs(1, 1, evading(1, -64))), triad, "bytes_DRAM"), Verdict::better);
}

TEST(Compare, CountersHaveTolerancesInBothDirections) {
  const auto of = [](double dram, double l2) {
    auto pairs = made_up_pairs(3, 1);
    for (auto& [base, next] : pairs) {
      for (auto* const side : {&base, &next}) point_named(*side, triad).counts.traffic_source = Source::hardware;
      point_named(next, triad).counts.at(MemoryLevel::DRAM)->read *= dram;
      point_named(next, triad).counts.at(MemoryLevel::L2)->read *= l2;
    }
    return compare(pairs);
  };
  EXPECT_EQ(verdict(of(1.05, 1), triad, "bytes_DRAM"), Verdict::same);  // of 24 of the 32 bytes
  EXPECT_EQ(verdict(of(1.1, 1), triad, "bytes_DRAM"), Verdict::worse);
  EXPECT_EQ(verdict(of(0.9, 1), triad, "bytes_DRAM"), Verdict::better);
  EXPECT_EQ(verdict(of(1, 1.05), triad, "bytes_L2"), Verdict::worse);
}

TEST(Compare, RunsOfOneSideThatDisagreeInCountsAreInvalid) {
  auto pairs = made_up_pairs(3, 1);
  ++point_named(pairs[1].base, triad).counts.operations.add;
  EXPECT_EQ(verdict(compare(pairs), triad, "flops"), Verdict::invalid);
}

TEST(Compare, AMissingRowFailsUnlessAllowed) {
  const auto without = [](Side& side) { std::erase_if(side.results.points, [](auto& p) { return p.name == triad; }); };
  const auto pairs = made_up_pairs(1, 1, without);
  const auto comparison = compare(pairs);
  EXPECT_EQ(verdict(comparison, triad, "present"), Verdict::worse);
  EXPECT_EQ(exit_code(comparison, {.times = false}), 1);
  EXPECT_EQ(exit_code(compare(pairs, {.allow_missing = true}), {.times = false}), 0);
}

TEST(Compare, ANewFailureFailsAndANewRowIsANote) {
  const auto failed = compare(made_up_pairs(1, 1, [](Side& side) {
    std::erase_if(side.results.points, [](auto& p) { return p.name == triad; });
    side.results.failures.emplace_back(triad, "element 5: got 1, expected 2");
  }));
  EXPECT_EQ(verdict(failed, triad, "verified"), Verdict::worse);
  auto added = made_up_pairs(1, 1);
  added.front().next.results.points.push_back(added.front().next.results.points.front());
  added.front().next.results.points.back().name = "stream/new";
  const auto comparison = compare(added);
  EXPECT_EQ(exit_code(comparison, {.times = false}), 0);
  ASSERT_FALSE(comparison.notes.empty());
  EXPECT_NE(comparison.notes.back().find("stream/new"), std::string::npos);
}

TEST(Compare, AnInterruptedRunIsWorseAndNothingInCommonIsCode5) {
  const auto cut = compare(made_up_pairs(1, 1, [](Side& side) { side.results.interrupted = true; }));
  EXPECT_EQ(verdict(cut, "", "complete"), Verdict::worse);
  auto pairs = made_up_pairs(1, 1);
  pairs.front().base.results.points.clear();
  EXPECT_EQ(exit_code(compare(pairs), {}), 5);
}

TEST(Compare, RowsThatMayBeMissingAreNotInCommon) {
  const auto disjoint = compare(made_up_pairs(1, 1,
                                              [](Side& side) {
                                                for (auto& point : side.results.points) point.name += "/new";
                                              }),
                                {.allow_missing = true});
  EXPECT_EQ(disjoint.find(triad, "verified"), nullptr);
  EXPECT_EQ(exit_code(disjoint, {}), 5);
  EXPECT_EQ(exit_code(disjoint, {.times = false}), 5);
}

TEST(Compare, RowsOfWhichNothingCanBeComparedAreCode3) {
  // Counters of two machines: times, FLOPs and bytes have nothing to do with each other.
  auto pairs = made_up_pairs(1, 1, [](Side& side) { side.fingerprint = "another machine"; });
  for (auto* const side : {&pairs.front().base, &pairs.front().next})
    for (auto& point : side->results.points) {
      auto& counts = point.counts;
      counts.operations_source = counts.traffic_source = Source::hardware;
      counts.modelled_levels.clear(), point.declared_flops = 0;
    }
  const auto comparison = compare(pairs);
  EXPECT_EQ(verdict(comparison, triad, "verified"), Verdict::same);
  EXPECT_EQ(verdict(comparison, triad, "bytes_DRAM"), Verdict::not_comparable);
  EXPECT_EQ(exit_code(comparison, {}), 3);
  EXPECT_EQ(exit_code(comparison, {.times = false}), 3);
}

}  // namespace
}  // namespace roofline::counts_test

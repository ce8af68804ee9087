#include <gtest/gtest.h>

#include "bench/cache_model/sampler.hpp"
#include "tests/variants.hpp"

namespace roofline::stream_test {
namespace {

struct PerElement {
  const char* kernel;
  std::uint64_t flops, loads, stores;
};
// STREAM's own figures: FLOPs, loads and stores per element.
constexpr PerElement table[] = {
    {"copy", 0, 1, 1}, {"scale", 1, 1, 1}, {"add", 1, 2, 1}, {"triad", 2, 2, 1}, {"dot", 2, 2, 0}};

class StreamSizes : public ::testing::TestWithParam<Index> {};

TEST_P(StreamSizes, FlopsAndExplicitBytesPerElementAreExact) {
  const auto n = static_cast<std::uint64_t>(GetParam());
  for (const auto& row : table) {
    const auto v =
        testing::variant("stream", {GetParam()}, "stream/" + std::string(row.kernel) + "/n:" + std::to_string(n));
    const auto work = v.make();
    const auto counts = count(work.trace, nullptr, true);
    EXPECT_EQ(count(work.trace, nullptr).operations, counts.operations) << "a window must stand for all";
    EXPECT_EQ(counts.operations.flops(), row.flops * n) << v.name;
    EXPECT_EQ(work.declared_flops, row.flops * n) << v.name;
    EXPECT_EQ(counts.at(MemoryLevel::L1)->read, static_cast<double>(8 * row.loads * n)) << v.name;
    EXPECT_EQ(counts.at(MemoryLevel::L1)->written, static_cast<double>(8 * row.stores * n)) << v.name;
    EXPECT_TRUE(work.check().ok) << v.name << ", counted values: " << work.check().message;
  }
}

// Less than a chunk, several chunks, and an odd number that leaves a rest.
INSTANTIATE_TEST_SUITE_P(ThreeSizes, StreamSizes, ::testing::Values(1000, 1 << 18, 100003));

TEST(Stream, TriadMovesTheBytesOfTheExactModel) {
  const Index n = 1 << 18;
  const auto work = testing::variant("stream", {n}, "stream/triad/n:262144").make();
  CacheHierarchy caches({{MemoryLevel::L1, 32 << 10, 8}, {MemoryLevel::L2, 256 << 10, 8}});
  const auto counts = count(work.trace, &caches, true);
  EXPECT_EQ(counts.at(MemoryLevel::DRAM)->read, 24.0 * n);  // two loads and the write-allocate
  EXPECT_EQ(counts.at(MemoryLevel::DRAM)->written, 8.0 * n);
}

}  // namespace
}  // namespace roofline::stream_test

#include "bench/virtual_gpu/memory/sectored_cache.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <vector>

namespace roofline::sectored_cache_test {
namespace {

constexpr std::uint32_t sets = 3;

SectoredGeometry geometry_of(unsigned ways) {
  SectoredGeometry geometry;
  geometry.line = 128, geometry.ways = ways, geometry.size = std::uint64_t{128} * ways * sets;
  geometry.set_index = SetIndex::modulo, geometry.replacement = Replacement::lru;
  return geometry;
}

/// The same, as one would write it down: lists of lines, the most recent one first.
class Lists {
 public:
  explicit Lists(unsigned ways) : ways_(ways) {}
  /// The line that was evicted; nothing when the line was there.
  std::optional<std::uint32_t> get(std::uint32_t number) {
    auto& set = sets_[number % sets];
    const auto at = std::find(set.begin(), set.end(), number);
    std::optional<std::uint32_t> gone;
    if (at != set.end()) {
      set.erase(at);
    } else {
      gone = set.size() < ways_ ? no_line : set.back();
      if (set.size() == ways_) set.pop_back();
    }
    set.insert(set.begin(), number);
    return gone;
  }

 private:
  unsigned ways_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> sets_;
};

class OfWays : public ::testing::TestWithParam<unsigned> {};

TEST_P(OfWays, KeepsTheLinesUsedLast) {
  const auto ways = GetParam();
  SectoredCache cache(geometry_of(ways), ways);
  Lists lists(ways);
  std::mt19937 random(7);
  std::vector<std::uint32_t> pool(ways * sets * 4 / 3 + 2);  // some 600 share tags, by chance, in the widest sets
  for (auto& number : pool) number = static_cast<std::uint32_t>(random() & 0x7fffffff);
  std::map<std::uint32_t, CachedLine> known;
  for (int i = 0; i < 20000; ++i) {
    const auto number = pool[random() % pool.size()];
    std::optional<std::uint32_t> gone;
    auto& line = cache
                     .get(number,
                          [&](std::uint32_t old, const CachedLine& of_old, const SectoredCache::Bytes&) {
                            gone = old;
                            if (old == no_line) return;
                            EXPECT_EQ(of_old.valid, known[old].valid) << i;
                          })
                     .line;
    ASSERT_EQ(gone, lists.get(number)) << "access " << i;
    if (gone) known[number] = {};
    ASSERT_EQ(line.valid, known[number].valid) << "access " << i;
    known[number].valid = line.valid = static_cast<std::uint8_t>(line.valid | 1u << random() % 4);
  }
}

INSTANTIATE_TEST_SUITE_P(SectoredCache, OfWays, ::testing::Values(1, 2, 15, 16, 17, 33, 192, 256, 384));

TEST(SectoredCache, AnyLineMayGoWhereReplacementIsRandom) {
  for (const unsigned ways : {8u, 64u}) {
    auto geometry = geometry_of(ways);
    geometry.replacement = Replacement::random;
    SectoredCache cache(geometry, ways);
    std::vector<std::uint32_t> gone;
    for (std::uint32_t number = 0; number < 3 * ways * sets; ++number)
      cache.get(number,
                [&](std::uint32_t old, const CachedLine&, const SectoredCache::Bytes&) { gone.push_back(old); });
    const auto full = std::size_t{ways} * sets;
    ASSERT_EQ(gone.size(), 3 * full);
    EXPECT_EQ(std::count(gone.begin(), gone.end(), no_line), static_cast<std::ptrdiff_t>(full)) << "empty ones first";
    EXPECT_FALSE(std::is_sorted(gone.begin() + static_cast<std::ptrdiff_t>(full), gone.end()));
  }
}

TEST(SectoredCache, ASectorIsValidWhenAllItsBytesWereWritten) {
  SectoredCache cache(geometry_of(4), 4);
  const auto found = cache.get(5, [](std::uint32_t, const CachedLine&, const SectoredCache::Bytes&) {});
  const SectoredCache::Bytes low{0, 0xffff, 0, 0}, high{0, 0xffff0000, ~0u, 0};
  SectoredCache::write(found, 0b0010, low.data());
  EXPECT_EQ(found.line.dirty, 0b0010);
  EXPECT_EQ(found.line.valid, 0);
  SectoredCache::write(found, 0b0110, high.data());
  EXPECT_EQ(found.line.dirty, 0b0110);
  EXPECT_EQ(found.line.valid, 0b0110);
}

}  // namespace
}  // namespace roofline::sectored_cache_test

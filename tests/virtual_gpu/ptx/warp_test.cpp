// Exchange between lanes, against references lane by lane.
#include <functional>

#include "tests/virtual_gpu/ptx/one_instruction.hpp"

namespace roofline::ptx::warp_test {
namespace {

std::vector<uint32_t> lanes() {
  std::vector<uint32_t> v(32);
  for (uint32_t n = 0; n < 32; ++n) v[n] = n * 7 + 3;
  return v;
}
void check(const std::string& statements, const std::function<uint32_t(uint32_t)>& expected) {
  const auto d = each<uint32_t, uint32_t>(statements, lanes());
  for (uint32_t n = 0; n < 32; ++n) ASSERT_EQ(d[n], expected(n)) << statements << " lane " << n;
}
uint32_t value(uint32_t lane) { return lane * 7 + 3; }

TEST(PtxWarp, ShufflesInSegments) {
  for (const uint32_t width : {32u, 16u, 8u}) {
    const uint32_t c = (32 - width) << 8 | 31, c_up = (32 - width) << 8;
    for (const uint32_t n : {0u, 1u, 3u, 8u, 17u}) {
      const auto text = [&](const char* mode, uint32_t clamp) {
        return "shfl.sync." + std::string(mode) + ".b32 %d|%p, %a, " + std::to_string(n) + ", " +
               std::to_string(clamp) + ", -1;\nselp.b32 %t0, 1000, 0, %p;\nadd.u32 %d, %d, %t0;";
      };
      const auto from = [&](uint32_t lane, int64_t j, bool inside) {
        return (inside ? value(static_cast<uint32_t>(j)) : value(lane)) + (inside ? 1000 : 0);
      };
      check(text("down", c), [&](uint32_t l) { return from(l, l + n, l % width + n < width); });
      check(text("up", c_up), [&](uint32_t l) { return from(l, int64_t{l} - n, l % width >= n); });
      check(text("bfly", c), [&](uint32_t l) { return from(l, l ^ n, (l ^ n) <= (l / width * width + width - 1)); });
      check(text("idx", c), [&](uint32_t l) { return from(l, l / width * width + n % width, true); });
    }
  }
}

TEST(PtxWarp, VotesMatchesAndReductions) {
  const std::string odd = "and.b32 %t0, %a, 1;\nsetp.eq.u32 %p, %t0, 1;\n";
  check(odd + "vote.sync.ballot.b32 %d, %p, -1;", [](uint32_t) { return 0x55555555u; });
  check(odd + "vote.sync.ballot.b32 %d, !%p, -1;", [](uint32_t) { return 0xaaaaaaaau; });
  check(odd + "vote.sync.any.pred %p2, %p, -1;\nselp.b32 %d, 1, 0, %p2;", [](uint32_t) { return 1u; });
  check(odd + "vote.sync.all.pred %p2, %p, -1;\nselp.b32 %d, 1, 0, %p2;", [](uint32_t) { return 0u; });
  check(odd + "vote.sync.uni.pred %p2, %p, -1;\nselp.b32 %d, 1, 0, %p2;", [](uint32_t) { return 0u; });
  check("and.b32 %t0, %a, 3;\nmatch.any.sync.b32 %d, %t0, -1;", [](uint32_t l) {
    uint32_t m = 0;
    for (uint32_t n = 0; n < 32; ++n) m |= (value(n) & 3) == (value(l) & 3) ? 1u << n : 0;
    return m;
  });
  check("match.all.sync.b32 %d|%p, 5, -1;\nselp.b32 %d, %d, 0, %p;", [](uint32_t) { return ~0u; });
  check("redux.sync.add.u32 %d, %a, -1;", [](uint32_t) { return 31 * 32 / 2 * 7 + 96; });
  check("redux.sync.max.s32 %d, %a, -1;", [](uint32_t) { return value(31); });
  check("redux.sync.xor.b32 %d, %a, -1;", [](uint32_t) {
    uint32_t x = 0;
    for (uint32_t n = 0; n < 32; ++n) x ^= value(n);
    return x;
  });
  check("activemask.b32 %d;", [](uint32_t) { return ~0u; });
  check("mov.u32 %t0, %laneid;\nmov.u32 %t1, %lanemask_lt;\nsub.u32 %d, %t1, %t0;",
        [](uint32_t l) { return (1u << l) - 1 - l; });
}

// As cooperative groups' labeled_partition has it: even and odd lanes at one instruction, each with a mask of its own.
TEST(PtxWarp, GroupsWithMasksOfTheirOwnAnswerForThemselves) {
  const std::string masks = "mov.u32 %t0, %laneid;\nand.b32 %t1, %t0, 1;\nshl.b32 %t2, 0x55555555, %t1;\n";
  const auto mask = [](uint32_t l) { return 0x55555555u << l % 2; };
  check(masks + "redux.sync.max.u32 %d, %a, %t2;", [](uint32_t l) { return value(30 + l % 2); });
  check(masks + "redux.sync.add.u32 %d, %t0, %t2;", [](uint32_t l) { return l % 2 ? 256u : 240u; });
  check(masks + "setp.lt.u32 %p, %t0, 8;\nvote.sync.ballot.b32 %d, %p, %t2;",
        [&](uint32_t l) { return mask(l) & 0xffu; });
  check(masks + "setp.eq.u32 %p, %t1, 1;\nvote.sync.all.pred %p2, %p, %t2;\nselp.b32 %d, 1, 0, %p2;",
        [](uint32_t l) { return l % 2; });
  check(masks + "match.any.sync.b32 %d, 5, %t2;", mask);
  check(masks + "elect.sync %d|%p, %t2;", [](uint32_t l) { return l % 2; });
}

TEST(PtxWarp, LanesWaitForThoseThatTheirMaskNames) {
  // The two halves come to the same shuffle by different ways and at different times.
  check(
      "mov.u32 %t0, %laneid;\nsetp.lt.u32 %p, %t0, 16;\n@%p bra A;\nmov.u32 %t1, 5;\nbar.warp.sync 0xffff0000;\nbra "
      "B;\nA:\nmov.u32 %t1, 6;\nbar.warp.sync 0xffff;\nB:\nshfl.sync.bfly.b32 %d, %t1, 16, 31, -1;",
      [](uint32_t l) { return l < 16 ? 5u : 6u; });
}

TEST(PtxWarp, UniformValuesDoNotLeakBetweenBlocksOrLanes) {
  std::vector<uint32_t> a(256, 1);
  const auto d = each<uint32_t, uint32_t>(
      "mov.u32 %t0, %ctaid.x;\nmul.lo.u32 %t1, %t0, 10;\nadd.u32 %t2, %t1, 5;\nsetp.gt.u32 %p, %t2, 20;\nselp.b32 %t3, "
      "%t2, 99, %p;\nadd.u32 %d, %t3, %a;",
      a);
  for (uint32_t n = 0; n < 256; ++n) EXPECT_EQ(d[n], (n / 64 * 10 + 5 > 20 ? n / 64 * 10 + 5 : 99) + 1);
}

}  // namespace
}  // namespace roofline::ptx::warp_test

// Lanes that access memory side by side while some of them are idle: values, neighbours, sectors and wavefronts against
// lists of what each lane touches.
#include <map>
#include <random>
#include <set>

#include "tests/virtual_gpu/ptx/one_instruction.hpp"

namespace roofline::ptx::masked_access_test {
namespace {

struct Shape {
  const char* type;
  uint64_t bytes;  // of a lane
  const char* registers;
};
constexpr Shape shapes[] = {{"u8", 1, "%r0"},
                            {"u16", 2, "%r0"},
                            {"u32", 4, "%r0"},
                            {"u64", 8, "%w0"},
                            {"v2.u32", 8, "{%r0, %r1}"},
                            {"v4.u32", 16, "{%r0, %r1, %r2, %r3}"},
                            {"v2.u64", 16, "{%w0, %w1}"}};

// Bytes go from global memory through shared memory to global memory; only lanes of the mask touch any.
std::string copying(const Shape& s) {
  const std::string type(s.type), bytes = std::to_string(s.bytes), x(s.registers);
  return ptx_header() +
         ".visible .entry k(.param .u64 from, .param .u64 to, .param .u64 mask, .param .u64 origin) {\n"
         ".shared .align 16 .b8 m[1024];\n.reg .b64 %a, %b, %w<2>;\n.reg .b32 %t, %s, %i, %mask, %r<4>;\n.reg .pred "
         "%p;\nmov.u32 %t, %tid.x;\nld.param.u32 %mask, [mask];\nshr.u32 %i, %mask, %t;\nand.b32 %i, %i, "
         "1;\nsetp.eq.u32 "
         "%p, %i, 0;\nld.param.u32 %s, [origin];\nmad.lo.u32 %s, %t, " +
         bytes + ", %s;\nld.param.u64 %a, [from];\nmad.wide.u32 %a, %t, " + bytes +
         ", %a;\nld.param.u64 %b, [to];\nmad.wide.u32 %b, %t, " + bytes + ", %b;\n@%p bra DONE;\nld.global." + type +
         " " + x + ", [%a];\nst.shared." + type + " [%s], " + x + ";\nld.shared." + type + " " + x +
         ", [%s];\nst.global." + type + " [%b], " + x + ";\nDONE:\nret;\n}\n";
}

uint64_t naive_sectors(uint64_t first, uint64_t bytes, uint32_t mask) {
  std::set<uint64_t> sectors;
  for (uint64_t lane = 0; lane < 32; ++lane)
    if (mask >> lane & 1) sectors.insert((first + lane * bytes) / 32);
  return sectors.size();
}

uint64_t naive_wavefronts(uint64_t first, uint64_t bytes, uint32_t mask) {
  uint64_t passes = 0;
  const uint64_t group = bytes <= 4 ? 32 : 128 / bytes;
  for (uint64_t begin = 0; begin < 32; begin += group) {
    std::map<uint64_t, std::set<uint64_t>> words;  // of a bank
    std::size_t most = 0;
    for (uint64_t lane = begin; lane < begin + group; ++lane)
      for (uint64_t byte = 0; byte < bytes && (mask >> lane & 1); ++byte) {
        const uint64_t word = (first + lane * bytes + byte) / 4;
        auto& bank = words[word % 32];
        bank.insert(word), most = std::max(most, bank.size());
      }
    passes += most;
  }
  return passes;
}

// The arrays hold the active lanes' elements and nothing else, and there is no memory before them.
void copy_and_compare(const Shape& s, uint32_t mask, uint64_t shift) {
  const auto low = static_cast<uint64_t>(std::countr_zero(mask)),
             high = 31 - static_cast<uint64_t>(std::countl_zero(mask));
  const std::size_t count = (high - low + 1 + shift) * s.bytes;
  std::vector<uint8_t> bytes(count);
  for (std::size_t n = 0; n < count; ++n) bytes[n] = static_cast<uint8_t>(n * 7 + 1);
  GlobalMemory memory;
  const DeviceArray<uint8_t> from(memory, bytes), to(memory, count);
  const auto base = [&](const auto& array) {
    return reinterpret_cast<uint64_t>(array.data()) + (shift - low) * s.bytes;
  };
  const uint64_t origin = (shift - low) * s.bytes;  // in shared memory, too, lane 0 may lie before the beginning
  const Execution e = run_module(copying(s), memory, {base(from), base(to), mask, origin & 0xffffffff}, {1, 1, 1},
                                 {32, 1, 1}, counted());
  ASSERT_EQ(e.outcome, Outcome::ok) << e.message;
  for (std::size_t n = 0; n < count; ++n) {
    const uint64_t element = n / s.bytes;
    const bool active = element >= shift && (mask >> (element - shift + low) & 1);
    ASSERT_EQ(to[n], active ? bytes[n] : 0) << s.type << " byte " << n << " mask " << mask;
  }
  const auto lanes = static_cast<uint64_t>(std::popcount(mask));
  EXPECT_EQ(e.counts.global_load.lanes, lanes);
  EXPECT_EQ(e.counts.global_load.sectors, naive_sectors(base(from), s.bytes, mask)) << s.type << ' ' << mask;
  EXPECT_EQ(e.counts.global_store.sectors, naive_sectors(base(to), s.bytes, mask)) << s.type << ' ' << mask;
  EXPECT_EQ(e.counts.shared_load.wavefronts, naive_wavefronts(origin, s.bytes, mask)) << s.type << ' ' << mask;
  EXPECT_EQ(e.counts.shared_store.wavefronts, naive_wavefronts(origin, s.bytes, mask)) << s.type << ' ' << mask;
}

TEST(PtxMaskedAccess, TouchesAndCountsActiveLanesOnly) {
  std::vector<uint32_t> masks = {1u,          1u << 31,    0x55555555u, 0xaaaaaaaau, 0x7fffffffu,
                                 0xfffffffeu, 0x80000001u, 0x0ff00ff0u, 0x00010000u, ~0u};
  std::mt19937 random(7);
  for (int n = 0; n < 30; ++n) masks.push_back(static_cast<uint32_t>(random()) & (n % 3 ? ~0u : random()));
  for (const Shape& s : shapes)
    for (const uint32_t mask : masks)
      for (const uint64_t shift : {0u, 1u, 3u, 7u}) copy_and_compare(s, mask == 0 ? 1 : mask, shift);
}

}  // namespace
}  // namespace roofline::ptx::masked_access_test

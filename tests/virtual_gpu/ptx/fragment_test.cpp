// Matrices that lanes load together.
#include "tests/virtual_gpu/ptx/one_instruction.hpp"

namespace roofline::ptx::fragment_test {
namespace {

TEST(PtxMatrix, LdmatrixGivesEachLaneItsPairAndTransposes) {
  std::vector<uint16_t> tile(4 * 64);
  for (std::size_t n = 0; n < tile.size(); ++n) tile[n] = static_cast<uint16_t>(n);
  for (const bool transposed : {false, true}) {
    GlobalMemory memory;
    const DeviceArray<uint16_t> in(memory, tile);
    const DeviceArray<uint32_t> out(memory, 128);
    const std::string text =
        ptx_header() +
        ".visible .entry k(.param .u64 in, .param .u64 out) {\n.shared .align 16 .b8 s[512];\n.reg .b64 %q, %w;\n.reg "
        ".b32 %t, %i, %r<8>;\n"
        "mov.u32 %t, %tid.x;\nshl.b32 %i, %t, 4;\nld.param.u64 %q, [in];\ncvt.u64.u32 %w, %i;\nadd.u64 %q, %q, "
        "%w;\nld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%q];\n"
        "st.shared.v4.b32 [%i], {%r0, %r1, %r2, %r3};\nbar.sync 0;\nldmatrix.sync.aligned.m8n8.x4" +
        std::string(transposed ? ".trans" : "") +
        ".shared.b16 {%r4, %r5, %r6, %r7}, [%i];\nld.param.u64 %q, [out];\nadd.u64 %q, %q, %w;\n"
        "st.global.v4.b32 [%q], {%r4, %r5, %r6, %r7};\nret;\n}\n";
    const Execution e =
        run_module(text, memory, {reinterpret_cast<uint64_t>(in.data()), reinterpret_cast<uint64_t>(out.data())},
                   {1, 1, 1}, {32, 1, 1});
    ASSERT_EQ(e.outcome, Outcome::ok) << e.message;
    for (uint32_t lane = 0; lane < 32; ++lane)
      for (uint32_t j = 0; j < 4; ++j)
        for (uint32_t half = 0; half < 2; ++half) {
          const uint32_t row = lane / 4, column = 2 * (lane % 4) + half;
          const uint32_t expected = 64 * j + (transposed ? 8 * column + row : 8 * row + column);
          ASSERT_EQ(out[lane * 4 + j] >> 16 * half & 0xffff, expected) << transposed << " lane " << lane;
        }
    EXPECT_EQ(e.counts.shared_load.wavefronts, 4u);
  }
}

}  // namespace
}  // namespace roofline::ptx::fragment_test

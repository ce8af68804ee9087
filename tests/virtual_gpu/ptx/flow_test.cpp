// Divergence: lanes that part meet again, whatever the shape of the code; calls; lanes that wait for each other.
#include "bench/virtual_gpu/decode/flow.hpp"

#include <functional>

#include "tests/virtual_gpu/ptx/one_instruction.hpp"

namespace roofline::ptx::flow_test {
namespace {

std::vector<uint32_t> iota(uint32_t n) {
  std::vector<uint32_t> v(n);
  for (uint32_t i = 0; i < n; ++i) v[i] = i;
  return v;
}

void check(const std::string& statements, const std::function<uint32_t(uint32_t)>& expected) {
  const auto a = iota(256);
  const auto d = each<uint32_t, uint32_t>(statements, a);
  for (const uint32_t x : a) ASSERT_EQ(d[x], expected(x)) << x;
}

TEST(PtxFlow, NestedLoopsWithBreaksAndContinues) {
  const std::string text =
      "mov.u32 %d, 0;\nmov.u32 %t0, 0;\n"
      "OUTER:\nsetp.ge.u32 %p, %t0, %a;\n@%p bra END;\nadd.u32 %t0, %t0, 1;\n"
      "rem.u32 %t2, %t0, 5;\nsetp.eq.u32 %p, %t2, 3;\n@%p bra OUTER;\n"  // continue
      "mov.u32 %t1, 0;\n"
      "INNER:\nadd.u32 %d, %d, %t1;\nadd.u32 %t3, %t0, %t1;\nrem.u32 %t3, %t3, 7;\nsetp.eq.u32 %p, %t3, 6;\n@%p bra "
      "OUT;\n"  // break
      "add.u32 %t1, %t1, 1;\nsetp.lt.u32 %p, %t1, 9;\n@%p bra INNER;\n"
      "OUT:\nxor.b32 %d, %d, %t0;\nsetp.lt.u32 %p, %d, 100000;\n@%p bra OUTER;\nEND:\n";
  check(text, [](uint32_t a) {
    uint32_t d = 0;
    for (uint32_t i = 0; i < a;) {
      ++i;
      if (i % 5 == 3) continue;
      for (uint32_t j = 0;;) {
        d += j;
        if ((i + j) % 7 == 6) break;
        if (++j >= 9) break;
      }
      d ^= i;
      if (d >= 100000) break;
    }
    return d;
  });
}

TEST(PtxFlow, EarlyReturnLeavesTheOthersRunning) {
  check(
      "mov.u32 %d, 7;\nsetp.lt.u32 %p, %a, 20;\n@%p bra STORE;\nadd.u32 %d, %d, %a;\nand.b32 %t0, %a, 1;\nsetp.eq.u32 "
      "%p, %t0, 1;\n@%p bra ODD;\nmul.lo.u32 %d, %d, 3;\nbra STORE;\n"
      "ODD:\nadd.u32 %d, %d, 1;\nSTORE:\n",
      [](uint32_t a) { return a < 20  ? 7
                              : a % 2 ? a + 8
                                      : 3 * (a + 7); });
  GlobalMemory memory;
  const DeviceArray<uint32_t> out(memory, 64);
  const Execution e =
      run_module(ptx_header() +
                     ".visible .entry k(.param .u64 o) {\n.reg .b64 %q;\n.reg .b32 %t, %m;\n.reg .pred %p;\nmov.u32 "
                     "%t, %tid.x;\nand.b32 %m, %t, 3;\nsetp.eq.u32 %p, %m, 0;\n@%p ret;\n"
                     "setp.eq.u32 %p, %m, 1;\n@%p exit;\nbar.sync 0;\nld.param.u64 %q, [o];\nmad.wide.u32 %q, %t, 4, "
                     "%q;\nst.global.u32 [%q], 1;\nret;\n}\n",
                 memory, {reinterpret_cast<uint64_t>(out.data())}, {1, 1, 1}, {64, 1, 1}, all_checks());
  EXPECT_EQ(e.outcome, Outcome::ok) << e.message;
  EXPECT_TRUE(e.findings.empty()) << describe(e.findings[0]);
  for (uint32_t t = 0; t < 64; ++t) EXPECT_EQ(out[t], t % 4 >= 2);
}

TEST(PtxFlow, SwitchThroughATableOfTargets) {
  check(
      "rem.u32 %t0, %a, 4;\nts: .branchtargets C0, C1, C2, C3;\nbrx.idx %t0, ts;\nC0:\nmov.u32 %d, 10;\nbra "
      "END;\nC1:\nmov.u32 %d, 20;\nC2:\nmov.u32 %d, 30;\nbra END;\nC3:\nmov.u32 %d, 40;\nEND:\nadd.u32 %d, %d, %a;\n",
      [](uint32_t a) {
        return a + std::array<uint32_t, 4>{10, 30, 30, 40}[a % 4];
      });
}

// Counts how often a warp executes the instruction that adds `marker`.
uint64_t executions(const std::string& body, const std::string& marked) {
  GlobalMemory memory;
  const std::string text = ptx_header() +
                           ".visible .entry k() {\n.reg .b32 %t, %d, %i, %m;\n.reg .pred %p;\nmov.u32 %t, "
                           "%tid.x;\nmov.u32 %d, 0;\nmov.u32 %i, 0;\n" +
                           body + "ret;\n}\n";
  const Execution e = run_module(text, memory, {}, {1, 1, 1}, {32, 1, 1}, counted());
  EXPECT_EQ(e.outcome, Outcome::ok) << e.message;
  for (const auto& i : e.instructions)
    if (i.text.find(marked) != std::string::npos) return i.warps;
  return 0;
}

TEST(PtxFlow, LanesMeetAtThePostDominator) {
  // Both sides of a branch, a loop with as many turns as the lane's number, and a continue: after each, one warp.
  EXPECT_EQ(executions("and.b32 %m, %t, 1;\nsetp.eq.u32 %p, %m, 0;\n@%p bra A;\nadd.u32 %d, %d, 2;\nbra "
                       "B;\nA:\nadd.u32 %d, %d, 3;\nB:\nadd.u32 %d, %d, 99;\n",
                       "99"),
            1u);
  EXPECT_EQ(executions("L:\nsetp.ge.u32 %p, %i, %t;\n@%p bra E;\nadd.u32 %i, %i, 1;\nbra L;\nE:\nadd.u32 %d, %d, 99;\n",
                       "99"),
            1u);
  // Lanes that continue wait at the end of the loop for those that do not: eight turns, eight executions.
  EXPECT_EQ(
      executions("L:\nadd.u32 %i, %i, 1;\nsetp.ge.u32 %p, %i, 9;\n@%p bra E;\nadd.u32 %m, %i, %t;\nand.b32 %m, %m, "
                 "1;\nsetp.eq.u32 %p, %m, 0;\n@%p bra L;\nadd.u32 %d, %d, 7;\nbra L;\nE:\nadd.u32 %d, %d, 99;\n",
                 "%i, %i, 1"),
      9u);
  // A block behind its successors in the text, as compilers place unlikely code.
  EXPECT_EQ(executions("setp.gt.u32 %p, %t, 20;\n@%p bra COLD;\nBACK:\nadd.u32 %d, %d, 99;\nbra END;\nCOLD:\nadd.u32 "
                       "%d, %d, 5;\nbra BACK;\nEND:\n",
                       "99"),
            1u);
}

TEST(PtxFlow, BlocksOfALoopAreNeighboursAndShareOneWayBack) {
  // 0 -> 1 (header) -> 2 -> 1, 2 -> 4, 4 -> 1; 1 -> 3 (exit), which stands inside the loop in the text.
  std::vector<FlowBlock> blocks(5);
  blocks[0].successors = {1}, blocks[0].falls_into = 1;
  blocks[1].successors = {2, 3}, blocks[1].falls_into = 2;
  blocks[2].successors = {1, 4};
  blocks[4].successors = {1};
  const Placement p = place(blocks);
  ASSERT_EQ(p.latches.size(), 2u);
  EXPECT_LT(p.place_of[1], p.place_of[2]);
  EXPECT_LT(p.place_of[2], p.place_of[4]);
  EXPECT_LT(p.place_of[4], p.target(4, 1));
  EXPECT_EQ(p.target(2, 1), p.target(4, 1));
  EXPECT_LT(p.target(4, 1), p.place_of[3]);
  EXPECT_EQ(p.order[p.target(4, 1)].jump_to, p.place_of[1]);
}

TEST(PtxFlow, LanesOfAWarpCanShareALock) {
  GlobalMemory memory;
  const DeviceArray<uint32_t> words(memory, 2);
  const std::string text =
      ptx_header() +
      ".visible .entry k(.param .u64 p) {\n.reg .b64 %q;\n.reg .b32 %o, %x;\n.reg .pred %p;\nld.param.u64 %q, "
      "[p];\nSPIN:\natom.global.cas.b32 %o, [%q], 0, 1;\nsetp.ne.u32 %p, %o, 0;\n@%p bra SPIN;\n"
      "ld.volatile.global.u32 %x, [%q+4];\nadd.u32 %x, %x, 1;\nst.volatile.global.u32 [%q+4], "
      "%x;\nmembar.gl;\natom.global.exch.b32 %o, [%q], 0;\nret;\n}\n";
  const Execution e =
      run_module(text, memory, {reinterpret_cast<uint64_t>(words.data())}, {4, 1, 1}, {64, 1, 1}, limited(50'000'000));
  EXPECT_EQ(e.outcome, Outcome::ok) << e.message;
  EXPECT_EQ(words[1], 256u);
}

TEST(PtxFlow, BlocksOfACooperativeLaunchWaitForEachOther) {
  GlobalMemory memory;
  const DeviceArray<uint32_t> words(memory, 1);
  const std::string text = ptx_header() +
                           ".visible .entry k(.param .u64 p) {\n.reg .b64 %q;\n.reg .b32 %o, %n;\n.reg .pred "
                           "%p;\nld.param.u64 %q, [p];\nmov.u32 %n, %nctaid.x;\natom.global.add.u32 %o, [%q], 1;\n"
                           "WAIT:\nld.volatile.global.u32 %o, [%q];\nsetp.lt.u32 %p, %o, %n;\n@%p bra WAIT;\nret;\n}\n";
  const Execution e = run_module(text, memory, {reinterpret_cast<uint64_t>(words.data())}, {100, 1, 1}, {1, 1, 1},
                                 limited(50'000'000), 0, true);
  EXPECT_EQ(e.outcome, Outcome::ok) << e.message;
  EXPECT_EQ(words[0], 100u);
}

TEST(PtxFlow, AHangEndsWithATimeout) {
  GlobalMemory memory;
  const Execution e = run_module(ptx_header() + ".visible .entry hang() {\nL:\nbra L;\n}\n", memory, {}, {1, 1, 1},
                                 {32, 1, 1}, limited(100'000));
  EXPECT_EQ(e.outcome, Outcome::timeout);
}

constexpr const char* factorial =
    ".func (.param .b32 r) fact(.param .b32 x) {\n.reg .b32 %a, %b;\n.reg .pred %p;\nld.param.b32 %a, "
    "[x];\nsetp.lt.u32 %p, %a, 2;\n@%p bra ONE;\nsub.u32 %b, %a, 1;\n"
    "{\n.param .b32 p0;\nst.param.b32 [p0+0], %b;\n.param .b32 r0;\ncall.uni (r0), fact, (p0);\nld.param.b32 %b, "
    "[r0+0];\n}\nmul.lo.u32 %b, %a, %b;\nst.param.b32 [r], %b;\nret;\nONE:\nst.param.b32 [r], 1;\nret;\n}\n";

TEST(PtxFlow, FunctionsRecurseWithDepthsThatDifferByLane) {
  GlobalMemory memory;
  const DeviceArray<uint32_t> out(memory, 32);
  const std::string text =
      ptx_header() + factorial +
      ".visible .entry k(.param .u64 o) {\n.reg .b64 %q;\n.reg .b32 %t, %x;\nmov.u32 %t, %tid.x;\nand.b32 %x, %t, "
      "7;\n{\n.param .b32 p0;\nst.param.b32 [p0], %x;\n.param .b32 r0;\ncall (r0), fact, (p0);\n"
      "ld.param.b32 %x, [r0];\n}\nld.param.u64 %q, [o];\nmad.wide.u32 %q, %t, 4, %q;\nst.global.u32 [%q], "
      "%x;\nret;\n}\n";
  const Execution e = run_module(text, memory, {reinterpret_cast<uint64_t>(out.data())}, {1, 1, 1}, {32, 1, 1});
  ASSERT_EQ(e.outcome, Outcome::ok) << e.message;
  const uint32_t expected[] = {1, 1, 2, 6, 24, 120, 720, 5040};
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(out[t], expected[t % 8]) << t;
}

TEST(PtxFlow, PointersToFunctionsAreCalledLaneByLane) {
  GlobalMemory memory;
  const DeviceArray<uint32_t> out(memory, 32);
  const std::string text =
      ptx_header() +
      ".func (.param .b32 r) one(.param .b32 x) {\n.reg .b32 %a;\nld.param.b32 %a, [x];\nadd.u32 %a, %a, "
      "100;\nst.param.b32 [r], %a;\nret;\n}\n"
      ".func (.param .b32 r) two(.param .b32 x) {\n.reg .b32 %a;\nld.param.b32 %a, [x];\nmul.lo.u32 %a, %a, "
      "2;\nst.param.b32 [r], %a;\nret;\n}\n"
      ".global .align 8 .u64 table[2] = {one, two};\n"
      ".visible .entry k(.param .u64 o) {\n.reg .b64 %q, %f;\n.reg .b32 %t, %x;\nmov.u32 %t, %tid.x;\nand.b32 %x, %t, "
      "1;\nmov.u64 %f, table;\nmad.wide.u32 %f, %x, 8, %f;\nld.global.u64 %f, [%f];\n"
      "{\n.param .b32 p0;\nst.param.b32 [p0], %t;\n.param .b32 r0;\nproto: .callprototype (.param .b32 _) _ (.param "
      ".b32 _);\ncall (r0), %f, (p0), proto;\nld.param.b32 %x, [r0];\n}\n"
      "ld.param.u64 %q, [o];\nmad.wide.u32 %q, %t, 4, %q;\nst.global.u32 [%q], %x;\nret;\n}\n";
  const Execution e = run_module(text, memory, {reinterpret_cast<uint64_t>(out.data())}, {1, 1, 1}, {32, 1, 1});
  ASSERT_EQ(e.outcome, Outcome::ok) << e.message;
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(out[t], t % 2 ? 2 * t : t + 100) << t;
}

TEST(PtxFlow, PrintfPrintsEachLanesArguments) {
  GlobalMemory memory;
  std::string printed;
  ExecutionOptions options;
  options.print = [&](const std::string& s) { printed += s; };
  const std::string text =
      ptx_header() +
      ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n.global .align 1 .b8 format[17] = {37, "
      "100, 32, 37, 46, 49, 102, 32, 37, 115, 32, 37, 108, 108, 120, 10, 0};\n"
      ".global .align 1 .b8 word[3] = {104, 105, 0};\n"
      ".visible .entry k() {\n.local .align 8 .b8 depot[32];\n.reg .b64 %s, %l, %f, %x;\n.reg .b32 %t, %r;\n.reg .f64 "
      "%d;\nmov.u64 %l, depot;\ncvta.local.u64 %s, %l;\nmov.u32 %t, %tid.x;\nst.local.u32 [%l], %t;\n"
      "mov.f64 %d, 0d3ff8000000000000;\nst.local.f64 [%l+8], %d;\nmov.u64 %x, word;\ncvta.global.u64 %x, "
      "%x;\nst.local.u64 [%l+16], %x;\nmov.u64 %x, 255;\nst.local.u64 [%l+24], %x;\nmov.u64 %f, "
      "format;\ncvta.global.u64 %f, %f;\n"
      "{\n.param .b64 p0;\nst.param.b64 [p0], %f;\n.param .b64 p1;\nst.param.b64 [p1], %s;\n.param .b32 r0;\ncall.uni "
      "(r0), vprintf, (p0, p1);\nld.param.b32 %r, [r0];\n}\nret;\n}\n";
  const Execution e = run_module(text, memory, {}, {1, 1, 1}, {2, 1, 1}, options);
  ASSERT_EQ(e.outcome, Outcome::ok) << e.message;
  EXPECT_EQ(printed, "0 1.5 hi ff\n1 1.5 hi ff\n");
}

TEST(PtxFlow, AssertionsNameTheirPlaceAndEndTheLaunch) {
  GlobalMemory memory;
  std::string printed;
  ExecutionOptions options;
  options.print = [&](const std::string& s) { printed += s; };
  const std::string text =
      ptx_header() +
      ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 c);\n"
      ".global .align 1 .b8 m[4] = {97, 62, 98, 0};\n.global .align 1 .b8 f[4] = {120, 46, 99, 0};\n.global .align 1 "
      ".b8 n[3] = {103, 111, 0};\n"
      ".visible .entry k() {\n.reg .b64 %a, %b, %c, %d;\n.reg .b32 %t;\n.reg .pred %p;\nmov.u32 %t, "
      "%tid.x;\nsetp.ne.u32 %p, %t, 2;\n@%p bra E;\n"
      "mov.u64 %a, m;\ncvta.global.u64 %a, %a;\nmov.u64 %b, f;\ncvta.global.u64 %b, %b;\nmov.u64 %c, "
      "n;\ncvta.global.u64 %c, %c;\nmov.u64 %d, 1;\n"
      "{\n.param .b64 p0;\nst.param.b64 [p0], %a;\n.param .b64 p1;\nst.param.b64 [p1], %b;\n.param .b32 "
      "p2;\nst.param.b32 [p2], 42;\n.param .b64 p3;\nst.param.b64 [p3], %c;\n.param .b64 p4;\nst.param.b64 [p4], %d;\n"
      "call.uni __assertfail, (p0, p1, p2, p3, p4);\n}\nE:\nret;\n}\n";
  const Execution e = run_module(text, memory, {}, {1, 1, 1}, {32, 1, 1}, options);
  EXPECT_EQ(e.outcome, Outcome::assertion);
  EXPECT_EQ(printed, "x.c:42: go: block: [0,0,0], thread: [2,0,0] Assertion `a>b` failed.\n");
}

}  // namespace
}  // namespace roofline::ptx::flow_test

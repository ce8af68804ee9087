// Planted faults: each is found, by its name, with block, thread and line; the same kernel without the fault is clean.
#include <algorithm>
#include <functional>

#include "bench/virtual_gpu/execute/memory.hpp"
#include "tests/virtual_gpu/ptx/one_instruction.hpp"

namespace roofline::ptx::fault_test {
namespace {

/// A kernel of two blocks with 64 threads. %t is the thread, %b the block, %q the address of 128 words, zeroed and
/// initialised, %u that of 128 words never written; 64 words of shared memory begin at 0.
std::string kernel(const std::string& body) {
  return ptx_header() + ".file 1 \"kernel.cu\"\n" +
         ".visible .entry k(.param .u64 p, .param .u64 n) {\n.shared .align 16 .b8 s[256];\n.reg .b64 %q, %u, %w, "
         "%at;\n.reg .b32 %t, %b, %x, %y, %i, %at32;\n.reg .f64 %d;\n.reg .pred %p;\n"
         "ld.param.u64 %q, [p];\nld.param.u64 %u, [n];\nmov.u32 %t, %tid.x;\nmov.u32 %b, "
         "%ctaid.x;\nmad.lo.u32 %i, %b, 64, %t;\nmad.wide.u32 %at, %i, 4, %q;\nshl.b32 %at32, %t, 2;\n.loc 1 77 3\n" +
         body + "\nret;\n}\n";
}

Execution run(const std::string& body, const std::function<void(GlobalMemory&, std::vector<uint64_t>&)>& change = {}) {
  GlobalMemory memory;
  const DeviceArray<uint32_t> words(memory, std::vector<uint32_t>(128, 0));
  const DeviceArray<uint32_t> fresh(memory, 128);
  std::vector<uint64_t> parameters{reinterpret_cast<uint64_t>(words.data()), reinterpret_cast<uint64_t>(fresh.data())};
  if (change) change(memory, parameters);
  return run_module(kernel(body), memory, parameters, {2, 1, 1}, {64, 1, 1}, all_checks());
}

void expect_clean(const std::string& body) {
  const Execution e = run(body);
  EXPECT_EQ(e.outcome, Outcome::ok) << e.message;
  EXPECT_TRUE(e.findings.empty()) << describe(e.findings[0]);
}

/// The only finding, of that kind, at the instruction.
const Finding& expect_found(const Execution& e, FindingKind kind, const std::string& instruction) {
  static const Finding none;
  EXPECT_EQ(e.findings.size(), 1u) << e.message;
  if (e.findings.empty()) return none;
  for (const Finding& f : e.findings) EXPECT_EQ(name_of(f.kind), name_of(kind)) << describe(f);
  const Finding& f = e.findings[0];
  EXPECT_NE(f.place.instruction.find(instruction), std::string::npos) << describe(f);
  EXPECT_EQ(f.place.kernel, "k");
  EXPECT_EQ(f.place.source, "kernel.cu:77");
  EXPECT_GT(f.place.ptx_line, 10u);
  return f;
}

constexpr const char* write_shared = "st.shared.u32 [%at32], %t;\n";
constexpr const char* read_neighbour =
    "sub.u32 %x, 63, %t;\nshl.b32 %x, %x, 2;\nld.shared.u32 %y, [%x];\nst.global.u32 [%at], %y;\n";

TEST(PtxFaults, MissingBarrier) {
  expect_clean(std::string(write_shared) + "bar.sync 0;\n" + read_neighbour);
  const Execution e = run(std::string(write_shared) + read_neighbour);
  ASSERT_EQ(e.outcome, Outcome::ok);
  // Depending on which warp comes first the read or the write is second; the value that was read may not even be
  // written yet.
  ASSERT_FALSE(e.findings.empty());
  EXPECT_TRUE(std::any_of(e.findings.begin(), e.findings.end(), [](const Finding& f) {
    return f.kind == FindingKind::race && f.space == "shared" && f.bytes == 4 &&
           f.detail.find("thread (") != std::string::npos && f.place.source == "kernel.cu:77";
  })) << describe(e.findings[0]);
}

TEST(PtxFaults, OffByOneBeyondAnAllocation) {
  expect_clean("st.global.u32 [%at], %i;");
  const Execution e = run("st.global.u32 [%at+4], %i;");
  EXPECT_EQ(e.outcome, Outcome::illegal_address);
  const Finding& f = expect_found(e, FindingKind::out_of_bounds, "st.global.u32");
  EXPECT_EQ(f.place.block, (std::array<uint32_t, 3>{1, 0, 0}));
  EXPECT_EQ(f.place.thread, (std::array<uint32_t, 3>{63, 0, 0}));
  EXPECT_EQ(f.allocation, "0 bytes beyond allocation 1 of 512 bytes");
}

TEST(PtxFaults, UninitialisedSharedMemory) {
  expect_clean(std::string(write_shared) + "ld.shared.u32 %x, [%at32];");
  const Execution e = run("setp.lt.u32 %p, %t, 63;\n@%p st.shared.u32 [%at32], %t;\nld.shared.u32 %x, [%at32];");
  const Finding& f = expect_found(e, FindingKind::uninitialised_read, "ld.shared");
  EXPECT_EQ(f.place.thread[0], 63u);
  EXPECT_EQ(f.address, 252u);
  EXPECT_EQ(f.times, 2u);
}

TEST(PtxFaults, UninitialisedGlobalMemory) {
  track_writes(true);  // a virtual device of a test before may have told the memory not to
  const Execution e = run("ld.global.u32 %x, [%u+8];");
  const Finding& f = expect_found(e, FindingKind::uninitialised_read, "ld.global");
  EXPECT_EQ(f.allocation, "byte 8 of allocation 2 of 512 bytes");
}

TEST(PtxFaults, WrongLaneMask) {
  expect_clean("shfl.sync.bfly.b32 %x, %t, 1, 31, -1;");
  const Execution e =
      run("and.b32 %x, %t, 31;\nsetp.lt.u32 %p, %x, 16;\n@%p bra E;\nshfl.sync.bfly.b32 %x, %t, 1, 31, "
          "-1;\nE:\nbar.sync 0;");
  // The others wait at the barrier, which then is divergent, too.
  EXPECT_TRUE(std::any_of(e.findings.begin(), e.findings.end(), [](const Finding& f) {
    return f.kind == FindingKind::invalid_warp_mask && f.place.instruction.find("shfl") == 0 &&
           f.detail == "the mask names lane 0, which does not take part";
  }));
}

TEST(PtxFaults, BlocksThatRaceInGlobalMemory) {
  expect_clean("red.global.add.u32 [%q], 1;");
  const Execution e =
      run("setp.eq.u32 %p, %t, 7;\n@%p ld.global.u32 %x, [%q];\nadd.u32 %x, %x, 1;\n@%p st.global.u32 [%q], %x;");
  ASSERT_FALSE(e.findings.empty());
  EXPECT_EQ(e.findings[0].kind, FindingKind::race);
  EXPECT_EQ(e.findings[0].place.thread[0], 7u);
  EXPECT_NE(e.findings[0].detail.find("thread (7,0,0)"), std::string::npos) << e.findings[0].detail;
}

TEST(PtxFaults, OneOfAKindIsNamedWithItsInstruction) {
  // Lanes, and blocks, that store one value to one address: no race, whichever comes first.
  for (int trial = 0; trial < 100; ++trial) expect_clean("st.global.u32 [%q], 5;\n//");
  const std::string upper_half = "and.b32 %x, %t, 31;\nsetp.lt.u32 %p, %x, 16;\n@%p bra E;\n";
  struct Row {
    std::string body;
    Outcome outcome;
    FindingKind kind;
    const char *instruction, *detail;
  };
  for (const auto& [body, outcome, kind, instruction, detail] :
       {Row{upper_half + "shfl.sync.bfly.b32 %x, %t, 16, 31, 0xffff0000;\nE:", Outcome::ok,
            FindingKind::invalid_warp_mask, "shfl", "reads lane 0, which does not take part"},
        Row{"shfl.sync.down.b32 %x, %t, 1, 31, 0xffff;", Outcome::ok, FindingKind::invalid_warp_mask, "shfl",
            "lane 16"},
        Row{"setp.eq.u32 %p, %b, 0;\n@!%p bra E;\nsetp.lt.u32 %p, %t, 32;\n@%p st.global.u32 [%q+12], %t;\nE:",
            Outcome::ok, FindingKind::race, "st.global",
            "lanes 0 and 1 of a warp store different values to one address"},
        Row{"ld.global.v2.u32 {%x, %y}, [%q+4];", Outcome::misaligned_address, FindingKind::misaligned, "ld.global.v2",
            ""},
        Row{"setp.lt.u32 %p, %t, 32;\n@%p bra A;\nbar.sync 1;\nbra E;\nA:\nbar.sync 0;\nE:", Outcome::timeout,
            FindingKind::invalid_barrier, "bar.sync", ""}}) {
    SCOPED_TRACE(body);
    const Execution e = run(body);
    EXPECT_EQ(e.outcome, outcome) << e.message;
    const Finding& f = expect_found(e, kind, instruction);
    EXPECT_NE(f.detail.find(detail), std::string::npos) << f.detail;
    if (kind == FindingKind::misaligned) {
      EXPECT_EQ(f.bytes, 8u);
    }
  }
}

TEST(PtxFaults, DivergentBarrier) {
  const Execution e = run("setp.lt.u32 %p, %t, 48;\n@%p bra A;\nbar.sync 0;\nbra E;\nA:\nbar.sync 0;\nE:");
  ASSERT_EQ(e.outcome, Outcome::ok) << e.message;
  ASSERT_FALSE(e.findings.empty());
  EXPECT_EQ(e.findings[0].kind, FindingKind::divergent_barrier);
  EXPECT_EQ(e.findings[0].place.source, "kernel.cu:77");
}

TEST(PtxFaults, SharedMemoryOutOfBounds) {
  const Execution e = run("ld.shared.f64 %d, [%at32+248];\n//");
  EXPECT_TRUE(e.outcome == Outcome::misaligned_address || e.outcome == Outcome::illegal_address);
  const Execution beyond = run("st.shared.u32 [%at32+4], %t;");
  EXPECT_EQ(beyond.outcome, Outcome::illegal_address);
  const Finding& f = expect_found(beyond, FindingKind::out_of_bounds, "st.shared");
  EXPECT_EQ(f.place.thread[0], 63u);
  EXPECT_EQ(f.allocation, "256 bytes of shared memory");
}

TEST(PtxFaults, UseOfFreedMemory) {
  const Execution e = run("ld.global.u32 %x, [%u];", [](GlobalMemory& memory, std::vector<uint64_t>& parameters) {
    void* const gone = memory.allocate(4096);
    memory.free(gone);
    parameters[1] = reinterpret_cast<uint64_t>(gone) + 64;
  });
  EXPECT_EQ(e.outcome, Outcome::illegal_address);
  EXPECT_EQ(expect_found(e, FindingKind::use_after_free, "ld.global").allocation,
            "byte 64 of allocation 3 of 4096 bytes, freed");
}

TEST(PtxFaults, TrapAssertAndNullPointerEndTheLaunch) {
  EXPECT_EQ(run("setp.eq.u32 %p, %t, 5;\n@%p trap;").outcome, Outcome::trap);
  const Execution null = run("mov.u64 %w, 0;\nst.global.u32 [%w], %t;");
  EXPECT_EQ(null.outcome, Outcome::illegal_address);
  EXPECT_EQ(null.findings[0].allocation, "a null pointer");
}

TEST(PtxFaults, NothingIsFoundInKernelsThatAreClean) {
  expect_clean(std::string(write_shared) +
               "bar.sync 0;\nld.shared.u32 %x, [%at32];\nbar.sync 0;\nst.shared.u32 [%at32], %x;\nbar.sync 0;\n" +
               read_neighbour);
  // A tree in shared memory whose inner steps are barriers of half the threads.
  expect_clean(
      std::string(write_shared) +
      "bar.sync 0;\nmov.u32 %i, 32;\nL:\nsetp.ge.u32 %p, %t, %i;\n@%p bra S;\nshl.b32 %x, %i, 2;\nadd.u32 %x, %x, "
      "%at32;\nld.shared.u32 %x, [%x];\nld.shared.u32 %y, [%at32];\nadd.u32 %x, %x, %y;\nst.shared.u32 [%at32], %x;\n"
      "S:\nbar.sync 0;\nshr.u32 %i, %i, 1;\nsetp.gt.u32 %p, %i, 0;\n@%p bra L;\n");
}

}  // namespace
}  // namespace roofline::ptx::fault_test

// Loads, stores and atomics in all spaces, what they count, and what the launch refuses.
#include <numeric>

#include "tests/error_of.hpp"
#include "tests/virtual_gpu/ptx/one_instruction.hpp"

namespace roofline::ptx::memory_test {
namespace {

uint64_t at(const auto& array) { return reinterpret_cast<uint64_t>(array.data()); }

std::string kernel(const std::string& body) {
  return ptx_header() +
         ".const .align 8 .u32 table[4] = {10, 20, 30, 40};\n.visible .entry k(.param .u64 p, .param .align 8 .b8 "
         "s[16]) {\n.shared .align 16 .b8 m[8192];\n.local .align 16 .b8 depot[64];\n.reg .b64 %q, %w, %a, %c;\n.reg "
         ".b32 %t, %x<8>, %r;\n"
         ".reg .b16 %h;\n.reg .f32 %f;\n.reg .f64 %d;\n.reg .pred %p;\nld.param.u64 %q, [p];\nmov.u32 %t, %tid.x;\n" +
         body + "\nret;\n}\n";
}

Execution run(const std::string& body, GlobalMemory& memory, const std::vector<uint64_t>& parameters,
              uint32_t threads = 32, int host_threads = 1, uint32_t blocks = 1) {
  ExecutionOptions options;
  options.host_threads = host_threads;
  const Execution e = run_module(kernel(body), memory, parameters, {blocks, 1, 1}, {threads, 1, 1}, options);
  EXPECT_EQ(e.outcome, Outcome::ok) << e.message;
  return e;
}

TEST(PtxMemory, GlobalLoadsCountRequestsAndSectors) {
  GlobalMemory memory;
  const DeviceArray<double> data(memory, 4096);
  struct Row {
    const char* body;
    uint64_t sectors, lanes;
  };
  for (const Row& row :
       {Row{"mad.wide.u32 %a, %t, 8, %q;\nld.global.f64 %d, [%a];", 8, 32},
        Row{"mad.wide.u32 %a, %t, 8, %q;\nld.global.f64 %d, [%a+8];", 9, 32},
        Row{"mad.wide.u32 %a, %t, 4, %q;\nld.global.f32 %f, [%a];", 4, 32}, Row{"ld.global.f64 %d, [%q];", 1, 32},
        Row{"mad.wide.u32 %a, %t, 64, %q;\nld.global.f64 %d, [%a];", 32, 32},
        Row{"xor.b32 %x0, %t, 5;\nmad.wide.u32 %a, %x0, 4, %q;\nld.global.f32 %f, [%a];", 4, 32},
        Row{"setp.lt.u32 %p, %t, 5;\nmad.wide.u32 %a, %t, 8, %q;\n@%p ld.global.f64 %d, [%a];", 2, 5},
        Row{"mad.wide.u32 %a, %t, 16, %q;\nld.global.v4.u32 {%x0, %x1, %x2, %x3}, [%a];", 16, 32}}) {
    const Execution e = run(row.body, memory, {at(data)});
    EXPECT_EQ(e.counts.global_load.requests, 1u) << row.body;
    EXPECT_EQ(e.counts.global_load.sectors, row.sectors) << row.body;
    EXPECT_EQ(e.counts.global_load.lanes, row.lanes) << row.body;
  }
}

TEST(PtxMemory, SharedAccessesCountBankConflicts) {
  GlobalMemory memory;
  const std::pair<const char*, uint64_t> rows[] = {
      {"shl.b32 %r, %t, 2;\nst.shared.u32 [%r], %t;", 1},
      {"shl.b32 %r, %t, 3;\nst.shared.u32 [%r], %t;", 2},
      {"shl.b32 %r, %t, 7;\nst.shared.u32 [%r], %t;", 32},
      {"st.shared.u32 [m], 1;", 1},
      {"shl.b32 %r, %t, 3;\nmov.u64 %w, 1;\nst.shared.u64 [%r], %w;", 2},
      {"mul.lo.u32 %r, %t, 132;\nst.shared.u32 [%r], %t;", 1},
      {"shr.u32 %r, %t, 1;\nshl.b32 %r, %r, 2;\nst.shared.u32 [%r], %t;", 1}};
  for (const auto& [body, wavefronts] : rows)
    EXPECT_EQ(run(body, memory, {0}).counts.shared_store.wavefronts, wavefronts) << body;
}

TEST(PtxMemory, EverySpaceHoldsWhatIsStored) {
  GlobalMemory memory;
  const DeviceArray<uint32_t> out(memory, 32 * 8);
  run("mad.wide.u32 %a, %t, 32, %q;\n"
      "add.u32 %x0, %t, 1000;\nst.local.u32 [depot+8], %x0;\nmov.u64 %w, depot;\ncvta.local.u64 %c, %w;\nld.u32 %x1, "
      "[%c+8];\nst.global.u32 [%a], %x1;\n"  // local, read through a generic address
      "shl.b32 %r, %t, 2;\nst.shared.u32 [%r], %x0;\nbar.sync 0;\nmov.u64 %w, m;\ncvta.shared.u64 %c, %w;\nxor.b32 "
      "%x2, %t, 1;\nmad.wide.u32 %c, %x2, 4, %c;\nld.u32 %x1, [%c];\nst.global.u32 [%a+4], %x1;\n"
      "and.b32 %x2, %t, 3;\nmov.u64 %w, table;\nmad.wide.u32 %w, %x2, 4, %w;\nld.const.u32 %x1, [%w];\nst.global.u32 "
      "[%a+8], %x1;\nld.const.u32 %x1, [table+12];\nst.global.u32 [%a+12], %x1;\n"
      "ld.param.v2.u32 {%x1, %x3}, [s+8];\nst.global.v2.u32 [%a+16], {%x1, %x3};\nmov.b64 %w, s;\nand.b32 %x2, %t, "
      "1;\nmad.wide.u32 %w, %x2, 4, %w;\nld.param.u32 %x1, [%w];\nst.global.u32 [%a+24], %x1;\n"
      // half the lanes read shared, half local memory with one instruction
      "mov.u64 %w, m;\ncvta.shared.u64 %c, %w;\nmov.u64 %w, depot;\ncvta.local.u64 %w, %w;\nadd.u64 %w, %w, "
      "8;\nsetp.lt.u32 %p, %t, 16;\nselp.b64 %c, %c, %w, %p;\nld.u32 %x1, [%c];\nst.global.u32 [%a+28], %x1;",
      memory, {at(out), 0x0000000200000001, 0x0000000400000003});
  for (uint32_t t = 0; t < 32; ++t) {
    const uint32_t* const o = out.data() + 8 * t;
    EXPECT_EQ(o[0], t + 1000);
    EXPECT_EQ(o[1], (t ^ 1) + 1000);
    EXPECT_EQ(o[2], 10 + 10 * (t % 4));
    EXPECT_EQ(o[3], 40u);
    EXPECT_EQ(o[4], 3u);
    EXPECT_EQ(o[5], 4u);
    EXPECT_EQ(o[6], 1 + t % 2);
    EXPECT_EQ(o[7], t < 16 ? 1000u : t + 1000);
  }
}

// As compilers write tile[thread - 2 + 2]: consecutive lanes, others, some lanes, and one address for all.
TEST(PtxMemory, OffsetsAreAddedTo32BitAddressesIn32Bits) {
  GlobalMemory memory;
  const DeviceArray<uint32_t> out(memory, 32 * 4);
  run("shl.b32 %r, %t, 2;\nst.shared.u32 [%r], %t;\nbar.sync 0;\nmad.wide.u32 %a, %t, 16, %q;\n"
      "sub.u32 %x0, %r, 8;\nld.shared.u32 %x1, [%x0+8];\nst.global.u32 [%a], %x1;\n"
      "xor.b32 %x0, %r, 20;\nsub.u32 %x0, %x0, 8;\nld.shared.u32 %x1, [%x0+8];\nst.global.u32 [%a+4], %x1;\n"
      "setp.lt.u32 %p, %t, 5;\nsub.u32 %x0, %r, 8;\nmov.u32 %x1, 99;\n@%p ld.shared.u32 %x1, [%x0+8];\n"
      "st.global.u32 [%a+8], %x1;\n"
      "mov.u32 %x0, -4;\nld.shared.u32 %x1, [%x0+8];\nst.global.u32 [%a+12], %x1;",
      memory, {at(out)});
  for (uint32_t t = 0; t < 32; ++t) {
    EXPECT_EQ(out[4 * t], t);
    EXPECT_EQ(out[4 * t + 1], t ^ 5);
    EXPECT_EQ(out[4 * t + 2], t < 5 ? t : 99);
    EXPECT_EQ(out[4 * t + 3], 1u);
  }
}

TEST(PtxMemory, NarrowLoadsExtendAndNarrowStoresTruncate) {
  const auto d = each<uint32_t, uint32_t>(
      "st.global.b8 [%q], %a;\nld.global.s8 %t0, [%q];\nst.global.b16 [%q], %a;\nld.global.u16 %t1, [%q];\nshl.b32 "
      "%t1, %t1, 16;\nand.b32 %t0, %t0, 0xffff;\nor.b32 %d, %t0, %t1;",
      {0x12345680u, 0xffff007fu});
  EXPECT_EQ(d[0], 0x5680ff80u);
  EXPECT_EQ(d[1], 0x007f007fu);
}

TEST(PtxMemory, AtomicsAreExactForAnyNumberOfHostThreads) {
  for (const int threads : {1, 2}) {
    GlobalMemory memory;
    const DeviceArray<uint64_t> out(memory, 16);
    const Execution e =
        run("atom.global.add.u32 %x0, [%q], 1;\nred.global.add.f64 [%q+8], 0d3FE0000000000000;\natom.global.max.s32 "
            "%x0, [%q+16], %t;\nred.global.or.b32 [%q+24], 5;\natom.global.inc.u32 %x0, [%q+32], 6;\n"
            "red.global.add.noftz.f16x2 [%q+40], 0x3c003c00;\nred.global.min.s32 [%q+48], -3;\natom.shared.add.u32 "
            "%x0, [m], 2;\nred.global.add.f32 [%q+56], 0f3f800000;\natom.global.dec.u32 %x0, [%q+64], 9;",
            memory, {at(out)}, 64, threads, 20);
    EXPECT_EQ(out[0], 1280u);
    EXPECT_EQ(std::bit_cast<double>(out[1]), 640.0);
    EXPECT_EQ(out[2], 63u);
    EXPECT_EQ(out[3], 5u);
    EXPECT_EQ(out[4], 1280u % 7);
    EXPECT_EQ(out[5], 0x65006500u);  // 1280 in fp16, twice
    EXPECT_EQ(static_cast<int32_t>(out[6]), -3);
    EXPECT_EQ(out[7], 0x44a00000u);
    EXPECT_EQ(out[8], 10 - 1280u % 10 == 10 ? 0u : 10 - 1280u % 10);
    EXPECT_EQ(e.counts.global_atomic.requests, 9u * 40);
    EXPECT_EQ(e.counts.shared_atomic.requests, 40u);
  }
}

TEST(PtxMemory, CountsAreEqualForAnyNumberOfHostThreads) {
  GlobalMemory memory;
  const DeviceArray<uint32_t> out(memory, 4096);
  const char* const body =
      "mov.u32 %x0, %ctaid.x;\nmad.lo.u32 %x1, %x0, 64, %t;\nmov.u32 %x2, 0;\nL:\nadd.u32 %x2, %x2, 1;\nand.b32 %x3, "
      "%x1, "
      "15;\nsetp.lt.u32 %p, %x2, %x3;\n@%p bra L;\nmad.wide.u32 %a, %x1, 4, %q;\nst.global.u32 [%a], %x2;";
  const Execution one = run(body, memory, {at(out)}, 64, 1, 50), two = run(body, memory, {at(out)}, 64, 2, 50);
  EXPECT_EQ(one.counts, two.counts);
  EXPECT_EQ(one.counts.blocks, 50u);
  EXPECT_EQ(one.counts.warps, 100u);
  EXPECT_EQ(one.counts.divergent_branches, 100u * 14);
}

TEST(PtxMemory, FlopsAreCountedByKindAndPrecision) {
  GlobalMemory memory;
  const Execution e =
      run("mov.f64 %d, 0d3ff0000000000000;\nadd.f64 %d, %d, %d;\nsub.f64 %d, %d, %d;\nfma.rn.f64 %d, %d, %d, "
          "%d;\ndiv.rn.f64 %d, %d, %d;\nmov.f32 %f, 0f3f800000;\nmul.f32 %f, %f, %f;\nmov.u32 %x0, 0;\nfma.rn.f16x2 "
          "%x0, %x0, %x0, %x0;\n"
          "setp.lt.u32 %p, %t, 10;\n@%p mul.f64 %d, %d, %d;\nadd.rn.bf16x2 %x0, %x0, %x0;",
          memory, {0}, 64);
  EXPECT_EQ(e.counts.of(Precision::fp64), (Flops{128, 10, 64, 64}));
  EXPECT_EQ(e.counts.of(Precision::fp32), (Flops{0, 64, 0, 0}));
  EXPECT_EQ(e.counts.of(Precision::fp16), (Flops{0, 0, 128, 0}));
  EXPECT_EQ(e.counts.of(Precision::bf16), (Flops{128, 0, 0, 0}));
  EXPECT_EQ(e.counts.total_flops(), 128u + 10 + 128 + 64 + 64 + 256 + 128);
}

TEST(PtxMemory, AsynchronousCopiesArrive) {
  GlobalMemory memory;
  const DeviceArray<uint32_t> data(memory, [] {
    std::vector<uint32_t> v(256);
    std::iota(v.begin(), v.end(), 0);
    return v;
  }());
  run("mul.lo.u32 %r, %t, 16;\nmad.wide.u32 %a, %t, 16, %q;\ncp.async.cg.shared.global [%r], [%a], "
      "16;\ncp.async.commit_group;\ncp.async.wait_group 0;\nbar.sync 0;\nxor.b32 %r, %r, 16;\nld.shared.v4.u32 {%x0, "
      "%x1, %x2, %x3}, [%r];\nst.global.v4.u32 [%a+512], {%x0, %x1, %x2, %x3};",
      memory, {at(data)});
  for (uint32_t n = 0; n < 128; ++n) EXPECT_EQ(data[128 + n], n ^ 4);
}

TEST(PtxMemory, MbarriersCountArrivals) {
  GlobalMemory memory;
  const DeviceArray<uint32_t> data(memory, 64);
  run("setp.eq.u32 %p, %t, 0;\n@%p mbarrier.init.shared.b64 [m], 64;\nbar.sync 0;\nshl.b32 %r, %t, 2;\nst.shared.u32 "
      "[%r+64], %t;\nmbarrier.arrive.shared.b64 %w, [m];\nW:\nmbarrier.try_wait.parity.shared.b64 %p, [m], 0;\n@!%p "
      "bra W;\n"
      "xor.b32 %r, %r, 252;\nld.shared.u32 %x0, [%r+64];\nmad.wide.u32 %a, %t, 4, %q;\nst.global.u32 [%a], %x0;",
      memory, {at(data)}, 64);
  for (uint32_t n = 0; n < 64; ++n) EXPECT_EQ(data[n], 63 - n);
}

TEST(PtxMemory, NamedBarriersOfSomeWarpsAndReductions) {
  GlobalMemory memory;
  const DeviceArray<uint32_t> data(memory, 128);
  run("setp.lt.u32 %p, %t, 64;\n@!%p bra OTHERS;\nshl.b32 %r, %t, 2;\nst.shared.u32 [%r], %t;\nbar.sync 1, "
      "64;\nxor.b32 %r, %r, 128;\nld.shared.u32 %x0, [%r];\nbra JOIN;\nOTHERS:\nmov.u32 %x0, 7;\nJOIN:\n"
      "and.b32 %x1, %t, 3;\nsetp.eq.u32 %p, %x1, 0;\nbar.red.popc.u32 %x2, 0, %p;\nmad.lo.u32 %x0, %x2, 1000, "
      "%x0;\nmad.wide.u32 %a, %t, 4, %q;\nst.global.u32 [%a], %x0;",
      memory, {at(data)}, 128);
  for (uint32_t n = 0; n < 128; ++n) EXPECT_EQ(data[n], 32000 + (n < 64 ? n ^ 32 : 7)) << n;
}

TEST(PtxMemory, LaunchesAreRefusedByName) {
  GlobalMemory memory;
  const std::string unknown = ptx_header() +
                              ".visible .entry k() {\n.reg .f32 %f<4>;\n.reg .b64 %q;\ntex.2d.v4.f32.f32 {%f0, %f1, "
                              "%f2, %f3}, [%q, {%f0, %f1}];\nret;\n}\n";
  const Execution e = run_module(unknown, memory, {}, {1, 1, 1}, {1, 1, 1});
  EXPECT_EQ(e.outcome, Outcome::unsupported_instruction);
  EXPECT_EQ(e.place.ptx_line, 7u);
  EXPECT_NE(e.message.find("k: unsupported instruction in PTX line 7: tex.2d.v4.f32.f32"), std::string::npos)
      << e.message;
  const std::string call =
      ptx_header() + ".extern .func cudaSomething();\n.visible .entry k() {\ncall.uni cudaSomething;\nret;\n}\n";
  EXPECT_NE(run_module(call, memory, {}, {1, 1, 1}, {1, 1, 1}).message.find("cudaSomething"), std::string::npos);
  const std::string plain = ptx_header() + ".visible .entry k()\n.maxntid 64, 1, 1\n{\nret;\n}\n";
  EXPECT_EQ(run_module(plain, memory, {}, {1, 1, 1}, {128, 1, 1}).outcome, Outcome::invalid_launch);
  EXPECT_EQ(run_module(plain, memory, {}, {0, 1, 1}, {32, 1, 1}).outcome, Outcome::invalid_launch);
}

TEST(PtxMemory, ParseErrorsNameLineAndWord) {
  const auto error = [](const std::string& text) { return testing::error_of<ParseError>([&] { parse(text); }); };
  EXPECT_EQ(error("hello"), "PTX line 1: unknown directive 'hello'");
  EXPECT_EQ(error(""), "PTX line 1: no .version: this is not PTX");
  EXPECT_EQ(error(ptx_header() + ".visible .entry k() {\n.reg .b32 %r<4>;\nadd.u32 %r1, %r2 3;\n}"),
            "PTX line 6: expected ',' or ';' in 'add.u32', at '3'");
  EXPECT_EQ(error(ptx_header() + ".visible .entry k() {\n.reg .b32 %r<4>;\nadd.u32 %r1, %r2"),
            "PTX line 6: expected ',' or ';' in 'add.u32', at the end of the text");
  EXPECT_EQ(error(ptx_header() + ".visible .entry k() {\n.reg .b99 %r<4>;\n}"),
            "PTX line 5: unknown register type, at '%r'");
}

TEST(PtxMemory, AllocationsAreFoundChargedAndRemembered) {
  GlobalMemory memory(1000);
  void* const a = memory.allocate(600);
  EXPECT_EQ(memory.allocate(600), nullptr);
  EXPECT_NE(memory.allocate(600, Origin::host), nullptr);
  EXPECT_EQ(memory.used(), 600u);
  EXPECT_TRUE(memory.find(reinterpret_cast<uint64_t>(a) + 599));
  EXPECT_FALSE(memory.find(reinterpret_cast<uint64_t>(a) + 600));
  EXPECT_FALSE(memory.free(static_cast<char*>(a) + 8));
  EXPECT_TRUE(memory.free(a));
  EXPECT_FALSE(memory.free(a));
  EXPECT_TRUE(memory.was_freed(reinterpret_cast<uint64_t>(a) + 1));
  EXPECT_EQ(memory.used(), 0u);
}

}  // namespace
}  // namespace roofline::ptx::memory_test

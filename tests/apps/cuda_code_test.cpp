#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "apps/lbm/operations.hpp"
#include "tests/cuda/cubin.hpp"

// The compiled code of the kernels: the counted operations are the instructions that run, loads are as wide as
// intended, registers are enough.
namespace roofline::cuda_code_test {
namespace {

/// The output of ptxas for one kernel and one architecture, which needs neither a GPU nor a disassembler.
struct MachineCode {
  std::string name;              ///< demangled
  int sm = 0;                    ///< 90
  int registers = 0, frame = 0;  ///< per thread; bytes of local memory, spilled registers among them
  int dadd = 0, dmul = 0, dfma = 0;
  int load32 = 0, load64 = 0, load128 = 0;  ///< global loads, and those among them of read-only memory
  int read_only = 0;
  int stores = 0, store128 = 0;  ///< global
  int generic_stores = 0;
  int local = 0, shared = 0;  ///< loads and stores
};

MachineCode counted(const testing::SassKernel& kernel) {
  using namespace testing::sass;
  MachineCode c{.name = testing::demangled(kernel.name), .sm = kernel.capability};
  c.registers = kernel.registers, c.frame = kernel.frame_bytes;
  c.dadd = kernel.count({dadd}), c.dmul = kernel.count({dmul}), c.dfma = kernel.count({dfma});
  c.local = kernel.count({load_local, store_local});
  c.shared = kernel.count({load_shared, store_shared});
  for (const auto& instruction : kernel.code) {
    const auto bytes = instruction.global_access_bytes();
    if (instruction.family() == load_global) {
      ++(bytes == 16 ? c.load128 : bytes == 8 ? c.load64 : c.load32);
      c.read_only += instruction.reads_constant_memory();
    }
    c.generic_stores += instruction.family() == store_generic;
    if (instruction.family() == store_global) ++c.stores, c.store128 += bytes == 16;
  }
  return c;
}

/// All kernels in roofline_bench, for every architecture; empty in a build without CUDA.
const std::vector<MachineCode>& machine_code() {
  static const auto all = [] {
    std::vector<MachineCode> kernels;
    for (const auto& kernel : testing::kernels_in(ROOFLINE_BENCH)) kernels.push_back(counted(kernel));
    return kernels;
  }();
  return all;
}

/// Loads that may pass stores; on sm_75 the bit means something else.
int read_only(const MachineCode& c) { return c.sm < 80 ? c.load32 + c.load64 + c.load128 : c.read_only; }

class CudaCode : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto& all = machine_code();
    if (std::none_of(all.begin(), all.end(), is_known)) GTEST_SKIP() << "no machine code for sm_75 to sm_90";
  }
  /// Where the numbers below have been established; later compilers' targets may differ in some instructions.
  static bool is_known(const MachineCode& code) { return code.sm >= 75 && code.sm <= 90; }
  /// Every known architecture's version of the kernels that `part` names; there must be some.
  static void of(const std::string& part, const std::function<void(const MachineCode&)>& expect) {
    int found = 0;
    for (const auto& code : machine_code())
      if (is_known(code) && code.name.find(part) != std::string::npos) {
        SCOPED_TRACE("sm_" + std::to_string(code.sm) + " " + code.name);
        ++found;
        expect(code);
      }
    EXPECT_GT(found, 0) << part;
  }
};

TEST_F(CudaCode, StreamLoadsAndStores16Bytes) {
  // Two pairs per thread, and the element that may remain of each.
  of("EachElement<roofline::stream::TriadTo<roofline::View> >", [](const MachineCode& c) {
    EXPECT_EQ(c.load128, 4);
    EXPECT_EQ(c.load64, 4);
    EXPECT_EQ(read_only(c), 8);
    EXPECT_EQ(c.store128, 2);
    EXPECT_EQ(c.dfma, 6);
    EXPECT_EQ(c.dadd + c.dmul, 0);
    EXPECT_LE(c.registers, 40);
  });
}

TEST_F(CudaCode, AColumnOfTheStencilLoadsFiveOfSevenNeighbours) {
  of("PointPerThread<roofline::stencil::SevenFlopsTo<roofline::View, roofline::View> >",
     [](const MachineCode& c) { EXPECT_EQ(c.load64, 7); });
  of("ColumnPerThread<roofline::stencil::SevenFlopsTo<roofline::View, roofline::View> >", [](const MachineCode& c) {
    EXPECT_EQ(c.load64, 8 * 5 + 2);
    EXPECT_EQ(c.dadd, 8 * 5);
    EXPECT_EQ(c.dfma, 8) << "7 FLOP per point";
  });
}

TEST_F(CudaCode, SmoothersExecuteTheOperationsOfTheAccount) {
  const std::string prefix = "void roofline::cuda::run_kernel<roofline::gsrb::TileSweep<roofline::gsrb::";
  const auto expect = [&](const std::string& kernel, int add, int mul, int loads) {
    // Before its cells a thread reads the level from memory, the mask's address where there is one, and computes b/h^2:
    // two products and a reciprocal, which is expanded and has a way for rare operands.
    const int level = kernel.find("Fp") == kernel.npos ? 12 : 13;
    constexpr int level_mul = 5, level_fma = 18;
    of(prefix + kernel + ", false> >", [=](const MachineCode& c) {
      EXPECT_EQ(c.dadd, add);
      EXPECT_EQ(c.dmul, mul + level_mul);
      EXPECT_EQ(c.dfma, level_fma);
      EXPECT_EQ(c.load64, loads + level);
      // Addresses that come from memory are generic ones for the compiler, also where it stores.
      EXPECT_EQ(c.generic_stores, kernel.find("Stride2") == kernel.npos ? 1 : 2);
    });
    of(prefix + kernel + ", true> >", [=](const MachineCode& c) {
      EXPECT_EQ(c.dadd + c.dmul + 2 * c.dfma, add + mul + level_mul + 2 * level_fma);
      EXPECT_GT(c.dfma, level_fma);
      EXPECT_EQ(c.load64, loads + level);
    });
  };
  expect("FourthOrder, roofline::gsrb::Fp", 85, 29, 58);
  expect("FourthOrder, roofline::gsrb::Branch", 85, 28, 57);
  expect("FourthOrder, roofline::gsrb::Stride2", 85, 28, 58);
  expect("SevenPoint, roofline::gsrb::Fp", 13, 9, 16);
  expect("SevenPoint, roofline::gsrb::Branch", 13, 8, 15);
  expect("SevenPoint, roofline::gsrb::Stride2", 13, 8, 16);
}

TEST_F(CudaCode, TunedSmoothersKeepTheirSurroundings) {
  // Four planes of the loop, and what the first plane needs besides.
  of("ColumnSweep<roofline::gsrb::FourthOrder, false>", [](const MachineCode& c) {
    EXPECT_EQ(c.load64, 4 * (13 + 17 + 3) + 12 + 11);
    EXPECT_LE(c.dadd, 4 * 85);
    EXPECT_GE(c.dadd, 4 * 80);
    EXPECT_EQ(c.dmul, 4 * 29);
    EXPECT_EQ(c.dfma, 0);
    EXPECT_LE(c.registers, 168);
  });
  of("ColumnSweep<roofline::gsrb::SevenPoint", [](const MachineCode& c) {
    EXPECT_EQ(c.load64, 4 * (5 + 5 + 3) + 3 - 4 + 2);
    EXPECT_LE(c.registers, 80);
  });
}

TEST_F(CudaCode, GppDoesInItsLoopWhatTheBodySays) {
  for (int nw = 1; nw <= 6; ++nw) {
    const auto number = std::to_string(nw);
    of("OneWarpPerRow<" + number + ", false, false>", [=](const MachineCode& c) {
      EXPECT_EQ(c.dfma, 0);
      EXPECT_EQ(c.load128, 3 + 1) << "aqsn, I_eps, wtilde; aqsm";
      EXPECT_EQ(c.load64, 1 + nw) << "vcoul, wx";
      EXPECT_EQ(c.load32, 1 + 1) << "indinv, and before the loop inv_igp_index";
      EXPECT_EQ(c.sm < 80 ? 3 : c.read_only, 3) << "broadcasts are loaded again";
    });
    of("OneWarpPerRow<" + number + ", true, false>", [=](const MachineCode& c) {
      EXPECT_EQ(c.dfma, 2 + 9 * nw);
      EXPECT_EQ(c.dmul, 4 + 9 * nw);
    });
    // Besides the body of the account, a division is some 7 DFMA in line and as many in its slow path.
    of("OneWarpPerRow<" + number + ", false, true>", [=](const MachineCode& c) { EXPECT_LE(c.dfma, 8 * nw + 16); });
    of("BandsByRows<" + number + ", ", [](const MachineCode& c) { EXPECT_LE(c.registers, 128); });
  }
}

TEST_F(CudaCode, TheLadderOfCollideIsThatOfTheTalk) {
  const std::string own = "OwnPopulations<roofline::lbm::", constants = own + "(anonymous namespace)::";
  const std::string local = "LocalPopulations<roofline::lbm::(anonymous namespace)::FixedConstants, ";
  of(own + "PointerTables, true, 1>", [](const MachineCode& c) {
    EXPECT_EQ(c.load64, 62 + 1 + 1) << "v0: 62 parameters and the population, in five loops; the bulk flag";
    EXPECT_EQ(c.frame, 37 * 8);
    EXPECT_EQ(c.stores, 1);
  });
  of(constants + "IndexedConstants, true, 1>", [](const MachineCode& c) {
    EXPECT_EQ(c.load64, 1 + 1) << "v1";
    EXPECT_EQ(c.frame, 37 * 8);
  });
  of(local + "3>", [](const MachineCode& c) {
    EXPECT_LE(c.registers, 80) << "v2: three blocks on an SM";
    EXPECT_GE(c.frame, 37 * 8);
    EXPECT_GE(c.local, 5 * 37 - 1) << "written, read, read and written, read, but for one that the assembler saves";
  });
  of(local + "1>", [](const MachineCode& c) {
    EXPECT_GT(c.registers, 128) << "v3: one block";
    EXPECT_GE(c.frame, 37 * 8);
    EXPECT_GE(c.local, 5 * 37 - 1);
  });
  of(constants + "FixedConstants, true, 1>", [](const MachineCode& c) {
    EXPECT_GE(c.registers, 250) << "v3_registers";
    EXPECT_LE(c.frame, 64);
  });
  of("SharedPopulations", [](const MachineCode& c) {
    EXPECT_EQ(c.shared, 2 * 37 + 3 * 37) << "v4";
    EXPECT_EQ(c.frame, 0);
    EXPECT_LT(c.registers, 255);
  });
  of("MomentsPerThread", [](const MachineCode& c) {
    EXPECT_EQ(c.frame, 0) << "v5";
    EXPECT_EQ(c.load64, 37 + 1);
    EXPECT_EQ(c.stores, 37);
  });
}

TEST_F(CudaCode, CollideExecutesTheOperationsOfTheAccount) {
  const auto near = [](const MachineCode& c, const Operations& account) {
    const auto wanted = [](std::uint64_t n) { return static_cast<double>(n); };
    // 4 or 5 divisions of some 10 instructions in line and a slow path are on top.
    EXPECT_NEAR(c.dadd, wanted(account.add), 8);
    EXPECT_NEAR(c.dmul, wanted(account.mul), 16);
    EXPECT_NEAR(c.dfma, wanted(account.fma), 60);
    EXPECT_GE(c.dfma, static_cast<int>(account.fma));
  };
  of("FixedConstants, true, ", [&](const MachineCode& c) { near(c, lbm::five_loops(true)); });
  of("LocalPopulations", [&](const MachineCode& c) { near(c, lbm::five_loops(true)); });
  of("SharedPopulations", [&](const MachineCode& c) { near(c, lbm::five_loops(true)); });
  of("MomentsPerThread", [&](const MachineCode& c) { near(c, lbm::moment_space()); });
}

TEST_F(CudaCode, OnlyTheLadderOfCollideUsesLocalMemory) {
  of("run_kernel<", [](const MachineCode& c) {
    EXPECT_TRUE(c.frame == 0 || c.name.find("Populations<") != std::string::npos) << c.frame;
    EXPECT_GT(c.registers, 0);
  });
}

}  // namespace
}  // namespace roofline::cuda_code_test

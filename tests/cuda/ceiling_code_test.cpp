#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <tuple>

#include "tests/cuda/cubin.hpp"

namespace roofline::ceiling_code_test {
namespace {

using testing::SassKernel;

/// Where the machine code is: the program, or a file of cubins of any target (tests/cuda/targets.sh).
std::string code_file() {
  const char* const other = std::getenv("ROOFLINE_CUBINS");
  return other ? other : ROOFLINE_BENCH;
}

/// The ceilings' kernels there, by a part of their mangled names.
std::vector<SassKernel> kernels_named(const std::string& part) {
  static const auto all = testing::kernels_in(code_file());
  std::vector<SassKernel> found;
  for (const auto& kernel : all)
    if (kernel.name.find(part) != std::string::npos) found.push_back(kernel);
  return found;
}

/// The form, operands, precision, chains and steps in the name of a run_chains<...>.
struct Loop {
  int form, operands, chains, steps;
  std::string precision;
};
Loop loop_of(const std::string& name) {
  const auto after = [&](const std::string& key, std::size_t from) { return name.find(key, from) + key.size(); };
  Loop loop{};
  auto at = after("CudaFormE", 0);
  loop.form = std::atoi(name.c_str() + at);
  at = after("OperandsE", at);
  loop.operands = std::atoi(name.c_str() + at);
  for (const char* precision : {"Fp64", "Fp32", "Fp32x2", "Fp16x2", "Bf16x2"})
    if (name.find(precision, at) != std::string::npos) loop.precision = precision;
  at = after(loop.precision + "ELi", at);
  loop.chains = std::atoi(name.c_str() + at);
  loop.steps = std::atoi(name.c_str() + after("ELi", at));
  return loop;
}

/// Share of a loop that its counter, its branch and copies of operands may be.
constexpr double most_others = 0.05;
/// Spills of registers before and behind a loop, where the compiler for 10.x makes some.
constexpr int most_spills = 16;
/// In a loop of thousands, mostly NOPs: FP64 on matrices for 10.3 and 11.0.
constexpr double spills_of_a_loop = 1e-3;

enum Form { fma, mul_add, add, mul, div };

// Packed halves: HFMA2 may be executed as HFMA2.MMA.
int fused(const Loop& loop, const std::vector<testing::SassInstruction>& code) {
  using namespace testing::sass;
  if (loop.precision == "Fp64") return SassKernel::count(code, {dfma});
  if (loop.precision == "Fp32") return SassKernel::count(code, {ffma});
  if (loop.precision == "Fp32x2") return SassKernel::count(code, {ffma2});
  return SassKernel::count(code, {hfma2, hfma2_mma});
}
int separate(const Loop& loop, const std::vector<testing::SassInstruction>& code, bool adds) {
  using namespace testing::sass;
  if (loop.precision == "Fp64") return SassKernel::count(code, {adds ? dadd : dmul});
  if (loop.precision == "Fp32") return SassKernel::count(code, {adds ? fadd : fmul});
  if (loop.precision == "Fp32x2") return SassKernel::count(code, {adds ? fadd2 : fmul2});
  return SassKernel::count(code, {adds ? hadd2 : hmul2});
}

TEST(CudaCeilingCode, LoopsOfTheVectorCeilingsAreNothingButTheirOperation) {
  std::set<std::tuple<int, std::string, int>> seen;
  for (const auto& kernel : kernels_named("run_chains")) {
    const auto loop = loop_of(kernel.name);
    if (loop.form == div) continue;
    if (loop.precision == "Bf16x2" && kernel.capability < (loop.form == fma ? 80 : 90)) continue;  // not launched
    if (loop.precision == "Fp32x2" && kernel.capability / 10 != 10) continue;                      // nor this
    SCOPED_TRACE(kernel.name + " for " + std::to_string(kernel.capability));
    const auto code = kernel.longest_loop();
    const int steps = loop.chains * loop.steps;
    const bool adds = loop.form == mul_add || loop.form == add, muls = loop.form == mul_add || loop.form == mul;
    const bool packed = loop.precision == "Fp16x2" || loop.precision == "Bf16x2";
    if (loop.form == fma) {
      EXPECT_EQ(fused(loop, code), steps);
    } else if (!packed) {
      EXPECT_EQ(fused(loop, code), 0) << "the compiler fused";
      EXPECT_EQ(separate(loop, code, true), adds ? steps : 0);
      EXPECT_EQ(separate(loop, code, false), muls ? steps : 0);
    } else {  // products as b s - 0 and sums as b 1 + o: the compiler spreads them over two pipes
      EXPECT_EQ(fused(loop, code) + separate(loop, code, true) + separate(loop, code, false), steps * (adds + muls));
    }
    const int instructions = steps * (loop.form == mul_add ? 2 : 1);
    EXPECT_GE(instructions, 250);
    // FP64 of 10.3 and 12.x has three or four NOPs behind each instruction, of a unit that is slower than they are.
    const int others = static_cast<int>(code.size()) - SassKernel::count(code, {testing::sass::nop}) - instructions;
    EXPECT_LE(others, most_others * instructions) << "next to the operation";
    seen.insert({kernel.capability, loop.precision, loop.form});
  }
  if (seen.empty()) GTEST_SKIP() << "no machine code in the program (ROOFLINE_CUDA_ARCHITECTURES)";
  std::set<int> capabilities;
  for (const auto& [capability, precision, form] : seen) capabilities.insert(capability);
  // Pairs of floats have a target of their own.
  EXPECT_EQ(seen.count({100, "Fp32x2", fma}), seen.count({100, "Fp32x2", add}));
  if (!seen.contains({100, "Fp32", fma})) capabilities.erase(100);
  for (const int capability : capabilities)
    for (const char* precision : {"Fp64", "Fp32", "Fp16x2"})
      for (const int form : {fma, mul_add, add, mul})
        EXPECT_TRUE(seen.count({capability, precision, form})) << capability << precision << form;
}

TEST(CudaCeilingCode, LoopsOfTheSchedulersAreAdditionsAlone) {
  for (const auto& kernel : kernels_named("run_issue")) {
    SCOPED_TRACE(kernel.name + " for " + std::to_string(kernel.capability));
    const auto code = kernel.longest_loop();
    const auto after = [&](const char* key) { return std::atoi(kernel.name.c_str() + kernel.name.find(key) + 3); };
    const int integers = after("ILi"), steps = after("ELi");
    using namespace testing::sass;
    EXPECT_EQ(SassKernel::count(code, {fadd}), (8 - integers) * steps);
    EXPECT_GE(SassKernel::count(code, {iadd3, imad, lop3}), integers * steps) << "two made one";
    EXPECT_LE(static_cast<int>(code.size()) - 8 * steps, most_others * 8 * steps);
  }
}

TEST(CudaCeilingCode, DivisionsStayInTheLoop) {
  for (const auto& kernel : kernels_named("run_chains")) {
    const auto loop = loop_of(kernel.name);
    if (loop.form != div || loop.precision == "Bf16x2") continue;
    const int per_division = loop.precision == "Fp64" ? 5 : loop.precision == "Fp32" ? 4 : 1;
    const auto code = kernel.longest_loop();
    EXPECT_GE(SassKernel::count(code, {testing::sass::dfma, testing::sass::ffma, testing::sass::fmul,
                                       testing::sass::hmul2, testing::sass::hfma2}),
              per_division * loop.chains * loop.steps)
        << kernel.name;
  }
}

TEST(CudaCeilingCode, LoopsOfTheTensorCeilingsExecuteMatrixInstructions) {
  for (const auto& kernel : kernels_named("run_mma")) {
    const auto code = kernel.longest_loop();
    if (code.empty()) continue;  // an instruction that this architecture lacks
    SCOPED_TRACE(kernel.name + " for " + std::to_string(kernel.capability));
    const bool doubles = kernel.name.find("MmaFp64") != std::string::npos;
    const bool integers = kernel.name.find("MmaInt8") != std::string::npos;
    const auto wanted = doubles ? testing::sass::dmma : integers ? testing::sass::imma : testing::sass::hmma;
    const int matrix = SassKernel::count(code, {wanted, testing::sass::qmma});
    EXPECT_EQ(matrix % 64, 0) << "two instructions may do the work of one shape";
    EXPECT_GE(matrix, 64);
    EXPECT_EQ(SassKernel::count(code, {testing::sass::fadd, testing::sass::ffma, testing::sass::dfma}), 0)
        << "sums that the compiler took out of the matrix instructions";
  }
}

TEST(CudaCeilingCode, GroupsOfWarpsMultiplyInOneInstruction) {
  // HGMMA of floats and halves, QGMMA of 8-bit floats, IGMMA: eight in the loop, one behind it.
  const auto kernels = kernels_named("run_wgmma");
  if (kernels.empty() && std::getenv("ROOFLINE_CUBINS")) GTEST_SKIP() << "another target's";
  EXPECT_EQ(kernels.size(), 5u);
  for (const auto& kernel : kernels) {
    SCOPED_TRACE(kernel.name);
    EXPECT_EQ(kernel.capability, 90);
    EXPECT_EQ(kernel.count({testing::sass::hgmma, testing::sass::qgmma, testing::sass::igmma}), 9);
    EXPECT_EQ(kernel.count({testing::sass::load_local, testing::sass::store_local}), 0);
    EXPECT_LE(kernel.registers, 168) << "three blocks per SM";
  }
}

TEST(CudaCeilingCode, BandwidthLoopsLoadAndStoreWhatTheyCharge) {
  // global_sweep<mix, cache, unroll>, shared_sweep<mix, unroll>: read, write, copy, triad, update
  constexpr int loads[] = {1, 0, 1, 2, 1}, stores[] = {0, 1, 1, 1, 1};
  for (const auto& kernel : kernels_named("_sweepIL")) {
    const bool shared = kernel.name.find("shared_sweep") != std::string::npos;
    const auto mix = std::atoi(kernel.name.c_str() + kernel.name.find("CudaMixE") + 8);
    const auto unroll = std::atoi(kernel.name.c_str() + kernel.name.rfind("ELi") + 3);
    SCOPED_TRACE(kernel.name + " for " + std::to_string(kernel.capability));
    const auto count = [&](unsigned global, unsigned local) { return kernel.count({shared ? local : global}); };
    const int extra_stores = shared ? 0 : mix == 0 ? 3 : 2;  // the clock, and of reads the sum
    using namespace testing::sass;
    if (!shared) {
      EXPECT_EQ(count(load_global, load_shared), unroll * loads[mix]);
      EXPECT_EQ(count(store_global, store_shared), unroll * stores[mix] + extra_stores);
    } else {
      EXPECT_GE(count(load_global, load_shared), unroll * loads[mix]);
      EXPECT_GE(count(store_global, store_shared), unroll * stores[mix]);
    }
  }
}

// run_kernel<CudaErt<F, step, Fma>>
TEST(CudaCeilingCode, AnElementOfErtIsOneLoadOneStoreAndItsFlops) {
  int seen = 0;
  for (const auto& kernel : kernels_named("CudaErtILi")) {
    using namespace testing::sass;
    SCOPED_TRACE(kernel.name + " for " + std::to_string(kernel.capability));
    const int flops = std::atoi(kernel.name.c_str() + kernel.name.find("CudaErtILi") + 10);
    const bool fma = kernel.name.find("ELb1E") != kernel.name.npos;
    EXPECT_LE(kernel.registers, 40);
    EXPECT_EQ(kernel.count({load_local, store_local}), 0);
    if (flops == 0) continue;  // another F, or divisions: loops and calls
    ++seen;
    EXPECT_LE(kernel.registers, 32) << "2048 threads fill an SM";
    EXPECT_EQ(kernel.count({load_global}), 1);
    EXPECT_EQ(kernel.count({store_global}), 1);
    // Long chains are loops, whose body appears once; the change of sign is not an operation of the units.
    const int steps = flops / 2, body = std::min(steps, fma ? 256 : 64);
    const int counted = fma ? kernel.count({dfma}) : kernel.count({dmul});
    EXPECT_TRUE(counted == steps || counted == body) << counted;
    EXPECT_EQ(fma ? kernel.count({dmul}) : kernel.count({dfma}), 0);
    EXPECT_EQ(kernel.count({dadd}), flops == 1 ? 1 : fma ? 0 : counted);
  }
  if (kernels_named("run_chains").empty()) GTEST_SKIP() << "no machine code in the program";
  EXPECT_GE(seen, 22);
}

TEST(CudaCeilingCode, NoLoopSpillsAndRegistersLeaveRoomForTheThreadsOfABlock) {
  for (const char* part : {"run_chains", "run_issue", "run_mma", "_sweepIL", "strided", "random_sectors"})
    for (const auto& kernel : kernels_named(part)) {
      SCOPED_TRACE(kernel.name + " for " + std::to_string(kernel.capability));
      // The rare path of a division is a call, around which a register or two are kept on the stack.
      const bool divides = part == std::string("run_chains") && loop_of(kernel.name).form == div;
      const auto spills = [](const std::vector<testing::SassInstruction>& code) {
        return SassKernel::count(code, {testing::sass::load_local, testing::sass::store_local});
      };
      const auto loop = kernel.longest_loop();
      EXPECT_LE(spills(loop), divides ? 4 : spills_of_a_loop * static_cast<double>(loop.size()));
      EXPECT_LE(spills(kernel.code), most_spills) << "outside of the loop, once for a launch";
      EXPECT_GT(kernel.registers, 0);
      EXPECT_LE(kernel.registers, kernel.name.find("run_mma") != std::string::npos ? 128 : 64);
    }
}

}  // namespace
}  // namespace roofline::ceiling_code_test

#include "bench/virtual_gpu/bridge/executed_kernel.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>

#include "bench/virtual_gpu/decode/module.hpp"
#include "bench/virtual_gpu/execute/stepped_launch.hpp"

namespace roofline::executed_kernel_test {
namespace {

// Each warp loads a word of its own line in four turns of a loop, and one more behind `fence`.
std::string four_loads_and_one(const std::string& fence) {
  return ".version 9.0\n.target sm_90\n.address_size 64\n"
         ".visible .entry k(.param .u64 p) {\n.reg .b64 %q, %r;\n.reg .b32 %t, %n, %v, %s;\n.reg .pred %p;\n"
         "ld.param.u64 %q, [p];\nmov.u32 %t, %tid.x;\nmul.wide.u32 %r, %t, 4;\nadd.u64 %q, %q, %r;\n"
         "mov.u32 %n, 0;\nmov.u32 %s, 0;\n"
         "TURN:\nld.global.u32 %v, [%q];\nadd.u32 %s, %s, %v;\nadd.u64 %q, %q, 256;\nadd.u32 %n, %n, 1;\n"
         "setp.lt.u32 %p, %n, 4;\n@%p bra TURN;\n" +
         fence + "\nld.global.u32 %v, [%q];\nadd.u32 %s, %s, %v;\nst.global.u32 [%q], %s;\nret;\n}\n";
}

/// The feed of one block of two warps, and what it rests on.
class TwoWarps {
 public:
  explicit TwoWarps(const std::string& text) : module_(ptx::parse(text)), slices_(ptx::parse_slices(text, module_)) {
    module_.add_to(memory_);
    const auto address = reinterpret_cast<std::uint64_t>(memory_.allocate(4096));
    runtime::RecordedLaunch recorded;
    recorded.name = "k", recorded.kernel = &module_.kernels().at(0), recorded.slice = &slices_.kernels().at(0);
    recorded.block = {64, 1, 1}, recorded.registers = 16;
    recorded.parameters.resize(sizeof address);
    std::memcpy(recorded.parameters.data(), &address, sizeof address);
    feed_ = executed_kernel(recorded, memory_).feed();
    feed_->begin(0, 0);
  }

  WarpStep step(unsigned warp) { return feed_->step(0, warp); }

 private:
  ptx::GlobalMemory memory_;
  ptx::Module module_, slices_;
  std::unique_ptr<BlockFeed> feed_;
};

TEST(ExecutedKernel, AStepEndsWhereTheDataOfALoadIsNeeded) {
  TwoWarps warps(four_loads_and_one(""));
  std::set<std::uint32_t> seen;
  for (int turn = 0; turn < 5; ++turn) {
    const auto step = warps.step(0);
    EXPECT_FALSE(step.ended || step.waits) << turn;
    ASSERT_EQ(step.lines.size(), 1u) << turn;
    EXPECT_EQ(step.lines[0].access, Access::global_load);
    EXPECT_TRUE(seen.insert(step.lines[0].line).second) << "a line of its own in each turn";
  }
  const auto last = warps.step(0);
  EXPECT_TRUE(last.ended);
  ASSERT_EQ(last.lines.size(), 1u);
  EXPECT_EQ(last.lines[0].access, Access::global_store);
  EXPECT_EQ(last.lines[0].bytes[0], ~0u);
}

TEST(ExecutedKernel, AWarpComesToABarrierNoEarlierThanItsLoadsAllow) {
  TwoWarps warps(four_loads_and_one("bar.sync 0;"));
  for (int turn = 0; turn < 4; ++turn) EXPECT_EQ(warps.step(0).lines.size(), 1u);
  EXPECT_TRUE(warps.step(0).waits);
  // The other one has made a turn of four: executed ahead of its time, it would be at the barrier already.
  EXPECT_FALSE(warps.step(1).waits);
  EXPECT_TRUE(warps.step(0).waits);
  for (int turn = 1; turn < 4; ++turn) warps.step(1);
  warps.step(1);
  const auto behind = warps.step(0);
  EXPECT_FALSE(behind.waits);
  EXPECT_EQ(behind.lines.size(), 1u);
}

}  // namespace
}  // namespace roofline::executed_kernel_test

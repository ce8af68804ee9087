#include "bench/virtual_gpu/memory/gpu_memory.hpp"

#include <gtest/gtest.h>

#include "bench/text/output.hpp"

namespace roofline::gpu_memory_test {
namespace {

/// V100's policies on two small SMs: L1 of 4 lines in one set, L2 of 8 lines of 64 B in one set.
Device small_device() {
  auto device = read_device(std::string(ROOFLINE_TEST_DATA) + "/../../bench/virtual_gpu/devices/v100.json");
  device.sms = 2;
  device.shared_options = {0, 128};
  device.l1.size = 4 * 128, device.l1.ways = 4;
  device.l2.size = 8 * 64, device.l2.ways = 8;
  return device;
}

LineAccess load(std::uint32_t line, std::uint8_t sectors = 0b1111) {
  return {.line = line, .sectors = sectors, .access = Access::global_load, .bytes = {}};
}
LineAccess store(std::uint32_t line, std::uint8_t sectors, std::uint32_t bytes = ~0u) {
  return {.line = line, .sectors = sectors, .access = Access::global_store, .bytes = {bytes, bytes, bytes, bytes}};
}

/// Sectors read from DRAM in a second pass of two SMs, one next to each half, over so many lines of 128 B.
std::uint64_t read_again(unsigned halves, std::uint32_t lines) {
  auto device = small_device();
  device.l1.size = 128, device.l1.ways = 1, device.shared_options = {0};
  device.l2.size = 16 * 64, device.l2.halves = halves, device.l2.ways = 16 / halves;
  GpuMemory memory(device, 0);
  const auto pass = [&] {
    for (std::uint32_t line = 0; line < lines; ++line)
      for (const unsigned sm : {0u, 1u}) memory.access(sm, load(line));
  };
  pass();
  const auto first = memory.traffic().dram_read;
  EXPECT_EQ(first, 4 * lines);
  pass();
  return memory.traffic().dram_read - first;
}

TEST(GpuMemory, TwoHalvesOfL2BothKeepWhatSmsOfBothSidesRead) {
  EXPECT_EQ(read_again(1, 4), 0u);
  EXPECT_EQ(read_again(2, 4), 0u);
  EXPECT_EQ(read_again(1, 8), 0u);
  EXPECT_EQ(read_again(2, 8), 32u) << "half of L2 is all that there is for data of both sides";
}

TEST(GpuMemory, MissesFetchSectorsNotLines) {
  GpuMemory memory(small_device(), 0);
  memory.access(0, load(0, 0b0001));
  EXPECT_EQ(memory.traffic().l2_read, 1u);
  EXPECT_EQ(memory.traffic().dram_read, 2u);  // 64 B from DRAM
  memory.access(0, load(0, 0b0001));
  EXPECT_EQ(memory.traffic().l2_read, 1u);
  memory.access(0, load(0, 0b0011));  // the neighbour is in L2 already
  EXPECT_EQ(memory.traffic().l2_read, 2u);
  EXPECT_EQ(memory.traffic().dram_read, 2u);
  memory.access(1, load(0, 0b0011));  // the other SM has an L1 of its own
  EXPECT_EQ(memory.traffic().l2_read, 4u);
  EXPECT_EQ(memory.traffic().dram_read, 2u);
}

TEST(GpuMemory, AReadMissesInL2WhatNobodyReadOrWroteAndAStoreFindsItsLineInL1) {
  GpuMemory memory(small_device(), 0);
  memory.access(0, load(0, 0b0111));
  EXPECT_EQ(memory.traffic().l2_missed, 3u);
  memory.access(1, load(0, 0b1111));  // of another SM: the fourth sector came with the third
  EXPECT_EQ(memory.traffic().l2_missed, 3u);
  memory.access(0, store(1, 0b1111));
  EXPECT_EQ(memory.traffic().l1_store_hits, 0u) << "L1 does not take in what is stored";
  memory.access(0, store(0, 0b1111));
  EXPECT_EQ(memory.traffic().l1_store_hits, 3u);
  memory.access(0, load(1));
  EXPECT_EQ(memory.traffic().l2_missed, 3u) << "what was written is in L2";
}

TEST(GpuMemory, L1ForgetsTheLeastRecentLine) {
  GpuMemory memory(small_device(), 0);
  for (const std::uint32_t line : {0u, 1u, 2u, 3u, 0u, 4u}) memory.access(0, load(line, 1));
  const auto before = memory.traffic().l2_read;
  memory.access(0, load(0, 1));
  EXPECT_EQ(memory.traffic().l2_read, before);
  memory.access(0, load(1, 1));
  EXPECT_EQ(memory.traffic().l2_read, before + 1);
}

TEST(GpuMemory, SharedMemoryTakesOfL1) {
  EXPECT_EQ(GpuMemory(small_device(), 0).l1_size(), 512u);
  EXPECT_EQ(GpuMemory(small_device(), 1).l1_size(), 384u);  // the next option
  EXPECT_THROW(GpuMemory(small_device(), 129), std::invalid_argument);
}

TEST(GpuMemory, StoresGoThroughL1AndComeBackFromL2Once) {
  GpuMemory memory(small_device(), 0);
  memory.access(0, store(0, 0b1111));
  memory.access(0, store(0, 0b1111));
  EXPECT_EQ(memory.traffic().l2_write, 8u);
  EXPECT_EQ(memory.traffic().dram_read, 0u);  // whole sectors need not be read
  EXPECT_EQ(memory.traffic().owed_write, 4);
  for (std::uint32_t line = 1; line <= 4; ++line) memory.access(0, load(line));
  EXPECT_EQ(memory.traffic().dram_write, 4u);
  EXPECT_EQ(memory.traffic().owed_write, 0);
}

TEST(GpuMemory, PartialSectorsAreReadBeforeTheyLeave) {
  GpuMemory memory(small_device(), 0);
  memory.access(0, store(0, 0b0001, 0x0000ffff));
  EXPECT_EQ(memory.traffic().owed_read, 1);
  memory.access(0, store(0, 0b0001, 0xffff0000));  // the other half: now it is known completely
  EXPECT_EQ(memory.traffic().owed_read, 0);
  memory.access(0, store(1, 0b0001, 0x0000ffff));
  for (std::uint32_t line = 2; line <= 6; ++line) memory.access(0, load(line));
  const auto loads = 5u * 4;
  EXPECT_EQ(memory.traffic().dram_read, loads + 1);
  EXPECT_EQ(memory.traffic().dram_write, 2u);
}

TEST(GpuMemory, WhatWasInL2BeforeIsDisplacedOnce) {
  GpuMemory memory(small_device(), 0);
  for (std::uint32_t line = 0; line < 100; ++line) memory.access(0, load(line));
  EXPECT_EQ(memory.traffic().displaced, 16u);  // 512 B
}

TEST(GpuMemory, LocalMemoryIsWrittenBack) {
  GpuMemory memory(small_device(), 0);
  const LineAccess local{.line = 50, .sectors = 0b1111, .access = Access::local_store, .bytes = {~0u, ~0u, ~0u, ~0u}};
  memory.access(0, local);
  auto reload = local;
  reload.access = Access::local_load;
  memory.access(0, reload);
  EXPECT_EQ(memory.traffic(), GpuTraffic{});  // it stays in L1
  for (std::uint32_t line = 0; line < 4; ++line) memory.access(0, load(line));
  EXPECT_EQ(memory.traffic().l2_write, 4u);
}

TEST(GpuMemory, LinesOf128BytesInL2GiveTheSameReads) {
  auto device = small_device();
  const auto reads = [](const Device& d) {
    GpuMemory memory(d, 0);
    for (std::uint32_t line = 0; line < 20; ++line) memory.access(0, load(line));
    return memory.traffic().dram_read;
  };
  const auto with_64 = reads(device);
  device.l2.line = 128, device.l2.ways = 4;
  EXPECT_EQ(reads(device), with_64);
  EXPECT_EQ(with_64, 80u);
}

}  // namespace
}  // namespace roofline::gpu_memory_test

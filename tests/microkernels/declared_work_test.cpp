/// A rate is work divided by time, and only the time is measured, so a ceiling must declare the work that its launch
/// does. This is tested from outside, by the content of memory after a launch and by the check's message about data
/// that it did not expect; the factors are written down once more.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <string>

#include "bench/machine/machine.hpp"
#include "bench/space/buffer.hpp"
#include "bench/suite/suite.hpp"
#include "microkernels/ceilings.hpp"
#include "microkernels/cpu/array_sweep.hpp"
#include "microkernels/cpu/scattered.hpp"

namespace roofline::declared_work_test {
namespace {

constexpr int threads = 2;
constexpr std::uint64_t kib = 1 << 10, mib = 1 << 20;

Machine small_machine() {
  Machine machine;
  machine.vendor = "AuthenticAMD", machine.family = 26, machine.model = 2, machine.clock_hz = 4e9;
  machine.caches = {{MemoryLevel::L1, 48 * kib, 12, 64, 1},
                    {MemoryLevel::L2, 256 * kib, 16, 64, 1},
                    {MemoryLevel::L3, 2 * mib, 16, 64, 2}};
  machine.largest_llc = 2 * mib;
  machine.memory_bytes = 4.0 * 8 * mib;  // sets of DRAM of 8 MiB
  machine.numa_nodes = 2, machine.nodes = {0, 1};
  return machine;
}

/// The number behind `words` in a message; NaN where they are not in it.
double number_behind(const std::string& message, const std::string& words) {
  const auto at = message.find(words);
  return at == std::string::npos ? NAN : std::stod(message.substr(at + words.size()));
}

/// FLOPs of a lane in one step of its chain.
double flops_of(const Ceiling& ceiling, const CeilingWork& work) {
  switch (ceiling.operation) {
    case Operation::fma:
      return 2;
    case Operation::nofma:
      return work.variant.ends_with("mul and add apart") ? 1 : 2;
    case Operation::divfma:
      return 3;
    case Operation::fma48div:
      return 2 + 1.0 / 48;
    default:
      return 1;
  }
}

double lanes_of(const Ceiling& ceiling) {
  const std::map<std::string, double> bytes{{"sse", 16},    {"neon", 16},   {"avx2", 32},
                                            {"sve256", 32}, {"avx512", 64}, {"sve512", 64}};
  return ceiling.isa == "scalar" ? 1 : bytes.at(ceiling.isa) / (ceiling.precision == "fp64" ? 8 : 4);
}

TEST(DeclaredWork, OfArithmeticIsThatOfEveryChainLaneAndThread) {
  const auto machine = small_machine();
  Suite suite(cpu_target(machine, threads));
  add_flops_ceilings(suite);
  for (const auto& [ceiling, selection, make] : suite.ceilings()) {
    if (selection == Selection::full && ceiling.threads == 1) continue;  // the same loops
    for (const auto& one : make) {
      const auto work = one();
      SCOPED_TRACE(ceiling.name + ", " + work.variant);
      // A launch that has not run must not count as a result. The check names the steps that it expects, and after a
      // launch it says that every lane of every thread has taken them.
      const auto nothing = work.check();
      ASSERT_FALSE(nothing.ok);
      const double steps = number_behind(nothing.message, " after "), chains = std::stod(work.variant);
      EXPECT_DOUBLE_EQ(work.work, ceiling.threads * chains * lanes_of(ceiling) * steps * flops_of(ceiling, work));
      work.launch();
      EXPECT_TRUE(work.check().ok) << work.check().message;
    }
  }
}

/// Before its launch the check says of how many steps all are left.
TEST(DeclaredWork, OfInstructionsIsTheStepsOfAllThreads) {
  for (const int n : {1, 2}) {
    Suite suite(cpu_target(Machine{}, n));
    add_instruction_ceilings(suite);
    for (const auto& ceiling : suite.ceilings()) {
      const auto work = ceiling.make.front()();
      const double steps = number_behind(work.check().message, " of ");
      ASSERT_GT(steps, 0) << work.check().message;
      // 64 of a kind and the two of the loop
      EXPECT_DOUBLE_EQ(work.work, n * steps * 66) << ceiling.ceiling.name;
    }
  }
}

/// Bytes that an access mix moves per element: loaded and stored, and in lines where a store that misses reads its own.
struct ElementBytes {
  double loaded_and_stored, in_lines;
};
const std::map<Mix, ElementBytes> element_bytes{
    {Mix::read, {8, 8}},    {Mix::read_no_prefetch, {8, 8}}, {Mix::read_remote, {8, 8}}, {Mix::read_split, {8, 8}},
    {Mix::write, {8, 16}},  {Mix::write_nt, {8, 8}},         {Mix::copy, {16, 24}},      {Mix::copy_nt, {16, 16}},
    {Mix::triad, {24, 32}}, {Mix::triad_nt, {24, 24}},       {Mix::update, {16, 16}}};

bool only_reads(Mix mix) {
  return mix == Mix::read || mix == Mix::read_remote || mix == Mix::read_no_prefetch || mix == Mix::read_split;
}

class DeclaredBytes : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const auto buffer : live_buffers()) others_.insert(buffer.data());
    add_bandwidth_ceilings(suite_);
  }

  /// The memory of a work that was just made: its own, or that of all ceilings of DRAM.
  std::span<double> memory() {
    for (const auto buffer : live_buffers())
      if (!others_.contains(buffer.data()) && buffer.data() != dram_.data()) return buffer;
    return dram_;
  }
  /// The same of the first work of DRAM, whose memory stays.
  void keep(const CeilingVariant& variant) {
    if (dram_.empty() && variant.ceiling.level == MemoryLevel::DRAM) dram_ = memory();
  }

  const Machine machine_ = small_machine();
  Suite suite_{cpu_target(machine_, threads)};
  std::set<const double*> others_;
  std::span<double> dram_;
};

/// The sum that the first thread finds in memory full of ones: how many elements it has read.
double elements_read(const CeilingWork& work, std::span<double> memory) {
  std::fill(memory.begin(), memory.end(), 1.0);
  work.launch();
  return number_behind(work.check().message, "thread 0: sum ");
}

/// The bytes that a reading launch moves, derived from the elements that it has read.
double bytes_read(const Ceiling& ceiling, const CeilingWork& work, std::span<double> memory) {
  const bool lines = ceiling.level != MemoryLevel::L1;
  const double sum = elements_read(work, memory);
  switch (ceiling.mix) {
    case Mix::gather:
    case Mix::gather_instructions:
      return sum / 4 * (lines ? 64 : 16);  // the real part and three times the imaginary one of a number
    case Mix::stride2:
      return sum / 4 * 64;
    case Mix::stride4:
      return sum / 2 * 64;
    case Mix::stride8:
    case Mix::stride16:
      return sum / (work.variant.ends_with("two of each line") ? 2 : 1) * 64;
    case Mix::random:
    case Mix::random_4k:
      return sum * 64;
    default:
      return sum * element_bytes.at(ceiling.mix).in_lines;
  }
}

/// Bytes of a chain of lines of which each names the next: by the line that the first thread has come to.
double bytes_chased(const Ceiling& ceiling, const CeilingWork& work, std::span<double> memory) {
  const auto part = memory.size() / static_cast<std::size_t>(ceiling.threads);
  constexpr int first_step = 5;  // not to where the right chain ends, too: at a multiple of the steps
  for (std::size_t first = 0; first + part <= memory.size(); first += part)
    for (std::size_t at = 0; at + 8 <= part; at += 8) {
      const std::uint64_t next = at / 8 + (at == 0 ? first_step : 1);
      std::memcpy(&memory[first + at], &next, sizeof next);
    }
  work.launch();
  return 64 * (number_behind(work.check().message, "the chain reached line ") + 1 - first_step);
}

/// The bytes that a storing launch moves, derived from the elements of all threads that have changed.
double bytes_stored(const Ceiling& ceiling, const CeilingWork& work, std::span<double> memory) {
  const std::vector<double> before(memory.begin(), memory.end());
  work.launch();
  double changed = 0, sweeps = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    if (memory[i] != before[i]) ++changed, sweeps = memory[i];
  const auto& [loaded_and_stored, in_lines] = element_bytes.at(ceiling.mix);
  const double once = changed * (ceiling.level == MemoryLevel::L1 ? loaded_and_stored : in_lines);
  if (ceiling.level == MemoryLevel::DRAM) return once;
  const bool counts_sweeps = ceiling.mix == Mix::write || ceiling.mix == Mix::write_nt || ceiling.mix == Mix::update;
  // Copies and triads in caches do not tell how often: a whole number of times.
  return once * (counts_sweeps ? sweeps : std::max(1.0, std::round(work.work / once)));
}

TEST_F(DeclaredBytes, AreThoseThatALaunchMoves) {
  for (const auto& variant : suite_.ceilings())
    for (const auto& make : variant.make) {
      const auto& ceiling = variant.ceiling;
      const auto work = make();
      keep(variant);
      SCOPED_TRACE(ceiling.name + ", " + work.variant);
      const auto memory = this->memory();
      ASSERT_FALSE(memory.empty());
      if (element_bytes.contains(ceiling.mix) && !only_reads(ceiling.mix)) {
        EXPECT_DOUBLE_EQ(work.work, bytes_stored(ceiling, work, memory));
        continue;
      }
      const double of_a_thread =
          ceiling.mix == Mix::chase ? bytes_chased(ceiling, work, memory) : bytes_read(ceiling, work, memory);
      EXPECT_DOUBLE_EQ(work.work, ceiling.threads * of_a_thread);
    }
}

// The ceiling of reads is the better of both, at DRAM alone, because a cache needs no lines ahead.
TEST_F(DeclaredBytes, OfReadsWithoutPrefetchAreReadByLoopsThatAskForNothing) {
  int without = 0;
  for (const auto& [ceiling, selection, make] : suite_.ceilings()) {
    if (ceiling.mix != Mix::read && ceiling.mix != Mix::read_no_prefetch) continue;
    const auto prefetched = std::count_if(make.begin(), make.end(), [](const auto& one) {
      return one().variant.find("prefetched") != std::string::npos;
    });
    const bool dram = ceiling.level == MemoryLevel::DRAM;
    EXPECT_EQ(prefetched, dram && ceiling.mix == Mix::read ? 2 : 0) << ceiling.name;
    if (ceiling.mix == Mix::read) continue;
    ++without;
    EXPECT_TRUE(dram) << ceiling.name;
    EXPECT_EQ(selection, Selection::full) << ceiling.name << " says nothing new where prefetchers do it all";
  }
  EXPECT_EQ(without, 2) << "of all threads and of one";
}

/// Large sets are walked in parts, a launch in each: as much in one as in every other, and all of it in the end.
TEST(DeclaredWork, OfAWindowIsAPartOfTheSet) {
  constexpr int windows = 4;
  int tested = 0;
  for (const auto& kernel : bandwidth_baseline()) {
    if (kernel.mix != Mix::write || kernel.unroll != 8) continue;
    ++tested;
    const auto block = std::make_shared<MemoryBlock>(ArraySweep::block_size(mib, threads));
    ArraySweep arrays(block, kernel, threads, mib, windows, false);
    double seen = 0;
    for (int window = 0; window < windows; ++window) {
      const std::vector<double> before(block->data(), block->data() + block->size());
      arrays.run(1);
      double changed = 0;
      for (std::size_t i = 0; i < before.size(); ++i) changed += block->data()[i] != before[i];
      EXPECT_EQ(arrays.elements_per_run(), changed) << "window " << window;
      seen += changed;
    }
    EXPECT_EQ(8 * seen, arrays.set_bytes());
  }
  EXPECT_GT(tested, 0);
}

TEST(ForkJoinCeiling, CountsTheRegionsThatAllThreadsHaveRun) {
  for (const int threads : {1, 2}) {
    Suite suite(cpu_target(Machine{}, threads));
    add_fork_join_ceiling(suite);
    ASSERT_EQ(suite.ceilings().size(), 1u);
    const auto& [ceiling, selection, make] = suite.ceilings().front();
    EXPECT_EQ(ceiling.name, "ceiling/overhead/fork_join/threads:" + std::to_string(threads));
    EXPECT_EQ(selection, Selection::standard);
    const auto work = make.at(0)();
    EXPECT_GE(work.work, 1) << "regions of a launch";
    EXPECT_TRUE(work.check().ok) << work.check().message;
    work.launch(), work.launch();
    EXPECT_TRUE(work.check().ok) << work.check().message;
  }
}

}  // namespace
}  // namespace roofline::declared_work_test

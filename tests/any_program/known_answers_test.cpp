#include <algorithm>
#include <map>
#include <sstream>

#include "bench/cache_model/cache_hierarchy.hpp"
#include "tests/any_program/counted.hpp"

namespace roofline::known_answers_test {
namespace {

using namespace ::roofline::testing;

class CountedProgram : public Counted {};

const std::map<std::string, double> known{{"triad", 2 * 4096 * 4},
                                          {"stencil", 7 * 16 * 16 * 16 * 4},
                                          {"product", 2 * 48 * 48 * 48 * 4},
                                          {"divide", 1000},
                                          {"root", 1000},
                                          {"extended", 2000},
                                          {"single", 4096},
                                          {"fused", 2000},
                                          {"[unknown]", 1000},
                                          {"horizontal", 2000},
                                          {"page_end", 4000},
                                          {"page_cut", 4000}};

TEST_F(CountedProgram, DoctorFindsAllRight) {
  const auto doctor = shell("'" ROOFLINE_CLI "' cpu --doctor", folder);
  EXPECT_EQ(doctor.code, 0) << doctor.out << doctor.err;
}

TEST_F(CountedProgram, FlopsAreThoseOfTheFormulas) {
  for (const std::string flags : {"", "-no-pie", "-static", "-static-pie"}) {
    ASSERT_EQ(compile("kernels", flags, folder), "");
    const auto results = counted("--min-share=0 --caches=32K/8:256K/8 -- ./kernels");
    for (const auto& [name, flops] : known) EXPECT_EQ(flops_of(results, name), flops) << name << " " << flags;
    for (const auto& point : results.points) {
      EXPECT_EQ(point.counts.operations_source, Source::emulated);
      if (point.name == "kernels/triad") {
        EXPECT_EQ(point.counts.operations.fma, 4096u * 4);
      }
      if (point.name == "kernels/single") {
        EXPECT_EQ(point.counts.precision, "fp32");
      }
      if (point.name == "kernels/product") {
        EXPECT_EQ(point.counts.details.at("flops_256_bit"), 2 * 48 * 48 * 48 * 4);
      }
      if (point.name == "kernels/fused") {
        EXPECT_NEAR(point.counts.at(MemoryLevel::L1)->total(), 8 * 1000, 64);
      }
      if (point.name == "kernels/scan") {
        EXPECT_EQ(point.counts.at(MemoryLevel::L1)->read, 23 + 1 + 8) << "with the end, and the return address";
      }
      if (point.name != "kernels/stream") continue;
      EXPECT_EQ(point.counts.at(MemoryLevel::DRAM)->written, 8 * 4096);  // past the caches
      EXPECT_EQ(point.counts.streamed, 8 * 4096);
    }
  }
}

TEST_F(CountedProgram, FunctionsOfAStrippedOneHaveTheirOffsets) {
  ASSERT_EQ(compile("kernels", "-s -static-libgcc", folder), "");
  const auto results = counted("--min-share=0 --no-bytes -- ./kernels");
  std::vector<double> flops;
  for (const auto& point : results.points)
    if (point.name.starts_with("kernels/at:0x")) flops.push_back(static_cast<double>(point.counts.operations.flops()));
  // Functions in assembler have no unwind information.
  for (const double number : {known.at("triad"), known.at("stencil"), known.at("product"), known.at("single")})
    EXPECT_EQ(std::count(flops.begin(), flops.end(), number), 1) << number;
}

TEST_F(CountedProgram, BytesAreThoseOfTheModelFedByHand) {
  ASSERT_EQ(compile("model", "-no-pie", folder), "");
  const auto outcome = count("--min-share=0 --caches=4K/4:32K/8:128K/8 -- ./model", folder);
  std::uint64_t sweep = 0, a = 0, b = 0, c = 0, stack = 0;
  ASSERT_TRUE(std::istringstream(outcome.out) >> sweep >> a >> b >> c >> stack) << outcome.out << outcome.err;
  CacheHierarchy caches(
      {{MemoryLevel::L1, 4 << 10, 4}, {MemoryLevel::L2, 32 << 10, 8}, {MemoryLevel::L3, 128 << 10, 8}});
  for (std::uint64_t i = 0; i < 1 << 20; i += 64) caches.load(sweep + i, 8);
  std::map<MemoryLevel, Traffic> right;
  double overwritten = 0;
  for (int call = 0; call < 2; ++call) {
    caches.store(stack - 8, 8);
    caches.reset_traffic();
    for (std::uint64_t i = 0; i < 32768; i += 32)
      caches.load(c + i, 32), caches.load(b + i, 32), caches.store(a + i, 32);
    caches.load(stack - 8, 8);
    for (const auto level : memory_levels)
      right[level].read += caches.traffic(level).read, right[level].written += caches.traffic(level).written;
    overwritten += static_cast<double>(caches.overwritten());
  }
  const auto results = read_run(folder / "out/run.json");
  const auto triad = std::find_if(results.points.begin(), results.points.end(),
                                  [](const auto& point) { return point.name == "model/triad"; });
  ASSERT_NE(triad, results.points.end()) << outcome.err;
  for (const auto level : memory_levels) {
    ASSERT_TRUE(triad->counts.at(level)) << name(level);
    EXPECT_EQ(triad->counts.at(level)->read, right[level].read) << name(level);
    EXPECT_EQ(triad->counts.at(level)->written, right[level].written) << name(level);
  }
  EXPECT_EQ(triad->counts.overwritten, overwritten);
  EXPECT_GT(overwritten, 0);
}

// An eighth of the sets stands for all, and says how well it does.
TEST_F(CountedProgram, BytesOfSampledSetsHaveARangeThatHoldsThoseOfAll) {
  ASSERT_EQ(compile("sampled", "-no-pie", folder), "");
  const std::string caches = "--min-share=0 --caches=32K/8:256K/8:2M/16 ";
  const auto whole = counted(caches + "-- ./sampled"), sampled = counted(caches + "--sampled-bytes -- ./sampled");
  const auto point_of = [](const Results& results, const std::string& function) {
    const auto found = std::find_if(results.points.begin(), results.points.end(),
                                    [&](const auto& point) { return point.name == "sampled/" + function; });
    return found == results.points.end() ? KernelPoint{} : *found;
  };
  for (const std::string name : {"side_by_side", "at_random", "one_a_page", "few_a_page"}) {
    const auto all = point_of(whole, name).counts, some = point_of(sampled, name).counts;
    ASSERT_GT(all.operations.flops(), 0u) << name;
    EXPECT_EQ(some.operations.flops(), all.operations.flops()) << name;
    if (name == "one_a_page" || name == "few_a_page") {
      EXPECT_FALSE(some.at(MemoryLevel::L1)) << "no sample has a line of " << name;
      EXPECT_FALSE(some.at(MemoryLevel::DRAM));
      continue;
    }
    EXPECT_EQ(some.at(MemoryLevel::L1), all.at(MemoryLevel::L1)) << name;
    EXPECT_FALSE(all.range[static_cast<std::size_t>(MemoryLevel::DRAM)]) << name;
    for (const auto level : {MemoryLevel::L2, MemoryLevel::L3, MemoryLevel::DRAM}) {
      const auto& range = some.range[static_cast<std::size_t>(level)];
      const double bytes = all.at(level)->total();
      ASSERT_TRUE(range) << name << roofline::name(level);
      EXPECT_TRUE(range->contains(bytes)) << name << roofline::name(level) << bytes << " " << range->low;
      EXPECT_LT(range->high - range->low, 0.1 * bytes) << name << roofline::name(level);
      EXPECT_NEAR(some.at(level)->written, all.at(level)->written, 0.05 * bytes) << name << roofline::name(level);
    }
  }
}

// Of a long run windows stand for what lies between them.
TEST_F(CountedProgram, BytesOfWindowsHaveARangeThatHoldsThoseOfAll) {
  ASSERT_EQ(compile("sampled", "-no-pie", folder), "");
  const std::string caches = "--min-share=0 --caches=32K/8:256K/8:2M/16 ";
  const auto whole = counted(caches + "-- ./sampled 3"), sampled = counted(caches + "--sampled-bytes -- ./sampled 3");
  for (const auto& all : whole.points) {
    if (all.name != "sampled/side_by_side" && all.name != "sampled/at_random") continue;
    const auto some = std::find_if(sampled.points.begin(), sampled.points.end(),
                                   [&](const auto& point) { return point.name == all.name; });
    ASSERT_NE(some, sampled.points.end());
    EXPECT_EQ(some->counts.operations.flops(), all.counts.operations.flops());
    EXPECT_EQ(some->counts.at(MemoryLevel::L1), all.counts.at(MemoryLevel::L1));
    for (const auto level : {MemoryLevel::L2, MemoryLevel::L3, MemoryLevel::DRAM}) {
      const auto range = some->counts.range[static_cast<std::size_t>(level)];
      ASSERT_TRUE(range) << all.name << name(level);
      const double bytes = all.counts.at(level)->total();
      EXPECT_TRUE(range->contains(bytes)) << all.name << name(level) << bytes << " " << range->low;
      EXPECT_LT(range->high - range->low, 0.2 * bytes) << all.name << name(level);
    }
  }
}

TEST_F(CountedProgram, SetsAreNotSampledOfACacheThatHasFew) {
  ASSERT_EQ(compile("sampled", "", folder), "");
  const auto few = count("--caches=2K/8 --sampled-bytes -- ./sampled", folder);
  EXPECT_EQ(few.code, 2);
  EXPECT_NE(few.err.find("the L1 cache has 4 sets and lines of 64 B"), std::string::npos) << few.err;
}

TEST_F(CountedProgram, LanesOfMasksAreThoseThatTheyLetThrough) {
  if (!__builtin_cpu_supports("avx512f")) GTEST_SKIP() << "this CPU has no AVX-512";
  ASSERT_EQ(compile("masks", "-mavx512f -mavx512vl -mavx512dq", folder), "");
  const auto results = counted("--min-share=0 --caches=32K/8:256K/8 -- ./masks");
  EXPECT_EQ(flops_of(results, "whole"), 8 * 1000);
  EXPECT_EQ(flops_of(results, "some"), 3 * 1000);
  EXPECT_EQ(flops_of(results, "fused"), 2 * 5 * 1000);
  EXPECT_EQ(flops_of(results, "none"), 0);
  EXPECT_EQ(flops_of(results, "one"), 500);
  for (const auto& point : results.points) {
    const auto l1 = point.counts.at(MemoryLevel::L1);
    if (point.name == "masks/whole") {
      EXPECT_EQ(point.counts.details.at("flops_512_bit"), 8 * 1000);
    }
    if (point.name == "masks/loaded") {
      EXPECT_EQ(l1->read, 3 * 8 * 1000 + 8) << "and its return address";
    }
    if (point.name == "masks/gathered") {
      EXPECT_EQ(l1->read, 5 * 8 * 1000 + 8);
    }
  }
}

TEST_F(CountedProgram, ThreadsAndChildrenAddUp) {
  ASSERT_EQ(compile("threads", "", folder), "");
  EXPECT_EQ(flops_of(counted("--min-share=0 --no-bytes -- ./threads 1"), "divide"), 8000);
  const auto four = counted("--min-share=0 --no-bytes -- ./threads 4");
  EXPECT_EQ(flops_of(four, "divide"), 8000);
  EXPECT_EQ(flops_of(counted("--min-share=0 --no-bytes -- ./threads fork"), "divide"), 2 * 8000);
}

TEST_F(CountedProgram, GoesOnAsItWouldByItself) {
  ASSERT_EQ(
      shell("c++ -O2 -g -pthread -x c++ '" ROOFLINE_TEST_DATA "/../any_program/programs/hard.cc' -o hard -ldl", folder)
          .err,
      "");
  for (const std::string flags : {"--no-bytes", "--caches=32K/8"}) {
    const auto native = shell("./hard", folder);
    EXPECT_EQ(native.code, 7);
    const auto outcome = count("--min-share=0 " + flags + " -- ./hard", folder);
    EXPECT_EQ(outcome.code, 7) << outcome.err;
    EXPECT_EQ(outcome.out.substr(0, native.out.size()), native.out);
    EXPECT_EQ(outcome.err.find("another result"), std::string::npos) << outcome.err;
    EXPECT_EQ(flops_of(read_run(folder / "out/run.json"), "divide"), 17 * 1000);
  }
}

TEST_F(CountedProgram, HasRoomForCopiesWhereAddressesAreNotRandom) {
  if (shell("setarch -R true", folder).code != 0) GTEST_SKIP() << "no setarch(8), or it may not";
  ASSERT_EQ(compile("kernels", "", folder), "");
  count("-- ./nothing", folder);  // writes the roofs
  const auto outcome =
      shell("setarch -R '" ROOFLINE_CLI "' cpu --ceilings=roofs.json --min-share=0 --no-bytes --out=out -- ./kernels",
            folder);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(flops_of(read_run(folder / "out/run.json"), "triad"), known.at("triad"));
}

TEST_F(CountedProgram, ATimerTicksASixteenthAsOften) {
  ASSERT_EQ(compile("ticks", "", folder), "");
  const auto outcome =
      shell("'" + (installed / "roofline_count").string() + "' folder=. program=ticks by=function caches= -- ./ticks",
            folder);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "interval 1000, 1000\n");
}

TEST_F(CountedProgram, RandomBlocksLeaveTheSameRegistersFlagsMemoryAndFaults) {
  if (shell("c++ -O1 -w -no-pie -x c++ '" ROOFLINE_TEST_DATA
            "/../any_program/programs/random_blocks.cc' -o blocks -lZydis",
            folder)
          .code != 0)
    GTEST_SKIP() << "no libzydis-dev";
  for (const std::string caches : {"", "L1:32768:8:64"}) {
    const std::string call = "./blocks " + std::string(caches.empty() ? "65" : "1729") + " 10000";
    const auto native = shell(call, folder);
    ASSERT_NE(native.out.find("blocks 10000, "), std::string::npos) << native.err;
    const auto counted = shell("'" + (installed / "roofline_count").string() +
                                   "' folder=. program=blocks by=function caches=" + caches + " -- " + call,
                               folder);
    EXPECT_EQ(counted.out, native.out) << caches;
  }
}

TEST_F(CountedProgram, TimeOfAnotherBuildIsJoinedByName) {
  ASSERT_EQ(compile("three_to_one", "", folder), "");
  ASSERT_EQ(compile("three_to_one", "-fno-pie -no-pie -O1", folder, "other"), "");
  const auto results = counted("--no-bytes --time=./other -- ./three_to_one 1000000");
  std::map<std::string, double> seconds;
  for (const auto& point : results.points) seconds[point.name] = point.time.median;
  ASSERT_GT(seconds["three_to_one/once"], 0);
  EXPECT_GT(seconds["three_to_one/thrice"] / seconds["three_to_one/once"], 1.5);
  EXPECT_EQ(flops_of(results, "thrice"), 3e7);
}

}  // namespace
}  // namespace roofline::known_answers_test

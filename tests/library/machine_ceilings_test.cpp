#include "bench/library/machine_ceilings.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "bench/text/output.hpp"
#include "tests/command_line.hpp"

namespace roofline::machine_ceilings_test {
namespace {

namespace fs = std::filesystem;

class KeptCeilings : public ::testing::Test {
 protected:
  void SetUp() override {
    machine_.fingerprint = "one";
    machine_.isa = "scalar";
  }
  const testing::CacheFolder cache_;
  const fs::path folder_ = cache_.path();
  Machine machine_;
};

TEST_F(KeptCeilings, HaveAFilePerMachineAndNumberOfThreads) {
  const auto path = *kept_ceilings(machine_, 2);
  EXPECT_EQ(path.parent_path(), folder_ / "roofline");
  EXPECT_NE(path, *kept_ceilings(machine_, 1));
  auto other = machine_;
  other.fingerprint = "two";
  EXPECT_NE(path, *kept_ceilings(other, 2));
  ::setenv("ROOFLINE_NODE", "another-node", 1);
  EXPECT_NE(path, *kept_ceilings(machine_, 2)) << "nodes of one kind share a home";
  ::unsetenv("ROOFLINE_NODE");
}

TEST_F(KeptCeilings, ThatAreDamagedOrOfAnotherMachineAreNone) {
  const auto path = *kept_ceilings(machine_, 1);
  EXPECT_FALSE(find_ceilings(machine_, 1));
  fs::create_directories(path.parent_path());
  write_file(path, "{");
  EXPECT_FALSE(find_ceilings(machine_, 1));
  write_file(path, R"({"context": {"fingerprint": "two"}, "benchmarks": []})");
  EXPECT_FALSE(find_ceilings(machine_, 1));
}

TEST_F(KeptCeilings, AreFoundAgain) {
  // The file of a run, with the one ceiling that every machine has.
  const auto path = *kept_ceilings(machine_, 1);
  fs::create_directories(path.parent_path());
  write_file(path, R"({"context": {"fingerprint": "one"}, "roofline": {"schema": 1, "ceilings": [
    {"name": "ceiling/flops/fp64/fma/scalar/threads:1", "kind": "compute", "rate": 2e9, "rate_low": 1e9,
     "rate_high": 3e9, "samples": 9}]}})");
  const auto found = find_ceilings(machine_, 1);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->ceilings.size(), 1u);
  EXPECT_EQ(found->ceilings[0].rate, 2e9);
  EXPECT_EQ(found->origin.text, path.string());
}

}  // namespace
}  // namespace roofline::machine_ceilings_test

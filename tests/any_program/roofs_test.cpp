#include <algorithm>

#include "bench/machine/machine.hpp"
#include "tests/any_program/counted.hpp"

namespace roofline::roofs_test {
namespace {

using namespace ::roofline::testing;

/// The roofs that rows are compared with.
class CountedRoofs : public Counted {
 protected:
  void write_roofs(const std::string& file, const Results& results) const {
    nlohmann::ordered_json document;
    document["roofline"] = stored_run(results);
    write_file(folder / file, document.dump());
  }
};

TEST_F(CountedRoofs, SinglePrecisionHasItsOwn) {
  ASSERT_EQ(compile("fp32", "-fopenmp", folder), "");
  auto results = counted("--caches=32K/8 -- ./fp32");
  EXPECT_NEAR(flops_of(results, "chains"), 2'560'000'000, 1000) << "and those before the loop";
  assess(results);
  for (const auto& point : results.points)
    if (point.name == "fp32/chains") {
      ASSERT_TRUE(point.assessment.roof);
      EXPECT_NEAR(point.assessment.roof->attainable.value_or(0), 516e9, 1);
    }

  auto without = example::results(false);
  auto ceilings = without.roofline.ceilings();
  std::erase_if(ceilings, [](const auto& ceiling) { return ceiling.precision == "fp32"; });
  without.roofline = Roofline(std::move(ceilings), without.roofline.threads());
  write_roofs("roofs.json", without);
  const auto outcome = count("--caches=32K/8 -- ./fp32", folder);
  EXPECT_NE(outcome.err.find("no peak of single precision"), std::string::npos) << outcome.err;
}

/// A stand-in for roofline_bench writes down how it was called.
TEST_F(CountedRoofs, BelowALauncherOneRankMeasuresForAll) {
  ASSERT_EQ(compile("ends", "-mfsgsbase", folder), "");
  const auto bin = folder.path() / "bin";
  std::filesystem::create_directories(bin);
  std::filesystem::copy(ROOFLINE_CLI, bin / "roofline");
  std::filesystem::create_directory_symlink(installed.parent_path(), folder.path() / "lib");
  auto roofs = example::results(false);
  roofs.machine = detect_machine();
  write_roofs("measured.json", roofs);
  write_file(bin / "roofline_bench",
             "#!/bin/sh\nsleep 1\necho \"$@\" >> ../calls\n"
             "for option; do case $option in --out=*) out=${option#--out=};; esac; done\n"
             "mkdir -p \"$out\" && cp ../measured.json \"$out/run.json\"\n");
  std::filesystem::permissions(bin / "roofline_bench", std::filesystem::perms::owner_all);
  const auto outcome = shell(
      "export XDG_CACHE_HOME=$PWD/cache OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_LOCAL_SIZE=2; cd bin; "
      "for rank in 0 1; do OMPI_COMM_WORLD_RANK=$rank OMPI_COMM_WORLD_LOCAL_RANK=$rank ./roofline cpu --no-bytes "
      "--out=../out --ceilings=quick -- ../ends & done; wait",
      folder);
  EXPECT_EQ(outcome.err.find("no ceilings"), std::string::npos) << outcome.err;
  const auto calls = contents(folder / "calls");
  EXPECT_EQ(std::count(calls.begin(), calls.end(), '\n'), 1) << calls;
  EXPECT_NE(calls.find("--ranks=off"), std::string::npos) << calls;
  EXPECT_NE(calls.find("ceiling/flops/fp32"), std::string::npos) << calls;
}

}  // namespace
}  // namespace roofline::roofs_test

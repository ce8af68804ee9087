#pragma once
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "bench/storage/stored_run.hpp"
#include "bench/text/output.hpp"
#include "tests/command_line.hpp"
#include "tests/example_results.hpp"
#include "tests/sanitized.hpp"

namespace roofline::testing {

inline const auto installed = std::filesystem::path(ROOFLINE_CLI).parent_path() / ".." / "lib" / "roofline";

/// Whether this build can count programs here, and a compiler is there to make some; else why not.
inline std::string why_not_counted(const Scratch& folder) {
  if (!std::filesystem::exists(installed / "roofline_count")) return "the counter was not built";
  return shell("command -v cc", folder).code == 0 ? "" : "no C compiler";
}

/// A program of tests/any_program/programs, compiled into the folder. Returns what the compiler complains about.
inline std::string compile(const std::string& name, const std::string& flags, const Scratch& folder,
                           const std::string& as = "") {
  return shell("cc -O3 -g -march=x86-64-v3 -pthread '" ROOFLINE_TEST_DATA "/../any_program/programs/" + name +
                   ".c' -o " + (as.empty() ? name : as) + " " + flags + " -lm",
               folder)
      .err;
}

/// Runs `roofline cpu` on the roofs of a made-up machine, which costs no time.
inline Outcome count(const std::string& arguments, const Scratch& folder) {
  if (!std::filesystem::exists(folder / "roofs.json")) {
    nlohmann::ordered_json document;
    document["roofline"] = stored_run(example::results(false));
    write_file(folder / "roofs.json", document.dump());
  }
  return shell("'" ROOFLINE_CLI "' cpu --ceilings=roofs.json --out=out " + arguments, folder);
}

/// Compiles and counts; without what that needs each test is skipped, with the reason.
class Counted : public ::testing::Test {
 protected:
  void SetUp() override {
    static const auto why_not = why_not_counted(Scratch());
    if (!why_not.empty()) GTEST_SKIP() << why_not;
  }
  /// With libraries that are preloaded into the program, and so into roofline_count.
  static bool preloads() { return !sanitized; }
  Results counted(const std::string& arguments) {
    const auto outcome = count(arguments, folder);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return read_run(folder / "out/run.json");
  }
  Scratch folder;
};

/// FLOPs of a function; -1 where it has no row.
inline double flops_of(const Results& results, const std::string& function) {
  for (const auto& point : results.points)
    if (point.name.substr(point.name.find('/') + 1) == function)
      return static_cast<double>(point.counts.operations.flops());
  return -1;
}

}  // namespace roofline::testing

#include <algorithm>
#include <map>

#include "tests/any_program/counted.hpp"

namespace roofline::rows_test {
namespace {

using namespace ::roofline::testing;

/// Programs whose rows are easily joined in a wrong way.
class CountedRows : public Counted {
 protected:
  std::string build(const std::string& sources, const std::string& flags) {
    const bool is_c = sources.ends_with(".c");
    return shell("root='" ROOFLINE_TEST_DATA "/any_program'; " + std::string(is_c ? "cc" : "c++") + " " + flags + " " +
                     sources + " -o program",
                 folder)
        .err;
  }
  /// FLOPs by row.
  std::map<std::string, double> flops(const std::string& arguments) {
    std::map<std::string, double> all;
    for (const auto& point : counted("--no-bytes --min-share=0 " + arguments).points)
      if (const auto number = point.counts.operations.flops())
        all[point.name.substr(point.name.find('/') + 1)] = static_cast<double>(number);
    return all;
  }
};

TEST_F(CountedRows, LoopsOfOneTemplateAreRowsByTheLinesOfTheirBodies) {
  ASSERT_EQ(build("$root/pfor.cpp", "-O3 -march=x86-64-v3 -ffp-contract=off -g"), "");
  const auto rows = flops("-- ./program");
  std::map<std::string, double> loops;
  for (const auto& [name, number] : rows)
    if (name.starts_with("ParallelFor<..>::execute")) loops[name.substr(name.find('('))] = number;
  EXPECT_EQ(loops, (std::map<std::string, double>{
                       {"(pfor.cpp:12)", 8000000}, {"(pfor.cpp:13)", 8000000}, {"(pfor.cpp:14)", 11999880}}));
}

TEST_F(CountedRows, StaticFunctionsOfOneNameAreRowsByTheirFiles) {
  ASSERT_EQ(build("$root/s1.c $root/s2.c", "-O2 -g"), "");
  EXPECT_EQ(flops("-- ./program"),
            (std::map<std::string, double>{{"work (s1.c:2)", 1000000}, {"work (s2.c:1)", 2000000}}));
}

TEST_F(CountedRows, ThreadsOfEachStepTakeAsLongAsThreadsThatLast) {
  const auto rate = [&](const std::string& source) {
    EXPECT_EQ(build("$root/" + source, "-O3 -march=x86-64-v3 -ffp-contract=off -g -fopenmp -pthread -DREPS=3000"), "");
    const auto results = counted("--no-bytes -- ./program 50");  // each thread longer than a period of the samples
    for (const auto& point : results.points)
      if (point.name == "program/update") {
        EXPECT_EQ(point.counts.operations.flops(), 2'400'000'000u);
        return point.flop_rate();
      }
    return 0.0;
  };
  const double lasting = rate("lasting.c"), steps = rate("steps.c");
  ASSERT_GT(lasting, 0);
  // 0.25 and 2.9 were seen where a host moves the cores or puts both threads on one. Steps that were added up would
  // give 50.
  EXPECT_GT(steps, 0.1 * lasting);
  EXPECT_LT(steps, 10 * lasting);
}

TEST_F(CountedRows, WhatOnlyWaitsIsNoPoint) {
  ASSERT_EQ(build("$root/wait.c", "-O3 -march=x86-64-v3 -ffp-contract=off -g -fopenmp"), "");
  const auto results = counted("--no-bytes --min-share=0 -- ./program");
  for (const auto& point : results.points)
    if (point.name.find("libgomp") != point.name.npos) {
      EXPECT_EQ(point.counts.operations.flops(), 0u);
    }
  EXPECT_EQ(flops_of(results, "serial_part"), 2.0 * 3000 * 200 * 200);
  for (const auto& check : results.checks)
    if (check.id == "intervals_hold_medians") {
      EXPECT_NE(check.verdict, SanityCheck::Verdict::fail) << check.where;
    }
}

TEST_F(CountedRows, AProgramTooShortForASampleHasItsCountsInAllLists) {
  std::ofstream(folder / "tiny.c") << "#include <stdio.h>\n__attribute__((noipa)) double divs(double x) {\n"
                                      "  for (int i = 0; i < 1000; ++i) x = x / 1.0000001;\n  return x;\n}\n"
                                      "int main(void) { printf(\"%g\\n\", divs(3)); }\n";
  ASSERT_EQ(build("tiny.c", "-O1 -g"), "");
  EXPECT_EQ(flops("-- ./program")["divs"], 1000);
  const auto document = nlohmann::json::parse(read_file(folder / "out/run.json"));
  const auto row = std::find_if(document["benchmarks"].begin(), document["benchmarks"].end(),
                                [](const auto& it) { return it["name"] == "program/divs"; });
  ASSERT_NE(row, document["benchmarks"].end()) << document["benchmarks"].dump();
  EXPECT_EQ((*row)["flops"], 1000);
}

TEST_F(CountedRows, TheGateSeesOneFlopMore) {
  std::ofstream(folder / "sum.c")
      << "#include <stdlib.h>\n__attribute__((noipa)) double sum(long n) {\n  double t = 1;\n"
         "  for (long i = 0; i < n; ++i) __asm__ volatile(\"addsd %0, %0\" : \"+x\"(t));\n"
         "  return t;\n}\n"
         "int main(int c, char** v) { return c > 1 && sum(atol(v[1])) == 3; }\n";
  ASSERT_EQ(build("sum.c", "-O2 -g"), "");
  const auto counts = [&](const std::string& file, long n) {
    return shell("'" ROOFLINE_CLI "' cpu --counts=" + file + " -- ./program " + std::to_string(n), folder);
  };
  for (const auto& [file, n] :
       {std::pair{"a.json", 1'000'000'000L}, {"b.json", 1'000'000'000L}, {"c.json", 1'000'000'001L}}) {
    const auto outcome = counts(file, n);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
  }
  const auto compare = [&](const std::string& other) {
    return shell("'" ROOFLINE_CLI "' compare --gate=exact a.json " + other, folder);
  };
  EXPECT_EQ(compare("b.json").code, 0) << compare("b.json").out << compare("b.json").err;
  EXPECT_EQ(compare("c.json").code, 1) << compare("c.json").out << compare("c.json").err;
}

}  // namespace
}  // namespace roofline::rows_test

#include "tests/any_program/counted.hpp"

namespace roofline::shim_test {
namespace {

using namespace ::roofline::testing;

class AssembledCounts : public Counted {};

/// An assembler that adds counters, and objdump's listing, say what one run of a program did; and so does the counter.
TEST_F(AssembledCounts, EqualThoseOfTheCounterAsIntegers) {
  const std::string shim = ROOFLINE_TEST_DATA "/../any_program/shim/";
  const std::string programs = ROOFLINE_TEST_DATA "/../any_program/programs/";
  if (shell("python3 --version && objdump --version && readelf --version", folder).code != 0)
    GTEST_SKIP() << "no python3 or no binutils";
  ASSERT_EQ(shell("cc -O2 -c '" + shim + "counts.c'", folder).err, "");
  for (const std::string program : {"kernels.c", "parts.c", "threads.c 4"}) {
    const auto source = program.substr(0, program.find(' ')), arguments = program.substr(source.size());
    ASSERT_EQ(shell("cc -B '" + shim + "' -O3 -march=x86-64-v3 -pthread -w '" + programs + source +
                        "' -x none counts.o -o program -lm",
                    folder)
                  .err,
              "");
    shell("BLOCK_COUNTS=blocks '" + (installed / "roofline_count").string() +
              "' folder=. program=program by=function libraries=0 caches= -- ./program" + arguments,
          folder);
    const auto compared = shell("python3 '" + shim + "flops.py' program blocks counts.1.json", folder);
    EXPECT_EQ(compared.code, 0) << program << ": " << compared.out << compared.err;
    EXPECT_NE(compared.out, "") << program;
  }
}

}  // namespace
}  // namespace roofline::shim_test

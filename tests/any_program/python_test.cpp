#include <fstream>
#include <set>

#include "tests/any_program/counted.hpp"

namespace roofline::python_test {
namespace {

using namespace ::roofline::testing;

class CountedPython : public Counted {};

TEST_F(CountedPython, LinesThatCallLibrariesAreRows) {
  if (!preloads()) GTEST_SKIP() << "a sanitizer's runtime must come first";
  const std::string python = "/usr/bin/python3";
  if (shell(python + " -c 'import numpy'", folder).code != 0) GTEST_SKIP() << "no NumPy";
  std::ofstream(folder / "app.py") << "import numpy\n"
                                      "def product(a):\n"
                                      "    return a @ a\n"
                                      "def plain(n):\n"
                                      "    total = 0.0\n"
                                      "    for i in range(n):\n"
                                      "        total += i\n"
                                      "    return total\n"
                                      "a = numpy.ones((384, 384))\n"
                                      "for repeat in range(3):\n"
                                      "    c = product(a)\n"
                                      "print(c[0, 0], plain(10000))\n";
  ASSERT_EQ(::setenv("OPENBLAS_NUM_THREADS", "1", 1), 0);
  const auto native = shell(python + " app.py", folder);
  const auto outcome = count("--no-bytes --min-share=0 -- " + python + " app.py", folder);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with(native.out)) << outcome.out;
  EXPECT_EQ(outcome.err.find("another result"), std::string::npos) << outcome.err;
  std::set<std::string> rows;
  for (const auto& point : read_run(folder / "out/run.json").points) {
    rows.insert(point.name.substr(point.name.find('/') + 1));
    if (!point.name.ends_with("app.py:3")) continue;
    // OpenBLAS adds each element of a product to C, scaled, by an FMA or a multiplication.
    const std::uint64_t products = 3u * 384 * 384 * 384, scalings = 3u * 384 * 384;
    const auto fma = point.counts.operations.fma;
    EXPECT_TRUE(fma == products || fma == products + scalings) << fma;
    EXPECT_GT(point.time.median, 0);
  }
  EXPECT_TRUE(rows.contains("app.py:3") && rows.contains("[python]")) << outcome.out;
  EXPECT_FALSE(rows.contains("app.py:7")) << "the interpreter's own work";
}

}  // namespace
}  // namespace roofline::python_test

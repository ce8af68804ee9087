#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <string>

#include "apps/lbm/collide.hpp"
#include "bench/space/pack.hpp"
#include "tests/command_line.hpp"

namespace roofline::lbm::lbm_code_test {
namespace {

/// Packed operations in the machine code of the five loops of v3 and v4. They have no jumps, so that this is what runs
/// for one pack of sites.
Operations operations_in_machine_code() {
  const testing::Scratch folder;
  testing::shell("objdump -dC --no-show-raw-insn '" ROOFLINE_BENCH "' > code.s", folder);
  const std::regex function(R"(::loop([1-4]<|5<true,).*::Pack<)" + std::to_string(native_lanes) + ">");
  const std::regex instruction(R"(\tv(fm|fnm|add|sub|mul|div)\w*pd )");
  Operations found;
  bool inside = false;
  std::ifstream code(folder / "code.s");
  std::smatch match;
  for (std::string line; std::getline(code, line);)
    if (!line.empty() && line[0] != ' ') {
      inside = line.find("roofline::lbm::") != std::string::npos && std::regex_search(line, function);
    } else if (inside && std::regex_search(line, match, instruction)) {
      const auto kind = match[1].str();
      ++(kind == "mul" ? found.mul : kind == "div" ? found.div : kind[0] == 'f' ? found.fma : found.add);
    }
  return found;
}

TEST(LbmMachineCode, ExecutesTheOperationsThatAreCounted) {
#if !defined(__FMA__) || !defined(__OPTIMIZE__) || defined(__clang__)
  GTEST_SKIP() << "needs a build by g++ with optimisation, for a CPU with FMA";
#endif
  const auto found = operations_in_machine_code();
  for (const auto& version : versions())
    if (version.name == std::string("v4")) {
      const auto near = [](std::uint64_t got, std::uint64_t counted) {
        EXPECT_NEAR(static_cast<double>(got), static_cast<double>(counted), 0.01 * static_cast<double>(counted));
      };
      near(found.add, version.per_site.add);
      near(found.mul, version.per_site.mul);
      near(found.fma, version.per_site.fma);
      near(found.div, version.per_site.div);
    }
}

}  // namespace
}  // namespace roofline::lbm::lbm_code_test

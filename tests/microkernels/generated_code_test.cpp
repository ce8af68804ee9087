#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "apps/lbm/operations.hpp"
#include "bench/space/pack.hpp"
#include "bench/space/prefetch.hpp"
#include "bench/text/words.hpp"
#include "tests/command_line.hpp"
#include "tests/sanitized.hpp"

namespace roofline::generated_code_test {
namespace {

/// The disassembled program, made once.
const std::string& listing() {
  static const testing::Scratch folder;
  static const std::string path = [] {
    testing::shell("objdump -dC --no-show-raw-insn '" ROOFLINE_BENCH "' > code.s", folder);
    return folder / "code.s";
  }();
  return path;
}

using Line = std::function<void(const std::string&)>;

/// Every instruction of the functions whose name `is_wanted`.
void for_each_instruction(const std::function<bool(const std::string&)>& is_wanted, const Line& see) {
  bool inside = false;
  std::ifstream code(listing());
  for (std::string line; std::getline(code, line);)
    if (!line.empty() && line[0] != ' ')
      inside = is_wanted(line);
    else if (inside)
      see(line);
}

/// ... holds all of `parts`.
void for_each_instruction(const std::vector<std::string>& parts, const Line& see) {
  const auto has_all = [&](const std::string& name) {
    return std::all_of(parts.begin(), parts.end(), [&](auto& part) { return name.find(part) != std::string::npos; });
  };
  for_each_instruction(has_all, see);
}

/// How many of them are `what`.
int instructions(const std::string& what, const std::vector<std::string>& parts) {
  int found = 0;
  for_each_instruction(parts, [&](const std::string& line) { found += line.find(what) != std::string::npos; });
  return found;
}

struct Instructions {
  int packed_fma = 0, scalar_fma = 0, packed_mul = 0, packed_add = 0;
};

/// Instructions of the timed loops (bodies of OpenMp<Fma>::parallel) of one traversal in the executable.
Instructions timed_loops(const std::string& traversal, bool fma) {
  Instructions found;
  for_each_instruction({fmt::format("OpenMp<{}>::parallel<roofline::{}", fma, traversal)}, [&](const auto& line) {
    const auto has = [&](const char* text) { return line.find(text) != std::string::npos; };
    const bool fused = has("\tvfm") || has("\tvfnm"), packed = has("pd ");
    found.packed_fma += fused && packed;
    found.scalar_fma += fused && !packed;
    found.packed_mul += packed && has("\tvmulpd");
    found.packed_add += packed && (has("\tvaddpd") || has("\tvsubpd"));
  });
  return found;
}

class GeneratedCode : public ::testing::Test {
 protected:
  void SetUp() override {
#if !defined(__FMA__) || !defined(__OPTIMIZE__)
    GTEST_SKIP() << "needs an optimised build for a CPU with FMA";
#endif
  }
};
class GeneratedLoops : public GeneratedCode, public ::testing::WithParamInterface<std::string> {};

TEST_P(GeneratedLoops, ModesDifferInTheirInstructions) {
  const auto fused = timed_loops(GetParam(), true), separate = timed_loops(GetParam(), false);
  EXPECT_GT(fused.packed_fma, 0);
  EXPECT_EQ(separate.packed_fma + separate.scalar_fma, 0) << "the contraction-free build contains FMAs";
  EXPECT_GT(separate.packed_mul, fused.packed_mul);
  EXPECT_GT(separate.packed_add, fused.packed_add);
}

/// Two threads may share a band: a plain addition goes wrong in most runs, and not in all.
TEST(SharedSums, AreAtomicInTheMachineCode) {
  if (testing::sanitized) GTEST_SKIP() << "the machine code is another one";
  for (const auto* const launch : {"gpp::launch<", "gpp::real::(anonymous namespace)::launch<"})
    for (const auto* const space : {"OpenMp<true>", "OpenMp<false>"})
      EXPECT_GT(instructions("lock cmpxchg", {std::string(space) + "::parallel<roofline::" + launch}), 0) << launch;
}

class LbmMachineCode : public GeneratedCode {};

/// The five loops of v3 and v4 have no jumps, so that what is there runs for one pack of sites.
TEST_F(LbmMachineCode, ExecutesTheOperationsThatAreCounted) {
#if defined(__clang__)
  GTEST_SKIP() << "needs a build by g++";
#endif
  const auto function = "::loop([1-4]<|5<true,).*::Pack<" + std::to_string(native_lanes) + ">";
  Operations found;
  const auto is_loop = [&](const std::string& name) {
    return name.find("roofline::lbm::") != std::string::npos && !matches(function, name).empty();
  };
  for_each_instruction(is_loop, [&](const std::string& line) {
    for (const auto& [at, groups] : matches("\tv(fm|fnm|add|sub|mul|div)[a-z0-9]*pd ", line)) {
      const auto& kind = groups[1];
      ++(kind == "mul" ? found.mul : kind == "div" ? found.div : kind[0] == 'f' ? found.fma : found.add);
    }
  });
  constexpr auto counted = lbm::five_loops(true);
  for (const auto kind : {&Operations::add, &Operations::mul, &Operations::fma, &Operations::div})
    EXPECT_NEAR(static_cast<double>(found.*kind), static_cast<double>(counted.*kind), 0.01 * (counted.*kind));
}

class StreamingStores : public GeneratedCode {};

/// Stores that are counted as going past the caches do so in the code, because the model believes the source.
TEST_F(StreamingStores, AreExecutedWhereTheyAreCounted) {
  for (const char* const loop :
       {"lbm::propagate<", "lbm::MomentSpace<true>", "stencil::SevenFlopsTo<roofline::Streamed, ",
        "stream::CopyTo<roofline::Streamed>", "stream::ScaleTo<roofline::Streamed>",
        "stream::AddTo<roofline::Streamed>", "stream::TriadTo<roofline::Streamed>",
        "gsrb::sweep_into<roofline::gsrb::FourthOrder, roofline::gsrb::Fp, roofline::Streamed",
        "gsrb::sweep_into<roofline::gsrb::FourthOrder, roofline::gsrb::Branch, roofline::Streamed",
        "gsrb::sweep_into<roofline::gsrb::SevenPoint, roofline::gsrb::Fp, roofline::Streamed",
        "gsrb::sweep_into<roofline::gsrb::SevenPoint, roofline::gsrb::Branch, roofline::Streamed"})
    EXPECT_GT(instructions("movnt", {"OpenMp<true>", loop}), 0) << loop;
  EXPECT_EQ(instructions("movnt", {"OpenMp<true>", "stream::TriadTo<roofline::View>"}), 0) << "and nowhere else";
}

/// Prefetches of a tuned row are not work of the published one.
TEST(Prefetches, AreInStridedAndTunedLoopsOfGppAndInNoOther) {
  if (testing::sanitized) GTEST_SKIP() << "the machine code is another one";
  const auto in = [](const char* view, Prefetch into) {
    return instructions("prefetch", {fmt::format("gpp::launch<6, true, roofline::{}, (roofline::Prefetch){}", view,
                                                 static_cast<int>(into)),
                                     "OpenMp<true>"});
  };
  EXPECT_EQ(in("ComplexView<false>", Prefetch::none), 0);
  EXPECT_GT(in("ComplexView<false>", Prefetch::into_l1), 0);
  EXPECT_LE(in("ComplexView<false>", Prefetch::into_l1), 2 * 2) << "one for a line, of two arrays";
  EXPECT_GT(in("ComplexView<true>", Prefetch::into_l1), 0);
  EXPECT_GT(in("ComplexView<true>", Prefetch::into_l2), 0);
  EXPECT_EQ(instructions("prefetcht0",
                         {"gpp::launch<6, true, roofline::ComplexView<true>, (roofline::Prefetch)2", "OpenMp<true>"}),
            0)
      << "into L2, that is prefetcht1";
}

/// A read without software prefetch asks for nothing, or its ceiling would be that of the best reads.
TEST(Prefetches, AreInTheReadsThatAskForLinesAheadAndInNoOther) {
  if (testing::sanitized) GTEST_SKIP() << "the machine code is another one";
  for (const auto& [ahead, prefetches] : {std::pair{", 8, 1, 0>", false}, {", 8, 1, 16>", true}, {", 8, 1, 64>", true}})
    EXPECT_EQ(instructions("prefetch", {"run_sweeps<(roofline::Mix)0, ", ahead}) > 0, prefetches) << ahead;
}

INSTANTIATE_TEST_SUITE_P(Families, GeneratedLoops,
                         // Five frequencies: tuned rows, which have fused loops alone, have 1, 3 and 6.
                         ::testing::Values("gpp::launch<5, "), [](const auto&) { return "gpp"; });

}  // namespace
}  // namespace roofline::generated_code_test

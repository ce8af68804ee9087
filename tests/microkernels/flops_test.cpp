#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <set>
#include <vector>

#include "bench/machine/clock.hpp"
#include "bench/machine/core_units.hpp"
#include "bench/machine/machine.hpp"
#include "bench/suite/suite.hpp"
#include "bench/text/words.hpp"
#include "microkernels/ceilings.hpp"
#include "microkernels/cpu/flops_isa.hpp"
#include "tests/sanitized.hpp"

namespace roofline::flops_test {
namespace {

/// The recurrences, written out once more.
template <class T>
T reference(Form form, bool even_chain, T b, T scale, T offset, long steps) {
  for (long i = 0; i < steps; ++i) {
    volatile T product = b * scale;  // a product that no compiler fuses
    if (form == Form::fma || form == Form::fmas_div) b = std::fma(b, scale, offset);
    if (form == Form::mul_add) b = product + offset;
    if (form == Form::mul_and_add) b = even_chain ? product : b + offset;
    if (form == Form::add) b = b + offset;
    if (form == Form::mul) b = product;
    if (form == Form::div) b = b / scale;
    if (form == Form::div_fma) b = std::fma(b / scale, scale, offset);
  }
  return b;
}

template <class T>
void expect_reference_bits(const FlopsKernel& kernel, T start, T scale, T offset, long steps) {
  std::vector<T> out(static_cast<std::size_t>((kernel.chains + kernel.dividing) * kernel.lanes) + 1, T(-7));
  kernel.run(out.data(), start, scale, offset, steps);
  // A division for each 48 FMAs, of two registers in turns.
  const T divided = reference<T>(Form::div, true, start, scale, offset, steps * kernel.chains / 96);
  for (int i = kernel.chains * kernel.lanes; i < (kernel.chains + kernel.dividing) * kernel.lanes; ++i)
    ASSERT_EQ(out[static_cast<std::size_t>(i)], divided) << kernel.chains << " chains, element " << i;
  for (int i = 0; i < kernel.chains * kernel.lanes; ++i)
    ASSERT_EQ(out[static_cast<std::size_t>(i)],
              reference<T>(kernel.form, i / kernel.lanes % 2 == 0, start, scale, offset, steps))
        << "form " << static_cast<int>(kernel.form) << ", " << kernel.lanes << " lanes of " << sizeof(T) << " bytes, "
        << kernel.chains << " chains, element " << i;
  EXPECT_EQ(out.back(), T(-7)) << "wrote more than its registers";
}

TEST(FlopsKernels, TakeExactlyTheStepsTheyClaim) {
  for (const auto& kernel : flops_kernels_of_this_cpu())
    for (const long steps : {8L, 16L, 72L})
      if (kernel.element_bytes == 8)
        expect_reference_bits<double>(kernel, 1.25, -0.9375, 0.1, steps);
      else
        expect_reference_bits<float>(kernel, 1.25f, -0.9375f, 0.1f, steps);
}

Machine zen5() {
  Machine machine;
  machine.vendor = "AuthenticAMD", machine.family = 26, machine.model = 2;
  machine.clock_hz = 4e9, machine.cores = 2;
  return machine;
}

Ceiling compute(const char* precision, Operation operation, const char* isa, bool ilp, int threads) {
  Ceiling ceiling;
  ceiling.precision = precision, ceiling.operation = operation, ceiling.isa = isa, ceiling.ilp = ilp;
  ceiling.threads = threads;
  return ceiling;
}

TEST(Theory, IsUnitsTimesLanesTimesClockTimesThreads) {
  const auto machine = zen5();
  const auto rate = [&](const Ceiling& ceiling) { return theoretical_rate(ceiling, machine).value_or(0) * 1e-9; };
  EXPECT_DOUBLE_EQ(rate(compute("fp64", Operation::fma, "avx512", true, 2)), 2 * 2 * 8 * 4.0 * 2);
  EXPECT_DOUBLE_EQ(rate(compute("fp32", Operation::fma, "avx2", true, 1)), 2 * 2 * 8 * 4.0);
  EXPECT_DOUBLE_EQ(rate(compute("fp64", Operation::fma, "sse", true, 1)), 2 * 2 * 2 * 4.0);
  EXPECT_DOUBLE_EQ(rate(compute("fp32", Operation::fma, "scalar", true, 1)), 2 * 2 * 1 * 4.0);
  EXPECT_DOUBLE_EQ(rate(compute("fp64", Operation::add, "avx512", true, 1)), 2 * 8 * 4.0);
  // Additions have pipes of their own: as many multiplications and additions as fused operations are two each.
  EXPECT_DOUBLE_EQ(rate(compute("fp64", Operation::nofma, "avx512", true, 1)), 4 * 8 * 4.0);
  EXPECT_DOUBLE_EQ(rate(compute("fp64", Operation::fma, "avx512", false, 1)), 2 * 8 * 4.0 / 4);
  EXPECT_DOUBLE_EQ(rate(compute("fp64", Operation::nofma, "avx512", false, 1)), 2 * 8 * 4.0 / (3 + 2));
}

TEST(Theory, ThreadsOfOneCoreShareItsUnits) {
  auto machine = zen5();
  machine.cores = 4, machine.usable_cores = 2;  // of a quota
  const auto rate = [&](bool ilp, int threads) {
    return *theoretical_rate(compute("fp64", Operation::fma, "avx512", ilp, threads), machine);
  };
  EXPECT_DOUBLE_EQ(rate(true, 8), rate(true, 4));
  EXPECT_DOUBLE_EQ(rate(true, 4), 4 * rate(true, 1));
  EXPECT_DOUBLE_EQ(rate(false, 8), 8 * rate(false, 1)) << "their chains do not";
}

TEST(Theory, KnowsTheWideUnitsOfACore) {
  struct Core {
    const char* vendor;
    int family, model;
    const char* name;
    double flops_per_cycle;  ///< of AVX-512
    bool amx = false;
  };
  for (const auto& [vendor, family, model, name, flops_per_cycle, amx] :
       {Core{"AuthenticAMD", 25, 0x11, "Zen 4, on pipes of 256 bit", 16},
        Core{"GenuineIntel", 6, 0x55, "Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz", 32},
        Core{"GenuineIntel", 6, 0x55, "Intel(R) Xeon(R) Silver 4114 CPU @ 2.20GHz", 16},
        Core{"GenuineIntel", 6, 167, "Rocket Lake", 16},
        Core{"GenuineIntel", 6, 167, "a server's, as it has tiles, whatever its number", 32, true}}) {
    Machine machine;
    machine.vendor = vendor, machine.family = family, machine.model = model, machine.name = name, machine.amx = amx;
    machine.clock_hz = 4e9;
    EXPECT_DOUBLE_EQ(*theoretical_rate(compute("fp64", Operation::fma, "avx512", true, 1), machine),
                     flops_per_cycle * 4e9)
        << name;
  }
}

TEST(Theory, IsAbsentWhereItIsNotKnown) {
  auto machine = zen5();
  const auto fma = compute("fp64", Operation::fma, "avx2", true, 1);
  EXPECT_FALSE(theoretical_rate(compute("fp64", Operation::div, "avx2", true, 1), machine));
  machine.clock_hz = 0;
  EXPECT_FALSE(theoretical_rate(fma, machine));
  machine = zen5();
  machine.vendor = "ARM";
  EXPECT_FALSE(theoretical_rate(fma, machine));
  EXPECT_FALSE(theoretical_rate(fma, Machine()));
}

TEST(FlopsCeilings, AreNamedByPrecisionOperationInstructionsAndThreads) {
  const auto machine = zen5();
  Suite suite(cpu_target(machine, 2));
  add_flops_ceilings(suite);
  const auto* const form =
      "^ceiling/flops/fp(64|32)/(fma|nofma|add|mul|div|divfma|fma48div)/(scalar|sse|avx2|avx512|neon|sve256|sve512)(/"
      "chain|/"
      "sustained)?"
      "/threads:[12]$";
  std::set<std::string> names;
  for (const auto& variant : suite.ceilings()) {
    EXPECT_EQ(matches(form, variant.ceiling.name).size(), 1u) << variant.ceiling.name;
    EXPECT_TRUE(names.insert(variant.ceiling.name).second) << variant.ceiling.name << " twice";
    EXPECT_FALSE(variant.make.empty()) << variant.ceiling.name;
  }
#if defined(__x86_64__)
  EXPECT_EQ(names.count("ceiling/flops/fp64/mul/sse/threads:2"), 1u);
  EXPECT_EQ(names.count("ceiling/flops/fp32/div/scalar/chain/threads:1"), 1u);
  if (widest_vector_bytes() == 64) {
    EXPECT_EQ(names.count("ceiling/flops/fp64/fma/avx512/threads:2"), 1u);
    EXPECT_EQ(names.count("ceiling/flops/fp64/fma/avx512/chain/threads:1"), 1u);
    EXPECT_EQ(names.count("ceiling/flops/fp64/fma/avx512/sustained/threads:2"), 1u);
    // precision, ILP, operation, instructions, threads; FMAs next to divisions do not form a single chain; sustained
    EXPECT_EQ(names.size(), 2u * 2 * 6 * 4 * 2 + 2 * 4 * 2 + 1);
  }
#endif
}

TEST(FlopsCeilings, QuickOnesAreTheRoofsOfKernels) {
  const auto machine = zen5();
  Suite suite(cpu_target(machine, 2));
  add_flops_ceilings(suite);
  std::multiset<Operation> quick;
  for (const auto& variant : suite.ceilings()) {
    if (variant.selection != Selection::quick) continue;
    const auto& ceiling = variant.ceiling;
    EXPECT_EQ(ceiling.threads, 2);
    EXPECT_EQ(ceiling.precision, "fp64");
    EXPECT_TRUE(ceiling.ilp);
    quick.insert(ceiling.operation);
  }
  std::multiset<Operation> expected{Operation::nofma, Operation::add, Operation::mul, Operation::div};
  if (widest_vector_bytes() > 16) expected.insert({Operation::fma, Operation::fma48div});
  EXPECT_EQ(quick, expected);
}

#if defined(__x86_64__)
TEST(FlopsCeilings, TheoryIsAtTheClockThatTheyRunAt) {
  if (testing::sanitized) GTEST_SKIP() << "a sanitized chain has no known cycles";
  const auto machine = zen5();
  Suite suite(cpu_target(machine, 1));
  add_flops_ceilings(suite);
  std::set<std::string> instructions;
  for (const auto& variant : suite.ceilings()) {
    const auto& ceiling = variant.ceiling;
    if (variant.selection == Selection::full || !ceiling.theory) continue;
    const auto theory = variant.make.front()().theory;
    ASSERT_TRUE(theory) << ceiling.name;
    const double clock = theory() / *ceiling.theory * machine.clock_hz;
    EXPECT_GT(clock, 0.4 * measure_clock_hz()) << ceiling.name;  // Skylake-SP: 0.6; a busy machine less
    EXPECT_LT(clock, 1.2 * measure_clock_hz()) << ceiling.name;
    instructions.insert(ceiling.isa);
  }
  EXPECT_EQ(instructions.size(), widest_vector_bytes() == 64 ? 4u : widest_vector_bytes() == 32 ? 3u : 1u);
}
#endif

}  // namespace
}  // namespace roofline::flops_test

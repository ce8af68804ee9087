#include "apps/gpp/gpp.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "apps/gpp/launch.hpp"
#include "apps/gpp/real.hpp"
#include "bench/cache_model/sampler.hpp"
#include "tests/command_line.hpp"
#include "tests/variants.hpp"

namespace roofline::gpp::gpp_test {
namespace {

constexpr Index strides[] = {1, 2, 4, 8, 16};

/// achtemp of one launch of one variant.
auto sums_of(const std::shared_ptr<Problem>& problem, const Axes& axes) {
  const auto work = make(problem, axes);
  work.launch();
  std::array<std::complex<double>, max_nw> sums;
  for (int iw = 0; iw < axes.nw; ++iw) sums[iw] = {problem->achtemp[iw].re, problem->achtemp[iw].im};
  return sums;
}

template <class F>
void for_all_axes(F f) {
  for (int nw = 1; nw <= max_nw; ++nw)
    for (const bool fma : {false, true})
      for (const Index stride : strides)
        for (const bool divide : {true, false}) f(Axes{.nw = nw, .fma = fma, .stride = stride, .divide = divide});
}

std::string name(const Axes& axes) {
  return "nw " + std::to_string(axes.nw) + " fma " + std::to_string(axes.fma) + " stride " +
         std::to_string(axes.stride) + " divide " + std::to_string(axes.divide);
}

TEST(Gpp, ThreadsWalkFarFromOneAnother) {
  constexpr Index rows = 1024;
  for (const Index passes : {2, 4, 6, 8, 16, 32})
    for (const Index threads : {2, 3, 4, 8, 16}) {
      std::vector<Index> at;  // where each begins its part
      for (Index thread = 0; thread < threads; ++thread)
        at.push_back(row_of(thread * passes * rows / threads, rows, passes));
      for (std::size_t a = 0; a < at.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) {
          const Index apart = (at[a] - at[b] + rows) % rows;
          if (passes % threads != 0) continue;  // some begin in the middle of a pass
          EXPECT_GE(std::min(apart, rows - apart), rows / threads) << passes << " passes";
        }
    }
  for (Index pass = 0; pass < 16; ++pass) {
    std::set<Index> visited;
    for (Index chunk = pass * rows; chunk < (pass + 1) * rows; ++chunk) visited.insert(row_of(chunk, rows, 16));
    EXPECT_EQ(visited.size(), static_cast<std::size_t>(rows)) << "every row once in a pass";
  }
}

TEST(Gpp, GoldenVectorForEveryPrefixOfFrequenciesAndEveryStride) {
  const auto golden = testing::json_of(ROOFLINE_TEST_DATA "/golden.json").at("gpp_small");
  const auto problem = std::make_shared<Problem>(Sizes{4, 2, 64, 4});
  for_all_axes([&](const Axes& axes) {
    if (!axes.divide) return;
    const auto sums = sums_of(problem, axes);
    for (int iw = 0; iw < std::min(axes.nw, 3); ++iw) {
      const double re = golden.at("re").at(iw), im = golden.at("im").at(iw), rtol = golden.at("rtol");
      EXPECT_NEAR(sums[iw].real(), re, rtol * std::abs(re)) << name(axes) << " iw " << iw;
      EXPECT_NEAR(sums[iw].imag(), im, rtol * std::abs(im)) << name(axes) << " iw " << iw;
    }
  });
}

TEST(Gpp, ConstantDataHasTheClosedForm) {
  // Per term, of the published data: 0.25 wtilde conj(wdiff) / |wdiff|^2 I_eps.
  constexpr std::complex<double> per_term[] = {
      {-0.009615384615384616, 0.04807692307692308},  {-0.005, 0.035},
      {-0.003048780487804878, 0.027439024390243903}, {-0.0020491803278688526, 0.022540983606557378},
      {-0.0014705882352941176, 0.01911764705882353}, {-0.0011061946902654867, 0.016592920353982302}};
  for (const Sizes& sizes : {Sizes{4, 2, 64, 4}, Sizes{3, 1, 37, 5}, Sizes{1, 1, 1, 1}, Sizes{7, 2, 129, 43}}) {
    const auto problem = std::make_shared<Problem>(sizes);
    for (Buffer* array : {&problem->aqsm, &problem->aqsn, &problem->i_eps, &problem->wtilde})
      std::fill(array->begin(), array->end(), 0.5);
    std::fill(problem->vcoul.begin(), problem->vcoul.end(), 1.0);
    const auto n = static_cast<double>(sizes[0] * (sizes[2] / sizes[3]) * sizes[2]);
    for_all_axes([&](const Axes& axes) {
      if (!axes.divide) return;
      const auto sums = sums_of(problem, axes);
      for (int iw = 0; iw < axes.nw; ++iw)
        EXPECT_LE(std::abs(sums[iw] - n * per_term[iw]), 1e-12 * n * std::abs(per_term[iw])) << name(axes);
    });
  }
}

TEST(Gpp, EveryVariantPassesItsOwnCheckAndAWrongResultOrInputFailsIt) {
  const auto problem = std::make_shared<Problem>(Sizes{5, 2, 90, 7});
  for_all_axes([&](const Axes& axes) {
    const auto work = make(problem, axes);
    work.launch();
    EXPECT_TRUE(work.check().ok) << name(axes) << ": " << work.check().message;
    problem->achtemp[axes.nw - 1].im *= 1 + 1e-9;
    const auto check = work.check();
    EXPECT_FALSE(check.ok) << name(axes);
    EXPECT_NE(check.message.find("frequency " + std::to_string(axes.nw - 1)), std::string::npos) << check.message;
  });
  const auto work = make(problem, {});
  work.launch();
  EXPECT_TRUE(work.check().ok);
  std::swap(problem->wtilde[2 * 17], problem->wtilde[2 * 18]);  // neighbours differ enough
  work.launch();
  EXPECT_FALSE(work.check().ok);
}

/// A check sees sums over a whole launch alone.
TEST(Gpp, PartsOfALaunchAddUpToIt) {
  omp_set_num_threads(1);
  const auto problem = std::make_shared<Problem>(Sizes{2, 2, 60, 5});  // 24 chunks, or a multiple
  for_all_axes([&](const Axes& axes) {
    const auto whole = sums_of(problem, axes);
    const auto next = make(problem, axes).divided(3);
    std::array<std::complex<double>, max_nw> sums{};
    for (int part = 0; part < 3; ++part) {
      EXPECT_DOUBLE_EQ(next(), 1.0 / 3);
      for (int iw = 0; iw < axes.nw; ++iw)
        sums[iw] += std::complex<double>(problem->achtemp[iw].re, problem->achtemp[iw].im);
    }
    for (int iw = 0; iw < axes.nw; ++iw) EXPECT_LT(std::abs(sums[iw] - whole[iw]), 1e-12 * std::abs(whole[iw]));
  });
}

TEST(Gpp, FlopsAreEightPlusTwentyEightPerFrequencyByKind) {
  for (const Sizes& sizes : {Sizes{4, 2, 64, 4}, Sizes{3, 1, 37, 5}, Sizes{2, 1, 128, 32}}) {
    const auto problem = std::make_shared<Problem>(sizes);
    const auto n = static_cast<std::uint64_t>(sizes[0] * (sizes[2] / sizes[3]) * sizes[2]);
    for_all_axes([&](const Axes& axes) {
      const auto work = make(problem, axes);
      const auto counts = count(work.trace, nullptr, true);
      const auto nw = static_cast<std::uint64_t>(axes.nw);
      Operations expected = axes.fma ? Operations{.add = nw, .mul = 4 + 8 * nw, .fma = 2 + 9 * nw}
                                     : Operations{.add = 2 + 10 * nw, .mul = 6 + 17 * nw};
      (axes.divide ? expected.div : expected.mul) += nw;
      for (auto* kind : {&expected.add, &expected.mul, &expected.fma, &expected.div}) *kind *= n;
      EXPECT_EQ(counts.operations, expected) << name(axes);
      EXPECT_EQ(counts.operations.flops(), n * (8 + 28 * nw)) << name(axes);
      EXPECT_EQ(work.declared_flops, n * (8 + 28 * nw)) << name(axes);
      EXPECT_EQ(counts.at(MemoryLevel::L1), (Traffic{.read = 48.0 * static_cast<double>(n), .written = 0}));
    });
  }
}

TEST(Gpp, RealNumbersHaveOnePlusTenFlopsPerFrequencyByKindAndHalfOfTheBytes) {
  for (Index size = 1; size <= 10; ++size) {
    const Sizes sizes{1 + size % 3, 1, 13 * size, size};
    const auto n = static_cast<std::uint64_t>(sizes[0] * 13 * sizes[2]);
    for (const auto& axes : real::all_axes()) {
      const auto work = testing::variant("gpp", sizes, real::row_name(axes)).make();
      const auto counts = count(work.trace, nullptr, true);
      const auto nw = static_cast<std::uint64_t>(axes.nw);
      Operations expected = axes.fma ? Operations{.add = nw, .mul = 1 + 6 * nw, .fma = nw, .div = nw}
                                     : Operations{.add = 2 * nw, .mul = 1 + 7 * nw, .div = nw};
      for (auto* kind : {&expected.add, &expected.mul, &expected.fma, &expected.div}) *kind *= n;
      EXPECT_EQ(counts.operations, expected) << real::row_name(axes);
      EXPECT_EQ(counts.operations.flops(), n * (1 + 10 * nw)) << real::row_name(axes);
      EXPECT_EQ(counts.at(MemoryLevel::L1), (Traffic{.read = 24.0 * static_cast<double>(n), .written = 0}));
      EXPECT_TRUE(work.check().ok) << real::row_name(axes) << ", counted values: " << work.check().message;
    }
  }
}

TEST(Gpp, AWrongRealResultOrInputFailsTheCheck) {
  const Sizes sizes{5, 2, 90, 7};
  real::Problem problem(sizes, 0);
  problem.achtemp = problem.expected;
  EXPECT_TRUE(problem.check(max_nw).ok);
  problem.achtemp[5] *= 1 + 1e-9;
  EXPECT_FALSE(problem.check(max_nw).ok);
  EXPECT_TRUE(problem.check(5).ok) << "the wrong one is not looked at";
}

TEST(Gpp, TrafficOfRealNumbersGrowsWithTheStrideUpToTheEightOfALine) {
  const std::vector<CacheLevel> levels{
      {MemoryLevel::L1, 4 << 10, 8}, {MemoryLevel::L2, 32 << 10, 8}, {MemoryLevel::L3, 128 << 10, 16}};
  const Sizes sizes{4, 2, 1024, 2};
  const double n = 4 * 512 * 1024;
  for (const Index stride : strides) {
    CacheHierarchy caches(levels);
    const auto row = real::row_name({.nw = 1, .stride = stride});
    const auto counts = count(testing::variant("gpp", sizes, row).make().trace, &caches, false);
    const double numbers = static_cast<double>(std::min<Index>(stride, 8));
    EXPECT_NEAR(counts.at(MemoryLevel::DRAM)->total(), 16 * numbers * n, 0.02 * 16 * numbers * n) << stride;
  }
}

TEST(Gpp, TrafficGrowsWithTheStrideUpToTheLineAndNotWithFrequencies) {
  // I_eps and wtilde are 32 times the last cache, a row of aqsn fits the second.
  const std::vector<CacheLevel> levels{
      {MemoryLevel::L1, 4 << 10, 8}, {MemoryLevel::L2, 32 << 10, 8}, {MemoryLevel::L3, 128 << 10, 16}};
  const Sizes sizes{4, 2, 512, 2};
  const double n = 4 * 256 * 512;
  for (const Index stride : strides)
    for (const int nw : {1, 6}) {
      CacheHierarchy caches(levels);
      const auto counts =
          count(make(std::make_shared<Problem>(sizes), {.nw = nw, .stride = stride}).trace, &caches, false);
      const double lines = static_cast<double>(std::min<Index>(stride, 4));
      EXPECT_NE(counts.traffic_note.find("of"), std::string::npos);
      EXPECT_EQ(counts.at(MemoryLevel::L1)->total(), 48 * n);
      EXPECT_NEAR(counts.at(MemoryLevel::L2)->total(), 48 * lines * n, 0.02 * 48 * lines * n) << stride;
      EXPECT_NEAR(counts.at(MemoryLevel::L3)->total(), 32 * lines * n, 0.02 * 32 * lines * n) << stride;
      EXPECT_NEAR(counts.at(MemoryLevel::DRAM)->total(), 32 * lines * n, 0.02 * 32 * lines * n) << stride;
      EXPECT_EQ(counts.operations.flops(), static_cast<std::uint64_t>(n) * (8 + 28 * static_cast<std::uint64_t>(nw)));
    }
}

TEST(Gpp, WindowedCountOfUnequalRowsIsExact) {
  // 8 does not divide 60: rows of one band differ, bands do not.
  CacheHierarchy caches({{MemoryLevel::L1, 1 << 10, 8}});
  const Axes axes{.nw = 2, .stride = 8};
  const auto counts = count(make(std::make_shared<Problem>(Sizes{64, 2, 60, 2}), axes).trace, &caches, false);
  EXPECT_NE(counts.traffic_note.find("chunks"), std::string::npos) << counts.traffic_note;
  EXPECT_EQ(counts.operations.flops(), 64u * 30 * 60 * (8 + 28 * 2));
}

TEST(Gpp, RegistersTheWholeExperiment) {
  std::set<std::string> names, standard, quick;
  for (const auto& variant : testing::variants_of("gpp", {4, 2, 64, 4})) {
    names.insert(variant.name);
    if (variant.selection <= Selection::standard) standard.insert(variant.name);
    if (variant.selection == Selection::quick) quick.insert(variant.name);
    EXPECT_EQ(variant.fma, variant.name.find("/fma:1") != std::string::npos) << variant.name;
  }
  EXPECT_EQ(names.size(), 6u * 2 * 5 * 3 + 3 * 5) << "real ones and the tuned rows";
  EXPECT_TRUE(names.count("gpp/nw:6/fma:1/stride:4"));
  EXPECT_TRUE(names.count("gpp/nw:6/fma:0/stride:16/div:0"));
  EXPECT_EQ(quick, (std::set<std::string>{"gpp/nw:1/fma:1/stride:1", "gpp/nw:6/fma:1/stride:1",
                                          "gpp/nw:6/fma:0/stride:1", "gpp/nw:6/fma:1/stride:8"}));
  EXPECT_EQ(standard.size(), 3u * 2 * 3 + 1);
  EXPECT_TRUE(standard.count("gpp/real/nw:6/fma:1/stride:1"));
  for (const char* nw : {"1", "3", "6"})
    for (const char* fma : {"0", "1"})
      for (const char* stride : {"1", "2", "8"})
        EXPECT_TRUE(standard.count(std::string("gpp/nw:") + nw + "/fma:" + fma + "/stride:" + stride));
}

}  // namespace
}  // namespace roofline::gpp::gpp_test

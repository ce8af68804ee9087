#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "apps/gpp/profile.hpp"
#include "apps/gpp/simulated.hpp"
#include "bench/text/output.hpp"

namespace roofline {
namespace {

GpuModel v100() {
  return GpuModel(read_device(std::string(ROOFLINE_TEST_DATA) + "/../../bench/machine/devices/v100.json"));
}

TEST(GpuGpp, L1BytesPerInnerIterationAreThePublishedOnes) {
  const auto problem = gpp::published_problem();
  EXPECT_EQ(problem->iterations(), 27481079808);
  const auto model = v100();
  for (int nw = 1; nw <= 6; ++nw)
    for (const auto& row : gpp::compare_counts(model, problem, nw)) {
      if (row.quantity.find("L1") != std::string::npos) {
        EXPECT_EQ(row.modelled.low, 51 + nw);
      }
      if (nw == 1 || nw >= 5) {
        EXPECT_EQ(row.error(), 0) << row.quantity;
      }
    }
}

TEST(GpuGpp, InstructionsAtSixFrequencies) {
  int seen = 0;
  for (const auto& row : gpp::compare_counts(v100(), gpp::published_problem(), 6)) {
    if (row.quantity == "nw 6: DADD") seen += row.modelled.low == 6;
    if (row.quantity == "nw 6: DMUL") seen += row.modelled.low == 52;
    if (row.quantity == "nw 6: DFMA") seen += row.modelled.low == 86;
  }
  EXPECT_EQ(seen, 3);
}

TEST(GpuGpp, CanonicalFlopsWithAndWithoutFma) {
  for (const Index waves : {32, 96, 160}) {
    const auto problem = std::make_shared<const gpp::GpuProblem>(3, waves, 8);
    for (int nw = 1; nw <= 6; ++nw)
      for (const auto& kernel : {gpp::gpu_kernel<true>(problem, nw), gpp::gpu_kernel<false>(problem, nw)}) {
        WarpCounts counts;
        for (Index block = 0; block < kernel.blocks; ++block) counts += record_block(kernel, block);
        EXPECT_EQ(counts.operations.flops(), static_cast<std::uint64_t>((8 + 28 * nw) * problem->iterations()))
            << kernel.name;
        EXPECT_EQ(counts.reciprocals, static_cast<std::uint64_t>(nw * problem->iterations()));
      }
  }
}

TEST(GpuGpp, StrideDoublesTheStreamedBytesOnce) {
  const auto problem = std::make_shared<const gpp::GpuProblem>(2, 1024, 64);
  const auto bytes = [&](Index stride) {
    const auto counts = record_block(gpp::gpu_kernel<true>(problem, 6, stride), 1);
    return static_cast<double>((counts.of(Access::global_load).sectors - 1) * sector_bytes) / 1024;
  };
  EXPECT_EQ(bytes(1), 57);
  for (const Index stride : {2, 4, 8, 16}) EXPECT_EQ(bytes(stride), 105);
}

TEST(GpuGpp, StrideDoublesL2BytesAndThenTheyStay) {
  // Larger than the L1s, so that what a stride leaves out of a sector is gone when its turn comes.
  const auto problem = std::make_shared<const gpp::GpuProblem>(80, 4096, 2048);
  const auto device = v100().device();
  const auto bytes = [&](Index stride) {
    const auto kernel = gpp::gpu_kernel<true>(problem, 6, stride);
    const auto traffic = simulate(device, kernel, Schedule::lockstep).all.traffic;
    return static_cast<double>(traffic.l2_read);
  };
  const double one = bytes(1), two = bytes(2), four = bytes(4);
  EXPECT_NEAR(two / one, 2.0, 0.15);
  EXPECT_NEAR(four / two, 1.0, 0.15);
}

TEST(GpuGpp, SumsAreRightForEveryStride) {
  const auto problem = std::make_shared<const gpp::GpuProblem>(3, 128, 16);
  const auto fill = [](double* data, Index n, double a, double b) {
    for (Index i = 0; i < n; ++i) data[i] = 0.5 + 0.2 * std::sin(a * static_cast<double>(i) + b);
  };
  const Index waves = problem->ncouls;
  fill(problem->aqsm, 2 * 3 * waves, 0.11, 0.1), fill(problem->aqsn, 2 * 3 * waves, 0.07, 0.2);
  fill(problem->i_eps, 2 * 8 * waves, 0.05, 0.3), fill(problem->wtilde, 2 * 8 * waves, 0.03, 0.4);
  fill(problem->vcoul, waves, 0.02, 0.5);

  std::complex<double> expected[2] = {};
  const auto at = [](const double* data, Index i) { return std::complex<double>(data[2 * i], data[2 * i + 1]); };
  for (Index n = 0; n < 3; ++n)
    for (Index p = 0; p < problem->ngpown; ++p) {
      const Index igp = std::min((p + 1) * waves / problem->ngpown, waves - 1);
      for (Index ig = 0; ig < waves; ++ig)
        for (int iw = 0; iw < 2; ++iw) {
          const auto wtilde = at(problem->wtilde, p * waves + ig);
          const auto wdiff = 3.0 + iw - wtilde;
          const auto delw = wtilde * std::conj(wdiff) / std::norm(wdiff);
          expected[iw] += std::conj(at(problem->aqsm, n * waves + igp)) * at(problem->aqsn, n * waves + ig) * delw *
                          at(problem->i_eps, p * waves + ig) * 0.5 * problem->vcoul[igp];
        }
    }
  for (const Index stride : {1, 2, 4}) {
    std::fill_n(problem->achtemp, 4, 0.0);
    const auto kernel = gpp::gpu_kernel<true>(problem, 2, stride);
    for (Index block = 0; block < kernel.blocks; ++block) record_block(kernel, block);
    for (int iw = 0; iw < 2; ++iw) {
      EXPECT_NEAR(problem->achtemp[2 * iw], expected[iw].real(), 1e-11 * std::abs(expected[iw])) << stride;
      EXPECT_NEAR(problem->achtemp[2 * iw + 1], expected[iw].imag(), 1e-11 * std::abs(expected[iw])) << stride;
    }
  }
}

TEST(GpuGpp, ASampledLaunchStandsForTheWholeOne) {
  const auto problem = std::make_shared<const gpp::GpuProblem>(64, 1024, 8);
  const auto kernel = gpp::gpu_kernel<true>(problem, 1);
  auto device = v100().device();
  device.sms = 8, device.l2.size = 1 << 18;
  const GpuModel model(device);
  const auto whole = model.count(kernel), sampled = model.count(kernel, {.windows = 2, .waves = 3});
  EXPECT_EQ(whole.exact, sampled.exact);
  ASSERT_TRUE(sampled.sampling_error.has_value());
  EXPECT_LT(*sampled.sampling_error, 0.15);
  for (std::size_t i = 0; i < whole.scenarios.size(); ++i) {
    const auto &a = sampled.scenarios[i], &b = whole.scenarios[i];
    const double tolerance = a.schedule == Schedule::lockstep ? 0.01 : 0.05;  // drifting apart takes a few waves
    EXPECT_NEAR(a.dram_read / b.dram_read, 1, tolerance) << name(a.schedule);
    EXPECT_NEAR(a.l2_read / b.l2_read, 1, tolerance) << name(a.schedule);
  }
}

TEST(GpuGpp, RefusesWhatDoesNotFit) {
  EXPECT_THROW(gpp::GpuProblem(4, 100, 4), std::invalid_argument);
  EXPECT_THROW(gpp::GpuProblem(4, 64, 65), std::invalid_argument);
  const auto problem = std::make_shared<const gpp::GpuProblem>(2, 64, 4);
  EXPECT_THROW(gpp::gpu_kernel<true>(problem, 7), std::invalid_argument);
  EXPECT_THROW(gpp::gpu_kernel<true>(problem, 1, 4), std::invalid_argument);
}

}  // namespace
}  // namespace roofline

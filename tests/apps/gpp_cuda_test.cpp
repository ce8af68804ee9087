#include <gtest/gtest.h>

#include "apps/gpp/cuda.hpp"
#include "apps/gpp/reference.hpp"
#include "bench/space/dispatch.hpp"

// The kernels of the GPU, executed on the host thread by thread; their sums are added one by one.
namespace roofline::gpp::gpp_cuda_test {
namespace {

struct OnHost {
  Problem problem;
  std::vector<int> inv_igp_index = problem.inv_igp_index(), indinv = problem.indinv();
  std::array<double, max_nw> wx = frequencies();
  std::array<double, 2 * max_nw> totals{};

  CudaArrays arrays() {
    totals.fill(0);
    return {problem.aqsm.data(),   problem.aqsn.data(),  problem.i_eps.data(),
            problem.wtilde.data(), problem.vcoul.data(), wx.data(),
            inv_igp_index.data(),  indinv.data(),        totals.data(),
            problem.number_bands,  problem.ncouls,       problem.ngpown};
  }
  void expect(const Reference& reference, int nw, const char* what) {
    for (int iw = 0; iw < max_nw; ++iw) problem.achtemp[iw] = {totals[2 * iw], totals[2 * iw + 1]};
    const auto check = compare_with(reference, problem, nw);
    EXPECT_TRUE(check.ok) << what << " nw " << nw << ": " << check.message;
  }
};

class CudaGpp : public ::testing::TestWithParam<Sizes> {};

TEST_P(CudaGpp, BothMappingsGiveTheReferenceForAllAxes) {
  const std::uint64_t seed = static_cast<std::uint64_t>(GetParam()[0] % 2);  // fixed and random inputs
  OnHost host{Problem(GetParam(), seed)};
  References references;
  for (int number = 1; number <= max_nw; ++number)
    for (const bool fused : {false, true})
      with_number<max_nw>(number, [&](auto nw) {
        with_bool(fused, [&](auto fma) {
          emulate(bands_by_rows<nw, fma>(host.arrays()));
          host.expect(references.get(host.problem, true), nw, "tuned");
          for (const Index stride : {1, 2, 8, 16}) {
            emulate(one_warp_per_row<nw, fma, true>(host.arrays(), stride));
            host.expect(references.get(host.problem, true), nw, "published");
            emulate(one_warp_per_row<nw, fma, false>(host.arrays(), stride));
            host.expect(references.get(host.problem, false), nw, "published, no division");
          }
        });
      });
}

// Sizes that fill blocks and warps and sizes that do not: 8 bands, 4 rows and 32 waves are the units.
INSTANTIATE_TEST_SUITE_P(Sizes, CudaGpp,
                         ::testing::Values(Sizes{8, 2, 64, 16}, Sizes{9, 2, 61, 7}, Sizes{3, 1, 100, 33},
                                           Sizes{1, 1, 1, 1}));

TEST(CudaGpp, IndexArraysNameThePlaneWaveOfARow) {
  const Problem p({1, 1, 101, 7});
  const auto inv = p.inv_igp_index(), indinv = p.indinv();
  for (Index row = 0; row < p.ngpown; ++row) EXPECT_EQ(indinv[inv[row]], p.igp(row));
}

}  // namespace
}  // namespace roofline::gpp::gpp_cuda_test

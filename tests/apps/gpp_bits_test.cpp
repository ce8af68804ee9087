// As in apps/gpp: where g++ 12 vectorises complex products, it makes fmaddsub of them.
#pragma GCC optimize("no-tree-vectorize")

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "apps/gpp/tunings.hpp"
#include "tests/bits.hpp"
#include "tests/one_thread.hpp"

namespace roofline::gpp::gpp_bits_test {
namespace {

constexpr Index strides[] = {1, 2, 4, 8, 16};

/// Random numbers; of 301 in a row every stride leaves whole packs and a rest.
std::shared_ptr<Problem> make_problem(const std::vector<Index>& sizes = {3, 1, 301, 20}) {
  return std::make_shared<Problem>(sizes, 5);
}

/// What a launch has left in achtemp, which is then forgotten.
std::vector<double> sums(Problem& problem, int nw) {
  std::vector<double> parts;
  for (int iw = 0; iw < nw; ++iw)
    for (double* part : {&problem.achtemp[iw].re, &problem.achtemp[iw].im}) parts.push_back(std::exchange(*part, 0.0));
  return parts;
}

/// One thread: of several the order of the additions to a band would differ from launch to launch.
class GppBits : public ::testing::Test {
  testing::OneThread one_thread_;
};

template <int Nw, bool Fma>
void expect_the_published_bits() {
  const auto problem = make_problem();
  for (const Index stride : strides) {
    const auto published = [&](bool fma) {
      make(problem, {.nw = Nw, .fma = fma, .stride = stride}).launch();
      return sums(*problem, Nw);
    };
    const auto expected = published(Fma);
    EXPECT_FALSE(testing::same_bits(published(!Fma), expected)) << "both modes are one";
    for (const auto& tuning : tunings_of<Nw, OpenMp<Fma>>(stride)) {
      tuning.launch({}, *problem, stride, tuning.ahead);
      EXPECT_TRUE(testing::same_bits(sums(*problem, Nw), expected))
          << tuning.loads << ", " << tuning.ahead << " ahead, stride " << stride << ", nw " << Nw;
    }
  }
}

// The lanes of every tuning are in the same order, so that sums over them are the same.
TEST_F(GppBits, OfTunedFormsAreThePublishedOnesWithoutFma) {
  expect_the_published_bits<1, false>();
  expect_the_published_bits<3, false>();
  expect_the_published_bits<6, false>();
}

/// Operations of the tunings' own source, two numbers at a time: for more of them some views have registers of the
/// CPU's packs only.
template <int Nw>
void expect_the_published_operations() {
  using Space = Counting<false, 2>;
  const auto problem = make_problem({1, 1, 53, 20});
  for (const Index stride : strides) {
    const auto published = make(problem, {.nw = Nw, .fma = false, .stride = stride});
    const auto expected = count(published.trace, nullptr, true).operations;
    EXPECT_EQ(expected.fma, 0u);
    for (const auto& tuning : tunings_of<Nw, Space>(stride)) {
      const auto trace = [&](Sampler& sampler) { tuning.launch(Space(sampler), *problem, stride, tuning.ahead); };
      EXPECT_EQ(count(trace, nullptr, true).operations, expected) << tuning.loads << ", stride " << stride;
    }
  }
}

TEST_F(GppBits, WithoutFmaTunedFormsHaveThePublishedOperations) {
  expect_the_published_operations<1>();
  expect_the_published_operations<3>();
  expect_the_published_operations<6>();
}

}  // namespace
}  // namespace roofline::gpp::gpp_bits_test

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "bench/space/buffer.hpp"
#include "tests/variants.hpp"

namespace roofline::planted_error_test {
namespace {

/// An element of a buffer that a launch has written.
struct Written {
  std::span<double> buffer;
  std::size_t first, last;
};

/// Everything that a launch writes outside the places that held a pattern before, whatever it reads.
std::vector<Written> written_by(const Workload& work, const std::set<const double*>& before) {
  std::vector<std::span<double>> own;
  for (const auto buffer : live_buffers())
    if (!before.contains(buffer.data())) own.push_back(buffer);
  std::vector<std::vector<double>> old;
  for (const auto buffer : own) old.emplace_back(buffer.begin(), buffer.end());
  work.launch();
  std::vector<Written> written;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const auto differs = [&](std::size_t at) { return std::memcmp(&own[i][at], &old[i][at], sizeof(double)) != 0; };
    std::vector<std::size_t> changed;
    for (std::size_t at = 0; at < own[i].size(); ++at)
      if (differs(at)) changed.push_back(at);
    if (!changed.empty()) written.push_back({own[i], changed.front(), changed.back()});
  }
  return written;
}

struct Kernel {
  const char* family;
  Sizes sizes;
  const char* name;
};
std::ostream& operator<<(std::ostream& out, const Kernel& kernel) { return out << kernel.name; }

class Planted : public ::testing::TestWithParam<Kernel> {};

/// The last element of all is in the last row and in the last box.
TEST_P(Planted, OneWrongValueInTheFirstOrLastElementIsNoticed) {
  std::set<const double*> before;
  for (const auto buffer : live_buffers()) before.insert(buffer.data());
  const auto& [family, sizes, name] = GetParam();
  const auto work = testing::variant(family, sizes, name).make();
  const auto written = written_by(work, before);
  ASSERT_FALSE(written.empty()) << "the launch has written nothing";
  ASSERT_TRUE(work.check().ok) << work.check().message;
  int noticed = 0;
  for (const auto& [buffer, first, last] : written) {
    bool both = true;
    for (const auto at : {first, last}) {
      const double right = buffer[at];
      buffer[at] += std::max(1e-3, 1e-3 * std::abs(right));
      both = both && !work.check().ok;
      buffer[at] = right;
    }
    noticed += both;
  }
  EXPECT_GE(noticed, 1) << "of " << written.size() << " buffers that it writes";
  EXPECT_TRUE(work.check().ok) << "the right values are back";
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, Planted,
    ::testing::Values(Kernel{"stream", {40000}, "stream/copy/n:40000"},
                      Kernel{"stream", {40000}, "stream/scale/n:40000"},
                      Kernel{"stream", {40000}, "stream/add/n:40000"},
                      Kernel{"stream", {40000}, "stream/triad/n:40000"}, Kernel{"stencil", {34}, "stencil/7pt/n:34"},
                      Kernel{"stencil", {34}, "stencil/7pt/n:34/flops:8"},
                      Kernel{"gsrb", {3}, "gsrb/fp/op:fv4/level:3"}, Kernel{"gsrb", {3}, "gsrb/branch/op:fv4/level:3"},
                      Kernel{"gsrb", {3}, "gsrb/stride2/op:fv4/level:3"}, Kernel{"gsrb", {3}, "gsrb/fp/op:7pt/level:3"},
                      Kernel{"lbm", {5, 64}, "lbm/collide/v0/lx:5/ly:64/fma:1"},
                      Kernel{"lbm", {5, 64}, "lbm/collide/v4/lx:5/ly:64/fma:1"},
                      Kernel{"lbm", {5, 64}, "lbm/propagate/lx:5/ly:64"}, Kernel{"spmv", {5}, "spmv/csr/n:5"},
                      Kernel{"fft", {16, 8}, "fft/radix:4/n:16/batch:8"}, Kernel{"gemm", {96}, "gemm/blocked/n:96"},
                      Kernel{"mg", {3}, "mg/v_cycle/level:3"}, Kernel{"mg", {3}, "mg/f_cycle/level:3"}));

}  // namespace
}  // namespace roofline::planted_error_test

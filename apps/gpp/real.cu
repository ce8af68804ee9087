#include <memory>
#include <optional>

#include "apps/gpp/real.hpp"
#include "bench/cuda/cache_state.hpp"
#include "bench/cuda/device_buffer.hpp"
#include "bench/cuda/execute.cuh"
#include "bench/space/dispatch.hpp"
#include "bench/suite/suite.hpp"

namespace roofline::gpp::real {
namespace {

/// The mapping of gpp::OneWarpPerRow: grid (number_bands, ngpown), blocks of one warp that walk ig. Values that are
/// constant in a row stay in registers.
template <int Nw, bool Fma>
struct RealWarpPerRow {
  static constexpr int max_threads = 32, min_blocks = 1;
  const double *aqsm, *aqsn, *i_eps, *wtilde, *vcoul;
  const int* igp;
  double* totals;  ///< one for each frequency, zero before a launch
  Index ncouls, stride;
  std::array<double, max_nw> wx;

  ROOFLINE_BODY std::array<double, Nw> operator()(const ThreadPlace& at) const {
    const Index n = at.block.x, p = at.block.y, column = igp[p];
    Sums<Nw, Real<CudaLane<>, Fma>> sums;
    ROOFLINE_UNROLL(6)
    for (int iw = 0; iw < Nw; ++iw) sums[iw] = 0.0;
    Row<Nw, RealView<true>> row;
    row.aqsm = aqsm[n * ncouls + column];
    row.vcoul = vcoul[column];
    row.wx = wx;
    for (Index igs = 0; igs < stride; ++igs) {
      row.aqsn = {aqsn + n * ncouls + igs, stride};
      row.i_eps = {i_eps + p * ncouls + igs, stride};
      row.wtilde = {wtilde + p * ncouls + igs, stride};
      for (Index x = at.thread.x; x * stride + igs < ncouls; x += max_threads) row(At<CudaLane<>, Fma>{x}, sums);
    }
    std::array<double, Nw> parts;
    ROOFLINE_UNROLL(6)
    for (int iw = 0; iw < Nw; ++iw) parts[iw] = sums[iw].value.sum();
    return parts;
  }
};

/// The problem on the host, where it is verified, and its arrays on the device.
struct OnDevice : Arrays<cuda::DeviceBuffer<>> {
  std::optional<Problem> host;
  cuda::DeviceBuffer<> totals;
  cuda::DeviceBuffer<int> igp;

  /// Where launches are not `executed`, without data but for the columns, on which addresses depend.
  OnDevice(const Sizes& sizes, std::uint64_t seed, bool executed) : Arrays(sizes), totals(max_nw), igp(ngpown) {
    std::vector<int> columns;
    for (Index p = 0; p < ngpown; ++p) columns.push_back(static_cast<int>(gpp::igp(p, ncouls, ngpown)));
    igp.upload(columns.data());
    if (!executed) return;
    host.emplace(sizes, seed);
    aqsm.upload(host->aqsm.data()), aqsn.upload(host->aqsn.data()), i_eps.upload(host->i_eps.data());
    wtilde.upload(host->wtilde.data()), vcoul.upload(host->vcoul.data());
  }
};

/// The problem of all variants, set up when first asked.
struct Shared {
  Sizes sizes;
  std::uint64_t seed;
  bool executed;
  std::optional<OnDevice> problem = {};
};

Workload make(const std::shared_ptr<Shared>& shared, const Axes& axes) {
  if (!shared->problem) shared->problem.emplace(shared->sizes, shared->seed, shared->executed);
  const auto& p = *shared->problem;
  Workload work;
  with_number<max_nw>(axes.nw, [&](auto nw) {
    with_bool(axes.fma, [&](auto fma) {
      using Kernel = RealWarpPerRow<nw, fma>;
      const CudaLaunch<Kernel> launch{
          .grid = {static_cast<unsigned>(p.number_bands), static_cast<unsigned>(p.ngpown)},
          .block = {32},
          .kernel = {p.aqsm.data(), p.aqsn.data(), p.i_eps.data(), p.wtilde.data(), p.vcoul.data(), p.igp.data(),
                     p.totals.data(), p.ncouls, axes.stride, frequencies()}};
      work.launch = [shared, launch] {
        shared->problem->totals.clear();
        cuda::execute(launch);
      };
    });
  });
  work.check = [shared, nw = axes.nw] {
    Problem& host = *shared->problem->host;
    shared->problem->totals.download(host.achtemp.data());
    return host.check(nw);
  };
  work.declared_flops = declared_flops(p.iterations(), axes.nw);
  return work;
}

}  // namespace

void add_cuda_variants(Suite& suite, const Sizes& sizes) {
  const auto shared = std::make_shared<Shared>(Shared{sizes, suite.seed(), !suite.is_modelled()});
  // A model takes its time for each row.
  const auto chosen = shared->executed ? Selection::standard : Selection::full;
  for (const auto& axes : all_axes())
    cuda::add_cache_state(suite,
                          {.name = real::row_name(axes),
                           .family = "gpp",
                           .selection = axes.nw == max_nw && axes.fma && axes.stride == 1 ? chosen : Selection::full,
                           .fma = axes.fma,
                           .make = [=] { return make(shared, axes); },
                           .about = "real numbers: one warp per band and row, grid (number_bands, ngpown)",
                           .problem = problem_text(sizes)});
}

}  // namespace roofline::gpp::real

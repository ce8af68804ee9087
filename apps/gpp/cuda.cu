#include <cuda_runtime_api.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "apps/gpp/cuda.hpp"
#include "apps/gpp/real.hpp"
#include "apps/gpp/reference.hpp"
#include "bench/cuda/cache_state.hpp"
#include "bench/cuda/device_buffer.hpp"
#include "bench/cuda/execute.cuh"
#include "bench/space/dispatch.hpp"

namespace roofline::gpp {
namespace {

using cuda::DeviceBuffer;

/// The problem on the host, where it is verified, and its arrays on the device.
struct OnDevice {
  std::optional<Problem> host;
  Index number_bands, ncouls, ngpown;
  DeviceBuffer<> aqsm, aqsn, i_eps, wtilde, vcoul, wx, totals;
  DeviceBuffer<int> inv_igp_index, indinv;

  /// Where launches are not `executed`, without data but for what addresses depend on.
  OnDevice(const Sizes& sizes, std::uint64_t seed, bool executed)
      : number_bands(sizes[0]),
        ncouls(sizes[2]),
        ngpown(sizes[2] / sizes[3]),
        aqsm(2 * number_bands * ncouls),
        aqsn(2 * number_bands * ncouls),
        i_eps(2 * ngpown * ncouls),
        wtilde(2 * ngpown * ncouls),
        vcoul(ncouls),
        wx(frequencies().data(), max_nw),
        totals(2 * max_nw),
        inv_igp_index(gpp::inv_igp_index(ncouls, ngpown).data(), ngpown),
        indinv(gpp::indinv(ncouls).data(), ncouls + 1) {
    if (!executed) return;
    host.emplace(sizes, seed);
    aqsm.upload(host->aqsm.data()), aqsn.upload(host->aqsn.data()), i_eps.upload(host->i_eps.data());
    wtilde.upload(host->wtilde.data()), vcoul.upload(host->vcoul.data());
  }

  CudaArrays arrays() const {
    return {aqsm.data(),          aqsn.data(),   i_eps.data(),  wtilde.data(), vcoul.data(), wx.data(),
            inv_igp_index.data(), indinv.data(), totals.data(), number_bands,  ncouls,       ngpown};
  }
};

/// The problem and the references of one size: the same for all variants, set up when first asked.
struct Shared {
  Sizes sizes;
  std::uint64_t seed;
  bool executed;
  std::optional<OnDevice> problem = {};
  References references = {};

  OnDevice& get() {
    if (!problem) problem.emplace(sizes, seed, executed);
    return *problem;
  }
};

Workload make(std::shared_ptr<Shared> shared, const Axes& axes, bool tuned) {
  Workload work;
  auto& problem = shared->get();
  const auto launch = [&](auto kernel) {
    work.launch = [shared, kernel] {
      shared->problem->totals.clear();
      cuda::execute(kernel);
    };
  };
  with_number<max_nw>(axes.nw, [&](auto nw) {
    with_bool(axes.fma, [&](auto fma) {
      if (tuned) return launch(bands_by_rows<nw, fma>(problem.arrays()));
      with_bool(axes.divide,
                [&](auto divide) { launch(one_warp_per_row<nw, fma, divide>(problem.arrays(), axes.stride)); });
    });
  });
  work.check = [shared, axes] {
    Problem& host = *shared->problem->host;
    double sums[2 * max_nw];
    shared->problem->totals.download(sums);
    for (int iw = 0; iw < max_nw; ++iw) host.achtemp[iw] = {sums[2 * iw], sums[2 * iw + 1]};
    return compare_with(shared->references.get(host, axes.divide), host, axes.nw);
  };
  work.declared_flops = declared_flops(problem.number_bands * problem.ngpown * problem.ncouls, axes.nw);
  return work;
}

/// Bands that keep a launch within seconds where FP64 is slow. On cards whose FP64 rate is 1/32 or 1/64 of FP32 the
/// published 512 bands take some 30 s. With a quarter of that rate or more all bands are used.
Index affordable_bands(Index bands) {
  int ratio = 0, device = 0;
  const bool known = cudaGetDevice(&device) == cudaSuccess &&
                     cudaDeviceGetAttribute(&ratio, cudaDevAttrSingleToDoublePrecisionPerfRatio, device) == cudaSuccess;
  cudaGetLastError();  // a device may be missing if rows are only listed
  constexpr int slow = 4, whole_warps_of_bands = 8;
  if (!known || ratio <= slow) return bands;
  return std::max<Index>(whole_warps_of_bands, bands * slow / ratio / whole_warps_of_bands * whole_warps_of_bands);
}

/// A model takes its time for each.
Selection modelled_selection(const Axes& axes, bool tuned) {
  if (tuned || !axes.fma || !axes.divide) return Selection::full;
  if (axes.stride == 1 && (axes.nw == 1 || axes.nw == max_nw)) return Selection::quick;
  return axes.stride == 2 && axes.nw == max_nw ? Selection::standard : Selection::full;
}

void add_variants(Suite& suite, const Sizes& wanted) {
  require_valid(wanted);
  auto sizes = wanted;
  if (!suite.is_modelled() && !suite.has_fixed_size("gpp")) sizes[0] = affordable_bands(sizes[0]);
  sizes[1] = std::min(sizes[0], sizes[1]);
  constexpr Index most_rows = 65535;  // a grid's second dimension
  if (sizes[2] / sizes[3] > most_rows)
    throw std::invalid_argument("--gpp: ncouls / nodes_per_group is " + std::to_string(sizes[2] / sizes[3]) +
                                ": on a GPU at most " + std::to_string(most_rows));
  const auto shared = std::make_shared<Shared>(Shared{sizes, suite.seed(), !suite.is_modelled()});
  const auto add = [&](const Axes& axes, bool tuned) {
    cuda::add_cache_state(
        suite, {.name = row_name(axes) + (tuned ? "/tuned" : ""),
                .family = "gpp",
                .selection = shared->executed ? selection_of(axes) : modelled_selection(axes, tuned),
                .fma = axes.fma,
                .make = [=] { return make(shared, axes, tuned); },
                .about = tuned ? "blocks of 8 bands x 4 rows; values that a row shares stay in registers"
                               : "the published mapping: one warp per band and row, grid (number_bands, ngpown)",
                .problem = problem_text(sizes)});
  };
  for (const auto& axes : all_axes()) {
    add(axes, false);
    if (axes.divide && axes.stride == 1) add(axes, true);
  }
  real::add_cuda_variants(suite, sizes);
}

// The published size is {512, 2, 32768, 20}, of 27.5 G inner iterations: launches of 0.2 to 0.8 s on an H100, and a
// reference of 12 s. With a sixteenth of its rows the arrays that all rows share keep their 268 MB, beyond any L2.
const Registrar registrar(
    "gpp", Platform::cuda,
    {add_variants, {512, 2, 32768, 320}, {}, {17, 2, 1021, 20}, {512, 2, 32768, 20}, {512, 2, 2048, 20}});

}  // namespace
}  // namespace roofline::gpp

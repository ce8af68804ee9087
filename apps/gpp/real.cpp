#include "apps/gpp/real.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <tuple>

#include "apps/gpp/launch.hpp"
#include "bench/cache_model/set_launch.hpp"
#include "bench/space/dispatch.hpp"
#include "bench/space/noise.hpp"
#include "bench/suite/suite.hpp"
#include "bench/suite/tunings.hpp"

namespace roofline::gpp::real {

template <int W>
requires(W > 1) struct Spaced<CountedPack<W>> {
  static CountedPack<W> load(const double* p, Index stride) {
    using Part = typename CountedPack<W>::Part;
    CountedPack<W> result;
    for (int lane = 0; lane < W; ++lane) CountedPack<W>::see_load(p + lane * stride, 1);
    active_recording->gathered_bytes += W * sizeof(double);
    for (int i = 0; i < CountedPack<W>::parts; ++i)
      result.part[i] = Spaced<Part>::load(p + i * CountedPack<W>::part_lanes * stride, stride);
    return result;
  }
};

namespace {

/// One launch, in the order of gpp::launch().
template <int Nw, bool Strided, class Space>
void launch(Space space, Problem& problem, Index stride) {
  const auto wx = frequencies();
  const Index passes = problem.number_bands * stride, rows = problem.ngpown;
  problem.partial.zero();
  const auto row_sum = [&problem, wx, passes, rows, stride, space](Index chunk) mutable ROOFLINE_INLINED {
    const Index pass = chunk / rows, n = pass / stride, igs = pass % stride;
    const Index p = row_of(chunk, rows, passes), igp = problem.igp(p);
    const auto view = [&](const Buffer& array, Index row) {
      return RealView<Strided>{array.data() + row * problem.ncouls + igs, stride};
    };
    const Row<Nw, RealView<Strided>> row{.aqsn = view(problem.aqsn, n),
                                         .i_eps = view(problem.i_eps, p),
                                         .wtilde = view(problem.wtilde, p),
                                         .aqsm = problem.aqsm[n * problem.ncouls + igp],
                                         .vcoul = problem.vcoul[igp],
                                         .wx = wx};
    using Lanes = Sums<Nw, typename Space::At::real>;
    using Rest = Sums<Nw, Real<typename Space::Single, Space::fma>>;
    std::tuple<Lanes, Rest> sums{};
    space.lanes(0, (problem.ncouls - igs + stride - 1) / stride,
                [&](auto at) ROOFLINE_INLINED { row(at, std::get<Sums<Nw, typename decltype(at)::real>>(sums)); });
    const auto& [lanes, rest] = sums;
    for (int iw = 0; iw < Nw; ++iw)  // atomic: two threads may share a band
      std::atomic_ref(problem.partial[n * partial_size + iw]) += lanes[iw].value.sum() + rest[iw].value.sum();
  };
  space.parallel(passes * rows, row_sum, problem.ncouls % stride == 0 ? 1 : stride * rows);
  problem.achtemp = {};
  for (int iw = 0; iw < Nw; ++iw)
    for (Index n = 0; n < problem.number_bands; ++n) problem.achtemp[iw] += problem.partial[n * partial_size + iw];
}

Workload make(const std::shared_ptr<Problem>& problem, const Axes& axes) {
  problem->achtemp = {};
  problem->partial.zero();
  Workload work;
  with_number<max_nw>(axes.nw, [&](auto nw) {
    with_bool(axes.fma, [&](auto fma) {
      with_bool(axes.stride > 1, [&](auto strided) {
        const auto in_space = [=, stride = axes.stride](auto space) { launch<nw, strided>(space, *problem, stride); };
        set_launch<fma>(work, in_space, 3.0 * sizeof(double) * static_cast<double>(problem->ncouls),
                        Neighbours::share_nothing);
      });
    });
  });
  work.check = [problem, nw = axes.nw] { return problem->check(nw); };
  work.declared_flops = declared_flops(problem->iterations(), axes.nw);
  return work;
}

}  // namespace

std::string row_name(const Axes& axes) {
  return fmt::format("gpp/real/nw:{}/fma:{:d}/stride:{}", axes.nw, axes.fma, axes.stride);
}

std::vector<Axes> all_axes() {
  std::vector<Axes> all;
  for (int nw = 1; nw <= max_nw; ++nw)
    for (const bool fma : {true, false})
      for (const Index stride : {1, 2, 4, 8, 16}) all.push_back({.nw = nw, .fma = fma, .stride = stride});
  return all;
}

Problem::Problem(const std::vector<Index>& sizes, std::uint64_t seed)
    : Arrays(sizes), partial(number_bands * partial_size) {
  const auto fill = [seed](const Buffer& array, std::uint64_t number, double middle, double half) {
    const Noise noise(seed, number << 60);
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < array.size(); ++i) array[i] = middle + half * noise(i + 1);
  };
  fill(aqsm, 1, 0, 1);
  fill(aqsn, 2, 0, 1);
  fill(i_eps, 3, 0, 0.5);
  fill(wtilde, 4, 0.5, 0.1);  // well away from the frequencies
  fill(vcoul, 5, 0.5, 0.5);

  const auto wx = frequencies();
  long double sums[max_nw] = {}, sizes_of[max_nw] = {};
#pragma omp parallel for schedule(static) reduction(+ : sums, sizes_of)
  for (Index p = 0; p < ngpown; ++p) {
    std::vector<double> matrix_element(static_cast<std::size_t>(ncouls));
    for (Index n = 0; n < number_bands; ++n)
      for (Index ig = 0; ig < ncouls; ++ig) matrix_element[ig] += aqsm[n * ncouls + igp(p)] * aqsn[n * ncouls + ig];
    for (Index ig = 0; ig < ncouls; ++ig) {
      const double pole = wtilde[p * ncouls + ig], factor = i_eps[p * ncouls + ig] * (0.5 * vcoul[igp(p)]);
      for (int iw = 0; iw < max_nw; ++iw) {
        const double delw = pole / (wx[iw] - pole);
        sums[iw] += matrix_element[ig] * delw * factor;
        sizes_of[iw] += std::abs(delw * factor) * static_cast<double>(number_bands);
      }
    }
  }
  for (int iw = 0; iw < max_nw; ++iw) {
    expected[iw] = static_cast<double>(sums[iw]);
    magnitude[iw] = static_cast<double>(sizes_of[iw]);
  }
}

Check Problem::check(int nw) const {
  for (int iw = 0; iw < nw; ++iw) {
    auto check = compare(
        &achtemp[iw], [&](Index) { return expected[iw]; }, 1, 1e-12, magnitude[iw]);
    if (check.ok) continue;
    check.message = fmt::format("achtemp of frequency {}: {}", iw, check.message);
    return check;
  }
  return {};
}

void add_variants(Suite& suite, const std::vector<Index>& sizes) {
  const auto problem = made_once([sizes, seed = suite.seed()] { return std::make_shared<Problem>(sizes, seed); });
  for (const auto& axes : all_axes())
    suite.add({.name = real::row_name(axes),
               .family = "gpp",
               .selection = axes.nw == max_nw && axes.fma && axes.stride == 1 ? Selection::standard : Selection::full,
               .fma = axes.fma,
               .make = [=] { return make(problem(), axes); },
               .about = fmt::format("real numbers, {} {} per visit, {}, elements {} B apart", axes.nw,
                                    axes.nw == 1 ? "frequency" : "frequencies",
                                    axes.fma ? "contracted" : "no contraction", 8 * axes.stride),
               .problem = problem_text(sizes)});
}

}  // namespace roofline::gpp::real

// The kernel has packs for its vectors and wants no others: where g++ 12 vectorises complex products, it makes fmaddsub
// of them even with -ffp-contract=off. Before all headers, so that it holds for the traversals in them.
#pragma GCC optimize("no-tree-vectorize")

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>

#include "apps/gpp/gpp.hpp"
#include "apps/gpp/launch.hpp"
#include "apps/gpp/real.hpp"
#include "apps/gpp/reference.hpp"
#include "apps/gpp/tunings.hpp"
#include "bench/levels/levels.hpp"
#include "bench/space/dispatch.hpp"
#include "bench/space/launches.hpp"
#include "bench/space/noise.hpp"
#include "bench/space/openmp.hpp"
#include "bench/suite/suite.hpp"
#include "bench/suite/tunings.hpp"

namespace roofline::gpp {
namespace {

constexpr Index packs_ahead = 4;  ///< that strided rows are prefetched

Workload make(std::shared_ptr<Problem> problem, const Axes& axes, std::shared_ptr<References> references) {
  problem->forget_results();
  Workload work;
  InSpace in_space;
  with_number<max_nw>(axes.nw, [&](auto nw) {
    with_bool(axes.divide, [&](auto divide) {
      with_bool(axes.fma, [&](auto fma) {
        with_bool(axes.stride > 1, [&](auto strided) {
          in_space = [=, stride = axes.stride](Pass* pass) {
            launch<nw, divide, ComplexView<strided>, strided ? Prefetch::into_l1 : Prefetch::none>(
                OpenMp<fma>{pass}, *problem, stride, packs_ahead);
          };
        });
        work.trace = trace<nw, divide, fma>(problem, axes.stride);
      });
    });
  });
  set_forms(work, in_space, problem->chunk_bytes(), Neighbours::share_nothing);
  work.check = [problem, axes, references] {
    return compare_with(references->get(*problem, axes.divide), *problem, axes.nw);
  };
  work.declared_flops = declared_flops(problem->iterations(), axes.nw);
  return work;
}

Family describe() {
  return {
      .name = "gpp",
      .flops =
          "8 + 28 nw per inner iteration (canonical: a division counts 1; published V100 counters: 45, 121, 230 at nw "
          "1, 3, 6)",
      .bytes = "48 B at L1 (3 complex loads) for every nw; 32 B compulsory at DRAM while a row of aqsn stays cached",
      .teaches = "intensity grows with nw: memory-bound at nw 1, compute-bound at nw 6; strides send it back",
      .description = R"(GPP, the self-energy kernel of BerkeleyGW's general plasmon pole model, complex arithmetic:
  achtemp[iw] += conj(aqsm[n][igp]) aqsn[n][ig] delw I_eps[p][ig] 0.5 vcoul[igp]
  delw = wtilde conj(wdiff) / |wdiff|^2,  wdiff = wx[iw] - wtilde[p][ig]
FLOPs: once per ig conj(aqsm) aqsn 6, products of wtilde 2; per frequency wdiff 1, |wdiff|^2 2,
division 1, delw 4 + 2, two complex products 12, 0.5 and vcoul 4, sum 2 = 28.
nw      frequencies per visit of the data (unrolled): the bytes stay, the FLOPs grow
fma     1: contracted, 0: every product and sum on its own; same FLOPs, same values to rounding
stride  the loop over ig runs s times, each time over every s-th element. The FLOPs stay, but a line
        of 64 B is loaded min(s, 4) times, so levels below L1 move that many times the bytes
div     0: a multiplication in place of the division, the same canonical FLOPs
real    real in place of complex numbers: 1 + 10 nw FLOP and 24 B per inner iteration, a third of
        the FLOPs for half of the bytes. A 64 B line holds 8 of them, so strides cost up to 8 times
        the traffic
Look at: the DRAM point move right along its roof from nw 1 on and leave it for the compute ceiling
at nw 6; fma 0 and 1 differ by far less than 2; stride 8 brings nw 6 back under the DRAM roof, with
less GFLOP/s. The published problem is --gpp=512,2,32768,20 (2.3 GB; a launch takes 20 s to some
minutes on two cores).)",
      .size_names = "number_bands,nvband,ncouls,nodes_per_group",
      .size_range = "each 1 or more; nvband up to number_bands, nodes_per_group up to ncouls",
      .default_sizes = {0, 0, 0, 0},
      .quick_sizes = {},
      .small_sizes = {3, 2, 61, 7},
      // I_eps and wtilde: 256 MiB. Two bands have 16.8 M iterations, which take 30 to 250 ms a launch on two cores.
      .published_sizes = {2, 2, 8192, 8}};
}

/// One band; I_eps and wtilde are together twice the last cache, so that every pass reads them from memory. A row of
/// aqsn (128 KiB) stays in L2 next to the rows of these two that pass by.
Sizes sizes_for(const Machine& machine) {
  constexpr Index ncouls = 8192, bytes_of_row = 2 * 16 * ncouls;
  const auto rows = std::clamp<Index>(static_cast<Index>(beyond_caches(machine, 3)) / bytes_of_row, 1, ncouls);
  return {1, 1, ncouls, ncouls / rows};
}

void add_variants(Suite& suite, const Sizes& chosen) {
  const bool automatic = std::all_of(chosen.begin(), chosen.end(), [](Index size) { return size == 0; });
  const auto sizes = automatic ? sizes_for(suite.machine()) : chosen;
  require_valid(sizes);
  const auto references = std::make_shared<References>();
  const auto problem = made_once([sizes, seed = suite.seed()] { return std::make_shared<Problem>(sizes, seed); });
  for (const auto& axes : all_axes())
    suite.add(
        {.name = row_name(axes),
         .family = "gpp",
         .selection = selection_of(axes),
         .fma = axes.fma,
         .make = [=] { return make(problem(), axes, references); },
         .about = fmt::format("{} {} per visit, {}, elements {} B apart{}", axes.nw,
                              axes.nw == 1 ? "frequency" : "frequencies", axes.fma ? "contracted" : "no contraction",
                              16 * axes.stride, axes.divide ? "" : ", a multiplication for the division"),
         .problem = problem_text(sizes)});
  add_tuned_variants(suite, problem, references, problem_text(sizes));
  auto real_sizes = sizes;
  if (automatic) real_sizes[3] = std::max<Index>(1, sizes[3] / 2);  // twice the rows of half the size
  real::add_variants(suite, real_sizes);
}

const Registrar registrar(describe, add_variants);

}  // namespace

std::array<double, max_nw> frequencies() {
  constexpr double e_lk = 10, e_n1kq = 6, dw = 1;
  std::array<double, max_nw> wx;
  for (int iw = 0; iw < max_nw; ++iw) wx[iw] = std::max(1e-6, e_lk - e_n1kq + dw * ((iw + 1) - 2));
  return wx;
}

std::string problem_text(const std::vector<Index>& sizes) {
  return fmt::format("number_bands:{}/nvband:{}/ncouls:{}/nodes_per_group:{}", sizes[0], sizes[1], sizes[2], sizes[3]);
}

std::vector<int> inv_igp_index(Index ncouls, Index ngpown) {
  std::vector<int> index(static_cast<std::size_t>(ngpown));
  for (Index p = 0; p < ngpown; ++p) index[p] = static_cast<int>((p + 1) * ncouls / ngpown);
  return index;
}

std::vector<int> indinv(Index ncouls) {
  std::vector<int> wave(static_cast<std::size_t>(ncouls + 1));
  for (Index k = 0; k <= ncouls; ++k) wave[k] = static_cast<int>(std::min(k, ncouls - 1));
  return wave;
}

namespace {

/// Cosine and sine of a x row + b x column as products of exp(i a row) and exp(i b column): a table for each, since
/// four functions per element take longer than the launches.
class Wave {
 public:
  Wave(double a, Index rows, double b, Index columns) : by_row_(turns(a, rows)), by_column_(turns(b, columns)) {}
  double cosine(Index row, Index column) const {
    const auto r = by_row_[row], c = by_column_[column];
    return r.re * c.re - r.im * c.im;
  }
  double sine(Index row, Index column) const {
    const auto r = by_row_[row], c = by_column_[column];
    return r.re * c.im + r.im * c.re;
  }

 private:
  static std::vector<Complex<double>> turns(double step, Index n) {
    std::vector<Complex<double>> all;
    for (Index k = 0; k < n; ++k) {
      const double phase = step * static_cast<double>(k);
      all.push_back({std::cos(phase), std::sin(phase)});
    }
    return all;
  }
  std::vector<Complex<double>> by_row_, by_column_;
};

}  // namespace

// Values in the manner of waves or of --seed, bounded and well away from wdiff = 0 at any size.
void Problem::forget_results() {
  partial.zero();
  achtemp = {};
}

Problem::Problem(const Sizes& sizes, std::uint64_t seed)
    : number_bands(sizes[0]),
      ncouls(sizes[2]),
      ngpown(sizes[2] / sizes[3]),
      aqsm(2 * number_bands * ncouls),
      aqsn(2 * number_bands * ncouls),
      i_eps(2 * ngpown * ncouls),
      wtilde(2 * ngpown * ncouls),
      vcoul(ncouls),
      partial(number_bands * partial_size) {
  const auto fill = [this](const Buffer& array, Index rows, auto value) {
#pragma omp parallel for schedule(static)
    for (Index row = 0; row < rows; ++row)
      for (Index g = 0; g < ncouls; ++g) {
        const std::complex<double> z = value(row, g);
        array[2 * (row * ncouls + g)] = z.real(), array[2 * (row * ncouls + g) + 1] = z.imag();
      }
  };
  using complex = std::complex<double>;
  if (seed != 0) {
    const auto noise = [seed, this](std::uint64_t array, Index row, Index g) {
      const Noise value(seed, array << 60);
      const Index element = 2 * (row * ncouls + g);
      return complex(value(element), value(element + 1));
    };
    fill(aqsm, number_bands, [&](Index n, Index g) { return noise(0, n, g); });
    fill(aqsn, number_bands, [&](Index n, Index g) { return noise(1, n, g); });
    fill(i_eps, ngpown, [&](Index p, Index g) { return 0.5 * noise(2, p, g); });
    fill(wtilde, ngpown, [&](Index p, Index g) { return complex(0.5, 0.5) + 0.1 * noise(3, p, g); });
    for (Index g = 0; g < ncouls; ++g) vcoul[g] = 0.5 * Noise(seed, 4ull << 60).positive(g);
    return;
  }
  fill(aqsm, number_bands,
       [re = Wave(0.1, number_bands, 0.01, ncouls), im = Wave(0.07, number_bands, -0.02, ncouls)](Index n, Index g) {
         return complex(re.cosine(n, g), im.sine(n, g));
       });
  fill(aqsn, number_bands,
       [re = Wave(0.2, number_bands, 0.03, ncouls), im = Wave(0.05, number_bands, 0.01, ncouls)](Index n, Index g) {
         return complex(re.sine(n, g), im.cosine(n, g));
       });
  fill(i_eps, ngpown, [re = Wave(0.3, ngpown, 0.02, ncouls), im = Wave(0.1, ngpown, 0.05, ncouls)](Index p, Index g) {
    return 0.5 * complex(re.cosine(p, g), im.sine(p, g));
  });
  fill(wtilde, ngpown, [re = Wave(0.2, ngpown, 0.1, ncouls), im = Wave(0.1, ngpown, -0.03, ncouls)](Index p, Index g) {
    return complex(0.5 + 0.1 * re.sine(p, g), 0.5 + 0.1 * im.cosine(p, g));
  });
  for (Index g = 0; g < ncouls; ++g) vcoul[g] = 1 / (1 + 0.01 * static_cast<double>(g));
}

Workload make(std::shared_ptr<Problem> problem, const Axes& axes) {
  return make(std::move(problem), axes, std::make_shared<References>());
}

}  // namespace roofline::gpp

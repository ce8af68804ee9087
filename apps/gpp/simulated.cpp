#include "apps/gpp/simulated.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "bench/run/suite.hpp"
#include "bench/simulator/gpu_model.hpp"
#include "bench/simulator/warp.hpp"

namespace roofline::gpp {
namespace {

// ptxas of CUDA 13.0 for sm_80, the same loop written in plain CUDA; 56 to 76 on sm_75.
constexpr std::array<unsigned, max_nw> registers{50, 56, 62, 62, 70, 76};

template <int Nw, bool Fma>
WarpProgram program(const GpuProblem& problem, Index stride, Index block) {
  const Index n = block % problem.number_bands, p = block / problem.number_bands;
  active_warp->uniform_load(problem.inv_igp_index + p, sizeof(int));
  co_await step;

  const auto* const indinv = problem.indinv + problem.inv_igp_index[p];
  const Index igp = *indinv;
  const double* const aqsm = problem.aqsm + 2 * (n * problem.ncouls + igp);
  Row<Nw, true, true> row{};
  row.aqsm = {aqsm[0], aqsm[1]};
  row.vcoul = problem.vcoul[igp];
  for (int iw = 0; iw < Nw; ++iw) row.wx[iw] = problem.wx[iw];

  Sums<Nw, Real<Warp, Fma>> sums;
  for (auto& sum : sums) sum = {0.0, 0.0};
  for (Index igs = 0; igs < stride; ++igs) {
    row.aqsn = {problem.aqsn + 2 * (n * problem.ncouls + igs), stride};
    row.i_eps = {problem.i_eps + 2 * (p * problem.ncouls + igs), stride};
    row.wtilde = {problem.wtilde + 2 * (p * problem.ncouls + igs), stride};
    for (Index x = 0; x < problem.ncouls / stride; x += warp_lanes) {
      active_warp->uniform_load(indinv, sizeof(int));
      active_warp->uniform_load(problem.vcoul + igp, sizeof(double));
      active_warp->uniform_load(aqsm, 2 * sizeof(double));
      for (int iw = 0; iw < Nw; ++iw) active_warp->uniform_load(problem.wx + iw, sizeof(double));
      row(At<Warp, Fma>{x}, sums);
      co_await step;
    }
  }
  for (int iw = 0; iw < Nw; ++iw) {
    const double re = sums[iw].re.value.sum(), im = sums[iw].im.value.sum();
    active_warp->request(Access::atomic, problem.achtemp + 2 * iw, 0, sizeof(double));
    problem.achtemp[2 * iw] += re;
    active_warp->request(Access::atomic, problem.achtemp + 2 * iw + 1, 0, sizeof(double));
    problem.achtemp[2 * iw + 1] += im;
  }
}

}  // namespace

GpuProblem::GpuProblem(Index bands, Index waves, Index nodes_per_group) : number_bands(bands), ncouls(waves) {
  if (bands < 1 || waves < 32 || waves % 32 != 0 || nodes_per_group < 1 || nodes_per_group > waves)
    throw std::invalid_argument(fmt::format(
        "gpp on a modelled GPU: {} bands, {} plane waves, {} per group: plane waves must be a multiple of 32 and hold "
        "a group",
        bands, waves, nodes_per_group));
  ngpown = waves / nodes_per_group;
  const auto doubles = static_cast<std::uint64_t>(4 * bands * waves + 4 * ngpown * waves + 2 * waves);
  memory = std::make_shared<DeviceMemory>(doubles * sizeof(double) + (std::uint64_t{1} << 20));
  aqsm = memory->allocate<double>(2 * bands * waves);
  aqsn = memory->allocate<double>(2 * bands * waves);
  i_eps = memory->allocate<double>(2 * ngpown * waves);
  wtilde = memory->allocate<double>(2 * ngpown * waves);
  vcoul = memory->allocate<double>(waves);
  wx = memory->allocate<double>(max_nw);
  achtemp = memory->allocate<double>(2 * max_nw);
  inv_igp_index = memory->allocate<int>(ngpown);
  indinv = memory->allocate<int>(waves + 1);
  for (int iw = 0; iw < max_nw; ++iw) wx[iw] = 3.0 + iw;
  for (Index p = 0; p < ngpown; ++p) inv_igp_index[p] = static_cast<int>((p + 1) * waves / ngpown);
  for (Index k = 0; k <= waves; ++k) indinv[k] = static_cast<int>(std::min(k, waves - 1));
}

template <bool Fma>
GpuKernel gpu_kernel(std::shared_ptr<const GpuProblem> problem, int nw, Index stride) {
  if (nw < 1 || nw > max_nw) throw std::invalid_argument(fmt::format("gpp: nw:{} is not in 1..{}", nw, max_nw));
  if (stride < 1 || problem->ncouls / 32 % stride != 0)
    throw std::invalid_argument(
        fmt::format("gpp: stride:{} does not divide {} / 32 plane waves", stride, problem->ncouls));
  GpuKernel kernel;
  kernel.name = fmt::format("gpp/nw:{}/fma:{}/stride:{}", nw, Fma ? 1 : 0, stride);
  kernel.mapping = fmt::format(
      "512 x 1638 blocks of one warp as published; broadcasts assumed to be indinv, vcoul, aqsm, wx; {} registers per "
      "thread (CUDA 13, sm_80)",
      registers[static_cast<std::size_t>(nw - 1)]);
  kernel.blocks = problem->number_bands * problem->ngpown;
  kernel.threads = 32;
  kernel.registers = registers[static_cast<std::size_t>(nw - 1)];
  kernel.memory = problem->memory;
  using Program = WarpProgram (*)(const GpuProblem&, Index, Index);
  constexpr std::array<Program, max_nw> programs{program<1, Fma>, program<2, Fma>, program<3, Fma>,
                                                 program<4, Fma>, program<5, Fma>, program<6, Fma>};
  kernel.program = [problem, stride, run = programs[static_cast<std::size_t>(nw - 1)]](Index block, unsigned) {
    return run(*problem, stride, block);
  };
  return kernel;
}

template GpuKernel gpu_kernel<true>(std::shared_ptr<const GpuProblem>, int, Index);
template GpuKernel gpu_kernel<false>(std::shared_ptr<const GpuProblem>, int, Index);

namespace {

Selection selection_of(int nw, bool fma, Index stride) {
  if (!fma) return Selection::full;
  if (stride == 1 && (nw == 1 || nw == max_nw)) return Selection::quick;
  return stride == 2 && nw == max_nw ? Selection::standard : Selection::full;
}

void add_variants(Suite& suite, const Sizes& sizes) {
  const auto problem = std::make_shared<const GpuProblem>(sizes.at(0), sizes.at(2), sizes.at(3));
  for (int nw = 1; nw <= max_nw; ++nw)
    for (const bool fma : {true, false})
      for (const Index stride : {1, 2, 4, 8, 16}) {
        if (problem->ncouls / 32 % stride != 0) continue;
        const auto make = [=] { return (fma ? gpu_kernel<true> : gpu_kernel<false>)(problem, nw, stride); };
        suite.add({.name = fmt::format("gpp/nw:{}/fma:{:d}/stride:{}", nw, fma, stride),
                   .family = "gpp",
                   .selection = selection_of(nw, fma, stride),
                   .fma = fma,
                   .make = simulated([=](const GpuModel& model) {
                     const auto kernel = make();
                     return model.count(kernel, affordable(model.device(), kernel));
                   }),
                   .about = make().mapping});
      }
}

const Registrar registrar("gpp", Platform::modelled, {add_variants, {512, 2, 32768, 20}, {512, 2, 2048, 20}});

}  // namespace

}  // namespace roofline::gpp

#include "apps/stencil/simulated.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "apps/stencil/stencil.hpp"
#include "bench/run/suite.hpp"
#include "bench/simulator/gpu_model.hpp"
#include "bench/simulator/warp.hpp"

namespace roofline::stencil {
namespace {

using Place = At<Warp, true>;
constexpr Index rows = 4;  // of a block, one per warp

/// One row of up to 32 points; i, j, k of its first point count from the boundary.
template <class Body>
WarpProgram row(Body body, Index n, Index i, Index j, Index k) {
  const Index left = n - 1 - i;
  active_warp->set_lanes(left >= warp_lanes ? ~0u : (1u << left) - 1);
  if (j >= n - 1) co_return;
  body(Place{(k * n + j) * n + i});
  co_await step;
}

void add_variants(Suite& suite, const Sizes& sizes) {
  const Index n = sizes.at(0);
  for (const int flops : {7, 8})
    suite.add({.name = fmt::format("stencil/7pt/n:{}/flops:{}", n, flops),
               .family = "stencil",
               .selection = flops == 7 ? Selection::quick : Selection::standard,
               .make = simulated([=](const GpuModel& model) {
                 const auto launch = gpu_kernel(n, flops);
                 const Index plane = launch.blocks / (n - 2);
                 return model.count(launch, affordable(model.device(), launch, plane));
               }),
               .about = gpu_kernel(3, flops).mapping});
}

const Registrar registrar("stencil", Platform::modelled, {add_variants, {514}, {130}});

}  // namespace

GpuKernel gpu_kernel(Index n, int flops) {
  if (n < 3) throw std::invalid_argument(fmt::format("stencil: the edge {} must be 3 or more", n));
  if (flops != 7 && flops != 8) throw std::invalid_argument(fmt::format("stencil: flops:{} is not 7 or 8", flops));
  GpuKernel kernel;
  kernel.name = fmt::format("stencil/7pt/n:{}/flops:{}", n, flops);
  kernel.mapping = "blocks of 32 x 4, one point per thread; 24 registers per thread are assumed";
  const Index across = (n - 2 + warp_lanes - 1) / warp_lanes, along = (n - 2 + rows - 1) / rows;
  kernel.blocks = across * along * (n - 2);
  kernel.threads = warp_lanes * rows;
  kernel.registers = 24;
  kernel.memory = std::make_shared<DeviceMemory>(static_cast<std::uint64_t>(2 * n * n * n) * sizeof(double) + 4096);
  const View u{kernel.memory->allocate<double>(n * n * n)};
  const View v{kernel.memory->allocate<double>(n * n * n)};
  const auto run = [&](auto body) {
    kernel.program = [=](Index block, unsigned warp) {
      const Index i = 1 + block % across * warp_lanes;
      const Index j = 1 + block / across % along * rows + warp;
      return row(body, n, i, j, 1 + block / (across * along));
    };
  };
  if (flops == 7)
    run(SevenFlops{u, v, n, n * n});
  else
    run(EightFlops{u, v, n, n * n});
  return kernel;
}

}  // namespace roofline::stencil

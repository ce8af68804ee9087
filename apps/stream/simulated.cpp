#include "apps/stream/simulated.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "apps/stream/stream.hpp"
#include "bench/run/suite.hpp"
#include "bench/simulator/gpu_model.hpp"
#include "bench/simulator/warp.hpp"

namespace roofline::stream {
namespace {

using Place = At<Warp, true>;
constexpr Index threads = 1024;

/// Switches off the lanes behind the last element.
std::uint32_t lanes_before(Index n, Index first) {
  if (first >= n) return 0;
  return n - first >= warp_lanes ? ~0u : (1u << (n - first)) - 1;
}

template <class Body>
WarpProgram each(Body body, Index n, Index first) {
  active_warp->set_lanes(lanes_before(n, first));
  if (active_warp->active() == 0) co_return;
  body(Place{first});
  co_await step;
}

WarpProgram dot(Dot body, Index n, Index first) {
  active_warp->set_lanes(lanes_before(n, first));
  if (active_warp->active() == 0) co_return;
  Place::real sum = 0.0;
  body(Place{first}, sum);
  co_await step;
}

void add_variants(Suite& suite, const Sizes& sizes) {
  const Index n = sizes.at(0);
  const auto add = [&](std::string kernel) {
    suite.add({.name = fmt::format("stream/{}/n:{}", kernel, n),
               .family = "stream",
               .selection = Selection::quick,
               .make = simulated([=](const GpuModel& model) {
                 const auto launch = gpu_kernel(kernel, n);
                 return model.count(launch, affordable(model.device(), launch));
               }),
               .about = gpu_kernel(kernel, 1).mapping});
  };
  for (const char* const kernel : {"copy", "scale", "add", "triad", "dot"}) add(kernel);
}

// BabelStream's default size: 2^25 elements.
const Registrar registrar("stream", Platform::modelled, {add_variants, {Index{1} << 25}, {Index{1} << 20}});

}  // namespace

GpuKernel gpu_kernel(const std::string& name, Index n) {
  if (n < 1) throw std::invalid_argument(fmt::format("stream: n = {} must be 1 or more", n));
  GpuKernel kernel;
  kernel.name = "stream/" + name;
  kernel.mapping = "BabelStream: blocks of 1024, one element per thread; 16 registers per thread are assumed";
  kernel.blocks = (n + threads - 1) / threads;
  kernel.threads = threads;
  kernel.registers = 16;
  kernel.memory = std::make_shared<DeviceMemory>(static_cast<std::uint64_t>(3 * n) * sizeof(double) + 4096);
  const View a{kernel.memory->allocate<double>(n)};
  const View b{kernel.memory->allocate<double>(n)};
  const View c{kernel.memory->allocate<double>(n)};
  const auto run = [&](auto body) {
    // The kernel holds its memory; the views are addresses in it.
    kernel.program = [body, n](Index block, unsigned warp) {
      return each(body, n, block * threads + static_cast<Index>(warp) * warp_lanes);
    };
  };
  constexpr double s = 0.4;
  if (name == "copy")
    run(Copy{a, c});
  else if (name == "scale")
    run(Scale{b, c, s});
  else if (name == "add")
    run(Add{a, b, c});
  else if (name == "triad")
    run(Triad{a, b, c, s});
  else if (name == "dot")
    kernel.program = [body = Dot{a, b}, n](Index block, unsigned warp) {
      return dot(body, n, block * threads + static_cast<Index>(warp) * warp_lanes);
    };
  else
    throw std::invalid_argument(fmt::format("stream: no kernel {}; known: copy, scale, add, triad, dot", name));
  return kernel;
}

}  // namespace roofline::stream

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "apps/stencil/cuda.hpp"
#include "apps/stencil/problem.hpp"
#include "bench/cuda/cache_state.hpp"
#include "bench/cuda/device_buffer.hpp"
#include "bench/cuda/execute.cuh"
#include "bench/suite/suite.hpp"

namespace roofline::stencil {
namespace {

/// The problem on the host, where it is verified, and its arrays on the device.
struct OnDevice {
  std::optional<Problem> host;
  cuda::DeviceBuffer<> u, v;

  OnDevice(Index n, std::uint64_t seed) : host(std::in_place, n, seed), u(host->u), v(host->v) {}
  /// Without data, for launches that are not executed.
  explicit OnDevice(Index n) : u(Cube(n).elements()), v(Cube(n).elements()) {}
};

template <class Body>
Workload make(std::shared_ptr<OnDevice> problem, const Cube& cube, int flops, bool tuned) {
  const Index n = cube.n;
  const Body body{{problem->u.data()}, {problem->v.data()}, cube.pitch, cube.pitch * n};
  const Index first = cube.at(1, 1, 1);
  Workload work;
  work.launch = [problem, body, n, first, tuned] {
    if (tuned)
      cuda::execute(column_per_thread(body, n, first));
    else
      cuda::execute(point_per_thread(body, n, first));
  };
  work.check = [problem] {
    problem->v.download(problem->host->v.data());
    return check(*problem->host);
  };
  work.declared_flops = declared_flops(n, flops);
  return work;
}

void add_variants(Suite& suite, const Sizes& sizes) {
  const Index n = sizes[0];
  if (n < 3) throw std::invalid_argument("--stencil=" + std::to_string(n) + ": the edge must be 3 or more");
  const auto problem = [n, seed = suite.seed(), executed = !suite.is_modelled()] {
    return executed ? std::make_shared<OnDevice>(n, seed) : std::make_shared<OnDevice>(n);
  };
  for (const bool tuned : {false, true}) {
    const auto add = [&](int flops, Selection selection, std::function<Workload()> make, const char* about) {
      cuda::add_cache_state(
          suite,
          {.name = row_name(n, flops) + (tuned ? "/tuned" : ""),
           .family = "stencil",
           .selection = selection,
           .make = std::move(make),
           .about =
               std::string(about) +
               (tuned ? "; a thread walks 8 planes and keeps three of them in registers"
                      : "; blocks of 32 x 8, one point per thread: 16 KiB from DRAM under way to an SM, as in ert")});
    };
    add(
        7, Selection::quick, [=] { return make<SevenFlops>(problem(), Cube(n), 7, tuned); },
        "v = -6 u + sum of the six neighbours");
    add(
        8, Selection::standard, [=] { return make<EightFlops>(problem(), Cube(n), 8, tuned); },
        "v = c0 u + c1 (sum of the six)");
  }
}

// 384^3 interior points: two arrays of 0.5 GB, several times any L2, whose three planes are 3.6 MB.
const Registrar registrar("stencil", Platform::cuda, {add_variants, {386}, {}, {131}, {514}, {130}});

}  // namespace
}  // namespace roofline::stencil

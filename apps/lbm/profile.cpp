#include "apps/lbm/profile.hpp"

#include <fmt/format.h>

#include <memory>

#include "apps/lbm/lattice.hpp"
#include "apps/lbm/simulated.hpp"

namespace roofline::lbm {
namespace {

// GTC 2020, V100.
constexpr std::array<const char*, 6> published{"63 reads to 1 write, > 3 x the grid",
                                               "reads = writes",
                                               "",
                                               "less traffic, extra writes",
                                               "",
                                               "1 read and 1 write"};

}  // namespace

std::string ladder_table(const GpuModel& model, const Grid& grid) {
  const auto lattice = std::make_shared<const GpuLattice>(grid);
  const auto sites = static_cast<double>(grid.sites());
  std::string text =
      "| version | global loads : stores | constant | local | shared | L2 B per site | DRAM B per site | / 592 B | "
      "sample | published |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---|\n";
  for (const auto version :
       {GpuVersion::v0, GpuVersion::v1, GpuVersion::v2, GpuVersion::v3, GpuVersion::v3_registers, GpuVersion::v4}) {
    const auto kernel = gpu_collide(lattice, version);
    constexpr double bytes_per_site = 2.0 * populations * sizeof(double);
    const auto counts = model.count(kernel, affordable(model.device(), kernel));
    const double warps = sites / warp_lanes, requests = populations * warps;
    const auto per_population = [&](Access access) {
      return static_cast<double>(counts.exact.of(access).requests) / requests;
    };
    // One load of a warp is the flag that tells bulk from wall, not a population's.
    const double loads = (static_cast<double>(counts.exact.of(Access::global_load).requests) - warps) / requests;
    const auto range = [&](MemoryLevel level) {
      const auto bytes = *counts.counts().range[static_cast<std::size_t>(level)];
      return Span{bytes.low / sites, bytes.high / sites};
    };
    const auto l2 = range(MemoryLevel::L2), dram = range(MemoryLevel::DRAM);
    text += fmt::format(
        "| {} | {:g} : {:g} | {:g} | {:g} | {:g} | {:.0f} .. {:.0f} | {:.0f} .. {:.0f} | {:.2f} .. {:.2f} | {} | {} "
        "|\n",
        kernel.name.substr(kernel.name.rfind('/') + 1), loads, per_population(Access::global_store),
        per_population(Access::constant), per_population(Access::local_load) + per_population(Access::local_store),
        per_population(Access::shared), l2.low, l2.high, dram.low, dram.high, dram.low / bytes_per_site,
        dram.high / bytes_per_site, counts.sample(), published[static_cast<std::size_t>(version)]);
  }
  return text;
}

}  // namespace roofline::lbm

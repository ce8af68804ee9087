#include "tests/validation/lbm_profile.hpp"

#include <fmt/format.h>

#include <array>

#include "apps/lbm/expected.hpp"
#include "apps/lbm/lattice.hpp"
#include "tests/validation/modelled_row.hpp"

namespace roofline::lbm {
namespace {

struct Step {
  const char *version, *published;  ///< GTC 2020, V100
};
constexpr std::array<Step, 6> ladder{{{"v0", "63 reads to 1 write, > 3 x the grid"},
                                      {"v1", "reads = writes"},
                                      {"v2", ""},
                                      {"v3", "less traffic, extra writes"},
                                      {"v3_registers", ""},
                                      {"v4", "1 read and 1 write"}}};

}  // namespace

std::string ladder_table(const GpuModel& model, const Grid& grid) {
  const auto sites = static_cast<double>(grid.sites());
  std::string text =
      "| version | global loads : stores | constant | local | shared | L2 B per site | DRAM B per site | / 592 B | "
      "sample | published |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---|\n";
  for (const auto& [version, published] : ladder) {
    constexpr double bytes_per_site = 2.0 * populations * sizeof(double);
    const auto counts = modelled_row(collide_name(version, grid, true), "lbm", {grid.lx, grid.ly}).count(model);
    const double warps = sites / warp_lanes, requests = populations * warps;
    const auto per_population = [&](Access access) {
      return static_cast<double>(counts.exact.of(access).requests) / requests;
    };
    const auto range = [&](MemoryLevel level) {
      const auto bytes = *counts.counts().range[static_cast<std::size_t>(level)];
      return Span{bytes.low / sites, bytes.high / sites};
    };
    const auto l2 = range(MemoryLevel::L2), dram = range(MemoryLevel::DRAM);
    text += fmt::format(
        "| {} | {:.3g} : {:.3g} | {:.3g} | {:.3g} | {:.3g} | {:.0f} .. {:.0f} | {:.0f} .. {:.0f} | {:.2f} .. {:.2f} | "
        "{} | {} |\n",
        version, per_population(Access::global_load), per_population(Access::global_store),
        per_population(Access::constant), per_population(Access::local_load) + per_population(Access::local_store),
        per_population(Access::shared), l2.low, l2.high, dram.low, dram.high, dram.low / bytes_per_site,
        dram.high / bytes_per_site, counts.sample(), published);
  }
  return text;
}

}  // namespace roofline::lbm

#pragma once
#include <cstdint>
#include <string>

#include "apps/lbm/grid.hpp"
#include "apps/lbm/propagate.hpp"

/// What rows of the CPU and of GPUs have in common.
namespace roofline::lbm {

/// lbm/WHAT/lx:X/ly:Y, of a collide kernel with /fma:0 or /fma:1.
inline std::string row_name(const std::string& what, const Grid& grid) {
  return "lbm/" + what + "/lx:" + std::to_string(grid.lx) + "/ly:" + std::to_string(grid.ly);
}
inline std::string collide_name(const std::string& version, const Grid& grid, bool fma) {
  return row_name("collide/" + version, grid) + "/fma:" + (fma ? "1" : "0");
}

/// Of the boundary conditions: the sites of both walls.
inline std::uint64_t wall_flops(const Grid& grid) {
  return RestAtWall<>::operations().flops() * 2 * static_cast<std::uint64_t>(grid.lx);
}

/// Of a collision of every site.
inline std::uint64_t collide_flops(const Grid& grid, std::uint64_t per_site) {
  return per_site * static_cast<std::uint64_t>(grid.sites());
}

}  // namespace roofline::lbm

#pragma once
#include <vector>

#include "apps/lbm/lattice.hpp"
#include "apps/lbm/lbm.hpp"
#include "bench/model/counts.hpp"

namespace roofline {
class Sampler;
class Pass;
}  // namespace roofline

namespace roofline::lbm {

/// Arguments of one launch of collide: out = collide(in) for every site of the grid; halos are not touched.
struct Collision {
  Grid grid;
  View in, out;
  View bulk;  ///< LY flags: 0 in the rows next to a wall, else 1
  Fluid fluid;
  Parameters parameters;  ///< for v0
  Index packs = 0;        ///< in a block of a tuning
  Pass* pass = nullptr;

  Collision within(Pass* other) const {
    auto same = *this;
    same.pass = other;
    return same;
  }
};

/// Sites along y that the versions treat as a unit: LY must be a multiple.
inline constexpr Index block = 32;

/// One version of collide, compiled for the CPU and for the counting space.
struct Version {
  const char* name;  ///< v0, v1, ...
  bool fma;
  bool streams;         ///< its stores, past the caches
  Operations per_site;  ///< analytic, see operations.hpp
  void (*launch)(const Collision&);
  void (*trace)(const Collision&, Sampler&);
  const char* about;
};

/// All versions, v0 to v5. Without FMA there are those whose loops stay loops: in unrolled code a compiler may share a
/// product among populations, and fewer operations would run than are counted.
const std::vector<Version>& versions();

/// v0, v1 and v2 of them: one function for all five loops.
std::vector<Version> one_pass_versions();

/// A tuning of the tuned collision in moment space: blocks of `packs` packs of sites, see staged.cpp.
struct StagedTuning {
  Version version;
  Index packs;
};

/// The tunings besides v5 itself; the last one has plain stores.
std::vector<StagedTuning> staged_tunings();

/// Packs of a block that the longest has.
inline constexpr Index most_packs = 16;

}  // namespace roofline::lbm

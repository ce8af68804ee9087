#pragma once
#include <functional>
#include <memory>

#include "apps/gsrb/solve.hpp"

/// Sweeps that read and write whole packs at aligned places only.
namespace roofline::gsrb {

/// A launch, in the caches of the core where it is given a pass.
using Sweeping = std::function<void(Pass*)>;

/// Boxes whose rows are whole packs on every machine, and long enough for it to matter.
inline constexpr Index least_whole_packs = 16;

/// The contracted sweep of a dense level with boxes of `least_whole_packs` or more along an edge.
template <class Operator, class Method>
Sweeping whole_pack_sweep(std::shared_ptr<Level> level, const Walk& walk);

extern template Sweeping whole_pack_sweep<FourthOrder, Fp>(std::shared_ptr<Level>, const Walk&);
extern template Sweeping whole_pack_sweep<FourthOrder, Branch>(std::shared_ptr<Level>, const Walk&);
extern template Sweeping whole_pack_sweep<SevenPoint, Fp>(std::shared_ptr<Level>, const Walk&);
extern template Sweeping whole_pack_sweep<SevenPoint, Branch>(std::shared_ptr<Level>, const Walk&);

}  // namespace roofline::gsrb

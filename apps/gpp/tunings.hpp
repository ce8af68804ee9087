#pragma once
#include <memory>
#include <vector>

#include "apps/gpp/launch.hpp"
#include "apps/gpp/reference.hpp"
#include "bench/cache_model/sampler.hpp"
#include "bench/space/pack_complex.hpp"

namespace roofline::gpp {

/// How the model of a CPU sees a launch. Counted one by one, the accesses are the same with every view.
template <int Nw, bool Divide, bool Fma>
Trace trace(std::shared_ptr<Problem> problem, Index stride) {
  return [=](Sampler& sampler) {
    launch<Nw, Divide, ComplexView<true>, Prefetch::none>(Counting<Fma>{sampler}, *problem, stride);
  };
}

/// The rows gpp/nw:N/fma:1/stride:S/tuned of 1, 3 and 6 frequencies: loads and prefetch distances as they are fastest
/// on the machine at hand. `sizes`: what their names do not tell.
void add_tuned_variants(Suite& suite, const std::function<std::shared_ptr<Problem>()>& problem,
                        const std::shared_ptr<References>& references, const std::string& sizes);

}  // namespace roofline::gpp

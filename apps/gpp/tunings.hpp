#pragma once
#include <memory>
#include <type_traits>
#include <vector>

#include "apps/gpp/launch.hpp"
#include "apps/gpp/reference.hpp"
#include "bench/cache_model/sampler.hpp"
#include "bench/space/openmp.hpp"
#include "bench/space/pack_complex.hpp"

namespace roofline::gpp {

/// How numbers that lie apart come into vectors.
enum class Gathers { by_loads, by_instructions, none };

template <class View>
constexpr Gathers gathers_of = std::is_same_v<View, HalvedComplex>     ? Gathers::none
                               : std::is_same_v<View, GatheredComplex> ? Gathers::by_instructions
                                                                       : Gathers::by_loads;

/// A tuning of a tuned row in one space: how its packs are loaded, how many packs `ahead` it prefetches and where to.
template <class Space>
struct LoopTuning {
  const char* loads;
  Index ahead;
  Prefetch into;
  Gathers gathers;
  void (*launch)(Space, Problem&, Index stride, Index ahead);
};

/// Without prefetch where `ahead` is 0.
template <int Nw, class View, Prefetch into, class Space>
LoopTuning<Space> tuning_of(const char* loads, Index ahead) {
  const auto launches = []<Prefetch asks>(std::integral_constant<Prefetch, asks>) {
    return [](Space space, Problem& problem, Index stride, Index packs) {
      launch<Nw, true, View, asks>(space, problem, stride, packs);
    };
  };
  constexpr auto none = Prefetch::none;
  if (ahead == 0) return {loads, 0, none, gathers_of<View>, launches(std::integral_constant<Prefetch, none>())};
  return {loads, ahead, into, gathers_of<View>, launches(std::integral_constant<Prefetch, into>())};
}

/// The tunings of the row with that stride; the first is the published one.
template <int Nw, class Space>
std::vector<LoopTuning<Space>> tunings_of(Index stride) {
  constexpr auto l1 = Prefetch::into_l1, l2 = Prefetch::into_l2;
  std::vector<LoopTuning<Space>> all;
  if (stride == 1) {
    for (const Index ahead : {0, 4, 16})
      all.push_back(tuning_of<Nw, ComplexView<false>, l1, Space>("whole registers", ahead));
    return all;
  }
  for (const Index ahead : {4, 0, 2, 8}) {
    all.push_back(tuning_of<Nw, ComplexView<true>, l1, Space>("joined loads of 16 B", ahead));
    if (GatheredComplex::has_instructions) all.push_back(tuning_of<Nw, GatheredComplex, l1, Space>("gathers", ahead));
    if (stride == 2) all.push_back(tuning_of<Nw, HalvedComplex, l1, Space>("halves of registers", ahead));
  }
  all.push_back(tuning_of<Nw, ComplexView<true>, l2, Space>("joined loads of 16 B", 16));
  if (stride == 2) all.push_back(tuning_of<Nw, HalvedComplex, l2, Space>("halves of registers", 16));
  return all;
}

// Those of the product, contracted, are compiled in tuned.cpp.
using ContractedTunings = std::vector<LoopTuning<OpenMp<true>>>;
extern template ContractedTunings tunings_of<1, OpenMp<true>>(Index);
extern template ContractedTunings tunings_of<3, OpenMp<true>>(Index);
extern template ContractedTunings tunings_of<6, OpenMp<true>>(Index);

/// How the model of a CPU sees a launch. Counted one by one, the accesses are the same with every view.
template <int Nw, bool Divide, bool Fma>
Trace trace(std::shared_ptr<Problem> problem, Index stride) {
  return [=](Sampler& sampler) {
    launch<Nw, Divide, ComplexView<true>, Prefetch::none>(Counting<Fma>{sampler}, *problem, stride);
  };
}

/// The rows gpp/nw:N/fma:1/stride:S/tuned of 1, 3 and 6 frequencies: loads and prefetch distances as they are fastest
/// on the machine at hand.
void add_tuned_variants(Suite& suite, const std::function<std::shared_ptr<Problem>()>& problem,
                        const std::shared_ptr<References>& references);

}  // namespace roofline::gpp

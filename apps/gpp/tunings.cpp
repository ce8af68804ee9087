// As in cpu.cpp: where g++ 12 vectorises complex products, it makes fmaddsub of them.
#pragma GCC optimize("no-tree-vectorize")

#include "apps/gpp/tunings.hpp"

#include <fmt/format.h>

#include <functional>
#include <type_traits>
#include <vector>

#include "bench/cache_model/counting.hpp"
#include "bench/cache_model/set_launch.hpp"
#include "bench/space/launches.hpp"
#include "bench/space/openmp.hpp"
#include "bench/suite/tunings.hpp"

namespace roofline::gpp {
namespace {

/// How numbers that lie apart come into vectors.
enum class Gathers { by_loads, by_instructions, none };

template <class View>
constexpr Gathers gathers_of = std::is_same_v<View, HalvedComplex>     ? Gathers::none
                               : std::is_same_v<View, GatheredComplex> ? Gathers::by_instructions
                                                                       : Gathers::by_loads;

/// A tuning of a tuned row: how its packs are loaded, how many packs `ahead` it prefetches and where to.
struct LoopTuning {
  const char* loads;
  Index ahead;
  Prefetch into;
  Gathers gathers;
  void (*launch)(OpenMp<true>, Problem&, Index stride, Index ahead);
};

/// Without prefetch where `ahead` is 0.
template <int Nw, class View, Prefetch into>
LoopTuning tuning_of(const char* loads, Index ahead) {
  const auto launches = []<Prefetch asks>(std::integral_constant<Prefetch, asks>) {
    return [](OpenMp<true> space, Problem& problem, Index stride, Index packs) {
      launch<Nw, true, View, asks>(space, problem, stride, packs);
    };
  };
  constexpr auto none = Prefetch::none;
  if (ahead == 0) return {loads, 0, none, gathers_of<View>, launches(std::integral_constant<Prefetch, none>())};
  return {loads, ahead, into, gathers_of<View>, launches(std::integral_constant<Prefetch, into>())};
}

/// The tunings of the row with that stride; the first is the published one.
template <int Nw>
std::vector<LoopTuning> tunings_of(Index stride) {
  constexpr auto l1 = Prefetch::into_l1, l2 = Prefetch::into_l2;
  std::vector<LoopTuning> all;
  if (stride == 1) {
    for (const Index ahead : {0, 4, 16}) all.push_back(tuning_of<Nw, ComplexView<false>, l1>("whole registers", ahead));
    return all;
  }
  for (const Index ahead : {4, 0, 2, 8}) {
    all.push_back(tuning_of<Nw, ComplexView<true>, l1>("joined loads of 16 B", ahead));
    if (GatheredComplex::has_instructions) all.push_back(tuning_of<Nw, GatheredComplex, l1>("gathers", ahead));
    if (stride == 2) all.push_back(tuning_of<Nw, HalvedComplex, l1>("halves of registers", ahead));
  }
  all.push_back(tuning_of<Nw, ComplexView<true>, l2>("joined loads of 16 B", 16));
  if (stride == 2) all.push_back(tuning_of<Nw, HalvedComplex, l2>("halves of registers", 16));
  return all;
}

/// The common part of a row's tunings.
struct Shared {
  std::function<std::shared_ptr<Problem>()> problem;
  std::shared_ptr<References> references;
  Index stride;
};

template <int Nw>
Workload work_of(const LoopTuning& tuning, const Shared& row) {
  const auto problem = row.problem();
  problem->forget_results();
  Workload work;
  const auto in_space = [=, stride = row.stride](Pass* pass) {
    tuning.launch(OpenMp<true>{pass}, *problem, stride, tuning.ahead);
  };
  set_forms(work, in_space, problem->chunk_bytes(), Neighbours::share_nothing);
  work.trace = trace<Nw, true, true>(problem, row.stride);
  if (tuning.gathers == Gathers::none) forget_costly_loads(work);
  if (tuning.gathers == Gathers::by_instructions) gather_by_instructions(work);
  work.check = [problem, references = row.references] {
    return compare_with(references->get(*problem, true), *problem, Nw);
  };
  work.declared_flops = declared_flops(problem->iterations(), Nw);
  return work;
}

template <int Nw>
std::vector<KernelTuning> tunings(const Shared& row) {
  std::vector<KernelTuning> all;
  for (const auto& tuning : tunings_of<Nw>(row.stride)) {
    const auto prefetch = tuning.ahead == 0 ? "no prefetch"
                                            : fmt::format("prefetch {} packs ahead{}", tuning.ahead,
                                                          tuning.into == Prefetch::into_l2 ? " into L2" : "");
    all.push_back({fmt::format("{}, {}", tuning.loads, prefetch), [=] { return work_of<Nw>(tuning, row); }});
  }
  return all;
}

}  // namespace

void add_tuned_variants(Suite& suite, const std::function<std::shared_ptr<Problem>()>& problem,
                        const std::shared_ptr<References>& references, const std::string& sizes) {
  const auto add = [&]<int Nw>(std::integral_constant<int, Nw>) {
    for (const Index stride : {1, 2, 4, 8, 16}) {
      suite.add({.name = row_name({.nw = Nw, .stride = stride}) + "/tuned",
                 .family = "gpp",
                 .about = "the same loops with loads and prefetches as they are fastest here",
                 .tunings = tunings<Nw>({problem, references, stride}),
                 .problem = sizes});
    }
  };
  add(std::integral_constant<int, 1>()), add(std::integral_constant<int, 3>()), add(std::integral_constant<int, 6>());
}

}  // namespace roofline::gpp

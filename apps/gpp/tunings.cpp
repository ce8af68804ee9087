// As in cpu.cpp: where g++ 12 vectorises complex products, it makes fmaddsub of them.
#pragma GCC optimize("no-tree-vectorize")

#include "apps/gpp/tunings.hpp"

#include <fmt/format.h>

#include <functional>
#include <vector>

#include "bench/cache_model/counting.hpp"
#include "bench/cache_model/set_launch.hpp"
#include "bench/suite/tunings.hpp"

namespace roofline::gpp {
namespace {

/// What the tunings of a row have in common.
struct Shared {
  std::function<std::shared_ptr<Problem>()> problem;
  std::shared_ptr<References> references;
  Index stride;
};

template <int Nw>
Workload work_of(const LoopTuning<OpenMp<true>>& tuning, const Shared& row) {
  const auto problem = row.problem();
  problem->forget_results();
  Workload work;
  const auto in_space = [=, stride = row.stride](WarmPass* warm) {
    tuning.launch(OpenMp<true>{warm}, *problem, stride, tuning.ahead);
  };
  work.launch = [=] { in_space(nullptr); };
  work.in_core = {[=] { return warm_seconds(in_space); }, problem->chunk_bytes()};
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
  for (const auto& tuning : tunings_of<Nw, OpenMp<true>>(row.stride)) {
    const auto prefetch = tuning.ahead == 0 ? "no prefetch"
                                            : fmt::format("prefetch {} packs ahead{}", tuning.ahead,
                                                          tuning.into == Prefetch::into_l2 ? " into L2" : "");
    all.push_back({fmt::format("{}, {}", tuning.loads, prefetch), [=] { return work_of<Nw>(tuning, row); }});
  }
  return all;
}

}  // namespace

template ContractedTunings tunings_of<1, OpenMp<true>>(Index);
template ContractedTunings tunings_of<3, OpenMp<true>>(Index);
template ContractedTunings tunings_of<6, OpenMp<true>>(Index);

void add_tuned_variants(Suite& suite, const std::function<std::shared_ptr<Problem>()>& problem,
                        const std::shared_ptr<References>& references) {
  const auto add = [&]<int Nw>(std::integral_constant<int, Nw>) {
    for (const Index stride : {1, 2, 4, 8, 16}) {
      suite.add({.name = row_name({.nw = Nw, .stride = stride}) + "/tuned",
                 .family = "gpp",
                 .about = "the same loops with loads and prefetches as they are fastest here",
                 .tunings = tunings<Nw>({problem, references, stride})});
    }
  };
  add(std::integral_constant<int, 1>()), add(std::integral_constant<int, 3>()), add(std::integral_constant<int, 6>());
}

}  // namespace roofline::gpp

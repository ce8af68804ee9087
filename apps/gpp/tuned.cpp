// As in cpu.cpp: where g++ 12 vectorises complex products, it makes fmaddsub of them.
#pragma GCC optimize("no-tree-vectorize")

#include "apps/gpp/tuned.hpp"

#include <fmt/format.h>

#include <functional>
#include <type_traits>
#include <vector>

#include "bench/run/forms.hpp"
#include "bench/simulator/counting.hpp"
#include "bench/simulator/set_launch.hpp"
#include "bench/space/dispatch.hpp"
#include "bench/space/gathered_complex.hpp"
#include "bench/space/openmp.hpp"

namespace roofline::gpp {
namespace {

/// What the forms of a row have in common.
struct Shared {
  std::function<std::shared_ptr<Problem>()> problem;
  std::shared_ptr<References> references;
  Index stride;
};

template <int Nw, class View>
KernelForm form(const Shared& row, const char* loads, Index ahead) {
  const auto make = [row, ahead] {
    const auto problem = row.problem();
    Workload work;
    with_bool(ahead > 0, [&](auto prefetch) {
      work.launch = [=, stride = row.stride] {
        launch<Nw, true, View, prefetch>(OpenMp<true>{}, *problem, stride, ahead);
      };
    });
    work.trace = trace<Nw, true, true>(problem, row.stride);
    if constexpr (std::is_same_v<View, HalvedComplex>) forget_costly_loads(work);  // it gathers nothing
    work.check = [problem, references = row.references] {
      return compare_with(references->get(*problem, true), *problem, Nw);
    };
    work.declared_flops = declared_flops(problem->iterations(), Nw);
    return work;
  };
  return {fmt::format("{}, {}", loads, ahead == 0 ? "no prefetch" : fmt::format("prefetch {} packs ahead", ahead)),
          make};
}

template <int Nw>
std::vector<KernelForm> forms(const Shared& row) {
  std::vector<KernelForm> all;
  if (row.stride == 1) {
    for (const Index ahead : {0, 4, 16}) all.push_back(form<Nw, ComplexView<false>>(row, "whole registers", ahead));
    return all;
  }
  for (const Index ahead : {4, 0, 2, 8}) {
    all.push_back(form<Nw, ComplexView<true>>(row, "joined loads of 16 B", ahead));
    if (GatheredComplex::has_instructions) all.push_back(form<Nw, GatheredComplex>(row, "gathers", ahead));
    if (row.stride == 2) all.push_back(form<Nw, HalvedComplex>(row, "halves of registers", ahead));
  }
  return all;
}

}  // namespace

void add_tuned_variants(Suite& suite, const Sizes& sizes, const std::shared_ptr<References>& references) {
  const auto add = [&]<int Nw>(std::integral_constant<int, Nw>) {
    for (const Index stride : {1, 2, 4, 8, 16}) {
      const auto problem = [sizes, seed = suite.seed()] { return std::make_shared<Problem>(sizes, seed); };
      suite.add({.name = row_name({.nw = Nw, .stride = stride}) + "/tuned",
                 .family = "gpp",
                 .about = "the same loops with loads and prefetches as they are fastest here",
                 .forms = forms<Nw>({made_once(problem), references, stride})});
    }
  };
  add(std::integral_constant<int, 1>()), add(std::integral_constant<int, 3>()), add(std::integral_constant<int, 6>());
}

}  // namespace roofline::gpp

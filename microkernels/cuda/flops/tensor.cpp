#include "microkernels/cuda/flops/tensor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "bench/model/ceiling.hpp"
#include "bench/suite/suite.hpp"
#include "microkernels/cuda/flops/units.hpp"
#include "microkernels/cuda/measured.hpp"

namespace roofline {
namespace {

CeilingWork make_workload(const CudaTensorKernel& kernel, int threads, int blocks_per_sm, const Gpu& gpu,
                          const Ceiling& ceiling) {
  const double per_instruction = 2.0 * kernel.m * kernel.n * kernel.k;
  constexpr double lanes = 32;
  LoopCeiling loop{.kernel = kernel.launch,
                   .fitting = std::min(blocks_per_sm, kernel.blocks_per_sm(threads)),
                   .launch = {.threads = threads},
                   .steps = kernel.steps,
                   .work = per_instruction * kernel.chains * kernel.steps / lanes,
                   .variant = fmt::format("{} chain{}", kernel.chains, kernel.chains == 1 ? "" : "s"),
                   .expected = [](std::int64_t) { return tensor_right; },
                   .wrong = fmt::format("{{}} of its elements of D differ from the result of {} of small integers",
                                        kernel.instruction),
                   .theory = theory_of(gpu, ceiling)};
  return work_of(std::move(loop), gpu);
}

}  // namespace

std::vector<std::string> add_cuda_tensor_ceilings(Suite& suite, const Gpu& gpu) {
  std::set<std::string> missing;
  const bool known = has_code();
  struct Shape {
    int threads, blocks_per_sm;
  };
  std::map<std::string, CeilingVariant> ceilings;
  std::map<std::string, std::pair<int, std::string>> largest_of;  // products of an instruction, and its ceiling
  const auto add = [&](const CudaTensorKernel& kernel, std::initializer_list<Shape> shapes) {
    Ceiling ceiling;
    ceiling.kind = Ceiling::Kind::compute;
    ceiling.precision = kernel.precision;
    ceiling.operation = Operation::fma;
    ceiling.isa = fmt::format("tensor:{}", kernel.instruction);
    ceiling.threads = suite.threads(), ceiling.whole_device = true;
    ceiling.name = ceiling_name(ceiling);
    constexpr int warps_of_a_group = 4;
    if (known && kernel.blocks_per_sm(32 * warps_of_a_group) == 0) {
      missing.insert(ceiling.name);
      return;
    }
    auto& variant = ceilings[ceiling.name];
    variant.ceiling = ceiling;
    auto& [products, largest] = largest_of[ceiling.precision];
    if (const int of_this = kernel.m * kernel.n * kernel.k; of_this > products)
      products = of_this, largest = ceiling.name;
    for (const auto& [threads, blocks_per_sm] : shapes)
      variant.make.push_back(
          [=, planned = ceiling] { return make_workload(kernel, threads, blocks_per_sm, gpu, planned); });
  };
  const int capability = 10 * gpu.major + gpu.minor;
  for (const auto& kernel : cuda_tensor_kernels())
    if (runs_on(kernel, capability)) add(kernel, {{128, 1}, {128, 2}, {256, 2}, {256, 4}});
  if (capability == 90)
    for (const auto& kernel : cuda_wgmma_kernels()) add(kernel, {{128, 1}, {128, 2}, {128, 3}});
  // A default run has one ceiling a precision, with the largest instruction, which is the fastest or within 1 % of it.
  for (const auto& [precision, largest] : largest_of) ceilings.at(largest.second).selection = Selection::standard;
  // Under a load of seconds the fastest instruction on halves, whichever that is.
  CeilingVariant sustained;
  for (const auto& [name, variant] : ceilings) {
    if (variant.ceiling.precision != "fp16" || variant.ceiling.isa.find("f16sums") != std::string::npos) continue;
    sustained.ceiling = variant.ceiling;
    sustained.make.insert(sustained.make.end(), variant.make.begin(), variant.make.end());
  }
  for (auto& [name, variant] : ceilings) suite.add_ceiling(std::move(variant));
  const std::vector<std::string> names(missing.begin(), missing.end());
  if (sustained.make.empty()) return names;
  sustained.ceiling.isa = "tensor";
  sustained.ceiling.sustained = true;
  sustained.ceiling.name = ceiling_name(sustained.ceiling);
  suite.add_ceiling(std::move(sustained));
  return names;
}

}  // namespace roofline

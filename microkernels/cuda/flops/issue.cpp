#include "microkernels/cuda/flops/issue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "bench/machine/gpu_facts.hpp"
#include "bench/model/ceiling.hpp"
#include "bench/suite/suite.hpp"
#include "microkernels/cuda/flops/units.hpp"
#include "microkernels/cuda/measured.hpp"

namespace roofline {

std::uint64_t expected_issue_checksum(int integers, std::int64_t steps) {
  constexpr std::int64_t last = 1 << 24;  // of the floats that another 1 makes larger
  std::uint64_t sum = 0;
  for (int c = 0; c < issue_chains; ++c) {
    auto word = std::bit_cast<std::uint32_t>(static_cast<float>(std::min<std::int64_t>(c + steps, last)));
    if (is_of_integers(c, integers)) {
      word = static_cast<std::uint32_t>(c);
      for (std::int64_t k = 0; k < steps; ++k)
        word = k % 2 == 0 ? word + issue_operands[1] : word ^ static_cast<std::uint32_t>(issue_operands[2]);
    }
    sum = add_to_checksum(sum, word);
  }
  return sum;
}

namespace {

CeilingWork issue_workload(const IssueKernel& kernel, int threads, int blocks_per_sm, const Gpu& gpu) {
  constexpr double lanes = 32;
  LoopCeiling loop{
      .kernel = kernel.launch,
      .fitting = std::min(blocks_per_sm, kernel.blocks_per_sm(threads)),
      .launch = {.threads = threads},
      .in = {std::begin(issue_operands), std::end(issue_operands)},
      .steps = kernel.steps,
      .work = issue_chains * kernel.steps / lanes,
      .variant =
          fmt::format("additions, {} of 8 of integers, loop of {}", kernel.integers, issue_chains * kernel.steps),
      .expected = [n = kernel.integers](std::int64_t steps) { return expected_issue_checksum(n, steps); },
      .wrong = "checksum {:#x}, expected {:#x}",
      .theory = [gpu](double clock) { return warp_issue_rate(gpu.sms, 10 * gpu.major + gpu.minor, clock); }};
  return work_of(std::move(loop), gpu);
}

}  // namespace

void add_cuda_issue_ceiling(Suite& suite, const Gpu& gpu) {
  CeilingVariant variant;
  auto& ceiling = variant.ceiling;
  ceiling.kind = Ceiling::Kind::instructions;
  ceiling.threads = suite.threads(), ceiling.whole_device = true;
  ceiling.name = ceiling_name(ceiling);
  for (const auto& kernel : issue_kernels())
    for (const int blocks_per_sm : {4, 8})
      variant.make.push_back([=] { return issue_workload(kernel, 256, blocks_per_sm, gpu); });
  variant.selection = Selection::standard;
  suite.add_ceiling(std::move(variant));
}

}  // namespace roofline

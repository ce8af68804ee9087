#include "microkernels/cuda/flops/issue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>

#include "bench/cuda/error.hpp"
#include "bench/cuda/event_timer.hpp"
#include "bench/machine/gpu_facts.hpp"
#include "bench/model/ceiling_name.hpp"
#include "bench/suite/suite.hpp"
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
  const int fitting = std::min(blocks_per_sm, kernel.blocks_per_sm(threads));
  if (fitting == 0) throw NoSuchCeiling("this build has no code for it (ROOFLINE_CUDA_ARCHITECTURES)");
  const int blocks = fitting * gpu.sms;
  const auto in = std::make_shared<cuda::DeviceBuffer<int>>(issue_operands, Index{std::size(issue_operands)});
  const auto out = std::make_shared<DeviceWords>(Index{2} * blocks + Index{blocks} * threads);
  const auto run = [=](int iterations) {
    cuda::require(kernel.launch({blocks, threads, iterations, out->data(), in->data()}),
                  "launch of the ceiling of the schedulers");
  };
  const int iterations = calibrate_cuda(run);
  CeilingWork work;
  work.launch = [=] { run(iterations); };
  work.time = cuda::event_timer(work.launch);
  work.check = [=] {
    const auto words = out->download();
    const auto want = expected_issue_checksum(kernel.integers, std::int64_t{iterations} * kernel.steps);
    const auto first = words.begin() + 2 * blocks;
    const auto wrong = std::find_if(first, words.end(), [&](auto got) { return got != want; });
    if (wrong == words.end()) return Check{};
    return Check{false, fmt::format("thread {}: checksum {:#x}, expected {:#x}", wrong - first, *wrong, want)};
  };
  constexpr int lanes = 32;
  work.work = static_cast<double>(issue_chains * kernel.steps) * iterations * blocks * (threads / lanes);
  work.variant = fmt::format("additions, {} of 8 of integers, loop of {}, {} warps/SM", kernel.integers,
                             issue_chains * kernel.steps, fitting * threads / lanes);
  work.clock = [=] { return clock_of(*out, blocks); };
  work.theory = [clock = work.clock, gpu] { return warp_issue_rate(gpu.sms, 10 * gpu.major + gpu.minor, clock()); };
  return work;
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

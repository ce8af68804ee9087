#include "microkernels/cuda/flops/flops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "bench/cuda/error.hpp"
#include "bench/cuda/event_timer.hpp"
#include "bench/model/ceiling.hpp"
#include "bench/suite/suite.hpp"
#include "microkernels/cuda/flops/units.hpp"
#include "microkernels/cuda/measured.hpp"

namespace roofline {
namespace {

/// Threads of a block and blocks per SM. Few warps keep the operands that instructions share in the caches before the
/// register file, many hide more latency.
struct Shape {
  int threads, blocks_per_sm;
};

/// The values that a kernel finds in memory, in registers of its precision.
std::vector<int> input_words(const CudaFlopsKernel& kernel) {
  const auto format = format_of(kernel);
  const auto operands = flops_operands(kernel);
  std::vector<int> words;
  for (int i = 0; i < flops_input; ++i) {
    const double value = i < flops_input_scale    ? FlopsOperands::start(format, i)
                         : i < flops_input_offset ? operands.scale
                                                  : operands.offset;
    const auto bits = format.bits(value);
    words.push_back(static_cast<int>(bits));
    if (format.register_bytes() == 8) words.push_back(static_cast<int>(bits >> 32));
  }
  return words;
}

const char* text_of(Operands operands) {
  constexpr std::array names{"b*s+o", "b*b+o", "b*s+b", "b*s+o from constants"};
  return names[static_cast<std::size_t>(operands)];
}

double flops_per_step(CudaForm form) { return form == CudaForm::fma || form == CudaForm::mul_add ? 2 : 1; }

CeilingWork make_workload(const CudaFlopsKernel& kernel, Shape shape, const Gpu& gpu, const Ceiling& ceiling) {
  const auto operands = flops_operands(kernel);
  const bool pairs = kernel.precision == std::string_view("fp32x2");
  LoopCeiling loop{.kernel = kernel.launch,
                   .fitting = std::min(shape.blocks_per_sm, kernel.blocks_per_sm(shape.threads)),
                   .launch = {.threads = shape.threads, .scale = operands.scale, .offset = operands.offset},
                   .in = input_words(kernel),
                   .steps = kernel.steps,
                   .work = flops_per_step(kernel.form) * format_of(kernel).lanes * kernel.chains * kernel.steps,
                   .variant = fmt::format("{}{} chain{}{}{}", kernel.chains, pairs ? " x2" : "",
                                          kernel.chains == 1 ? "" : "s", kernel.form == CudaForm::fma ? ", " : "",
                                          kernel.form == CudaForm::fma ? text_of(kernel.operands) : ""),
                   .expected = [=](std::int64_t steps) { return expected_checksum(kernel, steps); },
                   .wrong = fmt::format("checksum {{:#x}} of its {} chains, expected {{:#x}}", kernel.chains),
                   .theory = theory_of(gpu, ceiling)};
  return work_of(std::move(loop), gpu);
}

CudaForm form_of(Operation operation) {
  switch (operation) {
    case Operation::fma:
      return CudaForm::fma;
    case Operation::nofma:
      return CudaForm::mul_add;
    case Operation::add:
      return CudaForm::add;
    case Operation::mul:
      return CudaForm::mul;
    default:
      return CudaForm::div;
  }
}

struct Precision {
  const char* name;
  std::vector<CudaFlopsKernel> kernels;
  int capability, unfused_capability;  ///< 10 major + minor from which there are instructions
};

std::vector<CudaFlopsKernel> listed(std::span<const CudaFlopsKernel> kernels) {
  return {kernels.begin(), kernels.end()};
}

/// Where there are instructions on pairs of floats, and code with them, they compete for the ceilings of FP32. The
/// compiler makes two of each for 11.0 and 12.x.
std::vector<CudaFlopsKernel> fp32_kernels(int capability) {
  auto kernels = listed(cuda_flops_fp32());
  constexpr int threads = 256;
  if (capability / 10 != 10) return kernels;
  for (const auto& kernel : cuda_flops_fp32x2())
    if (kernel.blocks_per_sm(threads) > 0) kernels.push_back(kernel);
  return kernels;
}

}  // namespace

CeilingWork work_of(LoopCeiling loop, const Gpu& gpu) {
  if (loop.fitting == 0) throw NoSuchCeiling("this build has no code for it (ROOFLINE_CUDA_ARCHITECTURES)");
  const int blocks = loop.fitting * gpu.sms, threads = loop.launch.threads;
  const auto in = std::make_shared<cuda::DeviceBuffer<int>>(loop.in.data(), static_cast<Index>(loop.in.size()));
  const auto out = std::make_shared<DeviceWords>(Index{2} * blocks + Index{blocks} * threads);
  loop.launch.blocks = blocks, loop.launch.out = out->data(), loop.launch.in = in->data();
  const auto run = [in, out, loop](int iterations) {
    auto launch = loop.launch;
    launch.iterations = iterations;
    cuda::require(loop.kernel(launch), fmt::format("launch of the ceiling of {}", loop.variant));
  };
  const int iterations = calibrate_cuda(run);
  CeilingWork work;
  work.launch = [=] { run(iterations); };
  work.time = cuda::event_timer(work.launch);
  work.check = [=] {
    // A launch of some tens of milliseconds is far below; a body that was compiled away calibrates to anything.
    constexpr std::int64_t most_steps = std::int64_t{1} << 28;
    const auto steps = std::int64_t{iterations} * loop.steps;
    if (steps > most_steps)
      return Check{false, fmt::format("{} steps in one launch: the kernel does nothing on this device", steps)};
    const auto words = out->download();
    const auto want = loop.expected(steps);
    const auto first = words.begin() + 2 * blocks;
    const auto wrong = std::find_if(first, words.end(), [&](auto got) { return got != want; });
    if (wrong == words.end()) return Check{};
    return Check{false, fmt::format("thread {} of {} after {} steps: {}", wrong - first, blocks * threads, steps,
                                    fmt::format(fmt::runtime(loop.wrong), *wrong, want))};
  };
  work.work = loop.work * iterations * blocks * threads;
  work.variant = fmt::format("{}, {} warps/SM", loop.variant, loop.fitting * threads / 32);
  work.clock = [=] { return clock_of(*out, blocks); };
  if (loop.theory) work.theory = [clock = work.clock, theory = loop.theory] { return theory(clock()); };
  return work;
}

std::function<double(double)> theory_of(const Gpu& gpu, const Ceiling& ceiling) {
  const auto per_clock = flops_per_clock(gpu, ceiling);
  if (!per_clock) return {};
  return [rate = *per_clock * gpu.sms](double clock) { return rate * clock; };
}

bool has_code() { return cuda_flops_fp64().front().blocks_per_sm(32) > 0; }

std::vector<std::string> add_cuda_flops_ceilings(Suite& suite, const Gpu& gpu) {
  std::vector<std::string> missing;
  const bool known = has_code();
  const int capability = 10 * gpu.major + gpu.minor;
  const auto add = [&](const Precision& precision, Operation operation, int warps = 0, bool one_chain = false,
                       bool sustained = false) {
    CeilingVariant variant;
    auto& ceiling = variant.ceiling;
    ceiling.kind = Ceiling::Kind::compute;
    ceiling.precision = precision.name;
    ceiling.operation = operation;
    ceiling.isa = "vector";
    ceiling.ilp = !one_chain, ceiling.sustained = sustained;
    ceiling.threads = suite.threads(), ceiling.whole_device = true, ceiling.warps = warps;
    ceiling.name = ceiling_name(ceiling);
    std::vector<Shape> shapes{{256, 4}, {256, 8}};
    if (operation == Operation::fma) shapes = {{128, 1}, {128, 4}, {256, 4}, {256, 8}, {1024, 1}};
    if (warps) shapes = {{32 * warps, 1}};
    for (const auto& kernel : precision.kernels) {
      if (kernel.form != form_of(operation) || (kernel.chains == 1) != one_chain) continue;
      if (one_chain && kernel.operands != Operands::registers) continue;
      if (known && kernel.blocks_per_sm(32) == 0) continue;
      for (const auto shape : shapes)
        variant.make.push_back([=, planned = ceiling] { return make_workload(kernel, shape, gpu, planned); });
    }
    if (variant.make.empty()) return missing.push_back(ceiling.name);
    // The rows are in FP64; for other precisions a default run shows the roof alone.
    const bool plain = warps == 0 && !sustained, fp64 = ceiling.precision == "fp64";
    variant.selection = plain && fp64                          ? Selection::quick
                        : plain && operation == Operation::fma ? Selection::standard
                                                               : Selection::full;
    suite.add_ceiling(std::move(variant));
  };
  for (const auto& precision :
       {Precision{"fp64", listed(cuda_flops_fp64()), 0, 0}, Precision{"fp32", fp32_kernels(capability), 0, 0},
        Precision{"fp16x2", listed(cuda_flops_fp16()), 53, 53},
        Precision{"bf16x2", listed(cuda_flops_bf16()), 80, 90}}) {
    if (capability < precision.capability) continue;
    add(precision, Operation::fma);
    if (capability >= precision.unfused_capability)
      for (const auto operation : {Operation::nofma, Operation::add, Operation::mul}) add(precision, operation);
    add(precision, Operation::div);
    // Latency and parallelism: one chain per thread or several; from one warp, which leaves three of an SM's four
    // schedulers idle, to as many as hide every latency.
    for (const int warps : {1, 4, 8, 16, 32})
      for (const bool one_chain : {true, false}) add(precision, Operation::fma, warps, one_chain);
    if (format_of(precision.kernels.front()).lanes == 1) add(precision, Operation::fma, 0, false, true);
  }
  return missing;
}

}  // namespace roofline

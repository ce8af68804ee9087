#include "microkernels/cuda/flops/flops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "bench/cuda/error.hpp"
#include "bench/cuda/event_timer.hpp"
#include "bench/model/ceiling_name.hpp"
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

constexpr std::int64_t most_steps = std::int64_t{1} << 28;

struct State {
  CudaFlopsKernel kernel;
  cuda::DeviceBuffer<int> in;
  int blocks, threads;
  DeviceWords out;
  LoopLaunch launch;

  State(const CudaFlopsKernel& k, int n_blocks, int n_threads, const std::vector<int>& words)
      : kernel(k),
        in(words.data(), static_cast<Index>(words.size())),
        blocks(n_blocks),
        threads(n_threads),
        out(Index{2} * blocks + Index{blocks} * threads) {
    const auto operands = flops_operands(kernel);
    launch = {blocks, threads, 1, out.data(), in.data(), operands.scale, operands.offset};
  }

  void run(int iterations) {
    launch.iterations = iterations;
    cuda::require(kernel.launch(launch), fmt::format("launch of the {} ceiling", kernel.precision));
  }

  Check check() const {
    // A launch of some tens of milliseconds is far below; a body that was compiled away calibrates to anything.
    if (const auto steps = std::int64_t{launch.iterations} * kernel.steps; steps > most_steps)
      return {false, fmt::format("{} steps in one launch: the kernel does nothing on this device", steps)};
    const auto words = out.download();
    const auto want = expected_checksum(kernel, std::int64_t{launch.iterations} * kernel.steps);
    for (int thread = 0; thread < blocks * threads; ++thread)
      if (const auto got = words[static_cast<std::size_t>(2 * blocks + thread)]; got != want)
        return {false, fmt::format("thread {} of {}: checksum {:#x} of its {} chains, expected {:#x} after {} steps",
                                   thread, blocks * threads, got, kernel.chains, want,
                                   std::int64_t{launch.iterations} * kernel.steps)};
    return {};
  }
};

const char* text_of(Operands operands) {
  constexpr std::array names{"b*s+o", "b*b+o", "b*s+b", "b*s+o from constants"};
  return names[static_cast<std::size_t>(operands)];
}

double flops_per_step(CudaForm form) { return form == CudaForm::fma || form == CudaForm::mul_add ? 2 : 1; }

CeilingWork make_workload(const CudaFlopsKernel& kernel, Shape shape, const Gpu& gpu, const Ceiling& ceiling) {
  const int fitting = std::min(shape.blocks_per_sm, kernel.blocks_per_sm(shape.threads));
  if (fitting == 0) throw NoSuchCeiling("this build has no code for it (ROOFLINE_CUDA_ARCHITECTURES)");
  const auto state = std::make_shared<State>(kernel, fitting * gpu.sms, shape.threads, input_words(kernel));
  const int iterations = calibrate_cuda([&](int n) { state->run(n); });

  CeilingWork work;
  work.launch = [state, iterations] { state->run(iterations); };
  work.time = cuda::event_timer(work.launch);
  work.check = [state] { return state->check(); };
  work.work = flops_per_step(kernel.form) * format_of(kernel).lanes * kernel.chains * kernel.steps *
              static_cast<double>(iterations) * state->blocks * state->threads;
  work.variant = fmt::format("{}{} chain{}, {}{}{} warps/SM", kernel.chains,
                             kernel.precision == std::string_view("fp32x2") ? " x2" : "", kernel.chains == 1 ? "" : "s",
                             kernel.form == CudaForm::fma ? text_of(kernel.operands) : "",
                             kernel.form == CudaForm::fma ? ", " : "", fitting * shape.threads / 32);
  work.clock = [state] { return clock_of(state->out, state->blocks); };
  if (const auto per_clock = flops_per_clock(gpu, ceiling))
    work.theory = [clock = work.clock, rate = *per_clock * gpu.sms] { return rate * clock(); };
  return work;
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
    // The rows are in FP64; of other precisions a default run shows the roof alone.
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

#pragma once
#include <vector>

namespace roofline {

/// FMAs for each division of Form::fmas_div.
inline constexpr int fmas_per_division = 48;

/// One step of a register chain b, with the operands A ("scale") and a ("offset") in registers.
enum class Form {
  fma,          ///< b = fma(b, A, a)
  mul_add,      ///< b = b * A, then b = b + a
  mul_and_add,  ///< even chains b = b * A, odd chains b = b + a: nothing waits for the other kind
  add,          ///< b = b + a
  mul,          ///< b = b * A
  div,          ///< b = b / A
  div_fma,      ///< b = fma(b / A, A, a): a division and a fused multiply-add
  fmas_div      ///< as fma, and after each fmas_per_division of these d = d / A, of two more registers in turns
};

/// FLOPs of one chain and lane in one step.
constexpr double flops_per_step(Form form) {
  switch (form) {
    case Form::fmas_div:
      return 2 + 1.0 / fmas_per_division;
    case Form::fma:
    case Form::mul_add:
      return 2;
    case Form::div_fma:
      return 3;
    default:
      return 1;
  }
}

/// A loop that holds `chains` independent registers of `lanes` elements and lets all of them take `steps` steps.
struct FlopsKernel {
  Form form;
  int element_bytes;  ///< 8 or 4
  int lanes;          ///< 1: scalar instructions
  int chains;
  /// Starts all lanes at `start`, writes chains x lanes elements to `out`, behind them those of `dividing` registers.
  /// `steps` is a multiple of step_unroll.
  void (*run)(void* out, double start, double scale, double offset, long steps);
  int dividing = 0;  ///< further registers, which only divide
};
/// How often each of the registers that only divide has done so.
constexpr long divisions(const FlopsKernel& kernel, long steps) {
  return kernel.dividing == 0 ? 0 : steps * kernel.chains / (fmas_per_division * kernel.dividing);
}
inline constexpr int step_unroll = 8;

/// A chain of `links` dependent integer multiplications, three cycles each, with vector instructions next to them that
/// make nothing wait: its time tells the clock that the core keeps for such instructions.
using ClockedLoad = void (*)(long links);
inline constexpr int cycles_per_link = 3, link_unroll = 12;  ///< `links` is a multiple of it

struct FlopsKernels {
  const FlopsKernel* data = nullptr;
  int size = 0;
  const FlopsKernel* begin() const { return data; }
  const FlopsKernel* end() const { return data + size; }
};

/// The chain alone, which stands for what is narrower than 256 bit; null where its latency is not known.
ClockedLoad clocked_baseline();
/// With vectors of 256 or 512 bit, dense: two FMAs next to each link; else one next to two links, each waiting for the
/// last as in one chain. Null where the compiler has none.
ClockedLoad clocked_256(bool dense);
ClockedLoad clocked_512(bool dense);

/// Scalar and 128-bit instructions of the architecture's baseline.
FlopsKernels flops_baseline();
/// 256-bit instructions (AVX2, and with it the scalar and 128-bit fused ones; SVE); empty where the compiler has none.
FlopsKernels flops_256();
/// 512-bit instructions (AVX-512F, SVE); empty where the compiler has none.
FlopsKernels flops_512();
/// All that this CPU runs.
std::vector<FlopsKernel> flops_kernels_of_this_cpu();

}  // namespace roofline

#include <fmt/format.h>

#include <memory>
#include <vector>

#include "bench/model/ceiling.hpp"
#include "bench/suite/suite.hpp"
#include "microkernels/calibrate.hpp"
#include "microkernels/ceilings.hpp"
#include "microkernels/one_region.hpp"

namespace roofline {
namespace {

constexpr long per_step = 66;  // 64 of a kind and the two of the loop

/// `steps` times 64 instructions that wait for nothing, in one of several shapes; returns what is left of `steps`.
struct InstructionStream {
  const char* name;
  long (*run)(long steps);
};

#if defined(__x86_64__)
#define ROOFLINE_STREAM(text, instruction, ...)                                                 \
  {                                                                                             \
    text, [](long steps) {                                                                      \
      asm volatile(".p2align 6\n1:\n\t.rept 64\n\t" instruction "\n\t.endr\n\tdec %0\n\tjnz 1b" \
                   : "+r"(steps)                                                                \
                   :                                                                            \
                   : "cc" __VA_OPT__(, ) __VA_ARGS__);                                          \
      return steps;                                                                             \
    }                                                                                           \
  }
// Which shape is delivered fastest depends on how many bytes and how many instructions a fetch, a decoder and a line of
// the cache of decoded ones take. None of them needs a unit: a register is set to zero where it is renamed.
const std::vector<InstructionStream> streams{
    ROOFLINE_STREAM("nop of 1 B", "nop"),
    ROOFLINE_STREAM("nop of 4 B", "nopl 0(%%rax)"),
    ROOFLINE_STREAM("nop of 8 B", "nopl 0x12345678(%%rax,%%rax)"),
    ROOFLINE_STREAM("zeroing", "xorl %%eax, %%eax", "eax"),
};
#undef ROOFLINE_STREAM
#elif defined(__aarch64__)
const std::vector<InstructionStream> streams{{"nop", [](long steps) {
                                                asm volatile(
                                                    ".p2align 6\n1:\n\t.rept 64\n\tnop\n\t.endr\n\t"
                                                    "subs %0, %0, #1\n\tb.ne 1b"
                                                    : "+r"(steps)
                                                    :
                                                    : "cc");
                                                return steps;
                                              }}};
#else
const std::vector<InstructionStream> streams;
#endif

CeilingWork make_workload(const InstructionStream& stream, int threads) {
  const auto left = std::make_shared<std::vector<long>>(threads, -1);
  const long steps = calibrate(stream.run, 1);
  CeilingWork workload;
  workload.from_cache = false;
  launch_in_one_region(workload, [=, run = stream.run](long launches) {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int thread = 0; thread < threads; ++thread) (*left)[static_cast<std::size_t>(thread)] = run(launches * steps);
  });
  workload.check = [left, steps]() -> Check {
    for (std::size_t thread = 0; thread < left->size(); ++thread)
      if ((*left)[thread] != 0)
        return {false,
                fmt::format("thread {}: {} of {} steps left, expected exactly 0", thread, (*left)[thread], steps)};
    return {};
  };
  workload.work = static_cast<double>(threads) * static_cast<double>(steps) * per_step;
  workload.variant = stream.name;
  return workload;
}

}  // namespace

void add_instruction_ceilings(Suite& suite) {
  CeilingVariant variant;
  variant.ceiling.kind = Ceiling::Kind::instructions;
  variant.ceiling.threads = suite.threads();
  variant.ceiling.name = ceiling_name(variant.ceiling);
  variant.selection = Selection::standard;
  for (const auto& stream : streams)
    variant.make.push_back([stream, threads = suite.threads()] { return make_workload(stream, threads); });
  if (!variant.make.empty()) suite.add_ceiling(std::move(variant));
}

}  // namespace roofline

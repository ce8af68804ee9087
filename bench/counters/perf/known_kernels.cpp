#include "bench/counters/perf/known_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "bench/counters/unavailable.hpp"

namespace roofline::perf {
namespace {

using enum CpuQuantity;

constexpr double flops_tolerance = 0.01, bytes_tolerance = 0.05;
constexpr double instructions_tolerance = 0.01, cycles_tolerance = 0.02;
constexpr double stray_flops = 1000;  // of the runtime, in a kernel without any
constexpr long steps = 1 << 18;

volatile double floating_sink;
volatile std::uint64_t sink;

/// steps x (one multiplication, one addition) in each lane: contraction is off.
template <class Real, int lanes>
void multiply_and_add() {
  typedef Real Pack __attribute__((vector_size(sizeof(Real) * lanes)));
  Pack x{}, a{}, b{};
  for (int i = 0; i < lanes; ++i) x[i] = Real(1), a[i] = Real(0.5), b[i] = Real(i + 1);
  for (long i = 0; i < steps; ++i) {
    x = x * a + b;
    asm volatile("" : : "m"(x) : "memory");  // every step happens
  }
  floating_sink = static_cast<double>(x[0]);
}

template <class Real>
void fused() {
  Real x = 1;
  for (long i = 0; i < steps; ++i) {
    x = sizeof(Real) == 8 ? static_cast<Real>(__builtin_fma(x, 0.5, 1.0)) : __builtin_fmaf(x, 0.5F, 1.0F);
    asm volatile("" : "+m"(x));
  }
  floating_sink = static_cast<double>(x);
}

#if defined(__x86_64__) || defined(__aarch64__)
#define ROOFLINE_COUNTED_LOOP
constexpr long loop_instructions = 66, loop_steps = 1 << 18;
#if defined(__x86_64__)
constexpr long cycles_per_link = 3;  // of a multiplication that waits for the one before: Zen 2 to 5, Skylake and later

void instructions_alone() {
  long left = loop_steps;
  asm volatile("1:\n\t.rept 64\n\tnop\n\t.endr\n\tdec %0\n\tjnz 1b" : "+r"(left) : : "cc");
}

void chain() {
  long left = loop_steps, link = 3;
  asm volatile("1:\n\t.rept 64\n\timul %1, %1\n\t.endr\n\tdec %0\n\tjnz 1b" : "+r"(left), "+r"(link) : : "cc");
}
#else
constexpr long cycles_per_link = 1;  // of an addition: Neoverse N1, V1, V2

void instructions_alone() {
  long left = loop_steps;
  asm volatile("1:\n\t.rept 64\n\tnop\n\t.endr\n\tsubs %0, %0, #1\n\tb.ne 1b" : "+r"(left) : : "cc");
}

void chain() {
  long left = loop_steps, link = 3;
  asm volatile("1:\n\t.rept 64\n\tadd %1, %1, %1\n\t.endr\n\tsubs %0, %0, #1\n\tb.ne 1b"
               : "+r"(left), "+r"(link)
               :
               : "cc");
}
#endif
#endif

/// The expected FLOPs of one precision and zero of the other. The sum over all precisions is the same number.
std::vector<KnownValue> flop_answers(bool fp64, double flops) {
  return {{fp64 ? flops_fp64 : flops_fp32, flops, flops_tolerance},
          {fp64 ? flops_fp32 : flops_fp64, 0, stray_flops},
          {CpuQuantity::flops, flops, flops_tolerance}};
}

template <class Function>
std::function<void()> by_all(int threads, Function function) {
  return [=] {
#pragma omp parallel num_threads(threads)
    function();
  };
}

template <class Real, int lanes>
void add_pack(std::vector<KnownLaunch>& kernels, int threads) {
  constexpr bool fp64 = sizeof(Real) == 8;
  kernels.push_back({fmt::format("mul and add in packs of {} FP{}", lanes, 8 * sizeof(Real)),
                     by_all(threads, multiply_and_add<Real, lanes>),
                     flop_answers(fp64, 2.0 * steps * lanes * threads)});
}

/// Memory that each thread touched first, `words` of 8 bytes for each of them.
struct Set {
  Set(int threads_, std::size_t words_)
      : threads(threads_), words(words_ / 8 * 8), data(new (std::align_val_t{64}) std::uint64_t[words * threads_]) {
    each([](std::uint64_t* part, std::size_t n) { std::memset(part, 1, n * sizeof *part); }, 1);
  }
  ~Set() { ::operator delete[](data, std::align_val_t{64}); }
  Set(const Set&) = delete;
  Set& operator=(const Set&) = delete;

  template <class Function>
  void each(Function function, int passes) const {
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int t = 0; t < threads; ++t)
      for (int pass = 0; pass < passes; ++pass) function(data + static_cast<std::size_t>(t) * words, words);
  }

  int threads;
  std::size_t words;
  std::uint64_t* data;
};

void load(std::uint64_t* part, std::size_t n) {
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < n; ++i) all ^= part[i];
  sink = all;
}

void update(std::uint64_t* part, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) part[i] ^= 0x5555;
}

#ifdef __SSE2__
void stream(std::uint64_t* part, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) __builtin_ia32_movnti64(reinterpret_cast<long long*>(part + i), 3);
  __builtin_ia32_sfence();
}
#endif

/// Data of one level: `passes` over `bytes` for each thread.
void add_level(std::vector<KnownLaunch>& kernels, int threads, MemoryLevel level, double bytes, int passes) {
  const auto set = std::make_shared<std::unique_ptr<Set>>();
  // Allocated at the first launch: a level whose counters are refused costs nothing.
  const auto repeat = [=](auto function) {
    return [=] {
      if (!*set) *set = std::make_unique<Set>(threads, static_cast<std::size_t>(bytes) / 8);
      (*set)->each(function, passes);
    };
  };
  const double moved = bytes * threads * passes;
  const auto read = level == MemoryLevel::L2 ? l2_read : level == MemoryLevel::L3 ? l3_read : dram_read;
  const auto written = level == MemoryLevel::L2 ? l2_written : level == MemoryLevel::L3 ? l3_written : dram_written;
  const auto where = fmt::format("{} sets of {:.3g} kB", name(level), bytes / 1000);
  std::vector<KnownValue> no_flops{
      {flops_fp64, 0, stray_flops}, {flops_fp32, 0, stray_flops}, {CpuQuantity::flops, 0, stray_flops}};
  auto answers = no_flops;
  answers.push_back({read, moved, bytes_tolerance});
  // A victim cache takes clean lines, so the data that loads write to L3 differ between machines.
  if (level != MemoryLevel::L3) answers.push_back({written, 0, bytes_tolerance * moved});
  kernels.push_back({"loads of " + where, repeat(load), answers});
  auto both = no_flops;
  both.push_back({read, moved, bytes_tolerance}), both.push_back({written, moved, bytes_tolerance});
  kernels.push_back({"updates of " + where, repeat(update), both});
#ifdef __SSE2__
  if (level != MemoryLevel::DRAM) return;
  auto stores = no_flops;
  stores.push_back({read, 0, bytes_tolerance * moved}), stores.push_back({written, moved, bytes_tolerance});
  kernels.push_back({"streaming stores to " + where, repeat(stream), stores});
#endif
}

}  // namespace

bool KnownOutcome::passed() const {
  return std::abs(counted - answer.expected) <= answer.tolerance * (answer.expected > 0 ? answer.expected : 1);
}

std::string KnownOutcome::text() const {
  const auto off = answer.expected > 0 ? fmt::format(" ({:+.1f} %)", 100 * (counted / answer.expected - 1)) : "";
  return fmt::format("{}: {:.6g} instead of {:.6g}{} for {}", name(answer.quantity), counted, answer.expected, off,
                     kernel);
}

std::vector<KnownLaunch> known_launches(int threads, const std::vector<CacheLevel>& caches, double largest_cache) {
  std::vector<KnownLaunch> kernels;
  add_pack<double, 1>(kernels, threads), add_pack<double, 2>(kernels, threads);
  add_pack<double, 4>(kernels, threads), add_pack<double, 8>(kernels, threads);
  add_pack<float, 1>(kernels, threads), add_pack<float, 4>(kernels, threads);
  add_pack<float, 8>(kernels, threads), add_pack<float, 16>(kernels, threads);
#ifdef __FP_FAST_FMA
  kernels.push_back({"FMA FP64", by_all(threads, fused<double>), flop_answers(true, 2.0 * steps * threads)});
  kernels.push_back({"FMA FP32", by_all(threads, fused<float>), flop_answers(false, 2.0 * steps * threads)});
#endif
#ifdef ROOFLINE_COUNTED_LOOP
  const double all_steps = static_cast<double>(loop_steps) * threads;
  kernels.push_back({"instructions that do nothing",
                     by_all(threads, instructions_alone),
                     {{instructions, loop_instructions * all_steps, instructions_tolerance}}});
  // A thread that waits for the others spins some of the time: few cycles, but in this kernel many instructions.
  kernels.push_back({"a chain of dependent instructions",
                     by_all(threads, chain),
                     {{cycles, 64 * cycles_per_link * all_steps, cycles_tolerance}}});
#endif
  // Halfway between the caches, so that hardly a line is found in the nearer one and none is lost by the level itself.
  for (std::size_t i = 0; i + 1 < caches.size() && i < 2; ++i) {
    const auto nearer = static_cast<double>(caches[i].size);
    const double share = static_cast<double>(caches[i + 1].size) / std::max(1U, caches[i + 1].shared_by);
    if (share < 4 * nearer) continue;
    const double bytes = std::floor(std::sqrt(nearer * share) / 64) * 64;
    add_level(kernels, threads, caches[i + 1].level, bytes, std::clamp(static_cast<int>(64e6 / bytes), 4, 4096));
  }
  if (largest_cache > 0)
    add_level(kernels, threads, MemoryLevel::DRAM, std::ceil(4 * largest_cache / threads / 64) * 64, 1);
  return kernels;
}

SelfTested self_test(const std::vector<Formula>& formulas, const std::vector<KnownLaunch>& kernels,
                     const std::function<EventCounts(const Formula&, const KnownLaunch&)>& count) {
  SelfTested result;
  for (const auto& formula : formulas) {
    std::string refused;
    bool asked = false;
    try {
      for (const auto& kernel : kernels) {
        const auto answer = std::find_if(kernel.answers.begin(), kernel.answers.end(),
                                         [&](const KnownValue& a) { return a.quantity == formula.quantity; });
        // The first failure decides: the others would only take time.
        if (answer == kernel.answers.end() || !refused.empty()) continue;
        auto events = count(formula, kernel);
        const auto value = formula.value(events);
        if (!value) throw CountersUnavailable("one of its events was not counted");
        const auto& outcome =
            result.outcomes.emplace_back(KnownOutcome{kernel.name, *answer, *value, std::move(events)});
        asked = true;
        if (!outcome.passed()) refused = outcome.text();
      }
      if (!asked) refused = fmt::format("{}: no kernel of known answers fits this machine", name(formula.quantity));
    } catch (const CountersUnavailable& why) {
      refused = fmt::format("{}: {}", name(formula.quantity), why.what());
    }
    if (refused.empty())
      result.passed.push_back(formula);
    else
      result.refused.push_back(refused);
  }
  return result;
}

}  // namespace roofline::perf

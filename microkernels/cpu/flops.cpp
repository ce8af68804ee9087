#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "bench/machine/clock.hpp"
#include "bench/machine/core_units.hpp"
#include "bench/model/ceiling.hpp"
#include "bench/model/statistics.hpp"
#include "bench/suite/suite.hpp"
#include "microkernels/calibrate.hpp"
#include "microkernels/ceilings.hpp"
#include "microkernels/cpu/flops_isa.hpp"
#include "microkernels/one_region.hpp"

namespace roofline {
namespace {

static_assert(fmas_per_division == fmas_beside_division);

// Operands with full mantissas, and every value stays normal for millions of steps: |scale| is just below 1.
constexpr double start = 1, scale = -(1 - 0x1p-20), offset = 0.1;

/// The required value of a lane of `chain` after `steps` steps: the same roundings, one operation after the other.
template <class T>
T expected_value(Form form, int chain, long steps) {
  const T factor = static_cast<T>(scale), summand = static_cast<T>(offset);
  T b = static_cast<T>(start);
  const bool multiplies = chain % 2 == 0;
  for (long i = 0; i < steps; ++i) {
    switch (form) {
      case Form::fma:
      case Form::fmas_div:
        b = std::fma(b, factor, summand);
        break;
      case Form::mul_add:
        b = b * factor;
        b = b + summand;
        break;
      case Form::mul_and_add:
        b = multiplies ? b * factor : b + summand;
        break;
      case Form::add:
        b = b + summand;
        break;
      case Form::mul:
        b = b * factor;
        break;
      case Form::div:
        b = b / factor;
        break;
      case Form::div_fma:
        b = std::fma(b / factor, factor, summand);
        break;
    }
  }
  return b;
}

/// Register contents that every thread wrote at the end of the last launch; a page each, so that none share a line.
template <class T>
using Results = std::vector<std::array<T, 4096 / sizeof(T)>>;

template <class T>
Check check_results(const Results<T>& results, const FlopsKernel& kernel, long steps) {
  const T even = expected_value<T>(kernel.form, 0, steps);
  const T odd = kernel.form == Form::mul_and_add ? expected_value<T>(kernel.form, 1, steps) : even;
  const T divided = kernel.dividing > 0 ? expected_value<T>(Form::div, 0, divisions(kernel, steps)) : 0;
  for (std::size_t thread = 0; thread < results.size(); ++thread)
    for (int i = 0; i < (kernel.chains + kernel.dividing) * kernel.lanes; ++i) {
      const T got = results[thread][static_cast<std::size_t>(i)];
      const int chain = i / kernel.lanes;
      const T want = chain >= kernel.chains ? divided : chain % 2 == 0 ? even : odd;
      if (got != want || !std::isnormal(got))
        return {false, fmt::format("thread {}, register element {}: got {}, expected exactly {} after {} steps", thread,
                                   i, got, want, steps)};
    }
  return {};
}

template <class T>
CeilingWork make_workload(const FlopsKernel& kernel, int threads) {
  const auto results = std::make_shared<Results<T>>(threads);
  for (auto& page : *results) page.fill(std::numeric_limits<T>::quiet_NaN());
  const auto run = [results, kernel](int thread, long steps) {
    kernel.run((*results)[static_cast<std::size_t>(thread)].data(), start, scale, offset, steps);
  };
  // On one thread: a team that has to wait for a busy core says nothing about the work.
  const long steps = calibrate([&](long n) { run(0, n); }, step_unroll);

  CeilingWork workload;
  workload.from_cache = false;
  const auto last = std::make_shared<long>(steps);  // of the last region
  launch_in_one_region(workload, [run, threads, steps, last](long launches) {
    *last = launches * steps;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int thread = 0; thread < threads; ++thread) run(thread, *last);
  });
  workload.check = [results, kernel, last] { return check_results(*results, kernel, *last); };
  workload.work = static_cast<double>(threads) * kernel.chains * kernel.lanes * flops_per_step(kernel.form) *
                  static_cast<double>(steps);
  workload.variant = fmt::format("{} chain{}{}", kernel.chains, kernel.chains == 1 ? "" : "s",
                                 kernel.form == Form::mul_and_add ? ", mul and add apart" : "");
  return workload;
}

Operation operation_of(Form form) {
  using enum Operation;
  constexpr Operation of[] = {fma, nofma, nofma, add, mul, div, divfma, fma48div};  // in the order of forms
  return of[static_cast<std::size_t>(form)];
}

std::string isa_of(const FlopsKernel& kernel) {
  if (kernel.lanes == 1) return "scalar";
#if defined(__aarch64__)
  constexpr const char* names[] = {"neon", "sve256", "sve512"};
#else
  constexpr const char* names[] = {"sse", "avx2", "avx512"};
#endif
  return names[kernel.lanes * kernel.element_bytes / 32];
}

/// Measures the clock while instructions like those of a compute ceiling run; null if nothing can.
ClockedLoad clocked_load(const Ceiling& ceiling) {
  if (ceiling.isa == "avx512") return clocked_512(ceiling.ilp);
  return ceiling.isa == "avx2" ? clocked_256(ceiling.ilp) : clocked_baseline();
}

/// Mean clock in Hz of `threads` cores that execute it: the median of so many runs of 0.1 ms, after a third as many.
double clock_under(ClockedLoad load, int threads) {
  constexpr long links = link_unroll * 10000L;
  constexpr int runs = 31, settling = runs / 3;  // the clock follows a new load within the first ms
  double sum = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : sum)
  for (int thread = 0; thread < threads; ++thread) {
    std::vector<double> clocks;
    for (int run = 0; run < settling + runs; ++run) {
      const auto start = Clock::now();
      load(links);
      const double elapsed = seconds_since(start);
      if (run >= settling) clocks.push_back(cycles_per_link * links / elapsed);
    }
    sum += median(clocks);
  }
  return sum / threads;
}

/// Many cores run wide vectors at a lower clock than the scalar chain by which the machine's is measured, the lower the
/// more of them are busy and the denser their work, and a clock moves within a run: theory is what the units give at
/// the clock of the moment.
void take_theory_at_its_clock(CeilingVariant& variant, double machine_clock) {
  const auto load = clocked_load(variant.ceiling);
  if (!load || machine_clock <= 0) return;
  const auto theory = [load, per_hz = *variant.ceiling.theory / machine_clock, threads = variant.ceiling.threads] {
    return per_hz * clock_under(load, threads);
  };
  for (auto& make : variant.make)
    make = [make, theory] {
      auto work = make();
      work.theory = theory;
      return work;
    };
}

/// Quick: the ceilings that make up the roofs of kernels. Standard: the lecture's ceilings below them, too.
Selection selection_of(const Ceiling& ceiling, bool best_isa, bool all_threads) {
  const bool fp64 = ceiling.precision == "fp64", fma = ceiling.operation == Operation::fma;
  if (ceiling.ilp && all_threads && best_isa && fp64 && ceiling.operation != Operation::divfma) return Selection::quick;
  if (!fma) return Selection::full;
  if (!ceiling.ilp) return fp64 && best_isa && !all_threads ? Selection::standard : Selection::full;
  if (all_threads) return fp64 || best_isa ? Selection::standard : Selection::full;
  return fp64 && best_isa ? Selection::standard : Selection::full;
}

}  // namespace

std::vector<FlopsKernel> flops_kernels_of_this_cpu() {
  std::vector<FlopsKernel> kernels;
  const auto append = [&](FlopsKernels more) { kernels.insert(kernels.end(), more.begin(), more.end()); };
  append(flops_baseline());
  if (runs_vectors_of(32)) append(flops_256());
  if (runs_vectors_of(64)) append(flops_512());
  return kernels;
}

void add_flops_ceilings(Suite& suite) {
  const auto kernels = flops_kernels_of_this_cpu();
  const std::vector<int> thread_counts = suite.threads() > 1 ? std::vector{suite.threads(), 1} : std::vector{1};
  std::string best_isa;
  for (const auto& kernel : kernels)
    if (kernel.lanes * kernel.element_bytes == widest_vector_bytes()) best_isa = isa_of(kernel);

  // Variants of one ceiling follow each other in the list of kernels only by chance: collect them by name.
  for (const int threads : thread_counts)
    for (const bool ilp : {true, false})
      for (const int element : {8, 4})
        for (std::size_t number = 0; number < operation_names.size(); ++number)
          for (const std::string isa : {"avx512", "avx2", "sse", "sve512", "sve256", "neon", "scalar"}) {
            CeilingVariant variant;
            auto& ceiling = variant.ceiling;
            ceiling.kind = Ceiling::Kind::compute;
            ceiling.precision = element == 8 ? "fp64" : "fp32";
            const auto operation = static_cast<Operation>(number);
            ceiling.operation = operation;
            ceiling.isa = isa;
            ceiling.ilp = ilp;
            ceiling.threads = threads;
            ceiling.name = ceiling_name(ceiling);
            for (const auto& kernel : kernels) {
              if (kernel.element_bytes != element || operation_of(kernel.form) != operation || isa_of(kernel) != isa ||
                  (kernel.chains > 1) != ilp)
                continue;
              if (element == 8)
                variant.make.push_back([kernel, threads] { return make_workload<double>(kernel, threads); });
              else
                variant.make.push_back([kernel, threads] { return make_workload<float>(kernel, threads); });
            }
            if (variant.make.empty()) continue;
            ceiling.theory = theoretical_rate(ceiling, suite.machine());
            if (ceiling.theory) take_theory_at_its_clock(variant, suite.machine().clock_hz);
            variant.selection = selection_of(ceiling, isa == best_isa, threads == suite.threads());
            const bool roof =
                ilp && element == 8 && operation == Operation::fma && isa == best_isa && threads == suite.threads();
            if (roof) suite.add_sustained(variant, Selection::full);
            suite.add_ceiling(std::move(variant));
          }
}

}  // namespace roofline

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "bench/machine/core_units.hpp"
#include "bench/model/ceiling.hpp"
#include "bench/suite/suite.hpp"
#include "microkernels/calibrate.hpp"
#include "microkernels/ceilings.hpp"
#include "microkernels/cpu/flops_isa.hpp"
#include "microkernels/cpu/functions_kernels.hpp"
#include "microkernels/one_region.hpp"

namespace roofline {
namespace {

/// One number whose operations are counted, by the account of kernels: a fused multiply-add is two.
struct CountedNumber : Lanes<double, 1> {
  static inline int flops = 0;
  using Base = Lanes<double, 1>;
  static CountedNumber counted(int more, Base value) {
    flops += more;
    return {value};
  }
  static CountedNumber broadcast(double x) { return {Base::broadcast(x)}; }
  static CountedNumber add(Base a, Base b) { return counted(1, Base::add(a, b)); }
  static CountedNumber sub(Base a, Base b) { return counted(1, Base::sub(a, b)); }
  static CountedNumber mul(Base a, Base b) { return counted(1, Base::mul(a, b)); }
  static CountedNumber div(Base a, Base b) { return counted(1, Base::div(a, b)); }
  static CountedNumber multiply_add(Base a, Base b, Base c) { return counted(2, Base::multiply_add(a, b, c)); }
};

/// An argument of `function` and its value by the system's library.
struct Point {
  double x, value;
};
Point point_of(Function function, int i) {
  const double part = std::fmod(0.6180339887498949 * (i + 1), 1.0);
  switch (function) {
    case Function::exp:
      return {40 * part - 20, std::exp(40 * part - 20)};
    case Function::log:
      return {100 * part, std::log(100 * part)};
    case Function::sin:
      return {60 * part - 30, std::sin(60 * part - 30)};
    default:
      return {100 * part, std::sqrt(100 * part)};
  }
}

using FunctionArguments = std::array<double, 4096 / sizeof(double)>;  // a page each, so that threads share no line

CeilingWork make_workload(const FunctionKernel& kernel, int threads, double work_of_a_call) {
  const auto x = std::make_shared<FunctionArguments>();
  for (int i = 0; i < function_arguments; ++i) (*x)[static_cast<std::size_t>(i)] = point_of(kernel.function, i).x;
  const auto results = std::make_shared<std::vector<FunctionArguments>>(threads);
  for (auto& page : *results) page.fill(std::numeric_limits<double>::quiet_NaN());
  const auto run = [=](int thread, long steps) {
    kernel.run(x->data(), (*results)[static_cast<std::size_t>(thread)].data(), steps);
  };
  const long steps = calibrate([&](long n) { run(0, n); }, 1);
  CeilingWork workload;
  workload.from_cache = false;
  launch_in_one_region(workload, [=](long launches) {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int thread = 0; thread < threads; ++thread) run(thread, launches * steps);
  });
  workload.check = [=]() -> Check {
    for (const auto& page : *results) {
      const auto expected = [&](Index i) { return point_of(kernel.function, static_cast<int>(i)).value; };
      if (auto check = compare(page.data(), expected, function_arguments, 1e-15, 1); !check.ok) return check;
    }
    return {};
  };
  workload.work = static_cast<double>(threads) * static_cast<double>(steps) * function_arguments * work_of_a_call;
  workload.variant = fmt::format("vectors of {} doubles", kernel.lanes);
  return workload;
}

std::vector<FunctionKernel> kernels_of(Function function) {
  std::vector<FunctionKernel> all;
  for (const auto& kernel : function_kernels_of_this_cpu())
    if (kernel.function == function) all.push_back(kernel);
  return all;
}

/// Each function in both accounts: a call is one FLOP, "exp", or as many as its series has, "exp_counted".
void add_function_ceilings(Suite& suite) {
  for (const auto function : all_functions)
    for (const bool counted : {false, true}) {
      CeilingVariant variant;
      auto& ceiling = variant.ceiling;
      ceiling.kind = Ceiling::Kind::rate;
      ceiling.resource = std::string(name(function)) + (counted ? "_counted" : "");
      ceiling.unit = counted ? "FLOP" : name(function);
      ceiling.threads = suite.threads();
      ceiling.name = ceiling_name(ceiling);
      variant.selection = Selection::full;
      const double work = counted ? flops_of_call(function) : 1;
      for (const auto& kernel : kernels_of(function))
        variant.make.push_back([=, threads = suite.threads()] { return make_workload(kernel, threads, work); });
      suite.add_ceiling(std::move(variant));
    }
}

const CeilingRegistrar functions_registered(Platform::cpu, add_function_ceilings);

}  // namespace

int flops_of_call(Function function) {
  const CountedNumber x = {{1.5}};
  CountedNumber::flops = 0;
  if (function == Function::exp) exponential(x);
  if (function == Function::log) logarithm(x);
  if (function == Function::sin) sine(x);
  return function == Function::sqrt ? 1 : CountedNumber::flops;
}

std::vector<FunctionKernel> function_kernels_of_this_cpu() {
  std::vector<FunctionKernel> all;
  const auto append = [&](FunctionKernels more) {
    if (more.data) all.insert(all.end(), more.data, more.data + function_count);
  };
  append(functions_baseline());
  if (runs_vectors_of(32)) append(functions_256());
  if (runs_vectors_of(64)) append(functions_512());
  return all;
}

}  // namespace roofline

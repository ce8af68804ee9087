#pragma once
#include <vector>

namespace roofline {

/// Functions of a real number. A processor has an instruction for the first at most: the others are series.
enum class Function { sqrt, exp, log, sin };
inline constexpr Function all_functions[] = {Function::sqrt, Function::exp, Function::log, Function::sin};
constexpr const char* name(Function function) {
  constexpr const char* names[] = {"sqrt", "exp", "log", "sin"};
  return names[static_cast<int>(function)];
}

inline constexpr int function_arguments = 64;  ///< of one step, which stay in L1

/// y[i] = function(x[i]) for function_arguments numbers, `steps` times, to 4 ulp: exp for |x| < 700, log for normal
/// numbers above 0, sin for |x| < 10^5.
struct FunctionKernel {
  Function function;
  int lanes;
  void (*run)(const double* x, double* y, long steps);
};
inline constexpr int function_count = 4;
struct FunctionKernels {
  const FunctionKernel* data = nullptr;  ///< one for each function, or null where the compiler has none
};

FunctionKernels functions_baseline();
FunctionKernels functions_256();
FunctionKernels functions_512();
/// All that this CPU runs.
std::vector<FunctionKernel> function_kernels_of_this_cpu();

/// FLOPs of one call: those of its series, counted while it is executed; 1 for a square root.
int flops_of_call(Function function);

}  // namespace roofline

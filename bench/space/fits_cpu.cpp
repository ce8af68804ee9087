// Compiled for the architecture's baseline and run before anything that is not: a program that was built on another
// machine ends with a line that says so, not with an illegal instruction.
#include <unistd.h>

#include <cstring>

#include "bench/space/built_for.hpp"
#if defined(__aarch64__)
#include <sys/prctl.h>
#endif

namespace {

constexpr int exit_wrong_cpu = 3;  // of the documented codes: the device cannot be used

[[noreturn]] void refuse(const char* line) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, line, std::strlen(line));
  _exit(exit_wrong_cpu);
}

[[gnu::constructor(101)]] void require_cpu() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl");
  if (roofline::built_for.avx512 && !avx512)
    refuse(
        "this program was built for AVX-512, which this CPU has not: build it on this machine, or with "
        "-DROOFLINE_ARCH=x86-64-v3\n");
  if (roofline::built_for.avx2 && !avx2)
    refuse(
        "this program was built for AVX2, which this CPU has not: build it on this machine, or with "
        "-DROOFLINE_ARCH=x86-64\n");
#elif defined(__aarch64__)
  const int vector = prctl(PR_SVE_GET_VL);
  if (const int bits = roofline::built_for.sve_bits;
      bits > 0 && (vector < 0 || 8 * (vector & PR_SVE_VL_LEN_MASK) != bits))
    refuse(
        "this program was built for another length of SVE registers than this CPU has: build it on this machine, or "
        "with -DROOFLINE_SVE_BITS=\n");
#endif
}

}  // namespace

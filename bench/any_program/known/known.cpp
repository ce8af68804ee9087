// A program of known counts, compiled for x86-64-v3. `roofline cpu --doctor` runs it.
#include <thread>

namespace {
constexpr int triad_size = 20000, triads = 10, operations = 1000;
double a[triad_size], b[triad_size], c[triad_size];
}  // namespace

extern "C" {
[[gnu::noipa]] void known_triad(double* __restrict x, const double* __restrict y, const double* __restrict z) {
  for (int i = 0; i < triad_size; ++i) x[i] = y[i] + 3.0 * z[i];
}
[[gnu::noipa]] double known_divide(double x) {
  for (int i = 0; i < operations; ++i) x = 1.5 / x;
  return x;
}
[[gnu::noipa]] double known_root(double x) {
  for (int i = 0; i < operations; ++i) x = __builtin_sqrt(x);
  return x;
}
[[gnu::noipa]] float known_single(float x) {
  for (int i = 0; i < operations; ++i) x = x + 0.5f;
  return x;
}
[[gnu::noipa]] long double known_extended(long double x) {
  for (int i = 0; i < operations; ++i) x = x * 1.0001L;
  return x;
}
[[gnu::noipa]] void known_thread(double* x) {
  double sum = *x;
  for (int i = 0; i < operations; ++i) sum = sum + 1.25;
  *x = sum;
}
}

// Its multiplication crosses the end of a page.
__asm__(
    ".text\n.globl known_page_end\n.type known_page_end, @function\n.p2align 12\n.skip 4096-7\n"
    "known_page_end: mov $1000, %ecx\n1: vmulpd %ymm1, %ymm0, %ymm0\ndec %ecx\njnz 1b\nret\n"
    ".size known_page_end, .-known_page_end\n");
extern "C" void known_page_end();

int main(int arguments, char**) {
  for (int i = 0; i < triads; ++i) known_triad(a, b, c);
  double one = arguments, two = arguments;
  std::thread first(known_thread, &one), second(known_thread, &two);
  first.join(), second.join();
  known_page_end();
  const auto sum = known_divide(arguments + 1) + known_root(arguments) + known_single(1.0f) +
                   static_cast<double>(known_extended(arguments));
  return sum + one + two + a[0] > 0 ? 0 : 1;
}

// FMAs of single precision in registers, in two threads: 8 chains x 8 lanes x 2 x 10,000,000 x 2 = 2,560,000,000 FLOPs.
#include <stdio.h>

typedef float Vector __attribute__((vector_size(32)));

#define CHAIN(a) a = a * m + c, ({ __asm__ volatile("" : "+x"(a)); })

__attribute__((noipa)) static float chains(long n, float x) {
  Vector m = (Vector){} + 0.999f, c = (Vector){} + x;
  Vector a0 = c, a1 = c, a2 = c, a3 = c, a4 = c, a5 = c, a6 = c, a7 = c;
  for (long i = 0; i < n; ++i) {
    CHAIN(a0), CHAIN(a1), CHAIN(a2), CHAIN(a3);
    CHAIN(a4), CHAIN(a5), CHAIN(a6), CHAIN(a7);
  }
  const Vector sum = a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7;
  return sum[0];
}

int main(void) {
  float sum = 0;
#pragma omp parallel for num_threads(2) reduction(max : sum)
  for (int t = 0; t < 2; ++t) {
    const float value = chains(10000000, t);
    sum = value > sum ? value : sum;
  }
  printf("%g\n", sum);
}

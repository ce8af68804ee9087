// FMAs of single precision in registers, in two threads: 8 chains x 8 lanes x 2 x 10,000,000 x 2 = 2,560,000,000 FLOPs.
#include <stdio.h>

typedef float Vector __attribute__((vector_size(32)));

__attribute__((noipa)) static float chains(long n, float x) {
  Vector chain[8], m = (Vector){} + 0.999f, c = (Vector){} + x;
  for (int k = 0; k < 8; ++k) chain[k] = c + k;
  for (long i = 0; i < n; ++i)
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) {
      chain[k] = chain[k] * m + c;
      __asm__ volatile("" : "+x"(chain[k]));
    }
  float sum = 0;
  for (int k = 0; k < 8; ++k) sum = chain[k][0] > sum ? chain[k][0] : sum;
  return sum;
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

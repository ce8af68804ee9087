/* Loops, and what the compiler inlines, at lines that known_answers_test.cpp knows. */
#include <stdio.h>

#define KERNEL __attribute__((noipa))
enum { rows = 100, columns = 200 };
static double a[rows * columns], b[rows * columns];

static inline __attribute__((always_inline)) double square(double x) { return x * x; }
static inline __attribute__((always_inline)) double length(double x, double y) {
  return square(x) + square(y); /* two products in square, one sum here */
}

KERNEL double nested(const double* from) {
  double sum = 1;
  for (int i = 0; i < rows; ++i) {                                        /* line 15 */
    sum = 1.5 / sum;
    for (int j = 0; j < columns; ++j) sum = sum - from[i * columns + j];  /* line 17 */
  }
  for (int i = 0; i < rows; ++i) sum = sum * 1.25;                        /* line 19 */
  return sum;
}
KERNEL void lengths(double* to, const double* x) {
  for (int i = 0; i < rows * columns; ++i) to[i] = length(x[i], to[i]);   /* line 23 */
}

int main(void) {
  double sum = nested(b);
  lengths(a, b);
  printf("%d\n", sum > 0);
  return 0;
}

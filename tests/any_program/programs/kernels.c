/* Functions whose operations are known, see known_answers_test.cpp. */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define KERNEL __attribute__((noipa))
enum { n = 4096, edge = 18, size = 48, operations = 1000, reps = 4 };
static double a[n], b[n], c[n], u[edge * edge * edge], v[edge * edge * edge], x[size * size], y[size * size], z[size * size];
static float f[n];

KERNEL void triad(double* restrict to, const double* restrict left, const double* restrict right, double scale) {
  for (int i = 0; i < n; ++i) to[i] = left[i] + scale * right[i];
}
KERNEL void stencil(double* restrict to, const double* restrict from, double w) {
  for (int k = 1; k < edge - 1; ++k)
    for (int j = 1; j < edge - 1; ++j)
      for (int i = 1; i < edge - 1; ++i) {
        const double* p = from + (k * edge + j) * edge + i;
        to[p - from] = w * (p[0] + p[1] + p[-1] + p[edge] + p[-edge] + p[edge * edge] + p[-edge * edge]);
      }
}
KERNEL void product(double* restrict to, const double* restrict left, const double* restrict right) {
  for (int i = 0; i < size; ++i)
    for (int k = 0; k < size; ++k)
      for (int j = 0; j < size; ++j) to[i * size + j] += left[i * size + k] * right[k * size + j];
}
KERNEL double divide(double t) {
  for (int i = 0; i < operations; ++i) t = 1.5 / t;
  return t;
}
KERNEL void single(float* to, float scale) {
  for (int i = 0; i < n; ++i) to[i] = to[i] * scale;
}
#ifdef __x86_64__
KERNEL long double extended(long double t) {
  for (int i = 0; i < operations; ++i) t = t * 1.0001L + 1;
  return t;
}
KERNEL double root(double t) {
  for (int i = 0; i < operations; ++i) __asm__("vsqrtsd %0, %0, %0" : "+x"(t));
  return t;
}
KERNEL double horizontal(void) {
  double t = 1;
  for (int i = 0; i < operations; ++i) __asm__("vhaddpd %0, %0, %0" : "+x"(t));
  return t;
}
KERNEL double fused(const double* from) {
  double t = 1;
  for (int i = 0; i < operations; ++i) __asm__("vfmadd213sd %1, %0, %0" : "+x"(t) : "m"(from[i]));
  return t;
}
/* The length of a text, as old compilers look for its end: of at most 2^64 bytes. */
KERNEL long scan(const char* text) {
  long left = -1;
  __asm__ volatile("repne scasb" : "+c"(left), "+D"(text) : "a"(0) : "memory", "cc");
  return -2 - left;
}
KERNEL void stream(double* to) {
  for (int i = 0; i < n; i += 4) __asm__ volatile("vmovntpd %%ymm0, (%0)" : : "r"(to + i) : "memory");
}
/* vmulpd of 4 bytes with its last two on the next page. */
__asm__(".text\n.globl page_end\n.type page_end, @function\n.p2align 12\n.skip 4096-6\npage_end: mov $1000, %ecx\n"
        "1: vmulpd %ymm1, %ymm0, %ymm0\ndec %ecx\njnz 1b\nret\n.size page_end, .-page_end\n");
__asm__(".text\n.globl page_cut\n.type page_cut, @function\n.p2align 12\n.skip 4096-7\npage_cut: mov $1000, %ecx\n"
        "1: vmulpd %ymm1, %ymm0, %ymm0\ndec %ecx\njnz 1b\nret\n.size page_cut, .-page_cut\n");
/* Code that is in no file, as a compiler at run time makes it: a loop of divsd. */
double made(double t) {
  const unsigned char code[] = {0xb9, 0xe8, 3, 0, 0, 0xf2, 0x0f, 0x5e, 0xc1, 0xff, 0xc9, 0x75, 0xf8, 0xc3};
  void* at = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return ((double (*)(double, double))memcpy(at, code, sizeof code))(t, 2);
}
void page_end(void);
void page_cut(void);

#endif

int main(void) {
  for (int r = 0; r < reps; ++r) {
    triad(a, b, c, 3);
    stencil(v, u, 0.25);
    product(x, y, z);
  }
  double sum = divide(2);
  single(f, 2);
#ifdef __x86_64__
  sum += root(2) + (double)extended(1) + horizontal() + fused(b) + made(1);
  stream(a);
  sum += scan("a text of 23 characters");
  page_end();
  page_cut();
#endif
  printf("%d\n", sum > 0);
  return 0;
}

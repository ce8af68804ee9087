/* Vector instructions of which a mask lets some lanes through, see known_answers_test.cpp. */
#include <stdio.h>

enum { n = 1000 };
static double data[64];
#define REPEAT(what, ...) \
  for (int i = 0; i < n; ++i) __asm__ volatile(what : : __VA_ARGS__ : "xmm0", "xmm1", "xmm2", "k1", "k2", "memory")

__attribute__((noipa)) void whole(void) { REPEAT("vaddpd %%zmm1, %%zmm2, %%zmm0", "i"(0)); }
__attribute__((noipa)) void some(int mask) { REPEAT("kmovw %0, %%k1\nvmulpd %%zmm1, %%zmm2, %%zmm0%{%%k1%}", "r"(mask)); }
__attribute__((noipa)) void fused(int mask) {
  REPEAT("kmovw %0, %%k2\nvfmadd231ps %%ymm1, %%ymm2, %%ymm0%{%%k2%}%{z%}", "r"(mask));
}
__attribute__((noipa)) void none(void) { REPEAT("kxorw %%k1, %%k1, %%k1\nvdivpd %%zmm1, %%zmm2, %%zmm0%{%%k1%}", "i"(0)); }
__attribute__((noipa)) void one(void) { REPEAT("kmovw %0, %%k1\nvsubsd %%xmm1, %%xmm2, %%xmm0%{%%k1%}", "r"(i)); }
__attribute__((noipa)) void loaded(const double* from, int mask) {
  REPEAT("kmovw %1, %%k1\nvmovupd (%0), %%zmm0%{%%k1%}", "r"(from), "r"(mask));
}
__attribute__((noipa)) void gathered(const double* from, int mask) {
  REPEAT("vpxorq %%zmm1, %%zmm1, %%zmm1\nkmovw %1, %%k1\nvgatherqpd (%0,%%zmm1,8), %%zmm0%{%%k1%}", "r"(from), "r"(mask));
}

int main(void) {
  whole();
  some(0x1000 | 0x85); /* lanes beyond the vector's do not count */
  fused(0x1f);
  none();
  one();
  loaded(data, 0x31);
  gathered(data, 0xf1);
  puts("done");
  return 0;
}

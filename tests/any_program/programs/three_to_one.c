/* Two loops of the same instructions, one three times as long as the other. */
#include <stdlib.h>

#define LOOP                                                                            \
  double t = 1;                                                                         \
  for (long i = 0; i < times; ++i) __asm__ volatile("vaddsd %0, %0, %0" : "+x"(t));     \
  return t

__attribute__((noipa)) double once(long times) { LOOP; }
__attribute__((noipa)) double thrice(long times) { LOOP; }

int main(int count, char** words) {
  const long times = count > 1 ? atol(words[1]) : 1000;
  double sum = 0;
  for (int i = 0; i < 10; ++i) sum += once(times) + thrice(3 * times);
  return sum == 0;
}

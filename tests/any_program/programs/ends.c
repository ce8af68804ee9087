/* Programs that end, compute or take time in other ways than one wishes, by their first argument. */
#include <cpuid.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

__attribute__((noipa)) double spin(long times) {
  double t = 1;
  for (long i = 0; i < times; ++i) __asm__ volatile("vaddsd %0, %0, %0" : "+x"(t));
  return t;
}

__attribute__((noipa)) void wide(void) {
#ifdef WIDE
  __asm__ volatile("vaddpd %%zmm0, %%zmm0, %%zmm0" : : : "xmm0");
#endif
}
__attribute__((noipa)) void gather(const double* from) {
  __asm__ volatile(
      "vpxor %%xmm4, %%xmm4, %%xmm4\nvpcmpeqd %%ymm2, %%ymm2, %%ymm2\n"
      "vgatherqpd %%ymm2, (%0,%%ymm4,8), %%ymm1\n"
      :
      : "r"(from)
      : "xmm1", "xmm2", "xmm4", "memory");
}

int main(int count, char** words) {
  const char* what = count > 1 ? words[1] : "";
  double data[4] = {1, 2, 3, 4};
  if (strcmp(what, "fails") == 0) return spin(1000) > 0 ? 3 : 0;
  if (strcmp(what, "aborts") == 0) spin(1000), abort();
  if (strcmp(what, "asks") == 0) return read(open("/dev/tty", O_RDONLY), data, 1) != 1;
  if (strcmp(what, "wide") == 0) wide();
  if (strcmp(what, "gather") == 0) gather(data);
  if (strcmp(what, "long") == 0) spin(500000000);
  if (strcmp(what, "starts") == 0) return system("true");
  if (strcmp(what, "threads") == 0) puts(getenv("OMP_NUM_THREADS"));
  if (strcmp(what, "differs") == 0) {
    unsigned name[4] = {0};
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);  // in ns: two runs never print the same
    __get_cpuid(0x80000002, name, name + 1, name + 2, name + 3);
    printf("clock %ld\nprocessor %.16s\n", now.tv_nsec, (char*)name);
  }
  if (strcmp(what, "reads") == 0)
    for (int c; (c = getchar()) != EOF;) putchar(c);
  return 0;
}

/* Programs that end, compute or take time in other ways than one wishes, by their first argument. */
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

__attribute__((noipa)) long segment(void) {
  long base;
  __asm__ volatile("rdgsbase %0" : "=r"(base));
  return base;
}

int main(int count, char** words) {
  const char* what = count > 1 ? words[1] : "";
  double data[4] = {1, 2, 3, 4};
  if (strcmp(what, "fails") == 0) return spin(1000) > 0 ? 3 : 0;
  if (strcmp(what, "aborts") == 0) spin(1000), abort();
  if (strcmp(what, "asks") == 0) return read(open("/dev/tty", O_RDONLY), data, 1) != 1;
  if (strcmp(what, "segment") == 0) return segment() != 0;
  if (strcmp(what, "crashes") == 0) *(volatile int*)(long)(spin(3000000) > 0 ? 1 : 2) = 1;
  if (strcmp(what, "long") == 0) spin(2000000000);
  if (strcmp(what, "starts") == 0) return system("true");
  if (strcmp(what, "threads") == 0) puts(getenv("OMP_NUM_THREADS"));
  if (strcmp(what, "differs") == 0) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);  // in ns: two runs never print the same
    FILE* maps = fopen("/proc/self/maps", "r");
    int changeable = 0;
    for (char line[4096]; fgets(line, sizeof line, maps);) changeable += strstr(line, " rwxp ") != 0;
    printf("clock %ld\nmappings %d\n", now.tv_nsec, changeable);
  }
  if (strcmp(what, "reads") == 0)
    for (int c; (c = getchar()) != EOF;) putchar(c);
  return 0;
}

// A timer of a millisecond for a fifth of a second. 0: it ticked at most a sixteenth as often, as if it were counted.
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

static volatile int ticks;
static void tick(int signal) { ticks += signal == SIGALRM; }

int main(void) {
  struct itimerval each = {{0, 1000}, {0, 1000}}, first, last;
  signal(SIGALRM, tick);
  setitimer(ITIMER_REAL, &each, NULL);
  getitimer(ITIMER_REAL, &first);
  struct timespec begin, now;
  double milliseconds = 0;
  for (clock_gettime(CLOCK_MONOTONIC, &begin); milliseconds < 200;) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    milliseconds = 1e3 * (now.tv_sec - begin.tv_sec) + 1e-6 * (now.tv_nsec - begin.tv_nsec);
  }
  each.it_interval.tv_usec = each.it_value.tv_usec = 0;
  setitimer(ITIMER_REAL, &each, &last);
  printf("interval %ld, %ld\n", (long)first.it_interval.tv_usec, (long)last.it_interval.tv_usec);
  return ticks == 0 || ticks > milliseconds / 16 + 1;
}

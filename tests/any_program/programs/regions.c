/* Marked as LIKWID wants it, and linked with no library of it: the test preloads or brings one. The second
   of its threads marks nothing. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

int likwid_markerStartRegion(const char*) __attribute__((weak));
int likwid_markerStopRegion(const char*) __attribute__((weak));
#define START(name) if (likwid_markerStartRegion) likwid_markerStartRegion(name)
#define STOP(name) if (likwid_markerStopRegion) likwid_markerStopRegion(name)

static volatile int stage;

__attribute__((noipa)) double divide(double t, int times) {
  for (int i = 0; i < times; ++i) t = 1.5 / t;
  return t;
}
static void* second(void* data) {
  while (__atomic_load_n(&stage, __ATOMIC_ACQUIRE) < 1) sched_yield();
  *(double*)data = divide(2, 4000);
  __atomic_store_n(&stage, 2, __ATOMIC_RELEASE);
  return 0;
}

int main(void) {
  pthread_t thread;
  double of_second = 0, sum = divide(2, 100); /* in no region */
  pthread_create(&thread, 0, second, &of_second);
  START("whole");
  sum += divide(3, 1000);
  for (int i = 0; i < 5; ++i) {
    START("part");
    sum += divide(4, 10);
    STOP("part");
  }
  __atomic_store_n(&stage, 1, __ATOMIC_RELEASE); /* the second one works for "whole" */
  while (__atomic_load_n(&stage, __ATOMIC_ACQUIRE) < 2) sched_yield();
  STOP("whole");
  pthread_join(thread, 0);
  printf("%d\n", sum + of_second > 0);
  return 0;
}

/* Loads whose lines are spread over the sets of caches in different ways: side by side, at random, one a page. */
enum { numbers = 1 << 20, page = 512 };
__attribute__((aligned(4096))) double a[numbers], b[numbers];
double sum;

__attribute__((noinline)) void side_by_side(void) {
  for (int i = 0; i < numbers; ++i) a[i] = a[i] + 3 * b[i];
}

__attribute__((noinline)) void at_random(void) {
  unsigned at = 1;
  for (int i = 0; i < numbers; ++i) {
    at = at * 1664525u + 1013904223u;
    sum += a[at >> 12];
  }
}

/* Lines of one pair of sets, which is among no sample: the arrays begin at a page. */
__attribute__((noinline)) void one_a_page(void) {
  for (int times = 0; times < 100; ++times)
    for (int i = 0; i < numbers; i += page) sum += a[i];
}

/* The same among loads that lie in the nearest cache. */
__attribute__((noinline)) void few_a_page(void) {
  for (int times = 0; times < 100; ++times)
    for (int i = 0; i < numbers; i += page)
      for (int k = 0; k < 9; ++k) sum += a[i] + b[(i / page * 9 + k) % 2048];
}

int main(int argc, char **argv) {
  const int times = argc > 1 ? argv[1][0] - '0' : 1;
  for (int i = 0; i < 10 * times - 9; ++i) side_by_side(), at_random();
  one_a_page();
  few_a_page();
  return sum == 1;
}

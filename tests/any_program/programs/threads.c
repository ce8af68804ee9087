/* The same work by as many threads as its argument says, or by a child as well. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { all = 8000 };
static int share;

__attribute__((noipa)) void* divide(void* data) {
  double t = *(double*)data;
  for (int i = 0; i < share; ++i) t = 1.5 / t;
  *(double*)data = t;
  return 0;
}

int main(int count, char** words) {
  double values[8] = {2, 2, 2, 2, 2, 2, 2, 2};
  if (count > 1 && strcmp(words[1], "fork") == 0) {
    share = all;
    const pid_t child = fork();
    divide(values);
    if (child == 0) _exit(0);
    waitpid(child, 0, 0);
    return 0;
  }
  const int threads = count > 1 ? atoi(words[1]) : 1;
  pthread_t each[8];
  share = all / threads;
  for (int i = 0; i < threads; ++i) pthread_create(&each[i], 0, divide, &values[i]);
  for (int i = 0; i < threads; ++i) pthread_join(each[i], 0);
  return 0;
}

// bin/NAME of a package: starts lib/roofline/LEVEL/NAME, with the newest vector instructions of this CPU. An
// archive brings a C library along, whose loader it then starts: the system's may be older, or another one (musl).
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

int main(int count, char** arguments) {
  char own[PATH_MAX], program[PATH_MAX + 64], loader[PATH_MAX + 64], libraries[3 * PATH_MAX + 64];
  // Without /proc, too.
  if (!realpath((const char*)getauxval(AT_EXECFN), own)) {
    perror(arguments[0]);
    return 4;
  }
  char root[PATH_MAX];
  strcpy(root, own);
  char* name = strrchr(own, '/') + 1;
  *strrchr(root, '/') = 0;
  *strrchr(root, '/') = 0;

  __builtin_cpu_init();
  const char* levels[] = {__builtin_cpu_supports("x86-64-v4") ? "x86-64-v4" : 0,
                          __builtin_cpu_supports("x86-64-v3") ? "x86-64-v3" : 0, "x86-64"};
  for (int i = 0; i < 3; ++i) {
    if (!levels[i]) continue;
    snprintf(program, sizeof program, "%s/lib/roofline/%s/%s", root, levels[i], name);
    if (access(program, X_OK) == 0) break;
  }
  snprintf(loader, sizeof loader, "%s/lib/roofline/glibc/ld-linux-x86-64.so.2", root);
  arguments[0] = own;  // by which the program finds what lies beside it
  if (access(loader, X_OK) != 0) {
    execv(program, arguments);
  } else {
    snprintf(libraries, sizeof libraries, "%s/lib/roofline/glibc:%s/lib/gcc:%s/lib", root, root, root);
    char* start[count + 7];
    char** next = start;
    *next++ = loader;
    *next++ = "--library-path";
    *next++ = libraries;
    *next++ = "--argv0";
    *next++ = own;
    *next++ = program;
    memcpy(next, arguments + 1, (size_t)count * sizeof *arguments);
    execv(loader, start);
  }
  fprintf(stderr, "%s: cannot start %s: ", name, program);
  perror(NULL);
  return 4;
}

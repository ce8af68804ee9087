// Preloaded into a program (resident.py): calls its main() for each line of standard input, so that loading, linking
// and static initialisation, which is most of what a short command costs, are paid once. A line: folder, file for
// standard output, file for standard error, the arguments, between tabs. The answer: main's code. A program that ends
// or crashes in between takes this process with it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int (*program)(int, char**, char**);

static void to_file(const char* path, int descriptor) {
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  dup2(file, descriptor);
  close(file);
}

static int call(char* line, char* name, char** environment) {
  char* words[64] = {0};
  int n = 0;
  for (char* word; n < 63 && (word = strsep(&line, "\t"));) words[n++] = word;
  if (n < 3 || chdir(words[0]) != 0) return 126;
  to_file(words[1], STDOUT_FILENO);
  to_file(words[2], STDERR_FILENO);
  words[2] = name;
  alarm(60);
  const int code = program(n - 2, words + 2, environment);
  alarm(0);
  fflush(NULL);
  return code;
}

static int calls(int argc, char** argv, char** environment) {
  const int answers = dup(STDOUT_FILENO);
  char* line = NULL;
  size_t room = 0;
  (void)argc;
  for (ssize_t length; (length = getline(&line, &room, stdin)) > 0;) {
    line[length - 1] = 0;
    dprintf(answers, "%d\n", call(line, argv[0], environment));
  }
  return 0;
}

int __libc_start_main(int (*start)(int, char**, char**), int argc, char** argv, void (*begin)(void), void (*end)(void),
                      void (*linker)(void), void* stack) {
  typedef int (*Start)(int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void), void (*)(void),
                       void*);
  program = start;
  unsetenv("LD_PRELOAD");
  return ((Start)dlsym(RTLD_NEXT, "__libc_start_main"))(calls, argc, argv, begin, end, linker, stack);
}

// What makes it hard to run copies of a program's code: see CountedProgram.GoesOnAsItWouldByItself. 17,000 divisions.
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <vector>

extern char** environ;
extern "C" [[gnu::noipa]] double divide(double t) {
  for (int i = 0; i < 1000; ++i) t = 1.5 / t;
  return t;
}

namespace {

int thrown(int depth) {
  if (depth == 0) throw std::runtime_error("thrown");
  return thrown(depth - 1) + 1;
}

sigjmp_buf place;
volatile sig_atomic_t faults, ticks;

void on_fault(int, siginfo_t*, void* context) {
  faults = faults + 1;
  if (faults < 5) siglongjmp(place, 1);
  auto& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
  static int instead = 42;
  machine.gregs[REG_RAX] = reinterpret_cast<greg_t>(&instead);  // the load is tried again
}

void exceptions_and_jumps() {
  int caught = 0;
  for (int i = 0; i < 1000; ++i) try {
      thrown(i % 20);
    } catch (const std::exception&) {
      ++caught;
    }
  jmp_buf here;
  volatile int jumps = 0;
  if (setjmp(here) < 100) jumps = jumps + 1, longjmp(here, jumps);
  std::printf("exceptions %d, jumps %d\n", caught, jumps);
}

void signals() {
  struct sigaction action {};
  action.sa_sigaction = on_fault, action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
  volatile int* volatile nowhere = nullptr;
  for (int i = 0; i < 4; ++i)
    if (!sigsetjmp(place, 1)) *nowhere = 1;
  int loaded = 0;
  __asm__ volatile("mov $16, %%eax\nmov (%%rax), %0" : "=r"(loaded) : : "rax");
  std::printf("faults %d, loaded %d\n", static_cast<int>(faults), loaded);
  signal(SIGTRAP, [](int) { ticks = ticks + 1; });
  __asm__ volatile("int3");
  raise(SIGTRAP);
  std::printf("traps %d\n", static_cast<int>(ticks));
  // A timer that goes off at any instruction, while the loop's sum must stay right.
  ticks = 0;
  signal(SIGALRM, [](int) { ticks = ticks + 1; });
  itimerval often{{0, 500}, {0, 500}};
  setitimer(ITIMER_REAL, &often, nullptr);
  unsigned long sum = 0, times = 0;
  for (; ticks < 100; ++times)
    for (unsigned long i = 0; i < 1000; ++i) sum += i ^ (sum >> 63);
  often = {};
  setitimer(ITIMER_REAL, &often, nullptr);
  std::printf("timer %d\n", sum == times * 499500);
}

void threads() {
  std::atomic<long> sum{0};
  for (int round = 0; round < 20; ++round) {
    std::vector<std::thread> all;
    for (int i = 0; i < 8; ++i)
      all.emplace_back([&] {
        for (int j = 0; j < 1000; ++j) sum += j;
      });
    for (auto& one : all) one.join();
  }
  std::vector<std::thread> all;
  for (int i = 0; i < 8; ++i) all.emplace_back([] { divide(2); });
  for (auto& one : all) one.join();
  std::printf("threads %ld\n", sum.load());
}

void processes() {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    divide(2);
    std::thread([] { divide(2); }).join();
    _exit(3);
  }
  int status = 0;
  waitpid(child, &status, 0);
  char name[] = "true", *arguments[] = {name, nullptr};
  pid_t other = 0;
  int ended = 1;
  const int spawned = posix_spawnp(&other, name, nullptr, nullptr, arguments, environ);
  waitpid(other, &ended, 0);
  char missing[] = "/no/such/program";
  const int not_spawned = posix_spawn(&other, missing, nullptr, nullptr, arguments, environ);
  std::printf("child %d, spawned %d %d, not %d\n", WEXITSTATUS(status), spawned, ended, not_spawned != 0);
}

/// Code that is written over code that ran.
void made_code() {
  unsigned char code[] = {0xb8, 0, 0, 0, 0, 0xc3};  // mov $n, %eax; ret
  void* const at = mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int sum = 0;
  for (int i = 0; i < 50; ++i) {
    code[1] = static_cast<unsigned char>(i);
    std::memcpy(at, code, sizeof code);
    sum += reinterpret_cast<int (*)()>(at)();
  }
  munmap(at, 4096);
  void* const library = dlopen("libm.so.6", RTLD_NOW);
  const auto root = reinterpret_cast<double (*)(double)>(dlsym(library, "cbrt"));
  std::printf("made %d, loaded %g\n", sum, root(27));
  dlclose(library);
}

}  // namespace

int main() {
  exceptions_and_jumps();
  signals();
  threads();
  processes();
  made_code();
  double t = 2;
  for (int i = 0; i < 7; ++i) t = divide(t);
  std::printf("done %d\n", t > 0);
  std::fflush(stdout);
  _exit(7);
}

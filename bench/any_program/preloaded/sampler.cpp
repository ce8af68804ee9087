// Preloaded into a program where the kernel gives no perf events: where its threads are, by SIGPROF. Samples go into a
// mapped file, so that they are there however the program ends.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "bench/any_program/preloaded_file.hpp"

namespace {

constexpr std::uint64_t most = std::uint64_t{1} << 22;
roofline::any_program::PreloadedSample* samples;
std::uint64_t count;
char maps_file[4096];

/// Calls nothing that a signal handler may not.
void copy_maps() {
  const int from = ::open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  const int to = ::open(maps_file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  char buffer[4096];
  for (ssize_t n; from >= 0 && to >= 0 && (n = ::read(from, buffer, sizeof buffer)) > 0;)
    if (::write(to, buffer, static_cast<std::size_t>(n)) != n) break;
  if (from >= 0) ::close(from);
  if (to >= 0) ::close(to);
}

void sample(int, siginfo_t*, void* context) {
  const auto kept = errno;
  const auto n = __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
  if (n < most) {
    const auto& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
#ifdef __x86_64__
    samples[n].at = static_cast<std::uint64_t>(machine.gregs[REG_RIP]);
#else
    samples[n].at = machine.pc;
#endif
    samples[n].thread = static_cast<std::uint64_t>(::syscall(SYS_gettid));
  }
  if ((n & (n + 1)) == 0) copy_maps();  // 0, 1, 3, 7 ...: libraries may come later
  errno = kept;
}

__attribute__((constructor)) void begin() {
  const char* const folder = std::getenv("ROOFLINE_SAMPLES");
  if (!folder) return;
  char name[4096];
  std::snprintf(name, sizeof name, "%s/samples.%d", folder, ::getpid());
  std::snprintf(maps_file, sizeof maps_file, "%s/maps.%d", folder, ::getpid());
  const int file = ::open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  constexpr auto size = most * sizeof *samples;
  if (file < 0 || ::ftruncate(file, size) != 0) return;
  void* const at = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  if (at == MAP_FAILED) return;
  samples = static_cast<roofline::any_program::PreloadedSample*>(at);
  __atomic_store_n(&count, 0, __ATOMIC_RELAXED);
  struct sigaction action {};
  action.sa_sigaction = sample, action.sa_flags = SA_SIGINFO | SA_RESTART;
  ::sigaction(SIGPROF, &action, nullptr);
  const itimerval every{{0, 1000}, {0, 1000}};
  ::setitimer(ITIMER_PROF, &every, nullptr);
  static bool first = true;
  if (first) ::pthread_atfork(nullptr, nullptr, begin);  // a child's timer is off, and its samples are its own
  first = false;
}

__attribute__((destructor)) void end() {
  const itimerval never{};
  ::setitimer(ITIMER_PROF, &never, nullptr);
  if (samples) copy_maps();
}

}  // namespace

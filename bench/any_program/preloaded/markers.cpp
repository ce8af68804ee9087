// Preloaded into a program that marks regions, by LIKWID's calls or the project's own: tells the counter of them,
// or takes their times.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "bench/any_program/preloaded/regions.hpp"

namespace roofline::any_program {

PreloadedRegion* regions;

std::uint64_t nanoseconds_now() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

PreloadedRegion* region_of_thread(const char* name) {
  const auto thread = static_cast<std::uint64_t>(::syscall(SYS_gettid));
  for (std::uint64_t i = 0; i < most_regions; ++i) {
    auto& region = regions[i];
    std::uint64_t nobody = 0;
    if (__atomic_compare_exchange_n(&region.thread, &nobody, thread, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      std::strncpy(region.name, name, sizeof region.name - 1);
      return &region;
    }
    if (nobody == thread && std::strncmp(region.name, name, sizeof region.name - 1) == 0) return &region;
  }
  return nullptr;
}

void mark(const char* name, bool begins) {
  if (!regions) {
    ::syscall(region_call, begins ? 1L : 0L, name);
    return;
  }
  const auto at = nanoseconds_now();
  auto* const region = region_of_thread(name);
  if (!region) return;
  if (!begins && region->begin != 0) ++region->calls, region->nanoseconds += at - region->begin;
  region->begin = begins ? nanoseconds_now() : 0;
}

PreloadedRegion* map_file(const char* path, bool writes) {
  const int file = ::open(path, (writes ? O_RDWR | O_CREAT : O_RDONLY) | O_CLOEXEC, 0644);
  constexpr auto size = most_regions * sizeof *regions;
  if (file < 0) return nullptr;
  void* at = MAP_FAILED;
  if (!writes || ::ftruncate(file, size) == 0)
    at = ::mmap(nullptr, size, writes ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, file, 0);
  ::close(file);
  return at == MAP_FAILED ? nullptr : static_cast<PreloadedRegion*>(at);
}

namespace {

__attribute__((constructor)) void map_regions() {
  if (const char* const path = std::getenv("ROOFLINE_REGIONS_FILE")) regions = map_file(path, true);
}

}  // namespace
}  // namespace roofline::any_program

using roofline::any_program::mark;

extern "C" {
// The functions of the project's own library, as in bench/library/region.cpp.
void roofline_region_begin(const char* name) { mark(name, true); }
void roofline_region_end(const char* name) { mark(name, false); }
// LIKWID's marker interface.
void likwid_markerInit() {}
void likwid_markerThreadInit() {}
void likwid_markerNextGroup() {}
void likwid_markerWriteFile(const char*) {}
void likwid_markerClose() {}
int likwid_markerRegisterRegion(const char*) { return 0; }
int likwid_markerResetRegion(const char*) { return 0; }
int likwid_markerStartRegion(const char* name) { return mark(name, true), 0; }
int likwid_markerStopRegion(const char* name) { return mark(name, false), 0; }
void likwid_markerGetRegion(const char*, int* events, double*, double* time, int* calls) {
  if (events) *events = 0;
  if (time) *time = 0;
  if (calls) *calls = 0;
}
}

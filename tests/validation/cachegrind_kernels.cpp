// Triad and stencil for cachegrind, and what the cache model says of the same sweep: see
// tests/validation/cachegrind.sh.
//
//   cachegrind_kernels triad|stencil N SWEEPS          runs natively
//   cachegrind_kernels triad|stencil N model L1 LL     "accesses L1_misses LL_misses" of one sweep, sizes as bytes/ways
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "apps/stencil/stencil.hpp"
#include "apps/stream/stream.hpp"
#include "bench/cache_model/cache_hierarchy.hpp"
#include "bench/cache_model/counting.hpp"
#include "bench/space/pack.hpp"

namespace roofline {
namespace {

/// Large pages apart, so that the place of an array in a cache set is the same for the program and for the model.
View array(Index n) {
  constexpr std::size_t alignment = std::size_t{64} << 20;
  const auto bytes = (static_cast<std::size_t>(n) * sizeof(double) + alignment - 1) / alignment * alignment;
  auto* const data = static_cast<double*>(std::aligned_alloc(alignment, bytes));
  if (!data) std::abort();
  for (Index i = 0; i < n; ++i) data[i] = 1.0;
  return {data};
}

template <class Place, class Body>
inline __attribute__((always_inline)) void run(Index begin, Index end, const Body body) {
  for (Index i = begin; i < end; ++i) body(Place{i});
}

template <class Place>
__attribute__((noinline)) void sweep_triad(const stream::Triad& body, Index n) {
  run<Place>(0, n, body);
}
template <class Place>
__attribute__((noinline)) void sweep_stencil(const stencil::SevenFlops& body, Index n) {
  for (Index k = 1; k < n - 1; ++k)
    for (Index j = 1; j < n - 1; ++j) run<Place>((k * n + j) * n + 1, (k * n + j) * n + n - 1, body);
}

CacheLevel cache(MemoryLevel level, const char* text) {
  char* end = nullptr;
  const auto size = std::strtoull(text, &end, 10);
  return {.level = level, .size = size, .ways = static_cast<unsigned>(std::strtoul(end + 1, nullptr, 10))};
}

template <class Sweep>
int main_of(int argc, char** argv, Sweep sweep) {
  using Native = At<Pack<1>, true>;
  using Modelled = At<Counted, true>;
  if (std::strcmp(argv[3], "model") != 0) {
    for (int left = std::atoi(argv[3]); left > 0; --left) sweep(Native{});
    return 0;
  }
  if (argc != 6) return 2;
  CacheHierarchy caches({cache(MemoryLevel::L1, argv[4]), cache(MemoryLevel::L2, argv[5])});
  Recording recording;
  recording.caches = &caches;
  active_recording = &recording;
  sweep(Modelled{});  // the second sweep counts, as the difference of two native runs does
  const auto accesses = recording.loads + recording.stores;
  caches.reset_traffic();
  sweep(Modelled{});
  fmt::print("{} {} {}\n", accesses, caches.traffic(MemoryLevel::L2).read / 64,
             caches.traffic(MemoryLevel::DRAM).read / 64);
  return 0;
}

}  // namespace
}  // namespace roofline

int main(int argc, char** argv) {
  using namespace roofline;
  if (argc < 4) return 2;
  const Index n = std::atoll(argv[2]);
  if (std::strcmp(argv[1], "triad") == 0) {
    const stream::Triad body{array(n), array(n), array(n), 0.4};
    return main_of(argc, argv, [&](auto place) { sweep_triad<decltype(place)>(body, n); });
  }
  const stencil::SevenFlops body{array(n * n * n), array(n * n * n), n, n * n};
  return main_of(argc, argv, [&](auto place) { sweep_stencil<decltype(place)>(body, n); });
}

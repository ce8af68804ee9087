#include "bench/machine/core_distance.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <memory>

#include "bench/machine/clocks.hpp"

namespace roofline {
namespace {

constexpr int looks = 3;
constexpr int passes_of_a_look = 64;  // from one core to the next, all laps together

struct alignas(128) Slot {  // lines are fetched in pairs
  std::atomic<int> lap{0};
};

/// Thread `me` of the ring: waits at a slot of its own for the token and writes that of the next thread. The shortest
/// look, as thread 0 sees it.
double pass_on(Slot* slots, int me, int threads, int laps) {
  auto& mine = slots[me].lap;
  auto& next = slots[(me + 1) % threads].lap;
  const auto wait = [&](int lap) {
    while (mine.load(std::memory_order_acquire) <= lap) continue;
  };
  double shortest = 0;
  auto start = Clock::now();
  for (int lap = 0; lap < looks * laps; ++lap) {
    if (me > 0) wait(lap);
    next.store(lap + 1, std::memory_order_release);
    if (me > 0) continue;
    wait(lap);
    if ((lap + 1) % laps != 0) continue;
    const double seconds = seconds_since(start) / (laps * threads);
    shortest = shortest == 0 ? seconds : std::min(shortest, seconds);
    start = Clock::now();
  }
  return shortest;
}

}  // namespace

double core_distance(int threads) {
  if (threads < 2) return 0;
  const int laps = std::max(2, passes_of_a_look / threads);
  const auto slots = std::make_unique<Slot[]>(static_cast<std::size_t>(threads));
  double distance = 0;
#pragma omp parallel num_threads(threads)
  // A smaller team would wait for ever for whom it lacks.
  if (omp_get_num_threads() == threads) {
    const double seen = pass_on(slots.get(), omp_get_thread_num(), threads, laps);
#pragma omp master
    distance = seen;
  }
  return distance;
}

bool cores_may_move(const Machine& machine) { return machine.virtual_machine; }

}  // namespace roofline

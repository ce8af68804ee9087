#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "bench/cuda/device_buffer.hpp"
#include "bench/cuda/device_probe.hpp"
#include "bench/cuda/error.hpp"
#include "bench/cuda/event_timer.hpp"
#include "bench/cuda/launch_graph.hpp"
#include "bench/machine/clock.hpp"
#include "bench/model/statistics.hpp"

namespace roofline::cuda {
namespace {

/// Two events around a stretch of work.
class Stopwatch {
 public:
  Stopwatch() {
    require(cudaEventCreate(&begin_), "cudaEventCreate");
    require(cudaEventCreate(&end_), "cudaEventCreate");
  }
  ~Stopwatch() {
    if (!usable()) return;
    cudaEventDestroy(begin_), cudaEventDestroy(end_);
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  void start() { require(cudaEventRecord(begin_), "cudaEventRecord"); }
  void stop() { require(cudaEventRecord(end_), "cudaEventRecord"); }
  /// Whether the device has come to the start.
  bool begun() {
    const auto status = cudaEventQuery(begin_);
    if (status == cudaErrorNotReady) return cudaGetLastError(), false;
    return require(status, "cudaEventQuery"), true;
  }
  /// Waits for the work.
  double seconds() {
    finish();
    float milliseconds = 0;
    require(cudaEventElapsedTime(&milliseconds, begin_, end_), "cudaEventElapsedTime");
    return 1e-3 * milliseconds;
  }

  const IntervalClock clock;

 private:
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

/// The graph of the last size that was asked for.
class GraphCache {
 public:
  /// Null when the launch cannot be recorded.
  const LaunchGraph* of(const std::function<void()>& launch, int launches) {
    if (refused_ || (graph_ && graph_->launches() == launches)) return graph_ ? &*graph_ : nullptr;
    graph_.reset();
    try {
      graph_.emplace(launch, launches);
    } catch (const Error&) {
      if (!usable()) throw;
      refused_ = true;
    }
    return graph_ ? &*graph_ : nullptr;
  }

 private:
  std::optional<LaunchGraph> graph_;
  bool refused_ = false;
};

/// Reads n elements; the store is never executed, but the compiler cannot know.
__global__ void read_all(const double* __restrict__ data, Index n, double* never) {
  double sum = 0;
  for (Index i = threadIdx.x + Index{blockIdx.x} * blockDim.x; i < n; i += Index{gridDim.x} * blockDim.x)
    sum += data[i];
  if (sum != 0) *never = sum;
}

__global__ void nothing() {}

/// Cycles for which a device is kept busy before a timed launch: some 20 us, and more once a host has needed longer.
constexpr long long least_busy_cycles = 40000, most_busy_cycles = least_busy_cycles << 10;
long long busy_cycles = least_busy_cycles;
/// The largest share of an interval that the host may have added when it was not kept out of it.
constexpr double tolerated_share = 0.01;
bool late_samples_taken = false;
double last_clock = 0;  ///< of the SMs, in Hz, during the last interval; 0: unknown

/// Seconds of the device between two events around what `queue` gives it, behind what `before` gives it. The device is
/// kept busy until all is queued, so that nothing in the interval waits for the host: where it comes to the first event
/// earlier, the sample is dropped, and the next one is kept busy for twice as long. Throws Error where 20 ms do not do.
template <class Queue>
double timed(Stopwatch& stopwatch, const Queue& queue, void (*before)() = nullptr) {
  for (int tries_at_most = 8;;) {
    stopwatch.clock.begin(busy_cycles);
    if (before) before();
    const auto asked = Clock::now();
    stopwatch.start();
    queue();
    stopwatch.stop();
    const bool too_late = stopwatch.begun();
    const double host = seconds_since(asked);
    stopwatch.clock.end();
    const double device = stopwatch.seconds();
    last_clock = stopwatch.clock.hz();
    if (!too_late || late_samples_taken || host < tolerated_share * device) return device;
    if (busy_cycles < most_busy_cycles)
      busy_cycles *= 2;
    else if (--tries_at_most == 0)
      throw Error("this machine takes more than 20 ms to queue a batch of launches: nothing was timed");
  }
}

/// So many empty launches between two events; seconds of each.
double empty_launch(Stopwatch& stopwatch, int launches) {
  const auto queue = [=] {
    for (int i = 0; i < launches; ++i) nothing<<<1, 1>>>();
    require(cudaGetLastError(), "launch of an empty kernel");
  };
  return timed(stopwatch, queue) / launches;
}

EventCost measure_event_cost() {
  constexpr int in_a_row = 16;
  Stopwatch stopwatch;
  empty_launch(stopwatch, 1);  // the first launch of a kernel loads it
  std::vector<double> alone, many;
  for (int i = 0; i < 9; ++i)
    alone.push_back(empty_launch(stopwatch, 1)), many.push_back(empty_launch(stopwatch, in_a_row));
  return {std::max(0.0, median(alone) - median(many)), median(many)};
}

/// The cost of an event on the current device, measured when it is first asked for.
const EventCost& event_cost() {
  static std::map<int, EventCost> known;
  int device = 0;
  require(cudaGetDevice(&device), "cudaGetDevice");
  const auto found = known.find(device);
  return found != known.end() ? found->second : known.emplace(device, measure_event_cost()).first->second;
}

}  // namespace

double event_clock() { return last_clock; }

void take_late_samples() { late_samples_taken = true; }

double empty_launch_seconds() { return measure_event_cost().least; }

void empty_l2() {
  int device = 0;
  require(cudaGetDevice(&device), "cudaGetDevice");
  const Index n = 2 * Index{attribute(cudaDevAttrL2CacheSize)} / static_cast<Index>(sizeof(double));
  static int of_device = -1;
  static DeviceBuffer<> filler;
  if (of_device != device || filler.size() != n) {
    filler = DeviceBuffer<>();
    filler = DeviceBuffer<>(n);
    filler.clear();
    of_device = device;
  }
  read_all<<<1024, 512>>>(filler.data(), n, filler.data());
  require(cudaGetLastError(), "launch of the kernel that empties L2");
}

Timer event_timer(std::function<void()> launch, Cache cache, Batch batches) {
  const auto stopwatch = std::make_shared<Stopwatch>();
  const auto graphs = batches == Batch::graph ? std::make_shared<GraphCache>() : nullptr;
  return [launch = std::move(launch), cache, stopwatch, graphs](int batch) {
    if (cache == Cache::hot) {
      const auto shape = graphs ? graph_batches(batch) : GraphBatches{0, 0, batch};
      const auto* const graph = shape.starts > 0 ? graphs->of(launch, shape.launches) : nullptr;
      const auto queue = [&] {
        for (int i = 0; graph && i < shape.starts; ++i) graph->start();
        for (int i = 0; i < (graph ? shape.remaining : batch); ++i) launch();
      };
      return timed(*stopwatch, queue);
    }
    const auto& cost = event_cost();
    double total = 0;
    for (int i = 0; i < batch; ++i) total += cost.of_launch(timed(*stopwatch, launch, empty_l2));
    return total;
  };
}

}  // namespace roofline::cuda

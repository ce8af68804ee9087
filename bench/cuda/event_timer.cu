#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "bench/cuda/device_buffer.hpp"
#include "bench/cuda/error.hpp"
#include "bench/cuda/event_timer.hpp"
#include "bench/cuda/launch_graph.hpp"
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
  /// Waits for the work.
  double seconds() {
    finish();
    float milliseconds = 0;
    require(cudaEventElapsedTime(&milliseconds, begin_, end_), "cudaEventElapsedTime");
    return 1e-3 * milliseconds;
  }

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

/// Some 20 us of nothing: the event behind it marks the start of the launches that follow, which are queued by then,
/// not of the wait for the first of them.
__global__ void busy() {
  for (const auto start = clock64(); clock64() - start < 40000;) {
  }
}

__global__ void nothing() {}

/// An empty launch by itself between two events, with work before it, so that the device waits for nothing.
double alone(Stopwatch& stopwatch) {
  busy<<<1, 1>>>();
  stopwatch.start();
  nothing<<<1, 1>>>();
  stopwatch.stop();
  require(cudaGetLastError(), "launch of an empty kernel");
  return stopwatch.seconds();
}

/// One of many empty launches, as a batch of hot ones has them.
double in_a_row(Stopwatch& stopwatch) {
  constexpr int launches = 16;
  for (int i = 0; i < 4; ++i) busy<<<1, 1>>>();  // longer than the host needs to queue them
  stopwatch.start();
  for (int i = 0; i < launches; ++i) nothing<<<1, 1>>>();
  stopwatch.stop();
  require(cudaGetLastError(), "launches of an empty kernel");
  return stopwatch.seconds() / launches;
}

EventCost measure_event_cost() {
  Stopwatch stopwatch;
  alone(stopwatch), in_a_row(stopwatch);  // the first launch of a kernel loads it
  std::vector<double> lone, many;
  for (int i = 0; i < 9; ++i) lone.push_back(alone(stopwatch)), many.push_back(in_a_row(stopwatch));
  return {std::max(0.0, median(lone) - median(many)), median(many)};
}

/// Of the current device, measured when it is first asked for.
const EventCost& event_cost() {
  static std::map<int, EventCost> known;
  int device = 0;
  require(cudaGetDevice(&device), "cudaGetDevice");
  const auto found = known.find(device);
  return found != known.end() ? found->second : known.emplace(device, measure_event_cost()).first->second;
}

}  // namespace

void empty_l2() {
  int device = 0, bytes = 0;
  require(cudaGetDevice(&device), "cudaGetDevice");
  require(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device), "cudaDeviceGetAttribute");
  const Index n = 2 * Index{bytes} / static_cast<Index>(sizeof(double));
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
      busy<<<1, 1>>>();
      require(cudaGetLastError(), "launch of the kernel before a batch");
      stopwatch->start();
      for (int i = 0; graph && i < shape.starts; ++i) graph->start();
      for (int i = 0; i < (graph ? shape.remaining : batch); ++i) launch();
      stopwatch->stop();
      return stopwatch->seconds();
    }
    const auto& cost = event_cost();
    double total = 0;
    for (int i = 0; i < batch; ++i) {
      empty_l2();
      stopwatch->start();
      launch();
      stopwatch->stop();
      total += cost.of_launch(stopwatch->seconds());
    }
    return total;
  };
}

}  // namespace roofline::cuda

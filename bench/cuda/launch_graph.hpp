#pragma once
#include <driver_types.h>

#include <functional>

namespace roofline::cuda {

/// Where execute() and DeviceBuffer::clear() put their work: the default stream, or the graph that is being recorded.
cudaStream_t launch_stream();

/// Launches that the device carries out in a row by itself, as a CUDA graph.
class LaunchGraph {
 public:
  /// Records `launches` launches, which are not carried out. Throws Error when they cannot be recorded.
  LaunchGraph(const std::function<void()>& launch, int launches);
  ~LaunchGraph();
  LaunchGraph(const LaunchGraph&) = delete;
  LaunchGraph& operator=(const LaunchGraph&) = delete;

  int launches() const { return launches_; }
  /// Once all of them, in the order of the default stream; returns at once.
  void start() const;

 private:
  cudaGraphExec_t graph_ = nullptr;
  int launches_;
};

/// A batch as `starts` starts of a graph of `launches` launches and `remaining` launches by the host.
struct GraphBatches {
  int starts, launches, remaining;
};
/// No graph for fewer than 50: at 1 ms per batch those are launches of more than 20 us. Graphs of 200 to 399 launches.
constexpr GraphBatches graph_batches(int batch) {
  if (batch < 50) return {0, 0, batch};
  const int starts = batch < 400 ? 1 : batch / 200, launches = batch / starts;
  return {starts, launches, batch - starts * launches};
}

}  // namespace roofline::cuda

#include "bench/cuda/launch_graph.hpp"

#include <cuda_runtime_api.h>

#include "bench/cuda/error.hpp"

namespace roofline::cuda {
namespace {

cudaStream_t recording = nullptr;

/// A stream whose work becomes a graph instead of being done.
class Recorder {
 public:
  Recorder() {
    require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    const auto begun = cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal);
    if (begun != cudaSuccess) cudaStreamDestroy(stream_);
    require(begun, "cudaStreamBeginCapture");
    recording = stream_;
  }
  ~Recorder() {
    recording = nullptr;
    if (!usable()) return;
    if (!ended_) cudaStreamEndCapture(stream_, &graph_);
    if (graph_) cudaGraphDestroy(graph_);
    cudaStreamDestroy(stream_);
    cudaGetLastError();  // what went wrong has been said; the next launch is not to be blamed for it
  }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Ends the recording.
  cudaGraph_t graph() {
    recording = nullptr;
    ended_ = true;  // also where it fails: a stream is captured once
    require(cudaStreamEndCapture(stream_, &graph_), "cudaStreamEndCapture");
    return graph_;
  }

 private:
  cudaStream_t stream_ = nullptr;
  cudaGraph_t graph_ = nullptr;
  bool ended_ = false;
};

}  // namespace

cudaStream_t launch_stream() { return recording; }

LaunchGraph::LaunchGraph(const std::function<void()>& launch, int launches) : launches_(launches) {
  Recorder recorder;
  for (int i = 0; i < launches; ++i) launch();
  const auto graph = recorder.graph();
  // Work that went past the recorder has been done already and is missing here.
  std::size_t nodes = 0;
  require(cudaGraphGetNodes(graph, nullptr, &nodes), "cudaGraphGetNodes");
  if (nodes < static_cast<std::size_t>(launches)) throw Error("a launch that cannot be recorded as a graph");
  require(cudaGraphInstantiate(&graph_, graph, 0), "cudaGraphInstantiate");
  require(cudaGraphUpload(graph_, nullptr), "cudaGraphUpload");
}

LaunchGraph::~LaunchGraph() {
  if (graph_ && usable()) cudaGraphExecDestroy(graph_);
}

void LaunchGraph::start() const { require(cudaGraphLaunch(graph_, nullptr), "cudaGraphLaunch"); }

}  // namespace roofline::cuda

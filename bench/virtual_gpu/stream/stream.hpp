#pragma once
#include <cuda_runtime_api.h>

#include <memory>
#include <set>
#include <vector>

#include "bench/virtual_gpu/runtime/timeline.hpp"
#include "bench/virtual_gpu/stream/graph.hpp"

namespace roofline::runtime {

struct Stream;

/// Streams whose work goes into a graph instead of being done.
struct Capture {
  std::shared_ptr<Graph> graph = std::make_shared<Graph>();
  Stream* origin = nullptr;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  unsigned long long id = 0;
  bool invalidated = false;
  bool into_existing = false;  ///< cudaStreamBeginCaptureToGraph: the graph is the caller's
  std::set<Stream*> streams;
  std::vector<Node*> left;  ///< tails of streams that were destroyed meanwhile: they, too, must be joined
};

struct Stream {
  Timeline::Lane lane;
  bool behind_event = false;  ///< an event was recorded last
  unsigned flags = cudaStreamDefault;
  int priority = 0;
  unsigned long long id = 0;
  std::shared_ptr<Capture> capture;  ///< null unless capturing
  std::vector<Node*> tail;           ///< of the capture: what the next operation depends on
};

struct Event {
  unsigned flags = cudaEventDefault;
  bool recorded = false;
  double at = 0;                     ///< on the timeline
  std::shared_ptr<Capture> capture;  ///< it was last recorded in
  std::vector<Node*> nodes;          ///< of that capture
};

}  // namespace roofline::runtime

// Capture of streams into graphs.
#include <algorithm>
#include <set>

#include "bench/virtual_gpu/stream/entry_point.hpp"
#include "bench/virtual_gpu/stream/perform.hpp"

using namespace roofline::runtime;

namespace {

cudaError_t begin(Process& state, Stream& on, cudaStreamCaptureMode mode, std::shared_ptr<Graph> into,
                  std::vector<Node*> tail) {
  if (state.is_legacy(&on)) return cudaErrorStreamCaptureUnsupported;
  if (on.capture) return cudaErrorIllegalState;
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed) return cudaErrorInvalidValue;
  if (const auto fault = state.settings.faults.next(Site::capture)) return error_of(*fault);
  auto capture = std::make_shared<Capture>();
  capture->into_existing = into != nullptr;
  if (into) capture->graph = std::move(into);
  capture->origin = &on;
  capture->mode = mode;
  capture->id = ++state.next_id;
  capture->streams.insert(&on);
  state.captures.insert(capture);
  on.capture = std::move(capture);
  on.tail = std::move(tail);
  return cudaSuccess;
}

/// Whether the work of all streams leads to the end of the one in which the capture began.
bool joined(const Capture& capture) {
  std::set<const Node*> reached;
  std::vector<Node*> open = capture.origin->tail;
  while (!open.empty()) {
    auto* const node = open.back();
    open.pop_back();
    if (reached.insert(node).second) open.insert(open.end(), node->dependencies.begin(), node->dependencies.end());
  }
  const auto all_reached = [&](const std::vector<Node*>& nodes) {
    return std::all_of(nodes.begin(), nodes.end(), [&](const Node* node) { return reached.contains(node); });
  };
  return all_reached(capture.left) && std::all_of(capture.streams.begin(), capture.streams.end(),
                                                  [&](const Stream* stream) { return all_reached(stream->tail); });
}

cudaError_t end(Process& state, Stream& on, cudaGraph_t* graph) {
  const auto capture = on.capture;
  if (!capture) return cudaErrorIllegalState;
  if (graph) *graph = nullptr;
  if (capture->origin != &on) {
    capture->invalidated = true;
    return cudaErrorStreamCaptureUnmatched;
  }
  const bool complete = joined(*capture);
  for (auto* const stream : capture->streams) {
    stream->capture.reset();
    stream->tail.clear();
  }
  state.captures.erase(capture);
  if (capture->invalidated) return cudaErrorStreamCaptureInvalidated;
  if (!complete) return cudaErrorStreamCaptureUnjoined;
  if (!graph) return cudaErrorInvalidValue;
  *graph = reinterpret_cast<cudaGraph_t>(capture->graph.get());
  state.graphs[*graph] = capture->graph;
  return cudaSuccess;
}

cudaStreamCaptureStatus status_of(const Stream& stream) {
  if (!stream.capture) return cudaStreamCaptureStatusNone;
  return stream.capture->invalidated ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
}

}  // namespace

ROOFLINE_CALL_ON(cudaStreamBeginCapture, stream, mode) { return begin(state, on, mode, nullptr, {}); }

ROOFLINE_CALL_ON(cudaStreamBeginCaptureToGraph, stream, graph, nodes, edges, count, mode) {
  const auto found = state.graphs.find(graph);
  if (found == state.graphs.end() || edges || (count && !nodes)) return cudaErrorInvalidValue;
  std::vector<Node*> tail;
  for (std::size_t i = 0; i < count; ++i) tail.push_back(state.node(nodes[i]));
  if (std::find(tail.begin(), tail.end(), nullptr) != tail.end()) return cudaErrorInvalidValue;
  return begin(state, on, mode, found->second, std::move(tail));
}

ROOFLINE_CALL_ON(cudaStreamEndCapture, stream, graph) { return end(state, on, graph); }

ROOFLINE_CALL_ON(cudaStreamIsCapturing, stream, status) { return give(status, status_of(on)); }

ROOFLINE_CALL_ON(cudaStreamGetCaptureInfo, stream, status, id, graph, nodes, edges, count) {
  if (!status) return cudaErrorInvalidValue;
  *status = status_of(on);
  if (*status != cudaStreamCaptureStatusActive) return cudaSuccess;
  if (id) *id = on.capture->id;
  if (graph) *graph = reinterpret_cast<cudaGraph_t>(on.capture->graph.get());
  if (nodes) *nodes = reinterpret_cast<const cudaGraphNode_t*>(on.tail.data());
  if (edges) *edges = nullptr;
  if (count) *count = on.tail.size();
  return cudaSuccess;
}

ROOFLINE_CALL_ON(cudaStreamUpdateCaptureDependencies, stream, nodes, edges, count, flags) {
  if (!on.capture) return cudaErrorIllegalState;
  if (edges || (count && !nodes)) return cudaErrorInvalidValue;
  if (flags == cudaStreamSetCaptureDependencies) on.tail.clear();
  for (std::size_t i = 0; i < count; ++i) {
    auto* const node = reinterpret_cast<Node*>(nodes[i]);
    if (state.node(nodes[i]) == nullptr && node->graph != on.capture->graph.get()) return cudaErrorInvalidValue;
    on.tail.push_back(node);
  }
  return cudaSuccess;
}

ROOFLINE_QUERY(cudaThreadExchangeStreamCaptureMode, mode) {
  return mode ? (std::swap(*mode, thread_capture_mode()), cudaSuccess) : cudaErrorInvalidValue;
}

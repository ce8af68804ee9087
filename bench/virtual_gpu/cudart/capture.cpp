// Capture of streams into graphs.
#include <algorithm>
#include <set>

#include "bench/virtual_gpu/stream/entry_point.hpp"
#include "bench/virtual_gpu/stream/perform.hpp"

using namespace roofline::runtime;

namespace {

cudaError_t begin(Process& state, Stream& on, cudaStreamCaptureMode mode) {
  if (state.is_legacy(&on)) return cudaErrorStreamCaptureUnsupported;
  if (on.capture) return cudaErrorIllegalState;
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed) return cudaErrorInvalidValue;
  if (const auto fault = state.settings.faults.next(Site::capture)) return error_of(*fault);
  auto capture = std::make_shared<Capture>();
  capture->origin = &on;
  capture->mode = mode;
  capture->streams.insert(&on);
  state.captures.insert(capture);
  on.capture = std::move(capture);
  on.tail.clear();
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

ROOFLINE_CALL_ON(cudaStreamBeginCapture, stream, mode) { return begin(state, on, mode); }

ROOFLINE_CALL_ON(cudaStreamEndCapture, stream, graph) { return end(state, on, graph); }

ROOFLINE_CALL_ON(cudaStreamIsCapturing, stream, status) { return give(status, status_of(on)); }

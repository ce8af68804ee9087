// Streams. Their work is done when it is submitted; the timeline says when a device would have finished it.
#include <algorithm>

#include "bench/virtual_gpu/stream/entry_point.hpp"

using namespace roofline::runtime;

namespace {

cudaError_t create(cudaStream_t* result, unsigned flags, int priority) {
  return call([&](Process& state) {
    if (!result || (flags != cudaStreamDefault && flags != cudaStreamNonBlocking)) return cudaErrorInvalidValue;
    auto stream = std::make_unique<Stream>();
    stream->lane.blocking = flags == cudaStreamDefault;
    constexpr int greatest_priority = -5;
    stream->priority = std::clamp(priority, greatest_priority, 0);
    *result = reinterpret_cast<cudaStream_t>(state.streams.add(std::move(stream)));
    return cudaSuccess;
  });
}

}  // namespace

ROOFLINE_CUDA(cudaStreamCreate, stream) { return create(stream, cudaStreamDefault, 0); }
ROOFLINE_CUDA(cudaStreamCreateWithFlags, stream, flags) { return create(stream, flags, 0); }
ROOFLINE_CUDA(cudaStreamCreateWithPriority, stream, flags, priority) { return create(stream, flags, priority); }

ROOFLINE_CALL(cudaStreamDestroy, stream) {
  auto* const found = state.streams.find(stream);
  if (!found) return cudaErrorInvalidResourceHandle;
  if (const auto capture = found->capture) {
    capture->streams.erase(found);
    capture->left.insert(capture->left.end(), found->tail.begin(), found->tail.end());
    if (capture->origin == found) {
      capture->invalidated = true;
      state.captures.erase(capture);
    }
  }
  state.streams.remove(stream);
  return cudaSuccess;
}

ROOFLINE_CALL_ON(cudaStreamSynchronize, stream) { return state.synchronise(&on); }

ROOFLINE_CALL_ON(cudaStreamQuery, stream) {
  if (on.capture) {
    on.capture->invalidated = true;
    return cudaErrorStreamCaptureUnsupported;
  }
  return state.timeline.asked(state.ready(on)) ? cudaSuccess : cudaErrorNotReady;
}

ROOFLINE_CALL_ON(cudaStreamGetPriority, stream, priority) { return give(priority, on.priority); }

// Attributes steer caches and scheduling, of which nothing can be seen here.
ROOFLINE_CALL_ON(cudaStreamSetAttribute, stream, which, value) {
  return value && which != cudaLaunchAttributeIgnore ? cudaSuccess : cudaErrorInvalidValue;
}

ROOFLINE_CALL_ON(cudaStreamAttachMemAsync, stream, pointer, bytes, flags) {
  return state.memory->find(reinterpret_cast<std::uintptr_t>(pointer)) ? cudaSuccess : cudaErrorInvalidValue;
}

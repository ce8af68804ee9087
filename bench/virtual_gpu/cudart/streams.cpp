// Streams. Their work is done when it is submitted; the timeline says when a device would have finished it.
#include <algorithm>

#include "bench/virtual_gpu/stream/call.hpp"

using namespace roofline::runtime;

namespace {

cudaError_t create(cudaStream_t* result, unsigned flags, int priority) {
  return call([&](Process& state) {
    if (!result || (flags != cudaStreamDefault && flags != cudaStreamNonBlocking)) return cudaErrorInvalidValue;
    auto stream = std::make_unique<Stream>();
    stream->flags = flags;
    stream->lane.blocking = flags == cudaStreamDefault;
    constexpr int greatest_priority = -5;
    stream->priority = std::clamp(priority, greatest_priority, 0);
    stream->id = ++state.next_id;
    *result = reinterpret_cast<cudaStream_t>(state.streams.add(std::move(stream)));
    return cudaSuccess;
  });
}

}  // namespace

ROOFLINE_CUDA(cudaError_t, cudaStreamCreate, (cudaStream_t * stream), (stream)) {
  return create(stream, cudaStreamDefault, 0);
}
ROOFLINE_CUDA(cudaError_t, cudaStreamCreateWithFlags, (cudaStream_t * stream, unsigned flags), (stream, flags)) {
  return create(stream, flags, 0);
}
ROOFLINE_CUDA(cudaError_t, cudaStreamCreateWithPriority, (cudaStream_t * stream, unsigned flags, int priority),
              (stream, flags, priority)) {
  return create(stream, flags, priority);
}

ROOFLINE_CUDA(cudaError_t, cudaStreamDestroy, (cudaStream_t stream), (stream)) {
  return call([&](Process& state) {
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
  });
}

ROOFLINE_CUDA(cudaError_t, cudaStreamSynchronize, (cudaStream_t stream), (stream)) {
  return call_on(stream, [](Process& state, Stream& on) { return state.synchronise(&on); });
}

ROOFLINE_CUDA(cudaError_t, cudaStreamQuery, (cudaStream_t stream), (stream)) {
  return call_on(stream, [](Process& state, Stream& on) {
    if (on.capture) {
      on.capture->invalidated = true;
      return cudaErrorStreamCaptureUnsupported;
    }
    return state.timeline.asked(state.ready(on)) ? cudaSuccess : cudaErrorNotReady;
  });
}

ROOFLINE_CUDA(cudaError_t, cudaStreamGetPriority, (cudaStream_t stream, int* priority), (stream, priority)) {
  return call_on(stream, [&](Process&, Stream& on) {
    return priority ? (*priority = on.priority, cudaSuccess) : cudaErrorInvalidValue;
  });
}
ROOFLINE_CUDA(cudaError_t, cudaStreamGetFlags, (cudaStream_t stream, unsigned* flags), (stream, flags)) {
  return call_on(
      stream, [&](Process&, Stream& on) { return flags ? (*flags = on.flags, cudaSuccess) : cudaErrorInvalidValue; });
}
ROOFLINE_CUDA(cudaError_t, cudaStreamGetId, (cudaStream_t stream, unsigned long long* id), (stream, id)) {
  return call_on(stream, [&](Process&, Stream& on) { return id ? (*id = on.id, cudaSuccess) : cudaErrorInvalidValue; });
}
ROOFLINE_CUDA(cudaError_t, cudaStreamGetDevice, (cudaStream_t stream, int* device), (stream, device)) {
  return call_on(stream,
                 [&](Process&, Stream&) { return device ? (*device = 0, cudaSuccess) : cudaErrorInvalidValue; });
}

// Attributes steer caches and scheduling, of which nothing can be seen here.
ROOFLINE_CUDA(cudaError_t, cudaStreamSetAttribute,
              (cudaStream_t stream, cudaLaunchAttributeID which, const cudaLaunchAttributeValue* value),
              (stream, which, value)) {
  return call_on(stream, [&](Process&, Stream&) {
    return value && which != cudaLaunchAttributeIgnore ? cudaSuccess : cudaErrorInvalidValue;
  });
}
ROOFLINE_CUDA(cudaError_t, cudaStreamGetAttribute,
              (cudaStream_t stream, cudaLaunchAttributeID which, cudaLaunchAttributeValue* value),
              (stream, which, value)) {
  return call_on(stream, [&](Process&, Stream& on) {
    if (!value) return cudaErrorInvalidValue;
    *value = {};
    if (which == cudaLaunchAttributePriority) value->priority = on.priority;
    return cudaSuccess;
  });
}
ROOFLINE_CUDA(cudaError_t, cudaStreamCopyAttributes, (cudaStream_t to, cudaStream_t from), (to, from)) {
  return call_on(
      to, [&](Process& state, Stream&) { return state.stream(from) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}

ROOFLINE_CUDA(cudaError_t, cudaStreamAttachMemAsync, (cudaStream_t stream, void* pointer, size_t bytes, unsigned flags),
              (stream, pointer, bytes, flags)) {
  static_cast<void>(bytes), static_cast<void>(flags);
  return call_on(stream, [&](Process& state, Stream&) {
    return state.memory->find(reinterpret_cast<std::uintptr_t>(pointer)) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

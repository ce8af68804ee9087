// Programs built with --default-stream per-thread call these instead: the default stream is the calling thread's own.
#include "bench/virtual_gpu/stream/entry_point.hpp"

using namespace roofline::runtime;

extern "C" cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                                          cudaStream_t stream);

namespace {

/// Stream 0 is the calling thread's own; other arguments are what they are.
cudaStream_t own(cudaStream_t stream) { return stream ? stream : cudaStreamPerThread; }
template <class T>
T own(T argument) {
  return argument;
}

/// The second half of a synchronous call, after its asynchronous form.
cudaError_t waited(cudaError_t error) {
  return error == cudaSuccess ? cudaStreamSynchronize(cudaStreamPerThread) : error;
}

template <class... A>
cudaError_t on_own_stream(cudaError_t (*function)(A...), A... arguments) {
  return function(own(arguments)...);
}

}  // namespace

#define ROOFLINE_AS(name, f, ...)                                                                           \
  extern "C" __attribute__((visibility("default"))) ::roofline::runtime::Signature<decltype(f)>::Type name; \
  extern "C" cudaError_t name(ROOFLINE_PARAMETERS(f, __VA_ARGS__))
#define ROOFLINE_PTSZ(f, ...) \
  ROOFLINE_AS(f##_ptsz, f, __VA_ARGS__) { return on_own_stream(f, __VA_ARGS__); }
#define ROOFLINE_PTDS(f, ...) \
  ROOFLINE_AS(f##_ptds, f, __VA_ARGS__) { return waited(f##Async(__VA_ARGS__, cudaStreamPerThread)); }

ROOFLINE_PTSZ(__cudaLaunchKernel, kernel, grid, block, arguments, shared, stream)
ROOFLINE_PTSZ(cudaEventRecordWithFlags, event, stream, flags)
ROOFLINE_PTSZ(cudaEventRecord, event, stream)
ROOFLINE_PTSZ(cudaFreeAsync, pointer, stream)
ROOFLINE_PTSZ(cudaGetDriverEntryPointByVersion, name, function, version, flags, result)
ROOFLINE_PTSZ(cudaGetDriverEntryPoint, name, function, flags, result)
ROOFLINE_PTSZ(cudaGraphInstantiateWithParams, exec, graph, parameters)
ROOFLINE_PTSZ(cudaGraphLaunch, exec, stream)
ROOFLINE_PTSZ(cudaGraphUpload, exec, stream)
ROOFLINE_PTSZ(cudaLaunchCooperativeKernel, function, grid, block, arguments, shared, stream)
ROOFLINE_PTSZ(cudaLaunchHostFunc, stream, function, data)
ROOFLINE_PTSZ(cudaLaunchKernel, function, grid, block, arguments, shared, stream)
ROOFLINE_PTSZ(cudaMallocAsync, pointer, bytes, stream)
ROOFLINE_PTSZ(cudaMallocFromPoolAsync, pointer, bytes, pool, stream)
ROOFLINE_PTSZ(cudaMemPrefetchAsync, pointer, bytes, location, flags, stream)
ROOFLINE_PTSZ(cudaMemcpy2DAsync, to, to_pitch, from, from_pitch, width, height, kind, stream)
ROOFLINE_PTDS(cudaMemcpy2D, to, to_pitch, from, from_pitch, width, height, kind)
ROOFLINE_PTSZ(cudaMemcpy3DAsync, parameters, stream)
ROOFLINE_PTDS(cudaMemcpy3D, parameters)
ROOFLINE_PTSZ(cudaMemcpyAsync, to, from, bytes, kind, stream)
ROOFLINE_PTSZ(cudaMemcpyFromSymbolAsync, to, symbol, count, offset, kind, stream)
ROOFLINE_PTDS(cudaMemcpyFromSymbol, to, symbol, count, offset, kind)
ROOFLINE_PTSZ(cudaMemcpyToSymbolAsync, symbol, from, count, offset, kind, stream)
ROOFLINE_PTDS(cudaMemcpyToSymbol, symbol, from, count, offset, kind)
ROOFLINE_PTDS(cudaMemcpy, to, from, bytes, kind)
ROOFLINE_PTSZ(cudaMemset2DAsync, pointer, pitch, value, width, height, stream)
ROOFLINE_PTDS(cudaMemset2D, pointer, pitch, value, width, height)
ROOFLINE_PTSZ(cudaMemset3DAsync, pointer, value, extent, stream)
ROOFLINE_PTDS(cudaMemset3D, pointer, value, extent)
ROOFLINE_PTSZ(cudaMemsetAsync, pointer, value, bytes, stream)
ROOFLINE_PTDS(cudaMemset, pointer, value, bytes)
ROOFLINE_PTSZ(cudaStreamAddCallback, stream, callback, data, flags)
ROOFLINE_PTSZ(cudaStreamAttachMemAsync, stream, pointer, bytes, flags)
ROOFLINE_PTSZ(cudaStreamBeginCaptureToGraph, stream, graph, nodes, edges, count, mode)
ROOFLINE_PTSZ(cudaStreamBeginCapture, stream, mode)
ROOFLINE_PTSZ(cudaStreamCopyAttributes, to, from)
ROOFLINE_PTSZ(cudaStreamEndCapture, stream, graph)
ROOFLINE_PTSZ(cudaStreamGetAttribute, stream, which, value)
ROOFLINE_PTSZ(cudaStreamGetCaptureInfo, stream, status, id, graph, nodes, edges, count)
ROOFLINE_PTSZ(cudaStreamGetDevice, stream, device)
ROOFLINE_PTSZ(cudaStreamGetFlags, stream, flags)
ROOFLINE_PTSZ(cudaStreamGetId, stream, id)
ROOFLINE_PTSZ(cudaStreamGetPriority, stream, priority)
ROOFLINE_PTSZ(cudaStreamIsCapturing, stream, status)
ROOFLINE_PTSZ(cudaStreamQuery, stream)
ROOFLINE_PTSZ(cudaStreamSetAttribute, stream, which, value)
ROOFLINE_PTSZ(cudaStreamSynchronize, stream)
ROOFLINE_PTSZ(cudaStreamUpdateCaptureDependencies, stream, nodes, edges, count, flags)
ROOFLINE_PTSZ(cudaStreamWaitEvent, stream, event, flags)

ROOFLINE_AS(cudaLaunchKernelExC_ptsz, cudaLaunchKernelExC, config, function, arguments) {
  if (!config) return note(cudaErrorInvalidValue);
  auto own_config = *config;
  own_config.stream = own(config->stream);
  return cudaLaunchKernelExC(&own_config, function, arguments);
}

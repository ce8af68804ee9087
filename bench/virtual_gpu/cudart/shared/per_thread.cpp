// Programs built with --default-stream per-thread call these instead: the default stream is the calling thread's own.
#include "bench/virtual_gpu/cudart/shared/own_stream.hpp"
#include "bench/virtual_gpu/stream/call.hpp"

using namespace roofline::runtime;

extern "C" cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                                          cudaStream_t stream);

#define ROOFLINE_PER_THREAD(result, name, parameters)                       \
  extern "C" __attribute__((visibility("default"))) result name parameters; \
  extern "C" result name parameters

ROOFLINE_PER_THREAD(cudaError_t, __cudaLaunchKernel_ptsz,
                    (cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                     cudaStream_t stream)) {
  return __cudaLaunchKernel(kernel, grid, block, arguments, shared, own(stream));
}
ROOFLINE_PER_THREAD(cudaError_t, cudaEventRecordWithFlags_ptsz,
                    (cudaEvent_t event, cudaStream_t stream, unsigned flags)) {
  return cudaEventRecordWithFlags(event, own(stream), flags);
}
ROOFLINE_PER_THREAD(cudaError_t, cudaEventRecord_ptsz, (cudaEvent_t event, cudaStream_t stream)) {
  return cudaEventRecord(event, own(stream));
}
ROOFLINE_PER_THREAD(cudaError_t, cudaFreeAsync_ptsz, (void* pointer, cudaStream_t stream)) {
  return cudaFreeAsync(pointer, own(stream));
}
ROOFLINE_PER_THREAD(cudaError_t, cudaGetDriverEntryPointByVersion_ptsz,
                    (const char* name, void** function, unsigned version, unsigned long long flags,
                     cudaDriverEntryPointQueryResult* result)) {
  return cudaGetDriverEntryPointByVersion(name, function, version, flags, result);
}
ROOFLINE_PER_THREAD(cudaError_t, cudaGetDriverEntryPoint_ptsz,
                    (const char* name, void** function, unsigned long long flags,
                     cudaDriverEntryPointQueryResult* result)) {
  return cudaGetDriverEntryPointByVersion(name, function, CUDART_VERSION, flags, result);
}
ROOFLINE_PER_THREAD(cudaError_t, cudaGraphInstantiateWithParams_ptsz,
                    (cudaGraphExec_t * exec, cudaGraph_t graph, cudaGraphInstantiateParams* parameters)) {
  return cudaGraphInstantiateWithParams(exec, graph, parameters);
}
ROOFLINE_PER_THREAD(cudaError_t, cudaGraphLaunch_ptsz, (cudaGraphExec_t exec, cudaStream_t stream)) {
  return cudaGraphLaunch(exec, own(stream));
}
ROOFLINE_PER_THREAD(cudaError_t, cudaGraphUpload_ptsz, (cudaGraphExec_t exec, cudaStream_t stream)) {
  return cudaGraphUpload(exec, own(stream));
}
ROOFLINE_PER_THREAD(cudaError_t, cudaLaunchCooperativeKernel_ptsz,
                    (const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                     cudaStream_t stream)) {
  return cudaLaunchCooperativeKernel(function, grid, block, arguments, shared, own(stream));
}
ROOFLINE_PER_THREAD(cudaError_t, cudaLaunchHostFunc_ptsz, (cudaStream_t stream, cudaHostFn_t function, void* data)) {
  return cudaLaunchHostFunc(own(stream), function, data);
}
ROOFLINE_PER_THREAD(cudaError_t, cudaLaunchKernelExC_ptsz,
                    (const cudaLaunchConfig_t* config, const void* function, void** arguments)) {
  if (!config) return note(cudaErrorInvalidValue);
  auto own_config = *config;
  own_config.stream = own(config->stream);
  return cudaLaunchKernelExC(&own_config, function, arguments);
}
ROOFLINE_PER_THREAD(cudaError_t, cudaLaunchKernel_ptsz,
                    (const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                     cudaStream_t stream)) {
  return cudaLaunchKernel(function, grid, block, arguments, shared, own(stream));
}
ROOFLINE_PER_THREAD(cudaError_t, cudaMallocAsync_ptsz, (void** pointer, size_t bytes, cudaStream_t stream)) {
  return cudaMallocAsync(pointer, bytes, own(stream));
}
ROOFLINE_PER_THREAD(cudaError_t, cudaMallocFromPoolAsync_ptsz,
                    (void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)) {
  return cudaMallocFromPoolAsync(pointer, bytes, pool, own(stream));
}
ROOFLINE_PER_THREAD(cudaError_t, cudaMemPrefetchAsync_ptsz,
                    (const void* pointer, size_t bytes, cudaMemLocation location, unsigned flags,
                     cudaStream_t stream)) {
  return cudaMemPrefetchAsync(pointer, bytes, location, flags, own(stream));
}
ROOFLINE_PER_THREAD(cudaError_t, cudaMemcpy2DAsync_ptsz,
                    (void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                     cudaMemcpyKind kind, cudaStream_t stream)) {
  return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, own(stream));
}
ROOFLINE_PER_THREAD(cudaError_t, cudaMemcpy2D_ptds,
                    (void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                     cudaMemcpyKind kind)) {
  return waited(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, cudaStreamPerThread));
}
ROOFLINE_PER_THREAD(cudaError_t, cudaMemcpy3DAsync_ptsz, (const cudaMemcpy3DParms* parameters, cudaStream_t stream)) {
  return cudaMemcpy3DAsync(parameters, own(stream));
}
ROOFLINE_PER_THREAD(cudaError_t, cudaMemcpy3D_ptds, (const cudaMemcpy3DParms* parameters)) {
  return waited(cudaMemcpy3DAsync(parameters, cudaStreamPerThread));
}
ROOFLINE_PER_THREAD(cudaError_t, cudaMemcpyAsync_ptsz,
                    (void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream)) {
  return cudaMemcpyAsync(to, from, bytes, kind, own(stream));
}
ROOFLINE_PER_THREAD(cudaError_t, cudaMemcpyFromSymbolAsync_ptsz,
                    (void* to, const void* symbol, size_t count, size_t offset, cudaMemcpyKind kind,
                     cudaStream_t stream)) {
  return cudaMemcpyFromSymbolAsync(to, symbol, count, offset, kind, own(stream));
}
ROOFLINE_PER_THREAD(cudaError_t, cudaMemcpyFromSymbol_ptds,
                    (void* to, const void* symbol, size_t count, size_t offset, cudaMemcpyKind kind)) {
  return waited(cudaMemcpyFromSymbolAsync(to, symbol, count, offset, kind, cudaStreamPerThread));
}
ROOFLINE_PER_THREAD(cudaError_t, cudaMemcpyToSymbolAsync_ptsz,
                    (const void* symbol, const void* from, size_t count, size_t offset, cudaMemcpyKind kind,
                     cudaStream_t stream)) {
  return cudaMemcpyToSymbolAsync(symbol, from, count, offset, kind, own(stream));
}
ROOFLINE_PER_THREAD(cudaError_t, cudaMemcpyToSymbol_ptds,
                    (const void* symbol, const void* from, size_t count, size_t offset, cudaMemcpyKind kind)) {
  return waited(cudaMemcpyToSymbolAsync(symbol, from, count, offset, kind, cudaStreamPerThread));
}
ROOFLINE_PER_THREAD(cudaError_t, cudaMemcpy_ptds, (void* to, const void* from, size_t bytes, cudaMemcpyKind kind)) {
  return waited(cudaMemcpyAsync(to, from, bytes, kind, cudaStreamPerThread));
}
ROOFLINE_PER_THREAD(cudaError_t, cudaMemset2DAsync_ptsz,
                    (void* pointer, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream)) {
  return cudaMemset2DAsync(pointer, pitch, value, width, height, own(stream));
}
ROOFLINE_PER_THREAD(cudaError_t, cudaMemset2D_ptds,
                    (void* pointer, size_t pitch, int value, size_t width, size_t height)) {
  return waited(cudaMemset2DAsync(pointer, pitch, value, width, height, cudaStreamPerThread));
}
ROOFLINE_PER_THREAD(cudaError_t, cudaMemset3DAsync_ptsz,
                    (cudaPitchedPtr pointer, int value, cudaExtent extent, cudaStream_t stream)) {
  return cudaMemset3DAsync(pointer, value, extent, own(stream));
}
ROOFLINE_PER_THREAD(cudaError_t, cudaMemset3D_ptds, (cudaPitchedPtr pointer, int value, cudaExtent extent)) {
  return waited(cudaMemset3DAsync(pointer, value, extent, cudaStreamPerThread));
}
ROOFLINE_PER_THREAD(cudaError_t, cudaMemsetAsync_ptsz, (void* pointer, int value, size_t bytes, cudaStream_t stream)) {
  return cudaMemsetAsync(pointer, value, bytes, own(stream));
}
ROOFLINE_PER_THREAD(cudaError_t, cudaMemset_ptds, (void* pointer, int value, size_t bytes)) {
  return waited(cudaMemsetAsync(pointer, value, bytes, cudaStreamPerThread));
}
ROOFLINE_PER_THREAD(cudaError_t, cudaStreamAddCallback_ptsz,
                    (cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned flags)) {
  return cudaStreamAddCallback(own(stream), callback, data, flags);
}
ROOFLINE_PER_THREAD(cudaError_t, cudaStreamAttachMemAsync_ptsz,
                    (cudaStream_t stream, void* pointer, size_t bytes, unsigned flags)) {
  return cudaStreamAttachMemAsync(own(stream), pointer, bytes, flags);
}
ROOFLINE_PER_THREAD(cudaError_t, cudaStreamBeginCaptureToGraph_ptsz,
                    (cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t* nodes,
                     const cudaGraphEdgeData* edges, size_t count, cudaStreamCaptureMode mode)) {
  return cudaStreamBeginCaptureToGraph(own(stream), graph, nodes, edges, count, mode);
}
ROOFLINE_PER_THREAD(cudaError_t, cudaStreamBeginCapture_ptsz, (cudaStream_t stream, cudaStreamCaptureMode mode)) {
  return cudaStreamBeginCapture(own(stream), mode);
}
ROOFLINE_PER_THREAD(cudaError_t, cudaStreamCopyAttributes_ptsz, (cudaStream_t to, cudaStream_t from)) {
  return cudaStreamCopyAttributes(to, from);
}
ROOFLINE_PER_THREAD(cudaError_t, cudaStreamEndCapture_ptsz, (cudaStream_t stream, cudaGraph_t* graph)) {
  return cudaStreamEndCapture(own(stream), graph);
}
ROOFLINE_PER_THREAD(cudaError_t, cudaStreamGetAttribute_ptsz,
                    (cudaStream_t stream, cudaLaunchAttributeID which, cudaLaunchAttributeValue* value)) {
  return cudaStreamGetAttribute(own(stream), which, value);
}
ROOFLINE_PER_THREAD(cudaError_t, cudaStreamGetCaptureInfo_ptsz,
                    (cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id, cudaGraph_t* graph,
                     const cudaGraphNode_t** nodes, const cudaGraphEdgeData** edges, size_t* count)) {
  return cudaStreamGetCaptureInfo(own(stream), status, id, graph, nodes, edges, count);
}
ROOFLINE_PER_THREAD(cudaError_t, cudaStreamGetDevice_ptsz, (cudaStream_t stream, int* device)) {
  return cudaStreamGetDevice(own(stream), device);
}
ROOFLINE_PER_THREAD(cudaError_t, cudaStreamGetFlags_ptsz, (cudaStream_t stream, unsigned* flags)) {
  return cudaStreamGetFlags(own(stream), flags);
}
ROOFLINE_PER_THREAD(cudaError_t, cudaStreamGetId_ptsz, (cudaStream_t stream, unsigned long long* id)) {
  return cudaStreamGetId(own(stream), id);
}
ROOFLINE_PER_THREAD(cudaError_t, cudaStreamGetPriority_ptsz, (cudaStream_t stream, int* priority)) {
  return cudaStreamGetPriority(own(stream), priority);
}
ROOFLINE_PER_THREAD(cudaError_t, cudaStreamIsCapturing_ptsz, (cudaStream_t stream, cudaStreamCaptureStatus* status)) {
  return cudaStreamIsCapturing(own(stream), status);
}
ROOFLINE_PER_THREAD(cudaError_t, cudaStreamQuery_ptsz, (cudaStream_t stream)) { return cudaStreamQuery(own(stream)); }
ROOFLINE_PER_THREAD(cudaError_t, cudaStreamSetAttribute_ptsz,
                    (cudaStream_t stream, cudaLaunchAttributeID which, const cudaLaunchAttributeValue* value)) {
  return cudaStreamSetAttribute(own(stream), which, value);
}
ROOFLINE_PER_THREAD(cudaError_t, cudaStreamSynchronize_ptsz, (cudaStream_t stream)) {
  return cudaStreamSynchronize(own(stream));
}
ROOFLINE_PER_THREAD(cudaError_t, cudaStreamUpdateCaptureDependencies_ptsz,
                    (cudaStream_t stream, cudaGraphNode_t* nodes, const cudaGraphEdgeData* edges, size_t count,
                     unsigned flags)) {
  return cudaStreamUpdateCaptureDependencies(own(stream), nodes, edges, count, flags);
}
ROOFLINE_PER_THREAD(cudaError_t, cudaStreamWaitEvent_ptsz, (cudaStream_t stream, cudaEvent_t event, unsigned flags)) {
  return cudaStreamWaitEvent(own(stream), event, flags);
}

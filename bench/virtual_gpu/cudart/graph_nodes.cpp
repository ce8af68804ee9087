// Nodes of graphs, one kind after the other: added, read and changed, in a graph or in an executable one.
#include "bench/virtual_gpu/cudart/graph_calls.hpp"
#include "bench/virtual_gpu/stream/copies.hpp"
#include "bench/virtual_gpu/stream/node_parameters.hpp"

using namespace roofline::runtime;

namespace {

template <class Parameters>
cudaError_t add_from(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before, size_t count,
                     const Parameters* parameters) {
  return call([&](Process& state) {
    Work work;
    if (!parameters) return cudaErrorInvalidValue;
    if (const auto error = work_of(state, *parameters, work); error != cudaSuccess) return error;
    return add_node(state, node, graph, before, count, std::move(work));
  });
}

template <class Kind, class Parameters>
cudaError_t set_from(cudaGraphNode_t node, const Parameters* parameters) {
  return with_node<Kind>(node, [&](Process& state, Node& found, Kind&) {
    Work work;
    if (!parameters) return cudaErrorInvalidValue;
    const auto error = work_of(state, *parameters, work);
    if (error == cudaSuccess) found.work = std::move(work);
    return error;
  });
}

template <class Parameters>
cudaError_t set_step(cudaGraphExec_t exec, cudaGraphNode_t node, const Parameters* parameters) {
  return change_step(exec, node, [&](Process& state, Work& work) {
    return parameters ? work_of(state, *parameters, work) : cudaErrorInvalidValue;
  });
}

cudaError_t add_simple(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before, size_t count,
                       const Work& work) {
  return call([&](Process& state) { return add_node(state, node, graph, before, count, work); });
}

}  // namespace

// kernel nodes
ROOFLINE_CUDA(cudaError_t, cudaGraphAddKernelNode,
              (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t* before, size_t count,
               const cudaKernelNodeParams* parameters),
              (node, graph, before, count, parameters)) {
  return add_from(node, graph, before, count, parameters);
}
ROOFLINE_CUDA(cudaError_t, cudaGraphKernelNodeGetParams, (cudaGraphNode_t node, cudaKernelNodeParams* parameters),
              (node, parameters)) {
  return with_node<KernelWork>(node, [&](Process&, [[maybe_unused]] Node& found, KernelWork& work) {
    if (!parameters) return cudaErrorInvalidValue;
    *parameters = parameters_of(found, work);
    return cudaSuccess;
  });
}
ROOFLINE_CUDA(cudaError_t, cudaGraphKernelNodeSetParams, (cudaGraphNode_t node, const cudaKernelNodeParams* parameters),
              (node, parameters)) {
  return set_from<KernelWork>(node, parameters);
}
ROOFLINE_CUDA(cudaError_t, cudaGraphExecKernelNodeSetParams,
              (cudaGraphExec_t exec, cudaGraphNode_t node, const cudaKernelNodeParams* parameters),
              (exec, node, parameters)) {
  return set_step(exec, node, parameters);
}

// memcpy nodes
ROOFLINE_CUDA(cudaError_t, cudaGraphAddMemcpyNode,
              (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t* before, size_t count,
               const cudaMemcpy3DParms* parameters),
              (node, graph, before, count, parameters)) {
  return add_from(node, graph, before, count, parameters);
}
ROOFLINE_CUDA(cudaError_t, cudaGraphMemcpyNodeGetParams, (cudaGraphNode_t node, cudaMemcpy3DParms* parameters),
              (node, parameters)) {
  return with_node<CopyWork>(node, [&](Process&, [[maybe_unused]] Node& found, CopyWork& work) {
    if (!parameters) return cudaErrorInvalidValue;
    *parameters = parameters_of(work);
    return cudaSuccess;
  });
}
ROOFLINE_CUDA(cudaError_t, cudaGraphMemcpyNodeSetParams, (cudaGraphNode_t node, const cudaMemcpy3DParms* parameters),
              (node, parameters)) {
  return set_from<CopyWork>(node, parameters);
}
ROOFLINE_CUDA(cudaError_t, cudaGraphExecMemcpyNodeSetParams,
              (cudaGraphExec_t exec, cudaGraphNode_t node, const cudaMemcpy3DParms* parameters),
              (exec, node, parameters)) {
  return set_step(exec, node, parameters);
}

// memset nodes
ROOFLINE_CUDA(cudaError_t, cudaGraphAddMemsetNode,
              (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t* before, size_t count,
               const cudaMemsetParams* parameters),
              (node, graph, before, count, parameters)) {
  return add_from(node, graph, before, count, parameters);
}
ROOFLINE_CUDA(cudaError_t, cudaGraphMemsetNodeGetParams, (cudaGraphNode_t node, cudaMemsetParams* parameters),
              (node, parameters)) {
  return with_node<FillWork>(node, [&](Process&, [[maybe_unused]] Node& found, FillWork& work) {
    if (!parameters) return cudaErrorInvalidValue;
    *parameters = parameters_of(work);
    return cudaSuccess;
  });
}
ROOFLINE_CUDA(cudaError_t, cudaGraphMemsetNodeSetParams, (cudaGraphNode_t node, const cudaMemsetParams* parameters),
              (node, parameters)) {
  return set_from<FillWork>(node, parameters);
}
ROOFLINE_CUDA(cudaError_t, cudaGraphExecMemsetNodeSetParams,
              (cudaGraphExec_t exec, cudaGraphNode_t node, const cudaMemsetParams* parameters),
              (exec, node, parameters)) {
  return set_step(exec, node, parameters);
}

// host nodes
ROOFLINE_CUDA(cudaError_t, cudaGraphAddHostNode,
              (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t* before, size_t count,
               const cudaHostNodeParams* parameters),
              (node, graph, before, count, parameters)) {
  return add_from(node, graph, before, count, parameters);
}
ROOFLINE_CUDA(cudaError_t, cudaGraphHostNodeGetParams, (cudaGraphNode_t node, cudaHostNodeParams* parameters),
              (node, parameters)) {
  return with_node<HostWork>(node, [&](Process&, [[maybe_unused]] Node& found, HostWork& work) {
    if (!parameters) return cudaErrorInvalidValue;
    *parameters = {work.function, work.data};
    return cudaSuccess;
  });
}
ROOFLINE_CUDA(cudaError_t, cudaGraphHostNodeSetParams, (cudaGraphNode_t node, const cudaHostNodeParams* parameters),
              (node, parameters)) {
  return set_from<HostWork>(node, parameters);
}
ROOFLINE_CUDA(cudaError_t, cudaGraphExecHostNodeSetParams,
              (cudaGraphExec_t exec, cudaGraphNode_t node, const cudaHostNodeParams* parameters),
              (exec, node, parameters)) {
  return set_step(exec, node, parameters);
}

ROOFLINE_CUDA(cudaError_t, cudaGraphAddMemcpyNode1D,
              (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t* before, size_t count, void* to,
               const void* from, size_t bytes, cudaMemcpyKind kind),
              (node, graph, before, count, to, from, bytes, kind)) {
  return add_simple(node, graph, before, count, linear(to, from, bytes, kind));
}
ROOFLINE_CUDA(cudaError_t, cudaGraphMemcpyNodeSetParams1D,
              (cudaGraphNode_t node, void* to, const void* from, size_t bytes, cudaMemcpyKind kind),
              (node, to, from, bytes, kind)) {
  return with_node<CopyWork>(node, [&](Process&, Node&, CopyWork& work) {
    work = linear(to, from, bytes, kind);
    return cudaSuccess;
  });
}
ROOFLINE_CUDA(cudaError_t, cudaGraphExecMemcpyNodeSetParams1D,
              (cudaGraphExec_t exec, cudaGraphNode_t node, void* to, const void* from, size_t bytes,
               cudaMemcpyKind kind),
              (exec, node, to, from, bytes, kind)) {
  return change_step(exec, node, [&](Process&, Work& work) {
    work = linear(to, from, bytes, kind);
    return cudaSuccess;
  });
}

// empty nodes, events and children
ROOFLINE_CUDA(cudaError_t, cudaGraphAddEmptyNode,
              (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t* before, size_t count),
              (node, graph, before, count)) {
  return add_simple(node, graph, before, count, EmptyWork{});
}

ROOFLINE_CUDA(cudaError_t, cudaGraphAddEventRecordNode,
              (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t* before, size_t count,
               cudaEvent_t event),
              (node, graph, before, count, event)) {
  return call([&](Process& state) {
    auto* const found = state.events.find(event);
    return found ? add_node(state, node, graph, before, count, RecordWork{found}) : cudaErrorInvalidResourceHandle;
  });
}
ROOFLINE_CUDA(cudaError_t, cudaGraphAddEventWaitNode,
              (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t* before, size_t count,
               cudaEvent_t event),
              (node, graph, before, count, event)) {
  return call([&](Process& state) {
    auto* const found = state.events.find(event);
    return found ? add_node(state, node, graph, before, count, WaitWork{found}) : cudaErrorInvalidResourceHandle;
  });
}

ROOFLINE_CUDA(cudaError_t, cudaGraphAddChildGraphNode,
              (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t* before, size_t count,
               cudaGraph_t child),
              (node, graph, before, count, child)) {
  return call([&](Process& state) {
    auto* const found = state.graph(child);
    if (!found) return cudaErrorInvalidValue;
    return add_node(state, node, graph, before, count, GraphWork{found->clone()});
  });
}
ROOFLINE_CUDA(cudaError_t, cudaGraphChildGraphNodeGetGraph, (cudaGraphNode_t node, cudaGraph_t* graph), (node, graph)) {
  return with_node<GraphWork>(node, [&](Process& state, Node&, GraphWork& work) {
    if (!graph) return cudaErrorInvalidValue;
    *graph = reinterpret_cast<cudaGraph_t>(work.graph.get());
    state.graphs[*graph] = work.graph;
    return cudaSuccess;
  });
}
ROOFLINE_CUDA(cudaError_t, cudaGraphExecChildGraphNodeSetParams,
              (cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child), (exec, node, child)) {
  return change_step(exec, node, [&](Process& state, Work& work) {
    auto* const found = state.graph(child);
    if (!found) return cudaErrorInvalidValue;
    work = GraphWork{found->clone()};
    return cudaSuccess;
  });
}

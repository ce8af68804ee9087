// Nodes of graphs, one kind after the other: added, read and changed, in a graph or in an executable one.
#include "bench/virtual_gpu/cudart/graph_calls.hpp"
#include "bench/virtual_gpu/stream/perform.hpp"

using namespace roofline::runtime;

namespace {

template <class Parameters>
cudaError_t make(Process& state, const Parameters* parameters, Work& work) {
  return parameters ? work_of(state, *parameters, work) : cudaErrorInvalidValue;
}

template <class Parameters>
cudaError_t add_from(Process& state, cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                     size_t count, const Parameters* parameters) {
  Work work;
  if (const auto error = make(state, parameters, work); error != cudaSuccess) return error;
  return add_node(state, node, graph, before, count, std::move(work));
}

template <class Kind, class Parameters>
cudaError_t set_from(Process& state, Kind& in, const Parameters* parameters) {
  Work work;
  const auto error = make(state, parameters, work);
  if (error == cudaSuccess) in = std::get<Kind>(std::move(work));
  return error;
}

template <class Parameters>
cudaError_t set_step(cudaGraphExec_t exec, cudaGraphNode_t node, const Parameters* parameters) {
  return change_step(exec, node, [&](Process& state, Work& work) { return make(state, parameters, work); });
}

cudaError_t add_event(Process& state, cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                      size_t count, cudaEvent_t event, bool record) {
  auto* const found = state.events.find(event);
  if (!found) return cudaErrorInvalidResourceHandle;
  return add_node(state, node, graph, before, count, record ? Work{RecordWork{found}} : WaitWork{found});
}

}  // namespace

// kernel nodes
ROOFLINE_CALL(cudaGraphAddKernelNode, node, graph, before, count, parameters) {
  return add_from(state, node, graph, before, count, parameters);
}
ROOFLINE_NODE_OF(cudaGraphKernelNodeGetParams, KernelWork, node, parameters) {
  return give(parameters, parameters_of(*state.node(node), work));
}
ROOFLINE_NODE_OF(cudaGraphKernelNodeSetParams, KernelWork, node, parameters) {
  return set_from(state, work, parameters);
}
ROOFLINE_CUDA(cudaGraphExecKernelNodeSetParams, exec, node, parameters) { return set_step(exec, node, parameters); }

// memcpy nodes
ROOFLINE_CALL(cudaGraphAddMemcpyNode, node, graph, before, count, parameters) {
  return add_from(state, node, graph, before, count, parameters);
}
ROOFLINE_NODE_OF(cudaGraphMemcpyNodeGetParams, CopyWork, node, parameters) {
  return give(parameters, parameters_of(work));
}
ROOFLINE_NODE_OF(cudaGraphMemcpyNodeSetParams, CopyWork, node, parameters) { return set_from(state, work, parameters); }
ROOFLINE_CUDA(cudaGraphExecMemcpyNodeSetParams, exec, node, parameters) { return set_step(exec, node, parameters); }

// memset nodes
ROOFLINE_CALL(cudaGraphAddMemsetNode, node, graph, before, count, parameters) {
  return add_from(state, node, graph, before, count, parameters);
}
ROOFLINE_NODE_OF(cudaGraphMemsetNodeGetParams, FillWork, node, parameters) {
  return give(parameters, parameters_of(work));
}
ROOFLINE_NODE_OF(cudaGraphMemsetNodeSetParams, FillWork, node, parameters) { return set_from(state, work, parameters); }
ROOFLINE_CUDA(cudaGraphExecMemsetNodeSetParams, exec, node, parameters) { return set_step(exec, node, parameters); }

// host nodes
ROOFLINE_CALL(cudaGraphAddHostNode, node, graph, before, count, parameters) {
  return add_from(state, node, graph, before, count, parameters);
}
ROOFLINE_NODE_OF(cudaGraphHostNodeGetParams, HostWork, node, parameters) {
  return give(parameters, cudaHostNodeParams{work.function, work.data});
}
ROOFLINE_NODE_OF(cudaGraphHostNodeSetParams, HostWork, node, parameters) { return set_from(state, work, parameters); }
ROOFLINE_CUDA(cudaGraphExecHostNodeSetParams, exec, node, parameters) { return set_step(exec, node, parameters); }

ROOFLINE_CALL(cudaGraphAddMemcpyNode1D, node, graph, before, count, to, from, bytes, kind) {
  return add_node(state, node, graph, before, count, linear(to, from, bytes, kind));
}
ROOFLINE_NODE_OF(cudaGraphMemcpyNodeSetParams1D, CopyWork, node, to, from, bytes, kind) {
  return give(&work, linear(to, from, bytes, kind));
}
ROOFLINE_CUDA(cudaGraphExecMemcpyNodeSetParams1D, exec, node, to, from, bytes, kind) {
  return change_step(exec, node, [&](Process&, Work& work) { return give(&work, linear(to, from, bytes, kind)); });
}

// empty nodes, events and children
ROOFLINE_CALL(cudaGraphAddEmptyNode, node, graph, before, count) {
  return add_node(state, node, graph, before, count, EmptyWork{});
}
ROOFLINE_CALL(cudaGraphAddEventRecordNode, node, graph, before, count, event) {
  return add_event(state, node, graph, before, count, event, true);
}
ROOFLINE_CALL(cudaGraphAddEventWaitNode, node, graph, before, count, event) {
  return add_event(state, node, graph, before, count, event, false);
}
ROOFLINE_CALL(cudaGraphAddChildGraphNode, node, graph, before, count, child) {
  auto* const found = state.graph(child);
  if (!found) return cudaErrorInvalidValue;
  return add_node(state, node, graph, before, count, GraphWork{found->clone()});
}
ROOFLINE_NODE_OF(cudaGraphChildGraphNodeGetGraph, GraphWork, node, graph) {
  return graph ? hand_out(state, *graph, work.graph) : cudaErrorInvalidValue;
}
ROOFLINE_CUDA(cudaGraphExecChildGraphNodeSetParams, exec, node, child) {
  return change_step(exec, node, [&](Process& state, Work& work) {
    auto* const found = state.graph(child);
    return found ? give(&work, GraphWork{found->clone()}) : cudaErrorInvalidValue;
  });
}

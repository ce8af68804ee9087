// Graphs as a whole: made, instantiated, launched, looked at.
#include <algorithm>

#include "bench/virtual_gpu/stream/call.hpp"

using namespace roofline::runtime;

namespace {

template <class Body>
cudaError_t with_graph(cudaGraph_t handle, Body&& body) {
  return call([&](Process& state) {
    auto* const graph = state.graph(handle);
    return graph ? body(state, *graph) : cudaErrorInvalidValue;
  });
}

cudaError_t instantiate_graph(cudaGraphExec_t* result, cudaGraph_t handle, unsigned long long flags) {
  return with_graph(handle, [&](Process& state, Graph& graph) {
    if (!result) return cudaErrorInvalidValue;
    auto exec = instantiate(graph, flags);
    if (!exec) return cudaErrorInvalidValue;
    *result = reinterpret_cast<cudaGraphExec_t>(state.execs.add(std::move(exec)));
    return cudaSuccess;
  });
}

/// Fills the caller's array, or says how long it has to be.
cudaError_t list(const std::vector<Node*>& found, cudaGraphNode_t* nodes, size_t* count) {
  if (!count) return cudaErrorInvalidValue;
  if (nodes) {
    for (std::size_t i = 0; i < *count; ++i)
      nodes[i] = i < found.size() ? reinterpret_cast<cudaGraphNode_t>(found[i]) : nullptr;
    *count = std::min(*count, found.size());
  } else {
    *count = found.size();
  }
  return cudaSuccess;
}

std::vector<Node*> all_nodes(Graph& graph) {
  std::vector<Node*> nodes;
  for (auto& node : graph.nodes) nodes.push_back(&node);
  return nodes;
}

}  // namespace

ROOFLINE_CUDA(cudaError_t, cudaGraphCreate, (cudaGraph_t * result, unsigned flags), (result, flags)) {
  return call([&](Process& state) {
    if (!result || flags != 0) return cudaErrorInvalidValue;
    auto graph = std::make_shared<Graph>();
    *result = reinterpret_cast<cudaGraph_t>(graph.get());
    state.graphs[*result] = std::move(graph);
    return cudaSuccess;
  });
}

ROOFLINE_CUDA(cudaError_t, cudaGraphDestroy, (cudaGraph_t graph), (graph)) {
  return call([&](Process& state) { return state.graphs.erase(graph) ? cudaSuccess : cudaErrorInvalidValue; });
}

ROOFLINE_CUDA(cudaError_t, cudaGraphClone, (cudaGraph_t * result, cudaGraph_t original), (result, original)) {
  return with_graph(original, [&](Process& state, Graph& graph) {
    if (!result) return cudaErrorInvalidValue;
    auto clone = graph.clone();
    *result = reinterpret_cast<cudaGraph_t>(clone.get());
    state.graphs[*result] = std::move(clone);
    return cudaSuccess;
  });
}

ROOFLINE_CUDA(cudaError_t, cudaGraphNodeFindInClone,
              (cudaGraphNode_t * result, cudaGraphNode_t original, cudaGraph_t clone), (result, original, clone)) {
  return with_graph(clone, [&](Process&, Graph& graph) {
    for (auto& node : graph.nodes)
      if (node.original == reinterpret_cast<Node*>(original)) {
        *result = reinterpret_cast<cudaGraphNode_t>(&node);
        return cudaSuccess;
      }
    return cudaErrorInvalidValue;
  });
}

ROOFLINE_CUDA(cudaError_t, cudaGraphGetNodes, (cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count),
              (graph, nodes, count)) {
  return with_graph(graph, [&](Process&, Graph& found) { return list(all_nodes(found), nodes, count); });
}

ROOFLINE_CUDA(cudaError_t, cudaGraphGetRootNodes, (cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count),
              (graph, nodes, count)) {
  return with_graph(graph, [&](Process&, Graph& found) { return list(found.roots(), nodes, count); });
}

ROOFLINE_CUDA(cudaError_t, cudaGraphGetEdges,
              (cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* edges, size_t* count),
              (graph, from, to, edges, count)) {
  return with_graph(graph, [&](Process&, Graph& found) {
    if (!count || !from != !to) return cudaErrorInvalidValue;
    std::vector<Node*> sources, targets;
    for (auto& node : found.nodes)
      for (auto* const dependency : node.dependencies) sources.push_back(dependency), targets.push_back(&node);
    if (edges) std::fill_n(edges, std::min(*count, sources.size()), cudaGraphEdgeData{});
    auto capacity = *count;
    const auto error = list(sources, from, count);
    return error != cudaSuccess || !to ? error : list(targets, to, &capacity);
  });
}

ROOFLINE_CUDA(cudaError_t, cudaGraphInstantiate, (cudaGraphExec_t * exec, cudaGraph_t graph, unsigned long long flags),
              (exec, graph, flags)) {
  return instantiate_graph(exec, graph, flags);
}
ROOFLINE_CUDA(cudaError_t, cudaGraphInstantiateWithFlags,
              (cudaGraphExec_t * exec, cudaGraph_t graph, unsigned long long flags), (exec, graph, flags)) {
  return instantiate_graph(exec, graph, flags);
}
ROOFLINE_CUDA(cudaError_t, cudaGraphInstantiateWithParams,
              (cudaGraphExec_t * exec, cudaGraph_t graph, cudaGraphInstantiateParams* parameters),
              (exec, graph, parameters)) {
  if (!parameters) return note(cudaErrorInvalidValue);
  const auto error = instantiate_graph(exec, graph, parameters->flags);
  parameters->result_out = error == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
  parameters->errNode_out = nullptr;
  return error;
}

ROOFLINE_CUDA(cudaError_t, cudaGraphExecDestroy, (cudaGraphExec_t exec), (exec)) {
  return call([&](Process& state) { return state.execs.remove(exec) ? cudaSuccess : cudaErrorInvalidValue; });
}
ROOFLINE_CUDA(cudaError_t, cudaGraphExecGetFlags, (cudaGraphExec_t exec, unsigned long long* flags), (exec, flags)) {
  return call([&](Process& state) {
    const auto* const found = state.execs.find(exec);
    return found && flags ? (*flags = found->flags, cudaSuccess) : cudaErrorInvalidValue;
  });
}

ROOFLINE_CUDA(cudaError_t, cudaGraphUpload, (cudaGraphExec_t exec, cudaStream_t stream), (exec, stream)) {
  return call_on(stream,
                 [&](Process& state, Stream&) { return state.execs.find(exec) ? cudaSuccess : cudaErrorInvalidValue; });
}

ROOFLINE_CUDA(cudaError_t, cudaGraphLaunch, (cudaGraphExec_t exec, cudaStream_t stream), (exec, stream)) {
  return call_on(stream, [&](Process& state, Stream& on) {
    auto* const found = state.execs.find(exec);
    if (!found) return cudaErrorInvalidValue;
    for (const auto& step : found->steps) {
      if (!step.enabled) continue;
      if (const auto error = state.submit(on, step.work); error != cudaSuccess) return error;
    }
    return cudaSuccess;
  });
}

ROOFLINE_CUDA(cudaError_t, cudaGraphExecUpdate,
              (cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* result), (exec, graph, result)) {
  return with_graph(graph, [&](Process& state, Graph& found) {
    auto* const target = state.execs.find(exec);
    return target && result ? update(*target, found, *result) : cudaErrorInvalidValue;
  });
}

ROOFLINE_CUDA(cudaError_t, cudaGraphNodeSetEnabled, (cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled),
              (exec, node, enabled)) {
  return call([&](Process& state) {
    auto* const found = state.execs.find(exec);
    auto* const step = found ? found->step(reinterpret_cast<Node*>(node)) : nullptr;
    return step ? (step->enabled = enabled != 0, cudaSuccess) : cudaErrorInvalidValue;
  });
}
ROOFLINE_CUDA(cudaError_t, cudaGraphNodeGetEnabled, (cudaGraphExec_t exec, cudaGraphNode_t node, unsigned* enabled),
              (exec, node, enabled)) {
  return call([&](Process& state) {
    auto* const found = state.execs.find(exec);
    const auto* const step = found ? found->step(reinterpret_cast<Node*>(node)) : nullptr;
    return step && enabled ? (*enabled = step->enabled, cudaSuccess) : cudaErrorInvalidValue;
  });
}

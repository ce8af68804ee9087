// Graphs as a whole: made, instantiated, launched, looked at.
#include <algorithm>

#include "bench/virtual_gpu/cudart/graph_calls.hpp"

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

std::vector<Node*> all_nodes(Graph& graph) {
  std::vector<Node*> nodes;
  for (auto& node : graph.nodes) nodes.push_back(&node);
  return nodes;
}

}  // namespace

#define ROOFLINE_GRAPH(name, ...) ROOFLINE_FOUND(with_graph, graph, Graph& found, name, __VA_ARGS__)

ROOFLINE_CALL(cudaGraphCreate, result, flags) {
  if (!result || flags != 0) return cudaErrorInvalidValue;
  return hand_out(state, *result, std::make_shared<Graph>());
}

ROOFLINE_CALL(cudaGraphDestroy, graph) { return state.graphs.erase(graph) ? cudaSuccess : cudaErrorInvalidValue; }

ROOFLINE_GRAPH(cudaGraphClone, result, graph) {
  return result ? hand_out(state, *result, found.clone()) : cudaErrorInvalidValue;
}

ROOFLINE_GRAPH(cudaGraphNodeFindInClone, result, original, graph) {
  for (auto& node : found.nodes)
    if (node.original == reinterpret_cast<Node*>(original))
      return give(result, reinterpret_cast<cudaGraphNode_t>(&node));
  return cudaErrorInvalidValue;
}

ROOFLINE_GRAPH(cudaGraphGetNodes, graph, nodes, count) { return list(all_nodes(found), nodes, count); }

ROOFLINE_GRAPH(cudaGraphGetRootNodes, graph, nodes, count) { return list(found.roots(), nodes, count); }

ROOFLINE_GRAPH(cudaGraphGetEdges, graph, from, to, edges, count) {
  if (!count || !from != !to) return cudaErrorInvalidValue;
  std::vector<Node*> sources, targets;
  for (auto& node : found.nodes)
    for (auto* const dependency : node.dependencies) {
      sources.push_back(dependency);
      targets.push_back(&node);
    }
  auto capacity = *count;
  const auto error = list(sources, from, count, edges);
  return error != cudaSuccess || !to ? error : list(targets, to, &capacity);
}

ROOFLINE_CUDA(cudaGraphInstantiate, exec, graph, flags) { return instantiate_graph(exec, graph, flags); }
ROOFLINE_CUDA(cudaGraphInstantiateWithFlags, exec, graph, flags) { return instantiate_graph(exec, graph, flags); }
ROOFLINE_CUDA(cudaGraphInstantiateWithParams, exec, graph, parameters) {
  if (!parameters) return note(cudaErrorInvalidValue);
  const auto error = instantiate_graph(exec, graph, parameters->flags);
  parameters->result_out = error == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
  parameters->errNode_out = nullptr;
  return error;
}

ROOFLINE_CALL(cudaGraphExecDestroy, exec) { return state.execs.remove(exec) ? cudaSuccess : cudaErrorInvalidValue; }
ROOFLINE_CALL(cudaGraphExecGetFlags, exec, flags) {
  const auto* const found = state.execs.find(exec);
  return found && flags ? (*flags = found->flags, cudaSuccess) : cudaErrorInvalidValue;
}

ROOFLINE_CALL_ON(cudaGraphUpload, exec, stream) { return state.execs.find(exec) ? cudaSuccess : cudaErrorInvalidValue; }

ROOFLINE_CALL_ON(cudaGraphLaunch, exec, stream) {
  auto* const found = state.execs.find(exec);
  if (!found) return cudaErrorInvalidValue;
  for (const auto& step : found->steps) {
    if (!step.enabled) continue;
    if (const auto error = state.submit(on, step.work); error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

ROOFLINE_GRAPH(cudaGraphExecUpdate, exec, graph, result) {
  auto* const target = state.execs.find(exec);
  return target && result ? update(*target, found, *result) : cudaErrorInvalidValue;
}

ROOFLINE_CALL(cudaGraphNodeSetEnabled, exec, node, enabled) {
  auto* const found = state.execs.find(exec);
  auto* const step = found ? found->step(reinterpret_cast<Node*>(node)) : nullptr;
  return step ? (step->enabled = enabled != 0, cudaSuccess) : cudaErrorInvalidValue;
}
ROOFLINE_CALL(cudaGraphNodeGetEnabled, exec, node, enabled) {
  auto* const found = state.execs.find(exec);
  const auto* const step = found ? found->step(reinterpret_cast<Node*>(node)) : nullptr;
  return step && enabled ? (*enabled = step->enabled, cudaSuccess) : cudaErrorInvalidValue;
}

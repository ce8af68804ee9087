// Graphs: made by hand or by a capture, instantiated, changed, launched.
#include <algorithm>

#include "bench/virtual_gpu/stream/entry_point.hpp"
#include "bench/virtual_gpu/stream/perform.hpp"

using namespace roofline::runtime;

namespace {

template <class Body>
cudaError_t with_graph(cudaGraph_t handle, Body&& body) {
  return call([&](Process& state) {
    auto* const graph = state.graph(handle);
    return graph ? body(state, *graph) : cudaErrorInvalidValue;
  });
}

/// Keeps a graph and hands out its handle.
cudaError_t hand_out(Process& process, cudaGraph_t& handle, std::shared_ptr<Graph> graph) {
  handle = reinterpret_cast<cudaGraph_t>(graph.get());
  process.graphs[handle] = std::move(graph);
  return cudaSuccess;
}

/// Adds a node of the work that `parameters` describe behind the named ones and hands out its handle.
template <class Parameters>
cudaError_t add_node(Process& process, cudaGraphNode_t* result, cudaGraph_t handle, const cudaGraphNode_t* dependencies,
                     std::size_t count, const Parameters* parameters) {
  auto* const graph = process.graph(handle);
  if (!parameters || !result || !graph || (count && !dependencies)) return cudaErrorInvalidValue;
  Work work;
  if (const auto error = work_of(process, *parameters, work); error != cudaSuccess) return error;
  std::vector<Node*> before;
  for (std::size_t i = 0; i < count; ++i) before.push_back(process.node(dependencies[i]));
  auto* const node = graph->add(std::move(work), before);
  return node ? give(result, reinterpret_cast<cudaGraphNode_t>(node)) : cudaErrorInvalidValue;
}

cudaError_t instantiate_graph(cudaGraphExec_t* result, cudaGraph_t handle) {
  return with_graph(handle, [&](Process& state, Graph& graph) {
    if (!result) return cudaErrorInvalidValue;
    *result = reinterpret_cast<cudaGraphExec_t>(state.execs.add(instantiate(graph)));
    return cudaSuccess;
  });
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

// Fills the caller's array, or says how long it has to be.
ROOFLINE_GRAPH(cudaGraphGetNodes, graph, nodes, count) {
  if (!count) return cudaErrorInvalidValue;
  if (!nodes) return give(count, found.nodes.size());
  std::fill_n(nodes, *count, nullptr);
  std::size_t given = 0;
  for (auto& node : found.nodes)
    if (given < *count) nodes[given++] = reinterpret_cast<cudaGraphNode_t>(&node);
  return give(count, given);
}

ROOFLINE_CALL(cudaGraphAddKernelNode, node, graph, before, count, parameters) {
  return add_node(state, node, graph, before, count, parameters);
}
ROOFLINE_CALL(cudaGraphAddMemcpyNode, node, graph, before, count, parameters) {
  return add_node(state, node, graph, before, count, parameters);
}
ROOFLINE_CALL(cudaGraphAddMemsetNode, node, graph, before, count, parameters) {
  return add_node(state, node, graph, before, count, parameters);
}
ROOFLINE_CALL(cudaGraphAddHostNode, node, graph, before, count, parameters) {
  return add_node(state, node, graph, before, count, parameters);
}

ROOFLINE_CUDA(cudaGraphInstantiate, exec, graph, flags) { return instantiate_graph(exec, graph); }
ROOFLINE_CUDA(cudaGraphInstantiateWithFlags, exec, graph, flags) { return instantiate_graph(exec, graph); }

ROOFLINE_CALL(cudaGraphExecDestroy, exec) { return state.execs.remove(exec) ? cudaSuccess : cudaErrorInvalidValue; }

// Replaces the work of an executable graph's node by work of the same kind.
ROOFLINE_CALL(cudaGraphExecKernelNodeSetParams, exec, node, parameters) {
  auto* const found = state.execs.find(exec);
  auto* const step = found ? found->step(reinterpret_cast<Node*>(node)) : nullptr;
  if (!step || !parameters || !std::holds_alternative<KernelWork>(step->work)) return cudaErrorInvalidValue;
  Work work;
  const auto error = work_of(state, *parameters, work);
  if (error == cudaSuccess) step->work = std::move(work);
  return error;
}

ROOFLINE_GRAPH(cudaGraphExecUpdate, exec, graph, result) {
  auto* const target = state.execs.find(exec);
  return target && result ? update(*target, found, *result) : cudaErrorInvalidValue;
}

ROOFLINE_CALL_ON(cudaGraphUpload, exec, stream) { return state.execs.find(exec) ? cudaSuccess : cudaErrorInvalidValue; }

ROOFLINE_CALL_ON(cudaGraphLaunch, exec, stream) {
  auto* const found = state.execs.find(exec);
  if (!found) return cudaErrorInvalidValue;
  for (const auto& step : found->steps)
    if (const auto error = state.submit(on, step.work); error != cudaSuccess) return error;
  return cudaSuccess;
}

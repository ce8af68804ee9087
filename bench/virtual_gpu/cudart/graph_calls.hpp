// Graphs and their nodes by the handles that programs hold.
#pragma once
#include <algorithm>

#include "bench/virtual_gpu/stream/entry_point.hpp"

namespace roofline::runtime {

/// Adds a node behind the named ones and hands out its handle.
inline cudaError_t add_node(Process& process, cudaGraphNode_t* result, cudaGraph_t handle,
                            const cudaGraphNode_t* dependencies, size_t count, Work work) {
  auto* const graph = process.graph(handle);
  if (!result || !graph || (count && !dependencies)) return cudaErrorInvalidValue;
  std::vector<Node*> before;
  for (std::size_t i = 0; i < count; ++i) before.push_back(process.node(dependencies[i]));
  auto* const node = graph->add(std::move(work), before);
  return node ? give(result, reinterpret_cast<cudaGraphNode_t>(node)) : cudaErrorInvalidValue;
}

/// Keeps a graph and hands out its handle.
inline cudaError_t hand_out(Process& process, cudaGraph_t& handle, std::shared_ptr<Graph> graph) {
  handle = reinterpret_cast<cudaGraph_t>(graph.get());
  process.graphs[handle] = std::move(graph);
  return cudaSuccess;
}

/// Fills the caller's array, or says how long it has to be.
inline cudaError_t list(const std::vector<Node*>& found, cudaGraphNode_t* nodes, size_t* count,
                        cudaGraphEdgeData* edges = nullptr) {
  if (!count) return cudaErrorInvalidValue;
  if (!nodes) return give(count, found.size());
  const auto given = std::min(*count, found.size());
  for (std::size_t i = 0; i < *count; ++i) nodes[i] = i < given ? reinterpret_cast<cudaGraphNode_t>(found[i]) : nullptr;
  if (edges) std::fill_n(edges, given, cudaGraphEdgeData{});
  return give(count, given);
}

/// Runs the body on a node.
template <class Body>
cudaError_t with_any_node(cudaGraphNode_t handle, Body&& body) {
  return call([&](Process& state) {
    auto* const node = state.node(handle);
    return node ? body(state, *node) : cudaErrorInvalidValue;
  });
}

/// Runs the body on the work of a node, which must be of the given kind.
template <class Kind, class Body>
cudaError_t with_node(cudaGraphNode_t handle, Body&& body) {
  return with_any_node(handle, [&](Process& state, Node& node) {
    auto* const work = std::get_if<Kind>(&node.work);
    return work ? body(state, *work) : cudaErrorInvalidValue;
  });
}
#define ROOFLINE_NODE(name, ...) ROOFLINE_FOUND(with_any_node, node, Node& found, name, __VA_ARGS__)
#define ROOFLINE_NODE_OF(name, Kind, ...) ROOFLINE_FOUND(with_node<Kind>, node, Kind& work, name, __VA_ARGS__)

/// Replaces the work of an executable graph's node by work of the same kind.
template <class Make>
cudaError_t change_step(cudaGraphExec_t exec, cudaGraphNode_t node, Make&& make) {
  return call([&](Process& state) {
    auto* const found = state.execs.find(exec);
    auto* const step = found ? found->step(reinterpret_cast<Node*>(node)) : nullptr;
    if (!step) return cudaErrorInvalidValue;
    Work work;
    if (const auto error = make(state, work); error != cudaSuccess) return error;
    if (work.index() != step->work.index()) return cudaErrorInvalidValue;
    step->work = std::move(work);
    return cudaSuccess;
  });
}

}  // namespace roofline::runtime

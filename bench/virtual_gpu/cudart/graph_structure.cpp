// How the nodes of a graph depend on each other, and memory that belongs to a graph.
#include <algorithm>

#include "bench/virtual_gpu/cudart/graph_calls.hpp"

using namespace roofline::runtime;

namespace {

/// Calls `change` for each pair of nodes, all of which must be of this graph.
template <class Change>
cudaError_t for_each_edge(cudaGraph_t handle, const cudaGraphNode_t* from, const cudaGraphNode_t* to, size_t count,
                          Change&& change) {
  return call([&](Process& state) {
    auto* const graph = state.graph(handle);
    if (!graph || (count && (!from || !to))) return cudaErrorInvalidValue;
    for (std::size_t i = 0; i < count; ++i) {
      auto *const before = state.node(from[i]), *const after = state.node(to[i]);
      if (!before || !after || before->graph != graph || after->graph != graph) return cudaErrorInvalidValue;
      if (const auto error = change(before, after); error != cudaSuccess) return error;
    }
    return cudaSuccess;
  });
}

}  // namespace

ROOFLINE_NODE(cudaGraphNodeGetType, node, type) { return give(type, type_of(found.work)); }

ROOFLINE_NODE(cudaGraphNodeGetDependencies, node, nodes, edges, count) {
  return list(found.dependencies, nodes, count, edges);
}

ROOFLINE_NODE(cudaGraphNodeGetDependentNodes, node, nodes, edges, count) {
  std::vector<Node*> dependents;
  for (auto& other : found.graph->nodes)
    if (std::count(other.dependencies.begin(), other.dependencies.end(), &found)) dependents.push_back(&other);
  return list(dependents, nodes, count, edges);
}

ROOFLINE_CUDA(cudaGraphAddDependencies, graph, from, to, edges, count) {
  return for_each_edge(graph, from, to, count, [](Node* before, Node* after) {
    if (std::count(after->dependencies.begin(), after->dependencies.end(), before)) return cudaErrorInvalidValue;
    after->dependencies.push_back(before);
    return cudaSuccess;
  });
}

ROOFLINE_CUDA(cudaGraphRemoveDependencies, graph, from, to, edges, count) {
  return for_each_edge(graph, from, to, count, [](Node* before, Node* after) {
    return std::erase(after->dependencies, before) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

ROOFLINE_NODE(cudaGraphDestroyNode, node) {
  found.graph->remove(&found);
  return cudaSuccess;
}

// Memory of a graph is allocated when its node is made and stays: launches one after the other may share it.
ROOFLINE_CALL(cudaGraphAddMemAllocNode, node, graph, before, count, parameters) {
  if (!parameters || parameters->bytesize == 0) return cudaErrorInvalidValue;
  parameters->dptr = state.memory->allocate(parameters->bytesize);
  if (!parameters->dptr) return cudaErrorMemoryAllocation;
  state.count_graph_memory(parameters->bytesize);
  return add_node(state, node, graph, before, count, AllocateWork{parameters->dptr, *parameters});
}

ROOFLINE_NODE_OF(cudaGraphMemAllocNodeGetParams, AllocateWork, node, parameters) {
  return give(parameters, work.parameters);
}

ROOFLINE_CALL(cudaGraphAddMemFreeNode, node, graph, before, count, pointer) {
  if (!pointer) return cudaErrorInvalidValue;
  return add_node(state, node, graph, before, count, FreeWork{pointer});
}

ROOFLINE_NODE_OF(cudaGraphMemFreeNodeGetParams, FreeWork, node, pointer) {
  return give(static_cast<void**>(pointer), work.pointer);
}

ROOFLINE_CALL(cudaDeviceGraphMemTrim, device) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; }

// Reserved memory equals used memory, because a graph's memory is never given back.
ROOFLINE_CALL(cudaDeviceGetGraphMemAttribute, device, which, value) {
  if (device != 0) return cudaErrorInvalidDevice;
  if (!value) return cudaErrorInvalidValue;
  auto& bytes = *static_cast<std::uint64_t*>(value);
  if (which == cudaGraphMemAttrUsedMemCurrent || which == cudaGraphMemAttrReservedMemCurrent)
    bytes = state.graph_memory;
  else if (which == cudaGraphMemAttrUsedMemHigh || which == cudaGraphMemAttrReservedMemHigh)
    bytes = state.graph_memory_high;
  else
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

// Only the highest values can be set, and only to begin anew.
ROOFLINE_CALL(cudaDeviceSetGraphMemAttribute, device, which, value) {
  if (device != 0) return cudaErrorInvalidDevice;
  const bool highest = which == cudaGraphMemAttrUsedMemHigh || which == cudaGraphMemAttrReservedMemHigh;
  if (!highest || !value || *static_cast<std::uint64_t*>(value) != 0) return cudaErrorInvalidValue;
  state.graph_memory_high = state.graph_memory;
  return cudaSuccess;
}

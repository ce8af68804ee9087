// How the nodes of a graph depend on each other, and memory that belongs to a graph.
#include <algorithm>

#include "bench/virtual_gpu/cudart/graph_calls.hpp"

using namespace roofline::runtime;

namespace {

template <class Body>
cudaError_t with_any_node(cudaGraphNode_t handle, Body&& body) {
  return call([&](Process& state) {
    auto* const node = state.node(handle);
    return node ? body(state, *node) : cudaErrorInvalidValue;
  });
}

cudaError_t list(const std::vector<Node*>& found, cudaGraphNode_t* nodes, cudaGraphEdgeData* edges, size_t* count) {
  if (!count) return cudaErrorInvalidValue;
  if (!nodes) return *count = found.size(), cudaSuccess;
  const auto given = std::min(*count, found.size());
  for (std::size_t i = 0; i < *count; ++i) nodes[i] = i < given ? reinterpret_cast<cudaGraphNode_t>(found[i]) : nullptr;
  if (edges) std::fill_n(edges, given, cudaGraphEdgeData{});
  *count = given;
  return cudaSuccess;
}

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

ROOFLINE_CUDA(cudaError_t, cudaGraphNodeGetType, (cudaGraphNode_t node, cudaGraphNodeType* type), (node, type)) {
  return with_any_node(node, [&](Process&, Node& found) {
    return type ? (*type = type_of(found.work), cudaSuccess) : cudaErrorInvalidValue;
  });
}

ROOFLINE_CUDA(cudaError_t, cudaGraphNodeGetDependencies,
              (cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData* edges, size_t* count),
              (node, nodes, edges, count)) {
  return with_any_node(node, [&](Process&, Node& found) { return list(found.dependencies, nodes, edges, count); });
}

ROOFLINE_CUDA(cudaError_t, cudaGraphNodeGetDependentNodes,
              (cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData* edges, size_t* count),
              (node, nodes, edges, count)) {
  return with_any_node(node, [&](Process&, Node& found) {
    std::vector<Node*> dependents;
    for (auto& other : found.graph->nodes)
      if (std::count(other.dependencies.begin(), other.dependencies.end(), &found)) dependents.push_back(&other);
    return list(dependents, nodes, edges, count);
  });
}

ROOFLINE_CUDA(cudaError_t, cudaGraphAddDependencies,
              (cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
               const cudaGraphEdgeData* edges, size_t count),
              (graph, from, to, edges, count)) {
  static_cast<void>(edges);
  return for_each_edge(graph, from, to, count, [](Node* before, Node* after) {
    if (std::count(after->dependencies.begin(), after->dependencies.end(), before)) return cudaErrorInvalidValue;
    after->dependencies.push_back(before);
    return cudaSuccess;
  });
}

ROOFLINE_CUDA(cudaError_t, cudaGraphRemoveDependencies,
              (cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
               const cudaGraphEdgeData* edges, size_t count),
              (graph, from, to, edges, count)) {
  static_cast<void>(edges);
  return for_each_edge(graph, from, to, count, [](Node* before, Node* after) {
    return std::erase(after->dependencies, before) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

ROOFLINE_CUDA(cudaError_t, cudaGraphDestroyNode, (cudaGraphNode_t node), (node)) {
  return with_any_node(node, [](Process&, Node& found) {
    found.graph->remove(&found);
    return cudaSuccess;
  });
}

// Memory of a graph is allocated when its node is made and stays: launches one after the other may share it.
ROOFLINE_CUDA(cudaError_t, cudaGraphAddMemAllocNode,
              (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t* before, size_t count,
               cudaMemAllocNodeParams* parameters),
              (node, graph, before, count, parameters)) {
  return call([&](Process& state) {
    if (!parameters || parameters->bytesize == 0) return cudaErrorInvalidValue;
    parameters->dptr = state.memory->allocate(parameters->bytesize);
    if (!parameters->dptr) return cudaErrorMemoryAllocation;
    state.count_graph_memory(parameters->bytesize);
    return add_node(state, node, graph, before, count, AllocateWork{parameters->dptr, *parameters});
  });
}

ROOFLINE_CUDA(cudaError_t, cudaGraphMemAllocNodeGetParams, (cudaGraphNode_t node, cudaMemAllocNodeParams* parameters),
              (node, parameters)) {
  return with_node<AllocateWork>(node, [&](Process&, Node&, AllocateWork& work) {
    return parameters ? (*parameters = work.parameters, cudaSuccess) : cudaErrorInvalidValue;
  });
}

ROOFLINE_CUDA(cudaError_t, cudaGraphAddMemFreeNode,
              (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t* before, size_t count, void* pointer),
              (node, graph, before, count, pointer)) {
  return call([&](Process& state) {
    if (!pointer) return cudaErrorInvalidValue;
    return add_node(state, node, graph, before, count, FreeWork{pointer});
  });
}

ROOFLINE_CUDA(cudaError_t, cudaGraphMemFreeNodeGetParams, (cudaGraphNode_t node, void* pointer), (node, pointer)) {
  return with_node<FreeWork>(node, [&](Process&, Node&, FreeWork& work) {
    return pointer ? (*static_cast<void**>(pointer) = work.pointer, cudaSuccess) : cudaErrorInvalidValue;
  });
}

ROOFLINE_CUDA(cudaError_t, cudaDeviceGraphMemTrim, (int device), (device)) {
  return call([&](Process&) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; });
}

// What is reserved is what is used: no memory of a graph is given back.
ROOFLINE_CUDA(cudaError_t, cudaDeviceGetGraphMemAttribute, (int device, cudaGraphMemAttributeType which, void* value),
              (device, which, value)) {
  return call([&](Process& state) {
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
  });
}

// Only the highest values can be set, and only to begin anew.
ROOFLINE_CUDA(cudaError_t, cudaDeviceSetGraphMemAttribute, (int device, cudaGraphMemAttributeType which, void* value),
              (device, which, value)) {
  return call([&](Process& state) {
    if (device != 0) return cudaErrorInvalidDevice;
    const bool highest = which == cudaGraphMemAttrUsedMemHigh || which == cudaGraphMemAttrReservedMemHigh;
    if (!highest || !value || *static_cast<std::uint64_t*>(value) != 0) return cudaErrorInvalidValue;
    state.graph_memory_high = state.graph_memory;
    return cudaSuccess;
  });
}

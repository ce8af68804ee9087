#include "bench/virtual_gpu/cudart/graph_calls.hpp"

namespace roofline::runtime {

cudaError_t add_node(Process& process, cudaGraphNode_t* result, cudaGraph_t handle, const cudaGraphNode_t* dependencies,
                     size_t count, Work work) {
  auto* const graph = process.graph(handle);
  if (!result || !graph || (count && !dependencies)) return cudaErrorInvalidValue;
  std::vector<Node*> before;
  for (std::size_t i = 0; i < count; ++i) before.push_back(process.node(dependencies[i]));
  auto* const node = graph->add(std::move(work), before);
  if (!node) return cudaErrorInvalidValue;
  *result = reinterpret_cast<cudaGraphNode_t>(node);
  return cudaSuccess;
}

}  // namespace roofline::runtime

#pragma once
#include "bench/virtual_gpu/stream/call.hpp"

namespace roofline::runtime {

/// Adds a node behind the named ones and hands out its handle.
cudaError_t add_node(Process& process, cudaGraphNode_t* result, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                     size_t count, Work work);

/// Runs the body on the work of a node, which must be of the given kind.
template <class Kind, class Body>
cudaError_t with_node(cudaGraphNode_t handle, Body&& body) {
  return call([&](Process& state) {
    auto* const node = state.node(handle);
    auto* const work = node ? std::get_if<Kind>(&node->work) : nullptr;
    return work ? body(state, *node, *work) : cudaErrorInvalidValue;
  });
}

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

#include "bench/virtual_gpu/stream/graph.hpp"

#include <algorithm>

namespace roofline::runtime {

Node* Graph::add(Work work, const std::vector<Node*>& dependencies) {
  if (std::any_of(dependencies.begin(), dependencies.end(), [&](Node* node) { return !node || node->graph != this; }))
    return nullptr;
  auto& node = nodes.emplace_back();
  node.work = std::move(work);
  node.dependencies = dependencies;
  node.graph = this;
  return &node;
}

std::shared_ptr<Graph> Graph::clone() const {
  auto copy = std::make_shared<Graph>();
  for (const auto& node : nodes) copy->add(node.work, {});
  return copy;
}

GraphExec::Step* GraphExec::step(const Node* node) {
  const auto found = std::find_if(steps.begin(), steps.end(), [&](const Step& step) { return step.original == node; });
  return found == steps.end() ? nullptr : &*found;
}

std::unique_ptr<GraphExec> instantiate(const Graph& graph) {
  auto exec = std::make_unique<GraphExec>();
  for (const auto& node : graph.nodes) exec->steps.push_back({node.work, &node});
  return exec;
}

cudaError_t update(GraphExec& exec, Graph& graph, cudaGraphExecUpdateResultInfo& result) {
  result = {};
  result.result = cudaGraphExecUpdateErrorTopologyChanged;
  if (graph.nodes.size() != exec.steps.size()) return cudaErrorGraphExecUpdateFailure;
  auto step = exec.steps.begin();
  for (auto& node : graph.nodes)
    if (node.work.index() != (step++)->work.index()) {
      result.errorNode = reinterpret_cast<cudaGraphNode_t>(&node);
      result.result = cudaGraphExecUpdateErrorNodeTypeChanged;
      return cudaErrorGraphExecUpdateFailure;
    }
  step = exec.steps.begin();
  for (const auto& node : graph.nodes) (step++)->work = node.work;
  result = {};
  result.result = cudaGraphExecUpdateSuccess;
  return cudaSuccess;
}

}  // namespace roofline::runtime

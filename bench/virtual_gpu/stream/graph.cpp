#include "bench/virtual_gpu/stream/graph.hpp"

#include <algorithm>
#include <set>

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

void Graph::remove(Node* node) {
  for (auto& other : nodes) std::erase(other.dependencies, node);
  nodes.remove_if([&](const Node& other) { return &other == node; });
}

std::shared_ptr<Graph> Graph::clone() const {
  auto copy = std::make_shared<Graph>();
  std::map<const Node*, Node*> copied;
  for (const auto& node : nodes) {
    auto* const added = copy->add(node.work, {});
    added->original = &node;
    copied[&node] = added;
  }
  for (const auto& node : nodes)
    for (const auto* const dependency : node.dependencies)
      copied.at(&node)->dependencies.push_back(copied.at(dependency));
  return copy;
}

std::vector<Node*> Graph::sorted() {
  std::vector<Node*> order;
  std::set<const Node*> done;
  while (order.size() < nodes.size()) {
    const auto before = order.size();
    for (auto& node : nodes) {
      const auto is_done = [&](const Node* dependency) { return done.contains(dependency); };
      if (done.contains(&node) || !std::all_of(node.dependencies.begin(), node.dependencies.end(), is_done)) continue;
      order.push_back(&node);
      done.insert(&node);
    }
    if (order.size() == before) return {};
  }
  return order;
}

std::vector<Node*> Graph::roots() {
  std::vector<Node*> result;
  for (auto& node : nodes)
    if (node.dependencies.empty()) result.push_back(&node);
  return result;
}

GraphExec::Step* GraphExec::step(const Node* node) {
  const auto found = std::find_if(steps.begin(), steps.end(), [&](const Step& step) { return step.original == node; });
  return found == steps.end() ? nullptr : &*found;
}

cudaGraphNodeType type_of(const Work& work) {
  constexpr cudaGraphNodeType types[] = {
      cudaGraphNodeTypeEmpty,    cudaGraphNodeTypeKernel,      cudaGraphNodeTypeMemcpy,    cudaGraphNodeTypeMemset,
      cudaGraphNodeTypeHost,     cudaGraphNodeTypeEventRecord, cudaGraphNodeTypeWaitEvent, cudaGraphNodeTypeGraph,
      cudaGraphNodeTypeMemAlloc, cudaGraphNodeTypeMemFree};
  static_assert(std::size(types) == std::variant_size_v<Work>);
  return types[work.index()];
}

std::unique_ptr<GraphExec> instantiate(Graph& graph, unsigned long long flags) {
  const auto order = graph.sorted();
  if (order.size() != graph.nodes.size()) return nullptr;
  auto exec = std::make_unique<GraphExec>();
  exec->flags = flags;
  for (const auto* const node : order) {
    exec->steps.push_back({node->work, node});
    // A child may be destroyed or changed afterwards.
    if (auto* const child = std::get_if<GraphWork>(&exec->steps.back().work)) child->graph = child->graph->clone();
  }
  return exec;
}

cudaError_t update(GraphExec& exec, Graph& graph, cudaGraphExecUpdateResultInfo& result) {
  const auto order = graph.sorted();
  result = {};
  result.result = cudaGraphExecUpdateErrorTopologyChanged;
  if (order.size() != exec.steps.size()) return cudaErrorGraphExecUpdateFailure;
  for (std::size_t i = 0; i < order.size(); ++i) {
    result.errorNode = reinterpret_cast<cudaGraphNode_t>(order[i]);
    if (order[i]->work.index() != exec.steps[i].work.index()) {
      result.result = cudaGraphExecUpdateErrorNodeTypeChanged;
      return cudaErrorGraphExecUpdateFailure;
    }
  }
  for (std::size_t i = 0; i < order.size(); ++i) exec.steps[i].work = order[i]->work;
  result = {};
  result.result = cudaGraphExecUpdateSuccess;
  return cudaSuccess;
}

}  // namespace roofline::runtime

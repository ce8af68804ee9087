#pragma once
#include <cuda_runtime_api.h>

#include <list>
#include <map>
#include <memory>
#include <vector>

#include "bench/virtual_gpu/stream/work.hpp"

namespace roofline::runtime {

/// An operation of a graph and what must be done before it.
struct Node {
  Work work;
  std::vector<Node*> dependencies;
  Graph* graph = nullptr;
  const Node* original = nullptr;     ///< of a clone
  std::vector<void*> argument_views;  ///< what cudaGraphKernelNodeGetParams points to
};

struct Graph {
  std::list<Node> nodes;

  /// nullptr when a dependency belongs to another graph.
  Node* add(Work work, const std::vector<Node*>& dependencies);
  void remove(Node* node);
  /// A deep copy; nodes know their originals.
  std::shared_ptr<Graph> clone() const;
  /// Each node after its dependencies, else in the order in which they were added; empty when there is a cycle.
  std::vector<Node*> sorted();
  std::vector<Node*> roots();
};

/// A graph made ready: a snapshot whose nodes can be changed one by one.
struct GraphExec {
  struct Step {
    Work work;
    const Node* original = nullptr;
    bool enabled = true;
  };
  std::vector<Step> steps;
  unsigned long long flags = 0;
  Step* step(const Node* node);
};

/// The node type that cudaGraphNodeGetType reports.
cudaGraphNodeType type_of(const Work& work);

/// nullptr when the graph has a cycle. Steps remember the nodes of `graph` itself, by which callers name them.
std::unique_ptr<GraphExec> instantiate(Graph& graph, unsigned long long flags);

/// Puts the work of `graph` into `exec` where both have the same shape; else says why in `result`.
cudaError_t update(GraphExec& exec, Graph& graph, cudaGraphExecUpdateResultInfo& result);

}  // namespace roofline::runtime

#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <variant>
#include <vector>

namespace roofline::runtime {

struct Function;
struct Event;
struct Graph;

/// A kernel launch with a copy of its arguments.
struct KernelWork {
  Function* function = nullptr;
  dim3 grid, block;
  std::size_t shared = 0;  ///< dynamic, bytes
  bool cooperative = false;
  std::vector<std::byte> parameters;  ///< laid out as the kernel's parameter block
};

/// A copy of `depth` slices of `height` rows of `width` bytes.
struct CopyWork {
  struct Side {
    std::byte* base = nullptr;
    std::size_t pitch = 0, slice = 0;  ///< bytes between rows, between slices
  };
  Side to, from;
  std::size_t width = 0, height = 1, depth = 1;
  cudaMemcpyKind kind = cudaMemcpyDefault;
};

/// Sets elements of 1, 2 or 4 bytes in rows.
struct FillWork {
  std::byte* base = nullptr;
  std::size_t pitch = 0, slice = 0;
  unsigned value = 0, element = 1;
  std::size_t width = 0, height = 1, depth = 1;  ///< width in elements
};

struct HostWork {
  cudaHostFn_t function = nullptr;
  void* data = nullptr;
};
struct RecordWork {
  Event* event = nullptr;
};
struct WaitWork {
  Event* event = nullptr;
};
struct GraphWork {
  std::shared_ptr<Graph> graph;  ///< a copy of the child
};
/// Memory of a graph, which lives from its creation on.
struct AllocateWork {
  void* pointer = nullptr;
  cudaMemAllocNodeParams parameters{};
};
struct FreeWork {
  void* pointer = nullptr;
};
struct EmptyWork {};

/// The work of a stream's operation or a graph node.
using Work = std::variant<EmptyWork, KernelWork, CopyWork, FillWork, HostWork, RecordWork, WaitWork, GraphWork,
                          AllocateWork, FreeWork>;

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

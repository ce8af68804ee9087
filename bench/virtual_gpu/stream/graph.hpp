#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <list>
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
  std::size_t pitch = 0;
  unsigned value = 0;
  unsigned element = 1;    ///< bytes
  std::size_t width = 0;   ///< in elements
  std::size_t height = 1;  ///< rows
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

/// The work of a stream's operation or a graph node.
using Work = std::variant<KernelWork, CopyWork, FillWork, HostWork, RecordWork, WaitWork>;

/// An operation of a graph and what must be done before it: nodes that stand before it in the graph.
struct Node {
  Work work;
  std::vector<Node*> dependencies;
  Graph* graph = nullptr;
};

struct Graph {
  std::list<Node> nodes;

  /// nullptr when a dependency belongs to another graph.
  Node* add(Work work, const std::vector<Node*>& dependencies);
  /// The same work in the same order.
  std::shared_ptr<Graph> clone() const;
};

/// A graph made ready: a snapshot whose nodes can be changed one by one.
struct GraphExec {
  struct Step {
    Work work;
    const Node* original = nullptr;
  };
  std::vector<Step> steps;
  Step* step(const Node* node);
};

/// Steps remember the nodes of `graph` itself, by which callers name them.
std::unique_ptr<GraphExec> instantiate(const Graph& graph);

/// Puts the work of `graph` into `exec` where both have the same shape; else says why in `result`.
cudaError_t update(GraphExec& exec, Graph& graph, cudaGraphExecUpdateResultInfo& result);

}  // namespace roofline::runtime

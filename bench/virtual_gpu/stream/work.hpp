#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
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

/// What a stream or a graph node does.
using Work = std::variant<EmptyWork, KernelWork, CopyWork, FillWork, HostWork, RecordWork, WaitWork, GraphWork,
                          AllocateWork, FreeWork>;

}  // namespace roofline::runtime

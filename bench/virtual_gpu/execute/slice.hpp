// What parse_slices() makes of a kernel. Apart from program.hpp, which every operation includes.
#pragma once

#include "bench/virtual_gpu/execute/stepped_launch.hpp"
#include "bench/virtual_gpu/execute/thread_block.hpp"
#include "bench/virtual_gpu/parse/program.hpp"

namespace roofline::ptx {

/// A program that computes addresses and control flow and traces accesses.
struct Slice : Program {
  std::vector<BlockCost> costs;  ///< by block: of the whole kernel
  bool leaves_out = false;       ///< it computes nothing else
  bool synchronises = false;     ///< warps wait for each other
  bool untraced = false;         ///< there are accesses that it cannot trace
};
/// The kernels of a module reduced to what decides which addresses they touch and in which order, for models of caches;
/// each access is traced (see stepped_launch.hpp). They use the variables of `module`, which comes from the same text.
Module parse_slices(std::string_view text, const Module& module);

/// The program of a kernel that comes from parse_slices().
inline const Slice& slice_of(const Kernel& kernel) { return static_cast<const Slice&>(*kernel.program); }

struct SlicedWorker : Worker {
  AccessSink* sink = nullptr;
};

/// Sets up what is the same for all workers of a launch; `number` is one's own.
void prepare(Worker& worker, const Launch& launch, const ExecutionOptions& options, uint64_t number);

}  // namespace roofline::ptx

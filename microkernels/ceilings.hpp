#pragma once
#include "bench/levels/ladder.hpp"

namespace roofline {

class Suite;
struct Gpu;

/// Compute ceilings of the CPU: precision x operation x instruction set x {full ILP, one chain} x {all threads, one}.
void add_flops_ceilings(Suite& suite);

/// Instructions per second of the CPU's front ends, by instructions that need no unit behind them. None on an
/// architecture whose instructions it does not know.
void add_instruction_ceilings(Suite& suite);

/// Parallel regions per second that do nothing but start all threads and wait for them: the cost of many short loops.
void add_fork_join_ceiling(Suite& suite);

/// Bandwidth ceilings of the CPU: memory level x access mix x {all threads, one}, and strided and random access to
/// DRAM. The DRAM ceilings share one memory block, made when the first of them is built and freed with the suite.
void add_bandwidth_ceilings(Suite& suite);

/// Reads sets of up to `most` bytes per thread with the widest vectors of this CPU: for a ladder of working sets.
/// Throws std::invalid_argument where no such loop was built, std::bad_alloc without the memory.
ReadProbe read_probe(int threads, double most);

/// Ceilings of a GPU: precision x operation on the vector units, matrix instructions, memory level x access mix. In a
/// build without CUDA there are none.
void add_cuda_ceilings(Suite& suite, const Gpu& gpu);

}  // namespace roofline

#pragma once
#include <memory>

#include "bench/suite/suite.hpp"
#include "microkernels/cpu/bandwidth_isa.hpp"
#include "microkernels/memory_block.hpp"

namespace roofline {

/// Reads every stride-th double of the whole block (one way: the one behind it, too), each thread of its own part.
/// Work: bytes of the lines touched, which are all lines up to a stride of 8 and every second one at 16. In one stream
/// the prefetchers of some CPUs halve the rate, in eight those of others, and some follow no such stream at all, or not
/// before a line was read twice.
CeilingWork strided_read(std::shared_ptr<MemoryBlock> block, int threads, int stride, Strided way);

/// Reads one double of cache lines in random order, each line of a thread's part once before any comes again, as many
/// reads in flight as the core can hold. Work: 64 B a read.
CeilingWork random_read(std::shared_ptr<MemoryBlock> block, int threads);

/// Follows a random cycle through the cache lines of a thread's part: every read waits for the one before, so the
/// latency is 64 B x threads / rate. Work: 64 B a read.
CeilingWork pointer_chase(std::shared_ptr<MemoryBlock> block, int threads);

/// Bytes over all threads that the last two work on: the largest power of two of lines in every thread's part.
double scattered_working_set(const MemoryBlock& block, int threads);

}  // namespace roofline

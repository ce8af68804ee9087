#pragma once
#include <cstddef>

#include "bench/virtual_gpu/stream/process.hpp"

namespace roofline::runtime {

/// The pinned or registered range that holds the address; nullptr when there is none.
const HostRange* host_range(const Process& process, const void* address);

/// Bytes that the host can still give away without swapping, from /proc/meminfo; the largest number where that is not
/// there. Some are held back for the program itself.
std::size_t host_memory_available();

}  // namespace roofline::runtime

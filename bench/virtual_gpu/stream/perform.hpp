#pragma once
#include <cuda_runtime_api.h>

#include "bench/virtual_gpu/runtime/fault_plan.hpp"
#include "bench/virtual_gpu/stream/work.hpp"

namespace roofline::runtime {

struct Process;
struct Stream;

/// What the runtime reports for a planned fault. A hang never returns.
cudaError_t error_of(Fault fault);

/// Whether no further call can succeed after this error.
bool is_sticky(cudaError_t error);

// Each kind of work, done at once. Errors of what was asked for are returned; those that a device finds while it works
// are kept in Process::late.
cudaError_t perform(Process& process, Stream& stream, const EmptyWork& work);
cudaError_t perform(Process& process, Stream& stream, const KernelWork& work);
cudaError_t perform(Process& process, Stream& stream, const CopyWork& work);
cudaError_t perform(Process& process, Stream& stream, const FillWork& work);
cudaError_t perform(Process& process, Stream& stream, const HostWork& work);
cudaError_t perform(Process& process, Stream& stream, const RecordWork& work);
cudaError_t perform(Process& process, Stream& stream, const WaitWork& work);
cudaError_t perform(Process& process, Stream& stream, const GraphWork& work);
cudaError_t perform(Process& process, Stream& stream, const AllocateWork& work);
cudaError_t perform(Process& process, Stream& stream, const FreeWork& work);

/// Whether a launch of this shape can be started. The order of the tests is that of the driver, as far as known.
cudaError_t check_launch(Process& process, const KernelWork& work);

/// Whether the copy stays within what it names, in the direction that it says.
cudaError_t check_copy(Process& process, CopyWork& work);
cudaError_t check_fill(Process& process, const FillWork& work);

}  // namespace roofline::runtime

#pragma once
#include <cuda_runtime_api.h>

#include "bench/virtual_gpu/runtime/settings.hpp"
#include "bench/virtual_gpu/stream/graph.hpp"
#include "bench/virtual_gpu/stream/process.hpp"

namespace roofline::runtime {

/// Returns the runtime's error for a planned fault. A hang never returns.
cudaError_t error_of(Fault fault);

/// Whether no further call can succeed after this error.
bool is_sticky(cudaError_t error);

// Each kind of work, done at once. Errors in the arguments are returned; errors that a device finds while it works are
// kept in Process::late.
cudaError_t perform(Process& process, Stream& stream, const KernelWork& work);
cudaError_t perform(Process& process, Stream& stream, const CopyWork& work);
cudaError_t perform(Process& process, Stream& stream, const FillWork& work);
cudaError_t perform(Process& process, Stream& stream, const HostWork& work);
cudaError_t perform(Process& process, Stream& stream, const RecordWork& work);
cudaError_t perform(Process& process, Stream& stream, const WaitWork& work);

/// Whether a launch of this shape can be started. The order of the tests is that of the driver, as far as known.
cudaError_t check_launch(Process& process, const KernelWork& work);

/// Whether the copy stays within what it names, in the direction that it says.
cudaError_t check_copy(Process& process, CopyWork& work);
cudaError_t check_fill(Process& process, const FillWork& work);

/// Copies as the entry points describe them.
CopyWork linear(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
CopyWork planar(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                std::size_t height, cudaMemcpyKind kind);
/// Arrays are refused by name: there are no textures here.
cudaError_t from_parameters(const cudaMemcpy3DParms* parameters, CopyWork& work);

/// A fill of bytes.
FillWork rows(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height);

/// Checks the work and submits it.
cudaError_t copy(Process& process, Stream& stream, CopyWork work);
cudaError_t fill(Process& process, Stream& stream, const FillWork& work);

/// Fills in the function and a copy of the arguments, and checks that the launch can be started. `arguments` points to
/// one value for each parameter of the kernel.
cudaError_t prepare(Process& process, const void* function, void** arguments, KernelWork& work);

// Between the structures of the interface and work; arrays are refused by name.
cudaError_t work_of(Process& process, const cudaKernelNodeParams& parameters, Work& work);
cudaError_t work_of(Process& process, const cudaMemcpy3DParms& parameters, Work& work);
cudaError_t work_of(Process& process, const cudaMemsetParams& parameters, Work& work);
cudaError_t work_of(Process& process, const cudaHostNodeParams& parameters, Work& work);

/// The name, such as "cudaErrorInvalidValue"; for other numbers "unrecognized error code", as in the CUDA runtime.
const char* error_name(cudaError_t error);
/// The text of the CUDA runtime, which programs print and tests compare.
const char* error_text(cudaError_t error);

}  // namespace roofline::runtime

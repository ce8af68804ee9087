// Between the structures of CUDA's interface and work. Arrays are refused by name: there are no textures here.
#pragma once
#include "bench/virtual_gpu/stream/process.hpp"

namespace roofline::runtime {

/// Copies as the entry points describe them.
CopyWork linear(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
CopyWork planar(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                std::size_t height, cudaMemcpyKind kind);
/// Arrays are refused by name: there are no textures here.
cudaError_t from_parameters(const cudaMemcpy3DParms* parameters, CopyWork& work);

/// Fills of bytes.
FillWork rows(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height);
FillWork slices(const cudaPitchedPtr& pointer, int value, const cudaExtent& extent);

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

/// What a kernel node holds; its argument pointers live as long as the node.
cudaKernelNodeParams parameters_of(Node& node, KernelWork& work);
cudaMemcpy3DParms parameters_of(const CopyWork& work);
cudaMemsetParams parameters_of(const FillWork& work);

}  // namespace roofline::runtime

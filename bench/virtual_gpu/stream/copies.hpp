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

}  // namespace roofline::runtime

#pragma once
#include "bench/virtual_gpu/stream/process.hpp"

namespace roofline::runtime {

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

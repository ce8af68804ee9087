#include "bench/virtual_gpu/stream/launch_arguments.hpp"

#include <cstring>

#include "bench/virtual_gpu/stream/perform.hpp"

namespace roofline::runtime {

cudaError_t prepare(Process& process, const void* function, void** arguments, KernelWork& work) {
  if (const auto error = process.resolve(function, work.function); error != cudaSuccess) return error;
  const auto& kernel = *work.function->kernel;
  if (!kernel.parameters.empty() && !arguments) return cudaErrorInvalidValue;
  work.parameters.resize(kernel.parameter_bytes);
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const auto& parameter = kernel.parameters[i];
    if (!arguments[i]) return cudaErrorInvalidValue;
    std::memcpy(work.parameters.data() + parameter.offset, arguments[i], parameter.bytes);
  }
  return check_launch(process, work);
}

}  // namespace roofline::runtime

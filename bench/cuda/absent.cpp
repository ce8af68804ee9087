// Stands in for the rest of this folder where the CUDA compiler was not found.
#include "bench/cuda/gpu.hpp"

namespace roofline {

Gpus find_gpus() { return {{}, "this build has no CUDA support (no nvcc was found); use --device=cpu"}; }

}  // namespace roofline

// Channel formats: plain data, which the templates of the headers make even in programs without textures.
#include "bench/virtual_gpu/stream/call.hpp"

ROOFLINE_CUDA(cudaChannelFormatDesc, cudaCreateChannelDesc, (int x, int y, int z, int w, cudaChannelFormatKind kind),
              (x, y, z, w, kind)) {
  return {x, y, z, w, kind};
}

// Channel formats: plain data, which the templates of the headers make even in programs without textures.
#include "bench/virtual_gpu/stream/entry_point.hpp"

ROOFLINE_CUDA(cudaCreateChannelDesc, x, y, z, w, kind) { return {x, y, z, w, kind}; }

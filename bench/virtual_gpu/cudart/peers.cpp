// Other devices: there are none, and a device is no peer of itself.
#include "bench/virtual_gpu/stream/call.hpp"

using namespace roofline::runtime;

ROOFLINE_CUDA(cudaError_t, cudaDeviceCanAccessPeer, (int* can, int device, int peer), (can, device, peer)) {
  return query([&](Process&) {
    if (!can) return cudaErrorInvalidValue;
    if (device != 0 || peer != 0) return cudaErrorInvalidDevice;
    *can = 0;
    return cudaSuccess;
  });
}
ROOFLINE_CUDA(cudaError_t, cudaDeviceEnablePeerAccess, (int peer, unsigned flags), (peer, flags)) {
  return call([&](Process&) {
    return flags != 0 ? cudaErrorInvalidValue : peer == 0 ? cudaErrorPeerAccessUnsupported : cudaErrorInvalidDevice;
  });
}
ROOFLINE_CUDA(cudaError_t, cudaDeviceDisablePeerAccess, (int peer), (peer)) {
  return call([&](Process&) { return peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice; });
}
ROOFLINE_CUDA(cudaError_t, cudaDeviceGetP2PAttribute, (int* value, cudaDeviceP2PAttr which, int from, int to),
              (value, which, from, to)) {
  return query([&](Process&) {
    static_cast<void>(which);
    return value && from != to ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
  });
}

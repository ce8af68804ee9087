// Other devices: there are none, and a device is no peer of itself.
#include "bench/virtual_gpu/stream/entry_point.hpp"

using namespace roofline::runtime;

ROOFLINE_QUERY(cudaDeviceCanAccessPeer, can, device, peer) {
  if (!can) return cudaErrorInvalidValue;
  return device == 0 && peer == 0 ? give(can, 0) : cudaErrorInvalidDevice;
}
ROOFLINE_CALL(cudaDeviceEnablePeerAccess, peer, flags) {
  return flags != 0 ? cudaErrorInvalidValue : peer == 0 ? cudaErrorPeerAccessUnsupported : cudaErrorInvalidDevice;
}
ROOFLINE_CALL(cudaDeviceDisablePeerAccess, peer) {
  return peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice;
}
ROOFLINE_QUERY(cudaDeviceGetP2PAttribute, value, which, from, to) {
  return value && from != to ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
}

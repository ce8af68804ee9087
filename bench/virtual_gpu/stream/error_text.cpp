#include <algorithm>
#include <iterator>

#include "bench/virtual_gpu/stream/perform.hpp"

namespace roofline::runtime {
namespace {

struct ErrorText {
  cudaError_t error;
  const char *name, *text;
};

// Errors that this runtime returns. The texts are part of the interface: programs print them and their tests compare
// them.
#define ROOFLINE_ERROR(error, text) \
  { error, #error, text }
constexpr ErrorText errors[] = {
    ROOFLINE_ERROR(cudaSuccess, "no error"),
    ROOFLINE_ERROR(cudaErrorInvalidValue, "invalid argument"),
    ROOFLINE_ERROR(cudaErrorMemoryAllocation, "out of memory"),
    ROOFLINE_ERROR(cudaErrorInitializationError, "initialization error"),
    ROOFLINE_ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    ROOFLINE_ERROR(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    ROOFLINE_ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
    ROOFLINE_ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    ROOFLINE_ERROR(cudaErrorStubLibrary, "CUDA driver is a stub library"),
    ROOFLINE_ERROR(cudaErrorInsufficientDriver, "CUDA driver version is insufficient for CUDA runtime version"),
    ROOFLINE_ERROR(cudaErrorDevicesUnavailable, "CUDA-capable device(s) is/are busy or unavailable"),
    ROOFLINE_ERROR(cudaErrorMissingConfiguration, "__global__ function call is not configured"),
    ROOFLINE_ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    ROOFLINE_ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    ROOFLINE_ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    ROOFLINE_ERROR(cudaErrorInvalidKernelImage, "device kernel image is invalid"),
    ROOFLINE_ERROR(cudaErrorNoKernelImageForDevice, "no kernel image is available for execution on the device"),
    ROOFLINE_ERROR(cudaErrorECCUncorrectable, "uncorrectable ECC error encountered"),
    ROOFLINE_ERROR(cudaErrorUnsupportedLimit, "limit is not supported on this architecture"),
    ROOFLINE_ERROR(cudaErrorPeerAccessUnsupported, "peer access is not supported between these two devices"),
    ROOFLINE_ERROR(cudaErrorInvalidPtx, "a PTX JIT compilation failed"),
    ROOFLINE_ERROR(cudaErrorNvlinkUncorrectable, "uncorrectable NVLink error detected during the execution"),
    ROOFLINE_ERROR(cudaErrorUnsupportedPtxVersion, "the provided PTX was compiled with an unsupported toolchain."),
    ROOFLINE_ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    ROOFLINE_ERROR(cudaErrorIllegalState, "the operation cannot be performed in the present state"),
    ROOFLINE_ERROR(cudaErrorSymbolNotFound, "named symbol not found"),
    ROOFLINE_ERROR(cudaErrorNotReady, "device not ready"),
    ROOFLINE_ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    ROOFLINE_ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    ROOFLINE_ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    ROOFLINE_ERROR(cudaErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    ROOFLINE_ERROR(cudaErrorContextIsDestroyed, "context is destroyed"),
    ROOFLINE_ERROR(cudaErrorAssert, "device-side assert triggered"),
    ROOFLINE_ERROR(cudaErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is already mapped"),
    ROOFLINE_ERROR(cudaErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region"),
    ROOFLINE_ERROR(cudaErrorHardwareStackError, "hardware stack error"),
    ROOFLINE_ERROR(cudaErrorIllegalInstruction, "an illegal instruction was encountered"),
    ROOFLINE_ERROR(cudaErrorMisalignedAddress, "misaligned address"),
    ROOFLINE_ERROR(cudaErrorInvalidAddressSpace, "operation not supported on global/shared address space"),
    ROOFLINE_ERROR(cudaErrorInvalidPc, "invalid program counter"),
    ROOFLINE_ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    ROOFLINE_ERROR(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
#if CUDART_VERSION >= 12080
    ROOFLINE_ERROR(cudaErrorContained, "Invalid access of peer GPU memory over nvlink or a hardware error"),
    ROOFLINE_ERROR(cudaErrorTensorMemoryLeak, "tensor memory not completely freed"),
#endif
    ROOFLINE_ERROR(cudaErrorNotSupported, "operation not supported"),
    ROOFLINE_ERROR(cudaErrorSystemNotReady, "system not yet initialized"),
    ROOFLINE_ERROR(cudaErrorMpsClientTerminated, "the MPS client has been terminated by the server"),
    ROOFLINE_ERROR(cudaErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"),
    ROOFLINE_ERROR(cudaErrorStreamCaptureInvalidated, "operation failed due to a previous error during capture"),
    ROOFLINE_ERROR(cudaErrorStreamCaptureMerge, "operation would result in a merge of separate capture sequences"),
    ROOFLINE_ERROR(cudaErrorStreamCaptureUnmatched, "capture was not ended in the same stream as it began"),
    ROOFLINE_ERROR(cudaErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
    ROOFLINE_ERROR(cudaErrorStreamCaptureIsolation, "dependency created on uncaptured work in another stream"),
    ROOFLINE_ERROR(cudaErrorStreamCaptureImplicit,
                   "operation would make the legacy stream depend on a capturing blocking stream"),
    ROOFLINE_ERROR(cudaErrorCapturedEvent, "operation not permitted on an event last recorded in a capturing stream"),
    ROOFLINE_ERROR(cudaErrorGraphExecUpdateFailure,
                   "the graph update was not performed because it included changes which violated constraints specific "
                   "to instantiated graph update"),
    ROOFLINE_ERROR(cudaErrorExternalDevice, "an async error has occured in external entity outside of CUDA"),
    ROOFLINE_ERROR(cudaErrorUnknown, "unknown error"),
};
#undef ROOFLINE_ERROR

const ErrorText& find(cudaError_t error) {
  static constexpr ErrorText unknown{cudaErrorUnknown, "unrecognized error code", "unrecognized error code"};
  const auto* const found =
      std::find_if(std::begin(errors), std::end(errors), [&](const ErrorText& e) { return e.error == error; });
  return found == std::end(errors) ? unknown : *found;
}

}  // namespace

const char* error_name(cudaError_t error) { return find(error).name; }
const char* error_text(cudaError_t error) { return find(error).text; }

}  // namespace roofline::runtime

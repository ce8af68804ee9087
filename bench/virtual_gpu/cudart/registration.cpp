// Functions that compiled code calls before main(): registration of fat binaries, kernels and variables. In our own
// executable both runtimes learn of them, because the device is chosen later.
#include <algorithm>

#include "bench/virtual_gpu/stream/call.hpp"

using namespace roofline::runtime;

namespace {

#ifdef ROOFLINE_WRAPPED_RUNTIME
constexpr bool wrapped = true;
#else
constexpr bool wrapped = false;
#endif

/// Images by the handles that compiled code holds: the static runtime's own handle where there is one.
std::map<void**, Image*>& images_by_handle() {
  static auto& images = *new std::map<void**, Image*>;
  return images;
}

Image* image_of(void** handle) {
  const auto found = images_by_handle().find(handle);
  return found == images_by_handle().end() ? nullptr : found->second;
}

}  // namespace

// These pass on to the real runtime instead of choosing.
#ifdef ROOFLINE_WRAPPED_RUNTIME
#define ROOFLINE_REGISTER(name, result, parameters) \
  extern "C" result __real_##name parameters;       \
  extern "C" result __wrap_##name parameters;       \
  extern "C" result __wrap_##name parameters
#define ROOFLINE_FORWARD(call) __real_##call
#else
#define ROOFLINE_REGISTER(name, result, parameters)                         \
  extern "C" __attribute__((visibility("default"))) result name parameters; \
  extern "C" result name parameters
#define ROOFLINE_FORWARD(call) static_cast<void>(0)
#endif

ROOFLINE_REGISTER(__cudaRegisterFatBinary, void**, (void* wrapper)) {
  const std::lock_guard lock(process().mutex);
  auto* const image = process().images.add(wrapper);
  void** handle = reinterpret_cast<void**>(image);
#ifdef ROOFLINE_WRAPPED_RUNTIME
  handle = __real___cudaRegisterFatBinary(wrapper);
#endif
  images_by_handle()[handle] = image;
  return handle;
}

ROOFLINE_REGISTER(__cudaRegisterFatBinaryEnd, void, ([[maybe_unused]] void** handle)) {
  ROOFLINE_FORWARD(__cudaRegisterFatBinaryEnd(handle));
}

ROOFLINE_REGISTER(__cudaUnregisterFatBinary, void, ([[maybe_unused]] void** handle)) {
  ROOFLINE_FORWARD(__cudaUnregisterFatBinary(handle));
}

ROOFLINE_REGISTER(__cudaRegisterFunction, void,
                  (void** handle, const char* host, [[maybe_unused]] char* device, const char* name,
                   [[maybe_unused]] int limit, [[maybe_unused]] uint3* tid, [[maybe_unused]] uint3* bid,
                   [[maybe_unused]] dim3* block, [[maybe_unused]] dim3* grid, [[maybe_unused]] int* size)) {
  ROOFLINE_FORWARD(__cudaRegisterFunction(handle, host, device, name, limit, tid, bid, block, grid, size));
  const std::lock_guard lock(process().mutex);
  if (auto* const image = image_of(handle)) process().images.add_function(image, host, name);
}

ROOFLINE_REGISTER(__cudaRegisterVar, void,
                  (void** handle, char* host, [[maybe_unused]] char* address, const char* name,
                   [[maybe_unused]] int external, size_t bytes, [[maybe_unused]] int constant,
                   [[maybe_unused]] int global)) {
  ROOFLINE_FORWARD(__cudaRegisterVar(handle, host, address, name, external, bytes, constant, global));
  const std::lock_guard lock(process().mutex);
  if (auto* const image = image_of(handle)) process().images.add_symbol(image, host, name, bytes, nullptr);
}

ROOFLINE_REGISTER(__cudaRegisterManagedVar, void,
                  (void** handle, void** host, [[maybe_unused]] char* address, const char* name,
                   [[maybe_unused]] int external, size_t bytes, [[maybe_unused]] int constant,
                   [[maybe_unused]] int global)) {
  ROOFLINE_FORWARD(__cudaRegisterManagedVar(handle, host, address, name, external, bytes, constant, global));
  const std::lock_guard lock(process().mutex);
  if (auto* const image = image_of(handle)) process().images.add_symbol(image, host, name, bytes, host);
}

/// Called before the first use of a managed variable: its host pointer must then be valid.
ROOFLINE_REGISTER(__cudaInitModule, char, (void** handle)) {
  if (!wrapped || selected())
    query([&](Process& state) {
      auto* const image = image_of(handle);
      const auto managed = [](const Symbol* symbol) { return symbol->managed != nullptr; };
      if (!image || std::none_of(image->symbols.begin(), image->symbols.end(), managed)) return cudaSuccess;
      return state.images.load(*image, state.device, *state.memory);
    });
#ifdef ROOFLINE_WRAPPED_RUNTIME
  if (!selected()) return __real___cudaInitModule(handle);
#endif
  return 1;
}

// Stands in for libcuda.so.1 of a driver that knows CUDA 11.8: the runtime asks its version before it uses it.
#include <cstring>

extern "C" {

int cuDriverGetVersion(int* version) { return *version = 11080, 0; }
int nothing_else() { return 3; }  // CUDA_ERROR_NOT_INITIALIZED

int cuGetProcAddress_v2(const char* name, void** function, int, unsigned long long, int* found) {
  if (found) *found = 0;
  *function = reinterpret_cast<void*>(std::strcmp(name, "cuDriverGetVersion") == 0 ? cuDriverGetVersion : nullptr);
  if (std::strcmp(name, "cuGetProcAddress") == 0) *function = reinterpret_cast<void*>(cuGetProcAddress_v2);
  if (!*function) *function = reinterpret_cast<void*>(nothing_else);
  return 0;
}
}

#pragma once
#include <dlfcn.h>

#include <stdexcept>

#include "bench/counters/cupti/cupti_library.hpp"
#include "tests/cuda/fake_cupti/fake_cupti.hpp"

namespace roofline::testing {

inline std::string fake_cupti_path() { return ROOFLINE_FAKE_CUPTI "/lib64/" + cupti_file_name(CUDA_VERSION); }

/// The library in place of CUPTI, loaded into this process. Handles that are still open are requested anew.
inline FakeCupti& loaded_fake_cupti() {
  void* const library = ::dlopen(fake_cupti_path().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw std::runtime_error(::dlerror());
  return *reinterpret_cast<decltype(&::fake_cupti)>(::dlsym(library, "fake_cupti"))();
}

}  // namespace roofline::testing

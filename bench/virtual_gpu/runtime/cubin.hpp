#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace roofline::runtime {

/// What ptxas says of one kernel: the facts that PTX does not have.
struct CompiledKernel {
  unsigned registers = 0;    ///< per thread
  std::uint64_t frame = 0;   ///< bytes of local memory per thread: arrays and spills
  unsigned max_threads = 0;  ///< per block, of __launch_bounds__; 0: not said
};

/// The kernels of a cubin by their mangled names, from its section .nv.info. The records are not documented; unknown
/// ones are skipped, and what is not a 64-bit ELF file for a GPU gives an empty map: everything here has a fallback.
std::map<std::string, CompiledKernel> compiled_kernels(std::string_view cubin);

}  // namespace roofline::runtime

#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace roofline::runtime {

/// A fat binary that cannot be read: one line with the entry and the reason.
struct FatbinError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Compression { none, lz4, zstd };

/// One program of a fat binary: the same source as PTX or as machine code, for one architecture.
struct FatbinEntry {
  enum class Kind { ptx, elf, other };
  /// The devices that can run the code: every later device, the same family (100f), or exactly this one (90a).
  enum class Reach { later, family, exact };
  Kind kind = Kind::other;
  unsigned architecture = 0;  ///< 90 is compute capability 9.0
  Reach reach = Reach::later;
  Compression compression = Compression::none;
  std::uint64_t uncompressed = 0;      ///< bytes; 0 when the payload is not compressed
  std::span<const std::byte> payload;  ///< as stored, without the padding of compressed ones

  /// "compute_90a", "sm_75"
  std::string name() const;
  /// The program: PTX text without trailing zeros, or the bytes of a cubin. Throws FatbinError.
  std::string contents() const;
};

/// The entries of a fat binary, whose own header says how long it is. The layout is not published: it was read off
/// what nvcc 11 to 13 write. Throws FatbinError on anything that does not look like one.
std::vector<FatbinEntry> read_fatbin(std::span<const std::byte> fatbin);

/// The bytes behind the wrapper that compiled code hands to __cudaRegisterFatBinary. Throws FatbinError.
std::span<const std::byte> fatbin_of_wrapper(const void* wrapper);

/// The PTX that a device of this compute capability (90 means 9.0) runs: the highest one not above it, as the driver
/// chooses. Code for exactly this architecture comes before code for all later ones. nullptr if nothing fits.
const FatbinEntry* choose_ptx(const std::vector<FatbinEntry>& entries, unsigned capability);

/// The lowest PTX that runs on later devices, for devices older than any that the compiler knows. nullptr: none.
const FatbinEntry* lowest_ptx(const std::vector<FatbinEntry>& entries);

/// The machine code that such a device runs as it is: same major version, minor not above. nullptr when there is none.
const FatbinEntry* choose_cubin(const std::vector<FatbinEntry>& entries, unsigned capability);

/// Facts that ptxas reports for one kernel and PTX does not contain.
struct CompiledKernel {
  unsigned registers = 0;    ///< per thread
  std::uint64_t frame = 0;   ///< bytes of local memory per thread: arrays and spills
  unsigned max_threads = 0;  ///< per block, of __launch_bounds__; 0: not said
};

/// The kernels of a cubin by their mangled names, from its section .nv.info. The records are not documented; unknown
/// ones are skipped, and what is not a 64-bit ELF file for a GPU gives an empty map: everything here has a fallback.
std::map<std::string, CompiledKernel> compiled_kernels(std::string_view cubin);

}  // namespace roofline::runtime

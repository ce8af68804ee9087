// An error of a launch, described so that the author can find the line.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace roofline::ptx {

enum class FindingKind {
  out_of_bounds,       ///< global, shared, local or constant memory beyond what is allocated
  use_after_free,      ///< global memory that was freed
  misaligned,          ///< the address is not a multiple of the access's size
  uninitialised_read,  ///< bytes that nothing has written
  race,                ///< two threads, one of them writing, with nothing that orders them
  divergent_barrier,   ///< a barrier that only a part of a warp reaches
  invalid_warp_mask,   ///< shuffle, vote, match or warp barrier whose mask names lanes that do not take part
  invalid_barrier,     ///< threads wait at a barrier that can never complete
};

/// Where in the program: names and numbers for a message.
struct Place {
  std::string kernel;
  std::array<uint32_t, 3> block{};
  std::array<uint32_t, 3> thread{};
  uint32_t ptx_line = 0;    ///< line in the PTX text, from 1; 0 where unknown
  std::string instruction;  ///< text of the PTX instruction
  std::string source;       ///< "file:line" where the PTX has .loc (nvcc -lineinfo), else empty
};

struct Finding {
  FindingKind kind{};
  Place place;
  std::string space{};       ///< "global", "shared", "local", "const" or empty
  uint64_t address = 0;      ///< in that space
  uint32_t bytes = 0;        ///< size of the access, 0 for barriers and masks
  std::string allocation{};  ///< e.g. "8 bytes beyond allocation 3 of 1024 bytes", empty where none is near
  std::string detail{};      ///< e.g. the other thread of a race
  uint64_t times = 1;        ///< how often this instruction was found with this kind
};

/// "out_of_bounds" and so on, as --sanitize prints it.
std::string name_of(FindingKind kind);
/// One line: kind, kernel, block, thread, address, allocation, PTX line and source line.
std::string describe(const Finding& finding);

}  // namespace roofline::ptx

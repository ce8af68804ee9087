#pragma once
#include <string_view>

namespace roofline {

/// Bytes of a register of an instruction set, as ceilings name it, that holds elements of `element` bytes; 0 for a name
/// that is not known.
constexpr int vector_bytes(std::string_view isa, int element) {
  if (isa == "scalar") return element;
  if (isa == "sse" || isa == "neon") return 16;
  if (isa == "avx2" || isa == "sve256") return 32;
  return isa == "avx512" || isa == "sve512" ? 64 : 0;
}

}  // namespace roofline

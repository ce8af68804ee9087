// What a slice has in place of a memory instruction: its addresses go to a sink.
#pragma once

#include "bench/virtual_gpu/parse/program.hpp"

namespace roofline::ptx {

/// What a tracing instruction knows beforehand; in Instruction::matrix.
struct TracedKind {
  Space space{};
  AccessKind access{};
  uint8_t phase = 0;
};
constexpr int64_t encode(const TracedKind& kind) {
  return static_cast<int64_t>(kind.space) | static_cast<int64_t>(kind.access) << 8 | int64_t{kind.phase} << 16;
}
constexpr TracedKind decode(int64_t code) {
  return {static_cast<Space>(code & 0xff), static_cast<AccessKind>(code >> 8 & 0xff),
          static_cast<uint8_t>(code >> 16 & 0xff)};
}

/// Hands addresses to Worker::sink. Neither checks nor counts them.
Execute trace_access();

}  // namespace roofline::ptx

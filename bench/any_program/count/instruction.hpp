// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "bench/any_program/counter/accesses.hpp"

namespace roofline::any_program {

enum class Kind { add, mul, fma, div, sqrt, logic, other };
inline constexpr std::array<std::string_view, 7> kind_names{"add", "mul", "fma", "div", "sqrt", "logic", "other"};
enum class Precision { fp64, fp32, x87, fp16 };
inline constexpr std::array<std::string_view, 4> precision_names{"fp64", "fp32", "x87", "fp16"};
/// Width of the registers that FLOPs are made in.
enum class Width { scalar, bits128, bits256, bits512 };
inline constexpr std::array<std::string_view, 4> width_names{"scalar", "128", "256", "512"};

/// A load, a store or both, of one operand.
struct MemoryOperand {
  unsigned size = 0;   ///< bytes; of each repetition, lane or element
  unsigned whole = 0;  ///< bytes of all lanes
  bool loads = false, stores = false;
  Words words;
  unsigned index_bytes = 0;  ///< of an index of a gather
  unsigned scale = 1;        ///< of it
};

/// The operations of one instruction, and its loads and stores.
struct Instruction {
  bool floating = false;  ///< whether the next four mean anything
  Precision precision = Precision::fp64;
  Kind kind = Kind::other;
  Width width = Width::scalar;
  unsigned lanes = 1;
  bool has_mask = false;          ///< only some of the lanes, as a mask says
  unsigned size = 0;              ///< bytes
  std::uint64_t jumps_to = 0;     ///< an address; 0: nowhere, or where a register says
  bool streaming = false;         ///< its stores go past the caches
  bool local = false;             ///< its memory is at a fixed distance from the stack or the instruction pointer
  bool decoded = true;            ///< false: the decoder knows no such instruction
  const char* refused = nullptr;  ///< why its FLOPs cannot be counted
  std::vector<MemoryOperand> memory;

  /// An FMA is two, what only chooses between numbers none; "other" (a sine of x87, a reciprocal estimate) none.
  unsigned flops() const { return flops_per_lane() * lanes; }
  unsigned flops_per_lane() const {
    if (!floating || kind == Kind::logic || kind == Kind::other) return 0;
    return kind == Kind::fma ? 2 : 1;
  }
};

/// Decodes x86-64 by Zydis.
class Decoder {
 public:
  Decoder();
  /// The instruction that begins at `code`, of which `size` bytes can be read.
  Instruction decode(const std::uint8_t* code, std::size_t size, std::uint64_t address) const;

 private:
  ZydisDecoder decoder_;
};

inline constexpr const char* amx_refused = "AMX code, whose operations are not counted";

}  // namespace roofline::any_program

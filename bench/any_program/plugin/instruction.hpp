// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace roofline::any_program {

enum class Kind { add, mul, fma, div, sqrt, logic, other };
inline constexpr std::array<std::string_view, 7> kind_names{"add", "mul", "fma", "div", "sqrt", "logic", "other"};
enum class Precision { fp64, fp32, x87, fp16 };
inline constexpr std::array<std::string_view, 4> precision_names{"fp64", "fp32", "x87", "fp16"};
/// Width of the registers that FLOPs are made in.
enum class Width { scalar, bits128, bits256 };
inline constexpr std::array<std::string_view, 3> width_names{"scalar", "128", "256"};

/// The operations of one instruction, and the way in which it stores.
struct Instruction {
  bool floating = false;  ///< whether the next four mean anything
  Precision precision = Precision::fp64;
  Kind kind = Kind::other;
  Width width = Width::scalar;
  unsigned lanes = 1;
  unsigned size = 0;              ///< bytes
  std::uint64_t jumps_to = 0;     ///< an address; 0: nowhere, or where a register says
  bool streaming = false;         ///< its stores go past the caches
  bool masked = false;            ///< loads of it are seen as whole vectors
  unsigned most_bytes = 64;       ///< largest access of the instruction; QEMU shows more for some loads
  bool local = false;             ///< its memory is at a fixed distance from the stack or the instruction pointer
  bool decoded = true;            ///< false: no such instruction, of the decoder
  const char* refused = nullptr;  ///< why the emulator does not execute it, or not rightly

  /// An FMA is two, what only chooses between numbers none; "other" (a sine of x87, a reciprocal estimate) none.
  unsigned flops() const {
    if (!floating || kind == Kind::logic || kind == Kind::other) return 0;
    return lanes * (kind == Kind::fma ? 2 : 1);
  }
};

/// Decodes the instructions of one kind of machine, by capstone.
class Decoder {
 public:
  /// Throws std::runtime_error where capstone has no such machine.
  explicit Decoder(bool arm);
  ~Decoder();
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  /// The instruction that begins at `code`, of which `size` bytes can be read.
  Instruction decode(const std::uint8_t* code, std::size_t size, std::uint64_t address);

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
  bool arm_;
};

inline constexpr const char* avx512_refused = "AVX-512 code, which QEMU 7 and 8 cannot execute";
inline constexpr const char* gather_refused = "a gather with index register 4, which QEMU 7 executes wrongly";
inline constexpr const char* sve_refused = "SVE code (QEMU 7 does not show its loads and stores)";

}  // namespace roofline::any_program

// How one PTX opcode with its modifiers is executed and what it counts as.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "bench/virtual_gpu/parse/syntax.hpp"
#include "bench/virtual_gpu/program/program.hpp"

namespace roofline::ptx {

enum class Form : uint8_t {
  elementwise,  ///< d, a, b, c: each lane for itself
  listed,       ///< all operands, vectors flattened, in Program::lists
  load,
  store,
  atomic,
  branch,
  indexed_branch,
  call,
  leave,  ///< ret, exit
  pack,   ///< mov between a vector and a register
  nothing,
};

struct Operation {
  Form form = Form::elementwise;
  std::array<Execute, 8> execute{};  ///< by which sources are scalars: bit 0 is a, bit 1 is b, bit 2 is c
  Execute uniform = nullptr;         ///< scalar sources and a scalar result
  Execute checked = nullptr;         ///< with checks, where that differs
  std::array<Bank, 4> banks{Bank::narrow, Bank::narrow, Bank::narrow, Bank::narrow};  ///< of sources that are constants
  bool alone = false;  ///< a basic block of its own: lanes may have to wait here
  bool ends_block = false;
  bool in_place = true;  ///< the result may lie where a source lies
  bool makes_predicate = false;
  bool reads_result = false;  ///< listed: results are sources, too
  bool second = false;        ///< listed: a second predicate, or ~0, follows the result
  Class kind = Class::other;
  FlopKind flop = FlopKind::none;
  Precision precision = Precision::fp64;
  uint32_t weight = 1;
  uint8_t size = 0, width = 1, flags = 0;
  uint16_t number = 0;
  bool own_number = false;   ///< listed: `number` is the operation's, not the length of the list
  uint32_t bytes_moved = 0;  ///< listed: bytes of a lane that memory sees; it has a counter then
  int64_t immediate = 0;
  int64_t matrix = 0;        ///< a Product, for Instruction::matrix
  uint8_t pad_to = 0;        ///< listed: absent operands become ~0 up to this length
  uint8_t destinations = 1;  ///< listed: leading operands that are written
  Space space = Space::generic;
  AccessKind access = AccessKind::load;
};

using Found = std::optional<Operation>;

/// Empty where the instruction is not known. `in_function`: in a device function, where ld.param reads arguments.
Found find_operation(const Statement& statement, bool in_function);

// By kind of instruction; empty for what they do not know.
Found find_integer(const Statement& s);
Found find_bits(const Statement& s);
Found find_carry(const Statement& s);
Found find_float(const Statement& s);
Found find_half(const Statement& s);
Found find_compare(const Statement& s);
Found find_convert(const Statement& s);
Found find_float_convert(const Statement& s);
Found find_move(const Statement& s);
Found find_memory(const Statement& s, bool in_function);
Found find_atomic(const Statement& s);
Found find_warp(const Statement& s);
Found find_control(const Statement& s);
Found find_matrix(const Statement& s);
Found find_wgmma(const Statement& s);
Found find_fragment(const Statement& s);
Found find_asynchronous(const Statement& s);

}  // namespace roofline::ptx

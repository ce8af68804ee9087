// A kernel decoded for the interpreter: instructions in basic blocks, operands as offsets into a warp's register file.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bench/virtual_gpu/program/counts.hpp"

namespace roofline::ptx {

struct Warp;
struct Instruction;
using Execute = void (*)(Warp&, const Instruction&);

/// Generic addresses that are not the host's: the byte on top names the space.
constexpr int window_shift = 56;
constexpr uint64_t shared_window = uint64_t{1} << window_shift;
constexpr uint64_t local_window = uint64_t{2} << window_shift;
constexpr uint64_t param_window = uint64_t{3} << window_shift;
constexpr uint64_t function_window = uint64_t{4} << window_shift;
constexpr uint64_t window_mask = (uint64_t{1} << window_shift) - 1;

/// How the base of an address is found.
enum class Base : uint8_t { none, lanes64, lanes32, scalar64, scalar32 };

struct Instruction {
  Execute execute = nullptr;
  Execute inner = nullptr;              // the guarded operation of an instruction with a guard
  uint32_t d = 0, a = 0, b = 0, c = 0;  // byte offsets into the register file, or numbers of predicates
  int64_t immediate = 0;                // offset of an address, block of a target, ...
  int64_t matrix = 0;                   // shape and types of matrix instructions
  uint32_t guard = 0;                   // number of a predicate
  uint32_t flip = 0;                    // ~0 for @!p
  uint32_t list = 0;                    // first of further operands in Program::lists
  uint32_t counter = 0;                 // of memory instructions: which AccessCounter
  uint32_t guard_counter = 0;
  uint32_t index = 0;  // of this instruction in Program::code
  uint8_t size = 0;    // bytes of an element
  uint8_t width = 1;   // elements: v2, v4
  Base base = Base::none;
  uint8_t flags = 0;    // of the operation's own making
  uint16_t number = 0;  // how many further operands; the operation's own
};

enum class FlopKind : uint8_t { none, add, mul, fma, special, tensor, tensor_integer };

/// The class of an instruction and its place in the text.
struct Detail {
  uint32_t line = 0;  // 0: made by the decoder, not counted
  uint32_t source_file = 0, source_line = 0;
  std::string text;
  Class kind = Class::other;
  FlopKind flop = FlopKind::none;
  Precision precision = Precision::fp64;
  uint32_t weight = 1;  // operations of a lane; for tensor instructions, of the warp
  bool memory = false;
  bool branch = false;
  Space space = Space::generic;
  AccessKind access = AccessKind::load;
  uint32_t bytes = 0;  // of a lane
  int64_t counter = -1;
  int64_t guard_counter = -1;
  uint32_t block = 0;
};

/// Instructions [first, end); control leaves only after the last one.
struct BasicBlock {
  uint32_t first = 0, end = 0;
};

/// Special registers that are written once for a warp, or once for a block.
enum class Special : uint8_t {
  tid_x,
  tid_y,
  tid_z,
  lane,
  warp,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  first_scalar,
  ntid_x = first_scalar,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  nwarps,
  smid,
  nsmid,
  dynamic_shared,
  total_shared,
  zero,
  one,
  grid,
  envreg1,
  envreg2,
};

/// The facts about a function that a caller needs.
struct FunctionFrame {
  std::string name;
  uint64_t address = 0;                     // as pointers to functions have it
  uint32_t entry = 0;                       // block
  bool recursive = false;                   // frames of outer activations must be saved
  uint32_t begin = 0, middle = 0, end = 0;  // of the register file: 4-byte registers up to middle, then 8-byte ones
  uint32_t first_predicate = 0, end_predicate = 0;
  uint32_t return_block = 0;               // slot of the lanes' return blocks
  std::vector<uint32_t> formals, results;  // slots of their words
  uint32_t local_bytes = 0;
};

/// Functions that the device's runtime brings.
enum class Builtin : uint8_t { none, printf, assertion, malloc, free };

/// Predicates 0 and 1 are false and true; the lanes' carry flags (CC.CF) follow.
constexpr uint32_t carry_predicate = 2;
constexpr uint32_t argument_words = 256;

struct Program {
  std::string name;
  std::vector<Instruction> code;     // as executed without checks
  std::vector<Instruction> checked;  // the same with checks
  std::vector<Detail> details;
  std::vector<BasicBlock> blocks;
  std::vector<uint32_t> lists;
  std::vector<std::string> files;  // of .file, by number

  uint32_t file_bytes = 0;                                       // register file of a warp, a multiple of 64
  uint32_t predicates = carry_predicate + 1;                     // of all registers, and those three
  std::vector<std::pair<uint32_t, uint64_t>> constants;          // scalars: offset, value
  std::vector<std::pair<uint32_t, uint64_t>> vector_constants4;  // the same in all lanes
  std::vector<std::pair<uint32_t, uint64_t>> vector_constants8;
  std::vector<std::pair<uint32_t, Special>> specials;         // offset, which; scalar from first_scalar on
  std::vector<std::pair<uint32_t, Special>> vector_specials;  // scalar ones in all lanes

  uint32_t argument_area = 0;    // 32 lanes of 4 bytes for each word of a call's arguments, and of its results
  uint32_t local_top = 0;        // slot: bytes of local memory that recursive functions use, by lane
  uint32_t recursive_local = 0;  // where these bytes begin
  std::vector<FunctionFrame> functions;

  uint32_t shared_bytes = 0;  // static; dynamic shared memory begins here
  uint32_t local_bytes = 0;   // of a thread, stacks of recursive functions included
  uint32_t counters = 0, guard_counters = 0;
  bool has_fence = false;  // for the whole device: orders accesses of blocks in ways that are not followed
};

}  // namespace roofline::ptx

// SPDX-License-Identifier: MIT
#pragma once
#include <Zydis/Zydis.h>

/// The words in which a copy writes down its loads and stores. The counter writes it and the program that reads it
/// knows the same instructions, so nothing but addresses, masks and numbers of repetitions is written.
namespace roofline::any_program {

/// The kinds of words that an access has behind its address.
struct Words {
  bool repeated = false;    ///< how often at most: RCX
  bool ends_early = false;  ///< RCX behind it: it compares, and may end before
  bool masked = false;      ///< the mask of the lanes
  unsigned indices = 0;     ///< words of a vector of indices, and of another one with its mask where `vector_mask`
  bool vector_mask = false;

  unsigned count() const { return 1u + repeated + ends_early + masked + indices * (vector_mask ? 2 : 1); }
};

inline bool is_access(const ZydisDecodedInstruction& it, const ZydisDecodedOperand& o) {
  if (o.type != ZYDIS_OPERAND_TYPE_MEMORY || o.size == 0) return false;
  if (o.mem.type != ZYDIS_MEMOP_TYPE_MEM && o.mem.type != ZYDIS_MEMOP_TYPE_VSIB) return false;
  if (!(o.actions & (ZYDIS_OPERAND_ACTION_MASK_READ | ZYDIS_OPERAND_ACTION_MASK_WRITE))) return false;
  // Its base would need another free register; no compiler makes such code for thread-local data.
  if (o.mem.segment == ZYDIS_REGISTER_FS && o.mem.base != ZYDIS_REGISTER_NONE && o.mem.index != ZYDIS_REGISTER_NONE)
    return false;
  switch (it.meta.category) {  // they load and store nothing, or what only the kernel knows
    case ZYDIS_CATEGORY_NOP:
    case ZYDIS_CATEGORY_WIDENOP:
    case ZYDIS_CATEGORY_PREFETCH:
    case ZYDIS_CATEGORY_XSAVE:
    case ZYDIS_CATEGORY_XSAVEOPT:
      return false;
    default:
      return true;
  }
}

inline bool is_repeated(const ZydisDecodedInstruction& it) {
  return it.meta.category == ZYDIS_CATEGORY_STRINGOP &&
         (it.attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE));
}

inline bool ends_early(const ZydisDecodedInstruction& it) {
  return is_repeated(it) && (it.attributes & (ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE));
}

/// Without AVX-512 instructions with a mask register fault, and so would one of the counter that reads their mask.
inline bool cpu_has_mask_registers() {
  unsigned enabled, high;
  __asm__("xgetbv" : "=a"(enabled), "=d"(high) : "c"(0));
  return (enabled & 0x20) != 0;
}

inline bool has_mask_register(const ZydisDecodedInstruction& it) {
  return it.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX && it.avx.mask.mode > ZYDIS_MASK_MODE_DISABLED &&
         it.avx.mask.reg != ZYDIS_REGISTER_K0 && cpu_has_mask_registers();
}

inline Words words_of(const ZydisDecodedInstruction& it, const ZydisDecodedOperand& o) {
  Words words;
  words.repeated = is_repeated(it), words.ends_early = ends_early(it);
  words.masked = has_mask_register(it);
  if (o.mem.type == ZYDIS_MEMOP_TYPE_VSIB) {
    const auto width = ZydisRegisterGetWidth(ZYDIS_MACHINE_MODE_LONG_64, o.mem.index);
    words.indices = width / 64u;
    words.vector_mask = it.encoding == ZYDIS_INSTRUCTION_ENCODING_VEX;
  }
  return words;
}

/// PUSH and CALL store below the stack pointer that they find.
inline bool grows_stack(const ZydisDecodedInstruction& it, const ZydisDecodedOperand& o) {
  return o.visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN && o.mem.base == ZYDIS_REGISTER_RSP &&
         (o.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) &&
         (it.meta.category == ZYDIS_CATEGORY_PUSH || it.meta.category == ZYDIS_CATEGORY_CALL);
}

}  // namespace roofline::any_program

// SPDX-License-Identifier: MIT
#include "bench/any_program/counter/decoded.hpp"

#include "bench/any_program/counter/accesses.hpp"

namespace roofline::any_program {
namespace {

constexpr std::uint32_t status =
    ZYDIS_CPUFLAG_CF | ZYDIS_CPUFLAG_PF | ZYDIS_CPUFLAG_AF | ZYDIS_CPUFLAG_ZF | ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_OF;

}  // namespace

bool reads_flags(const ZydisDecodedInstruction& i) { return i.cpu_flags && (i.cpu_flags->tested & status); }

bool sets_all_flags(const ZydisDecodedInstruction& i) {
  if (!i.cpu_flags || i.meta.category == ZYDIS_CATEGORY_SHIFT || i.meta.category == ZYDIS_CATEGORY_ROTATE ||
      (i.attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE)))
    return false;
  const auto set = i.cpu_flags->modified | i.cpu_flags->set_0 | i.cpu_flags->set_1;
  const bool logic = i.meta.category == ZYDIS_CATEGORY_LOGICAL;  // leaves AF undefined, which nothing can test
  return ((set | (logic ? ZYDIS_CPUFLAG_AF : 0)) & status) == status;
}

bool ends_block(const ZydisDecodedInstruction& i) {
  return i.meta.branch_type != ZYDIS_BRANCH_TYPE_NONE || i.mnemonic == ZYDIS_MNEMONIC_SYSCALL ||
         i.meta.category == ZYDIS_CATEGORY_RET;
}

bool leads_on(const Decoded& d) { return !ends_block(d.it) || d.it.meta.category == ZYDIS_CATEGORY_COND_BR; }

bool is_of_integers(const Decoded& d) {
  for (int k = 0; k < d.it.operand_count; ++k) {
    if (d.operand[k].type != ZYDIS_OPERAND_TYPE_REGISTER) continue;
    switch (ZydisRegisterGetClass(d.operand[k].reg.value)) {
      case ZYDIS_REGCLASS_GPR8:
      case ZYDIS_REGCLASS_GPR16:
      case ZYDIS_REGCLASS_GPR32:
      case ZYDIS_REGCLASS_GPR64:
      case ZYDIS_REGCLASS_FLAGS:
      case ZYDIS_REGCLASS_IP:
        break;
      default:
        return false;
    }
  }
  return true;
}

Stop why_not(const Decoded& d) {
  switch (d.it.mnemonic) {
    case ZYDIS_MNEMONIC_SYSENTER:
    case ZYDIS_MNEMONIC_SYSRET:
    case ZYDIS_MNEMONIC_SYSEXIT:
    case ZYDIS_MNEMONIC_INT:
    case ZYDIS_MNEMONIC_IRET:
    case ZYDIS_MNEMONIC_IRETD:
    case ZYDIS_MNEMONIC_IRETQ:
    case ZYDIS_MNEMONIC_XBEGIN:
      return Stop::old_call;
    case ZYDIS_MNEMONIC_WRGSBASE:
    case ZYDIS_MNEMONIC_RDGSBASE:
    case ZYDIS_MNEMONIC_SWAPGS:
      return Stop::segment;
    default:
      break;
  }
  if (d.it.meta.branch_type == ZYDIS_BRANCH_TYPE_FAR) return Stop::old_call;
  for (int k = 0; k < d.it.operand_count; ++k) {
    const auto& o = d.operand[k];
    if (o.type == ZYDIS_OPERAND_TYPE_MEMORY && o.mem.segment == ZYDIS_REGISTER_GS) return Stop::segment;
    if (o.type == ZYDIS_OPERAND_TYPE_REGISTER && o.reg.value == ZYDIS_REGISTER_GS &&
        (o.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
      return Stop::segment;
  }
  return Stop::none;
}

bool is_masked(const Decoded& d) {
  if (!has_mask_register(d.it)) return false;
  const char* const name = ZydisMnemonicGetString(d.it.mnemonic);
  std::size_t n = 0;
  while (name[n]) ++n;
  const bool moves = n > 4 && name[1] == 'm' && name[2] == 'o' && name[3] == 'v';
  return n > 4 && !moves && (name[n - 2] == 'p' || name[n - 2] == 's') &&
         (name[n - 1] == 'd' || name[n - 1] == 's' || name[n - 1] == 'h');
}

unsigned lanes_of(const Decoded& d) {
  const char* const name = ZydisMnemonicGetString(d.it.mnemonic);
  std::size_t n = 0;
  while (name[n]) ++n;
  const unsigned bits = name[n - 1] == 'd' ? 64 : name[n - 1] == 's' ? 32 : 16;
  return name[n - 2] == 's' ? 1 : d.it.avx.vector_length / bits;
}

}  // namespace roofline::any_program

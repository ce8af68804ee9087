// SPDX-License-Identifier: MIT
#include "bench/any_program/count/instruction.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>

namespace roofline::any_program {
namespace {

struct Beginning {
  std::string_view text;
  Kind kind;
};

// Mnemonics by their beginning; the first that fits counts.
constexpr Beginning x87[] = {{"fadd", Kind::add},    {"fiadd", Kind::add},    {"fsub", Kind::add},
                             {"fisub", Kind::add},   {"fmul", Kind::mul},     {"fimul", Kind::mul},
                             {"fdiv", Kind::div},    {"fidiv", Kind::div},    {"fsqrt", Kind::sqrt},
                             {"fabs", Kind::logic},  {"fchs", Kind::logic},   {"fcom", Kind::logic},
                             {"fucom", Kind::logic}, {"fsin", Kind::other},   {"fcos", Kind::other},
                             {"fptan", Kind::other}, {"fpatan", Kind::other}, {"f2xm1", Kind::other},
                             {"fyl2x", Kind::other}, {"fprem", Kind::other},  {"fscale", Kind::other}};
// Complex products of fp16 ("fmulcph", "fcmaddcsh") come first: they are not FMAs.
constexpr Beginning vectors[] = {
    {"fmulc", Kind::other},  {"fmaddc", Kind::other}, {"fcm", Kind::other}, {"fmadd", Kind::fma},
    {"fmsub", Kind::fma},    {"fnm", Kind::fma},      {"add", Kind::add},   {"sub", Kind::add},
    {"hadd", Kind::add},     {"hsub", Kind::add},     {"mul", Kind::mul},   {"div", Kind::div},
    {"sqrt", Kind::sqrt},    {"dp", Kind::other},     {"rcp", Kind::other}, {"rsqrt", Kind::other},
    {"scalef", Kind::other}, {"min", Kind::logic},    {"max", Kind::logic}, {"and", Kind::logic},
    {"or", Kind::logic},     {"xor", Kind::logic},    {"cmp", Kind::logic}, {"comi", Kind::logic},
    {"ucomi", Kind::logic},  {"blend", Kind::logic}};

std::optional<Kind> kind_of(std::string_view name, std::span<const Beginning> known) {
  for (const auto& [text, kind] : known)
    if (name.starts_with(text)) return kind;
  return std::nullopt;
}

void set_kind(Instruction& it, std::optional<Kind> kind) {
  it.floating = kind.has_value();
  if (kind) it.kind = *kind;
}

/// ADDPD, VFMADD231SS: the two last letters say whether it is packed, and the precision.
void read_vector_name(Instruction& it, std::string_view name, unsigned bits) {
  if (name.starts_with("v")) name.remove_prefix(1);
  if (name.size() < 4) return;
  const char form = name[name.size() - 2], type = name.back();
  if ((form != 'p' && form != 's') || (type != 'd' && type != 's' && type != 'h')) return;
  set_kind(it, kind_of(name, vectors));
  it.precision = type == 'd' ? Precision::fp64 : type == 's' ? Precision::fp32 : Precision::fp16;
  if (form != 'p') return;
  it.width = bits == 512 ? Width::bits512 : bits == 256 ? Width::bits256 : Width::bits128;
  it.lanes = bits / (type == 'd' ? 64 : type == 's' ? 32 : 16);
}

/// Spilled registers, local variables, constants, return addresses.
bool is_local(const ZydisDecodedInstruction& insn, const ZydisDecodedOperand* operands) {
  for (int i = 0; i < insn.operand_count; ++i)
    if (const auto& its = operands[i]; is_access(insn, its))
      return its.mem.index == ZYDIS_REGISTER_NONE &&
             (its.mem.base == ZYDIS_REGISTER_RSP || its.mem.base == ZYDIS_REGISTER_RIP);
  return false;
}

MemoryOperand memory_of(const ZydisDecodedInstruction& insn, const ZydisDecodedOperand& o) {
  MemoryOperand memory;
  memory.words = words_of(insn, o);
  memory.loads = (o.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0;
  memory.stores = (o.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
  memory.whole = memory.size = o.size / 8u;
  if (memory.words.masked && o.element_size) memory.size = o.element_size / 8u;
  if (insn.avx.broadcast.mode != ZYDIS_BROADCAST_MODE_INVALID) memory.whole = memory.size;
  if (memory.words.indices) {
    const std::string_view name = ZydisMnemonicGetString(insn.mnemonic);
    // VGATHERDPD: the letter before the last two is that of the index, the last one that of the data.
    const bool data_of_64 = name.ends_with("pd") || name.ends_with("qq") || name.ends_with("dq");
    const bool index_of_64 = name[name.size() - 3] == 'q' || name.ends_with("qd") || name.ends_with("qq");
    memory.size = data_of_64 ? 8 : 4, memory.index_bytes = index_of_64 ? 8 : 4;
    memory.scale = o.mem.scale;
    memory.whole = memory.size * std::min(memory.words.indices * 8 / memory.index_bytes,
                                          static_cast<unsigned>(insn.avx.vector_length) / (8 * memory.size));
  }
  return memory;
}

}  // namespace

Decoder::Decoder() { ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64); }

Instruction Decoder::decode(const std::uint8_t* code, std::size_t size, std::uint64_t address) const {
  ZydisDecodedInstruction insn;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
  Instruction it;
  it.decoded = ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder_, code, size, &insn, operands));
  if (!it.decoded) return it;
  it.size = insn.length;
  const std::string_view name = ZydisMnemonicGetString(insn.mnemonic);
  it.local = is_local(insn, operands);
  it.streaming = name.starts_with("movnt") || name.starts_with("vmovnt");
  if (name.starts_with("tdp") || name.starts_with("tile") || name.starts_with("ldtilecfg")) it.refused = amx_refused;
  if (name.starts_with("f")) {
    it.precision = Precision::x87;
    set_kind(it, kind_of(name, x87));
  } else {
    read_vector_name(it, name, insn.encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY ? 128 : insn.avx.vector_length);
  }
  it.has_mask = it.floating && has_mask_register(insn);
  for (int i = 0; i < insn.operand_count; ++i)
    if (is_access(insn, operands[i])) it.memory.push_back(memory_of(insn, operands[i]));
  if (insn.meta.branch_type != ZYDIS_BRANCH_TYPE_NONE && insn.meta.category != ZYDIS_CATEGORY_CALL &&
      operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE && operands[0].imm.is_relative)
    it.jumps_to = address + insn.length + static_cast<std::uint64_t>(operands[0].imm.value.s);
  return it;
}

}  // namespace roofline::any_program

// SPDX-License-Identifier: MIT
#include "bench/any_program/plugin/instruction.hpp"

#include <capstone/capstone.h>

#include <cstdlib>
#include <optional>
#include <span>
#include <stdexcept>
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
constexpr Beginning vectors[] = {
    {"fm", Kind::fma},     {"fnm", Kind::fma},     {"add", Kind::add},   {"sub", Kind::add},    {"hadd", Kind::add},
    {"hsub", Kind::add},   {"mul", Kind::mul},     {"div", Kind::div},   {"sqrt", Kind::sqrt},  {"dp", Kind::other},
    {"rcp", Kind::other},  {"rsqrt", Kind::other}, {"min", Kind::logic}, {"max", Kind::logic},  {"and", Kind::logic},
    {"or", Kind::logic},   {"xor", Kind::logic},   {"cmp", Kind::logic}, {"comi", Kind::logic}, {"ucomi", Kind::logic},
    {"blend", Kind::logic}};
constexpr Beginning arm_names[] = {
    {"fadd", Kind::add},    {"fsub", Kind::add},    {"fabd", Kind::add},    {"fmul", Kind::mul},
    {"fnmul", Kind::mul},   {"fmadd", Kind::fma},   {"fmsub", Kind::fma},   {"fnmadd", Kind::fma},
    {"fnmsub", Kind::fma},  {"fmla", Kind::fma},    {"fmls", Kind::fma},    {"fdiv", Kind::div},
    {"fsqrt", Kind::sqrt},  {"fmax", Kind::logic},  {"fmin", Kind::logic},  {"fabs", Kind::logic},
    {"fneg", Kind::logic},  {"fcm", Kind::logic},   {"fccmp", Kind::logic}, {"fcsel", Kind::logic},
    {"frecp", Kind::other}, {"frsqrt", Kind::other}};

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
void read_vector_name(Instruction& it, std::string_view name, std::string_view operands) {
  if (name.starts_with("v")) name.remove_prefix(1);
  if (name.size() < 4) return;
  // QEMU 7 loads a whole register for these, and for an FMA of one number.
  if (name == "cvtdq2pd") it.most_bytes = operands.find("ymm") != operands.npos ? 16 : 8;
  const char form = name[name.size() - 2], type = name.back();
  if ((form != 'p' && form != 's') || (type != 'd' && type != 's' && type != 'h')) return;
  set_kind(it, kind_of(name, vectors));
  it.precision = type == 'd' ? Precision::fp64 : type == 's' ? Precision::fp32 : Precision::fp16;
  if (form != 'p' && it.floating) it.most_bytes = type == 'd' ? 8 : type == 's' ? 4 : 2;
  if (form != 'p') return;
  const bool wide = operands.find("ymm") != operands.npos;
  it.width = wide ? Width::bits256 : Width::bits128;
  it.lanes = (wide ? 32 : 16) / (type == 'd' ? 8 : type == 's' ? 4 : 2);
}

bool is_gather_by_register_4(const cs_insn& insn) {
  const auto& x86 = insn.detail->x86;
  for (int i = 0; i < x86.op_count; ++i)
    if (x86.operands[i].type == X86_OP_MEM &&
        (x86.operands[i].mem.index == X86_REG_XMM4 || x86.operands[i].mem.index == X86_REG_YMM4))
      return true;
  return false;
}

/// Spilled registers, local variables, constants, return addresses.
bool is_local_of_x86(const cs_insn& insn, std::string_view name) {
  const auto& x86 = insn.detail->x86;
  for (int i = 0; i < x86.op_count; ++i)
    if (const auto& its = x86.operands[i]; its.type == X86_OP_MEM)
      return its.mem.index == X86_REG_INVALID && (its.mem.base == X86_REG_RSP || its.mem.base == X86_REG_RIP);
  return name.starts_with("push") || name.starts_with("pop") || name == "call" || name == "ret";
}

bool is_local_of_arm(const cs_insn& insn) {
  const auto& arm = insn.detail->arm64;
  for (int i = 0; i < arm.op_count; ++i)
    if (const auto& its = arm.operands[i]; its.type == ARM64_OP_MEM)
      return its.mem.index == ARM64_REG_INVALID && its.mem.base == ARM64_REG_SP;
  return false;
}

Instruction of_x86(const cs_insn& insn) {
  Instruction it;
  const std::string_view name = insn.mnemonic, operands = insn.op_str;
  it.local = is_local_of_x86(insn, name);
  it.streaming = name.starts_with("movnt") || name.starts_with("vmovnt");
  it.masked = name.find("maskmov") != name.npos;
  if (is_gather_by_register_4(insn)) it.refused = gather_refused;
  if (!name.starts_with("f")) return read_vector_name(it, name, operands), it;
  it.precision = Precision::x87;
  set_kind(it, kind_of(name, x87));
  return it;
}

/// FADD V0.2D, V1.2D, V2.2D or FADD D0, D1, D2: the first operand says lanes and precision.
Instruction of_arm(const cs_insn& insn) {
  Instruction it;
  const std::string_view name = insn.mnemonic, operands = insn.op_str;
  it.streaming = name.starts_with("stnp");
  it.local = is_local_of_arm(insn);
  set_kind(it, kind_of(name, arm_names));
  char type = operands.empty() ? 'd' : operands[0];
  if (const auto dot = operands.find('.'); type == 'v' && dot != operands.npos) {
    it.lanes = static_cast<unsigned>(std::strtoul(operands.data() + dot + 1, nullptr, 10));
    type = operands[operands.find_first_not_of("0123456789", dot + 1)];
    it.width = Width::bits128;
  }
  it.precision = type == 's' ? Precision::fp32 : type == 'h' ? Precision::fp16 : Precision::fp64;
  return it;
}

/// RDSSPQ and INCSSPQ, with which libgcc unwinds since processors have shadow stacks: capstone 4 does not know them.
bool is_shadow_stack(const std::uint8_t* code, std::size_t size) {
  return size >= 5 && code[0] == 0xf3 && code[1] == 0x48 && code[2] == 0x0f && (code[3] == 0x1e || code[3] == 0xae);
}

/// The last operand of a jump, where it is a number.
std::uint64_t target_of(csh handle, const cs_insn& insn, bool arm) {
  if (!cs_insn_group(handle, &insn, CS_GRP_JUMP)) return 0;
  if (arm) {
    const auto& its = insn.detail->arm64;
    const bool known = its.op_count > 0 && its.operands[its.op_count - 1].type == ARM64_OP_IMM;
    return known ? static_cast<std::uint64_t>(its.operands[its.op_count - 1].imm) : 0;
  }
  const auto& its = insn.detail->x86;
  return its.op_count == 1 && its.operands[0].type == X86_OP_IMM ? static_cast<std::uint64_t>(its.operands[0].imm) : 0;
}

}  // namespace

struct Decoder::Handle {
  csh handle = 0;
  cs_insn* insn = nullptr;
};

Decoder::Decoder(bool arm) : handle_(std::make_unique<Handle>()), arm_(arm) {
  if (cs_open(arm ? CS_ARCH_ARM64 : CS_ARCH_X86, arm ? CS_MODE_ARM : CS_MODE_64, &handle_->handle) != CS_ERR_OK)
    throw std::runtime_error("capstone cannot decode this machine");
  cs_option(handle_->handle, CS_OPT_DETAIL, CS_OPT_ON);
  handle_->insn = cs_malloc(handle_->handle);
}

Decoder::~Decoder() {
  cs_free(handle_->insn, 1);
  cs_close(&handle_->handle);
}

Instruction Decoder::decode(const std::uint8_t* code, std::size_t size, std::uint64_t address) {
  constexpr std::uint8_t evex = 0x62;  // every AVX-512 instruction, and nothing else in 64-bit code
  Instruction it;
  if (!arm_ && size > 0 && code[0] == evex) it.refused = avx512_refused;
  if (arm_ && size >= 4 && (code[3] >> 1 & 15) == 2) it.refused = sve_refused;
  if (it.refused) return it;
  it.decoded = cs_disasm_iter(handle_->handle, &code, &size, &address, handle_->insn);
  // Atomic loads and stores of Armv8.1, which capstone 4 does not know: no class of instructions with FLOPs.
  if (arm_ && !it.decoded && size >= 4) it.size = 4, it.decoded = (code[3] >> 1 & 7) != 7;
  if (!arm_ && !it.decoded && is_shadow_stack(code, size)) it.size = 5, it.decoded = true;
  if (!it.decoded || it.size > 0) return it;
  it = arm_ ? of_arm(*handle_->insn) : of_x86(*handle_->insn);
  it.size = handle_->insn->size, it.jumps_to = target_of(handle_->handle, *handle_->insn, arm_);
  return it;
}

}  // namespace roofline::any_program

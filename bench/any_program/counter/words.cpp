// SPDX-License-Identifier: MIT
#include "bench/any_program/counter/words.hpp"

#include <sys/syscall.h>

namespace roofline::any_program {
namespace {

/// The number of a general register in any of its widths; -1: it is another one.
int number_of(ZydisRegister reg) {
  const auto whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);
  return whole >= ZYDIS_REGISTER_RAX && whole <= ZYDIS_REGISTER_R15 ? whole - ZYDIS_REGISTER_RAX : -1;
}

/// lea of an operand.
void load_address(Writer& w, Byte to, const Decoded& d, const ZydisDecodedOperand& o, Word pc) {
  auto offset = static_cast<Word>(o.mem.disp.value);
  if (o.mem.base == ZYDIS_REGISTER_RIP || o.mem.base == ZYDIS_REGISTER_EIP) return w.set(to, pc + d.it.length + offset);
  if (grows_stack(d.it, o)) offset -= o.size / 8u;
  const bool vector = o.mem.type == ZYDIS_MEMOP_TYPE_VSIB;
  int base = number_of(o.mem.base), index = vector ? -1 : number_of(o.mem.index);
  unsigned scale = 0;
  while (1u << scale < o.mem.scale) ++scale;
  if (o.mem.segment == ZYDIS_REGISTER_FS) {
    w.put(0xf3, 0x48 | (to & 8) >> 3, 0x0f, 0xae, 0xc0 | (to & 7));  // rdfsbase
    if (base < 0)
      base = to;
    else
      index = to, scale = 0;
  }
  if (d.it.address_width == 32 && o.mem.segment != ZYDIS_REGISTER_FS) w.put(0x67);
  w.put(0x48 | (to & 8) >> 1 | (index >= 0 ? (index & 8) >> 2 : 0) | (base >= 0 ? (base & 8) >> 3 : 0), 0x8d);
  w.put((base >= 0 ? 0x84 : 0x04) | (to & 7) << 3);
  w.put(scale << 6 | (index >= 0 ? index & 7 : 4) << 3 | (base >= 0 ? base & 7 : 5));
  w.put32(offset);
}

/// A vector register to offset(pointer).
void store_vector(Writer& w, ZydisRegister vector, Byte pointer, unsigned offset) {
  const auto bits = ZydisRegisterGetWidth(ZYDIS_MACHINE_MODE_LONG_64, vector);
  const auto n = static_cast<unsigned>(vector - (bits == 512   ? ZYDIS_REGISTER_ZMM0
                                                 : bits == 256 ? ZYDIS_REGISTER_YMM0
                                                               : ZYDIS_REGISTER_XMM0));
  const unsigned base = (pointer & 8) ? 0 : 0x20;
  if (n < 16 && bits < 512)  // vmovdqu
    w.put(0xc4, (n & 8 ? 0 : 0x80) | 0x40 | base | 1, 0x7a | (bits == 256 ? 4 : 0), 0x7f);
  else  // vmovdqu64
    w.put(0x62, (n & 8 ? 0 : 0x80) | 0x40 | base | (n & 16 ? 0 : 0x10) | 1, 0xfe,
          0x08 | (bits == 512   ? 0x40
                  : bits == 256 ? 0x20
                                : 0),
          0x7f);
  w.put(0x80 | (n & 7) << 3 | (pointer & 7)), w.put32(offset);
}

}  // namespace

std::uint32_t registers_of(const Decoded& d) {
  std::uint32_t all = 0;
  const auto add = [&](ZydisRegister reg) {
    if (const int number = number_of(reg); number >= 0) all |= 1u << number;
  };
  for (int k = 0; k < d.it.operand_count; ++k) {
    const auto& o = d.operand[k];
    if (o.type == ZYDIS_OPERAND_TYPE_REGISTER) add(o.reg.value);
    if (o.type == ZYDIS_OPERAND_TYPE_MEMORY) add(o.mem.base), add(o.mem.index);
  }
  return all;
}

unsigned word_count(const Decoded& d) {
  unsigned n = 0;
  for (int k = 0; k < d.it.operand_count; ++k)
    if (is_access(d.it, d.operand[k])) n += words_of(d.it, d.operand[k]).count();
  return n;
}

void write_accesses(Writer& w, const Decoded& d, const Free& own, Word pc, unsigned& at) {
  for (int k = 0; k < d.it.operand_count; ++k) {
    const auto& o = d.operand[k];
    if (!is_access(d.it, o)) continue;
    const auto words = words_of(d.it, o);
    load_address(w, own.address, d, o, pc);
    w.with_base(0x89, own.address, own.pointer, 8 * at++);
    if (words.repeated) w.with_base(0x89, 1, own.pointer, 8 * at++);
    at += words.ends_early;
    if (words.masked) {
      const auto mask = static_cast<unsigned>(d.it.avx.mask.reg - ZYDIS_REGISTER_K0);
      w.put(0xc4, 0x61 | (own.address & 8 ? 0 : 0x80), 0xfb, 0x93, 0xc0 | (own.address & 7) << 3 | mask);  // kmovq
      w.with_base(0x89, own.address, own.pointer, 8 * at++);
    }
    if (words.indices) store_vector(w, o.mem.index, own.pointer, 8 * at), at += words.indices;
    if (words.vector_mask) {
      // It has as many bits as the destination, and its first lanes are those of the indices.
      const auto bits = words.indices * 64;
      auto mask = d.operand[2].reg.value;
      if (bits < ZydisRegisterGetWidth(ZYDIS_MACHINE_MODE_LONG_64, mask))
        mask = static_cast<ZydisRegister>(mask - ZYDIS_REGISTER_YMM0 + ZYDIS_REGISTER_XMM0);
      store_vector(w, mask, own.pointer, 8 * at), at += words.indices;
    }
  }
}

void write_rest(Writer& w, const Decoded& d, const Free& own, unsigned at) {
  for (int k = 0; k < d.it.operand_count; ++k)
    if (is_access(d.it, d.operand[k]))
      w.with_base(0x89, 1, own.pointer, 8 * (at + 2)), at += words_of(d.it, d.operand[k]).count();
}

Byte* reserve_words(Writer& w, const Free& own, std::uint32_t record, unsigned words, bool flags_matter) {
  w.save(own.pointer, 0x60), w.save(own.address, 0x68);
  w.load(own.pointer, 0x50);
  w.with_base(0x8d, own.address, own.pointer, 8 * (words + 1));  // lea
  if (flags_matter) w.save(0, 0), w.save_flags();
  w.with_gs(0x3b, own.address, 0x58);  // cmp
  w.put(0x0f, 0x87), w.put32(0);       // ja
  Byte* const full = w.at;
  if (flags_matter) w.restore_flags(), w.load(0, 0);
  w.save(own.address, 0x50);
  w.with_base(0xc7, 0, own.pointer, 0), w.put32(record);  // movq $record, (pointer)
  return full;
}

void wait_for_room(Writer& w, Byte* full, const Free& own, Word pc, bool flags_matter) {
  Writer(full - 4).put32(static_cast<Word>(w.at - full));
  if (flags_matter) w.restore_flags(), w.load(0, 0);
  w.load(own.pointer, 0x60), w.load(own.address, 0x68);
  w.save_three(), w.set(2, part_full), w.save(2, 0x30), w.set(0, pc);
  w.jump_far(reinterpret_cast<Word>(slow_link));
}

void next_part() {
  auto& own = slot();
  const auto part = own.written % parts;
  const auto words = (own.ring - reinterpret_cast<Word>(own.words[part])) / sizeof(Word);
  own.filled[part] = static_cast<std::uint32_t>(words), own.of[part] = own.windows.state;
  auto next = own.windows;
  if (ledger->has_windows) next.pass(words);
  if (own.windows.state != Windows::State::skips) {
    const auto written = __atomic_add_fetch(&own.written, 1, __ATOMIC_RELEASE);
    constexpr Word pause[2] = {0, 50'000};
    while (written - __atomic_load_n(&own.read, __ATOMIC_ACQUIRE) >= parts)
      system_call(SYS_nanosleep, reinterpret_cast<Word>(pause), 0);
  }
  // First the place, or a reader would take skipped words for those of a window.
  enter_part(own, next.state);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  next.turnover = own.windows.turnover;
  own.windows = next;
}

void enter_part(Slot& of, Windows::State state) {
  // Words that nobody reads stay in the nearest cache.
  const auto words = state == Windows::State::skips ? 2 * longest_words : words_of_part;
  const auto* const part = of.words[of.written % parts];
  of.ring = reinterpret_cast<Word>(part), of.ring_end = reinterpret_cast<Word>(part + words);
}

}  // namespace roofline::any_program

// SPDX-License-Identifier: MIT
#include "bench/any_program/counter/copies.hpp"

namespace roofline::any_program {
namespace {

/// To where RAX says: by the table of the thread.
void jump_by_table(Writer& w) {
  w.put(0x0f, 0xb7, 0xc8);                             // movzwl %ax, %ecx
  w.put(0x48, 0x8d, 0x0c, 0xcd), w.put32(0);           // lea (,%rcx,8), %rcx
  w.put(0x65, 0x48, 0x8b, 0x94, 0x09), w.put32(4096);  // mov %gs:4096(%rcx,%rcx), %rdx
  w.put(0x65, 0x48, 0x8b, 0x8c, 0x09), w.put32(4104);  // mov %gs:4104(%rcx,%rcx), %rcx
  w.save(1, 0x18);                                     // its code
  w.put(0x48, 0x8d, 0x0c, 0x10);                       // lea (%rax,%rdx), %rcx
  w.put(0xe3, 0);                                      // jrcxz
  Byte* const elsewhere = w.at;
  w.jump_far(reinterpret_cast<Word>(slow));
  elsewhere[-1] = static_cast<Byte>(w.at - elsewhere);
  w.load(2, 16), w.load(1, 8), w.load(0, 0);
  w.put(0x65, 0xff, 0x24, 0x25), w.put32(0x18);
}

void push_constant(Writer& w, Word value) {
  w.put(0x68), w.put32(value);                       // push $low, its sign extended
  w.put(0xc7, 0x44, 0x24, 4), w.put32(value >> 32);  // movl $high, 4(%rsp)
}

/// RAX = the target of an indirect jump: the instruction with another opcode and register.
bool load_target(Writer& w, const Decoded& d, Word pc) {
  const auto* const bytes = reinterpret_cast<const Byte*>(pc);
  Byte rex = 0x48;
  int n = 0;
  for (; n < d.it.raw.prefix_count; ++n) {
    if ((bytes[n] & 0xf0) == 0x40) rex |= bytes[n];
    if (bytes[n] == 0x64 || bytes[n] == 0x67) w.put(bytes[n]);
  }
  w.put(rex & ~4, 0x8b, bytes[n + 1] & ~0x38);
  const auto rest = static_cast<std::size_t>(d.it.length - n - 2);
  w.copy(bytes + n + 2, rest);
  const auto& o = d.operand[0];
  if (o.type != ZYDIS_OPERAND_TYPE_MEMORY || o.mem.base != ZYDIS_REGISTER_RIP) return true;
  const Word target = pc + d.it.length + static_cast<Word>(o.mem.disp.value);
  const auto distance = static_cast<std::int64_t>(target - reinterpret_cast<Word>(w.at));
  if (distance != static_cast<std::int32_t>(distance)) return false;
  Writer(w.at - 4).put32(static_cast<Word>(distance));
  return true;
}

}  // namespace

bool copy_instruction(Writer& w, const Decoded& d, Word pc) {
  Byte* const begin = w.at;
  w.copy(reinterpret_cast<const Byte*>(pc), d.it.length);
  for (int k = 0; k < d.it.operand_count; ++k) {
    const auto& o = d.operand[k];
    if (o.type != ZYDIS_OPERAND_TYPE_MEMORY || (o.mem.base != ZYDIS_REGISTER_RIP && o.mem.base != ZYDIS_REGISTER_EIP))
      continue;
    const Word target = pc + d.it.length + static_cast<Word>(o.mem.disp.value);
    const auto distance = static_cast<std::int64_t>(target - reinterpret_cast<Word>(w.at));
    if (distance != static_cast<std::int32_t>(distance) || o.mem.base == ZYDIS_REGISTER_EIP) return false;
    Writer(begin + d.it.raw.disp.offset).put32(static_cast<Word>(distance));
    return true;
  }
  return true;
}

void count(Writer& w, std::uint32_t record, bool flags_matter) {
  const Word at = counters_at + Word{8} * record;
  if (!flags_matter) {
    w.put(0x65, 0x48, 0xff, 0x04, 0x25), w.put32(at);  // incq %gs:at
    return;
  }
  w.save(0, 0), w.load(0, static_cast<unsigned>(at));
  w.put(0x48, 0x8d, 0x40, 1);  // lea 1(%rax), %rax
  w.save(0, static_cast<unsigned>(at)), w.load(0, 0);
}

void count_lanes(Writer& w, const Decoded& d, std::uint32_t record) {
  const auto k = static_cast<unsigned>(d.it.avx.mask.reg - ZYDIS_REGISTER_K0);
  const unsigned lanes = lanes_of(d);
  w.save(0, 0), w.save(1, 8), w.save_flags();
  if (lanes > 16)
    w.put(0xc5, 0xfb, 0x93, 0xc8 | k);  // kmovd %k, %ecx
  else
    w.put(0xc5, 0xf8, 0x93, 0xc8 | k);  // kmovw %k, %ecx
  if (lanes < 16) w.put(0x81, 0xe1), w.put32((1u << lanes) - 1);
  w.put(0xf3, 0x0f, 0xb8, 0xc9);                                                 // popcnt %ecx, %ecx
  w.put(0x65, 0x48, 0x01, 0x0c, 0x25), w.put32(counters_at + Word{8} * record);  // add %rcx, %gs:at
  w.restore_flags(), w.load(1, 8), w.load(0, 0);
}

void check_bytes(Writer& w, Word pc, unsigned size) {
  w.save(0, 0), w.save(1, 8), w.save_flags(), w.save(0, 16);
  Byte* failures[longest_block * 15];
  int n = 0;
  for (unsigned i = 0, bytes = 0; i < size; i += bytes) {
    // Aligned: the program may have asked the CPU to fault on others.
    for (bytes = 8; bytes > 1 && ((pc + i) % bytes != 0 || i + bytes > size);) bytes /= 2;
    Word value = 0;
    for (unsigned k = 0; k < bytes; ++k) value |= Word{reinterpret_cast<const Byte*>(pc + i)[k]} << 8 * k;
    w.set(1, pc + i), w.set(0, value);
    if (bytes == 8) w.put(0x48);
    if (bytes == 2) w.put(0x66);
    w.put(bytes == 1 ? 0x3a : 0x3b, 0x01);  // cmp (%rcx), %rax, %eax, %ax or %al
    w.put(0x0f, 0x85), w.put32(0);          // jne
    failures[n++] = w.at;
  }
  const auto restore = [&] { w.load(0, 16), w.restore_flags(), w.load(1, 8), w.load(0, 0); };
  restore();
  w.put(0xe9), w.put32(0);
  Byte* const good = w.at;
  for (int i = 0; i < n; ++i) Writer(failures[i] - 4).put32(static_cast<Word>(w.at - failures[i]));
  restore();
  w.save_three(), w.set(2, changed), w.save(2, 0x30), w.set(0, pc);
  w.jump_far(reinterpret_cast<Word>(slow_link));
  Writer(good - 4).put32(static_cast<Word>(w.at - good));
}

void go_native(Writer& w, Word pc) {
  w.put(0x48, 0x89, 0x84, 0x24), w.put32(static_cast<Word>(-512));  // mov %rax, -512(%rsp)
  w.put(0xb8), w.put32(0);                                          // mov $0, %eax
  w.put(0xf3, 0x48, 0x0f, 0xae, 0xd8);                              // wrgsbase %rax
  w.put(0x48, 0x8b, 0x84, 0x24), w.put32(static_cast<Word>(-512));
  w.jump_far(pc);
}

void end_of_block(Writer& w, const Decoded& d, Word pc, Link* links, int& n, std::uint16_t& site, const Byte* begin,
                  bool& in_reach) {
  const Word next = pc + d.it.length;
  const auto add = [&](Byte* at, Word to) { links[n++] = {at, to}; };
  const bool direct = d.operand[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
  const Word target = direct ? next + static_cast<Word>(d.operand[0].imm.value.s) : 0;
  if (d.it.mnemonic == ZYDIS_MNEMONIC_SYSCALL) {
    w.set(1, next), w.save(1, 0x38), w.set(1, 0);
    Byte* const site_in_code = w.at - 8;
    w.jump_far(reinterpret_cast<Word>(call_gate));
    site = static_cast<std::uint16_t>(w.at - begin);
    Writer(site_in_code).put64(reinterpret_cast<Word>(w.at));
    w.put(0x0f, 0x05);
    w.set(1, next);
    add(w.jump(), next);
  } else if (d.it.meta.category == ZYDIS_CATEGORY_COND_BR) {
    const bool near = d.it.opcode_map == ZYDIS_OPCODE_MAP_0F || (d.it.opcode >= 0x70 && d.it.opcode < 0x80);
    if (near) {
      add(w.jump(static_cast<Byte>(0x80 | (d.it.opcode & 15))), target);
      add(w.jump(), next);
    } else {  // LOOP and JRCXZ reach only a byte's distance
      w.copy(reinterpret_cast<const Byte*>(pc), d.it.length - 1u), w.put(0);
      Byte* const taken = w.at;
      add(w.jump(), next);
      taken[-1] = static_cast<Byte>(w.at - taken);
      add(w.jump(), target);
    }
  } else if (d.it.meta.category == ZYDIS_CATEGORY_RET) {
    w.save_three(), w.put(0x58);
    if (d.it.opcode == 0xc2) w.put(0x48, 0x8d, 0xa4, 0x24), w.put32(d.operand[0].imm.value.u);
    jump_by_table(w);
  } else {
    const bool call = d.it.meta.category == ZYDIS_CATEGORY_CALL;
    if (!direct) w.save_three(), in_reach &= load_target(w, d, pc);
    if (call) push_constant(w, next);
    if (direct)
      add(w.jump(), target);
    else
      jump_by_table(w);
  }
}

void finish_links(Writer& w, const Link* links, int n) {
  for (int i = 0; i < n; ++i) {
    const auto* const known = known_copy(links[i].to);
    if (known && reaches(links[i].at, known)) {
      set32(links[i].at, static_cast<Word>(known - (links[i].at + 4)));
      continue;
    }
    w.align_far();
    set32(links[i].at, static_cast<Word>(w.at - (links[i].at + 4)));
    w.jump_far(known ? reinterpret_cast<Word>(known) : reinterpret_cast<Word>(w.at) + bytes_of_far);
    w.save_three(), w.set(2, reinterpret_cast<Word>(links[i].at)), w.save(2, 0x30), w.set(0, links[i].to);
    w.jump_far(reinterpret_cast<Word>(slow_link));
  }
}

void set_link(Word link, const Byte* code) {
  auto* const at = reinterpret_cast<Byte*>(link);
  if (reaches(at, code)) {
    set32(at, static_cast<Word>(code - (at + 4)));
    return;
  }
  Byte* const stub = at + 4 + *reinterpret_cast<const std::int32_t*>(at);
  if (stub[0] == 0xff && stub[1] == 0x25)
    __atomic_store_n(reinterpret_cast<Word*>(stub + 6), reinterpret_cast<Word>(code), __ATOMIC_RELEASE);
}

}  // namespace roofline::any_program

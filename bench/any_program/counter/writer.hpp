// SPDX-License-Identifier: MIT
#pragma once
#include "bench/any_program/counter/counter.hpp"

namespace roofline::any_program {

inline constexpr Word bytes_of_far = 14;
// Instead of a link: the program has changed the code; a part is full of words.
inline constexpr Word changed = 1, part_full = 2;

/// Writes machine code.
class Writer {
 public:
  explicit Writer(Byte* to) : at(to) {}
  template <class... Bytes>
  void put(Bytes... bytes) {
    ((*at++ = static_cast<Byte>(bytes)), ...);
  }
  void put32(Word value) {
    for (int i = 0; i < 4; ++i) put(value >> 8 * i);
  }
  void put64(Word value) {
    for (int i = 0; i < 8; ++i) put(value >> 8 * i);
  }
  void copy(const Byte* from, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) put(from[i]);
  }
  /// mov %gs:offset = register, and back; 0: RAX, 1: RCX, 2: RDX.
  void save(unsigned number, unsigned offset) { with_gs(0x89, number, offset); }
  void load(unsigned number, unsigned offset) { with_gs(0x8b, number, offset); }
  void with_gs(Byte opcode, unsigned number, unsigned offset) {
    put(0x65, 0x48 | (number & 8) >> 1, opcode, 0x04 | (number & 7) << 3, 0x25), put32(offset);
  }
  /// An instruction with a register and offset(base); the base is neither RSP nor R12.
  void with_base(Byte opcode, unsigned number, unsigned base, unsigned offset) {
    put(0x48 | (number & 8) >> 1 | (base & 8) >> 3, opcode, 0x80 | (number & 7) << 3 | (base & 7)), put32(offset);
  }
  void save_three() { save(0, 0), save(1, 8), save(2, 16); }
  void set(unsigned number, Word value) { put(0x48 | (number & 8) >> 3, 0xb8 | (number & 7)), put64(value); }
  /// The word of a far jump is aligned: the program may have asked the CPU to fault on others.
  void align_far() {
    while ((reinterpret_cast<Word>(at) + 6) & 7) put(0x90);
  }
  void jump_far(Word to) {
    align_far();
    put(0xff, 0x25), put32(0), put64(to);
  }
  /// RAX = flags, so that restore_flags() brings them back.
  void save_flags() { put(0x9f, 0x0f, 0x90, 0xc0); }  // lahf; seto %al
  void restore_flags() { put(0x04, 0x7f, 0x9e); }     // add $127, %al; sahf
  /// A jump whose four bytes of distance can be changed at once while others run it.
  Byte* jump(Byte condition = 0) {
    while (((reinterpret_cast<Word>(at) + (condition ? 2 : 1)) & 7) > 4) put(0x90);
    if (condition)
      put(0x0f, condition);
    else
      put(0xe9);
    put32(0);
    return at - 4;
  }
  Byte* at;
};

inline void set32(Byte* at, Word value) {
  const auto distance = static_cast<std::uint32_t>(value);
  __atomic_store_n(reinterpret_cast<std::uint32_t*>(at), distance, __ATOMIC_RELEASE);
}

/// A jump in a copy, and where it leads in the program.
struct Link {
  Byte* at;
  Word to;
};

inline bool reaches(const Byte* link, const Byte* to) {
  const auto distance = to - (link + 4);
  return distance == static_cast<std::int32_t>(distance);
}

}  // namespace roofline::any_program

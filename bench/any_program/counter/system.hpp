// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

/// System calls, made without the C library: its state is that of the program, which must not change.
namespace roofline::any_program {

using Word = std::uint64_t;

inline Word system_call(Word number, Word a = 0, Word b = 0, Word c = 0, Word d = 0, Word e = 0, Word f = 0) {
  register Word r10 asm("r10") = d;
  register Word r8 asm("r8") = e;
  register Word r9 asm("r9") = f;
  Word result;
  asm volatile("syscall"
               : "=a"(result)
               : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}
inline bool failed(Word result) { return result > static_cast<Word>(-4096); }

}  // namespace roofline::any_program

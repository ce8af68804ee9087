// SPDX-License-Identifier: MIT
#pragma once
#include "bench/any_program/counter/ledger.hpp"
#include "bench/any_program/counter/system.hpp"

/// The counter lives in somebody else's process. It uses neither the C library nor vector registers of its own; the
/// program's code is copied block by block, and only the copies run.
namespace roofline::any_program {

using Byte = std::uint8_t;

/// A piece of the program without a jump in it, and its copy.
struct Block {
  Word pc;
  Byte* code;
  std::uint32_t code_bytes, record;
  std::uint32_t first_place;  ///< in `places`
  std::uint16_t instructions, counted_before;
  std::uint16_t bytes, site;  ///< where its system call is in the copy; 0: it has none
  bool stale;                 ///< the program's code has changed
  Byte pointer, address;      ///< numbers of registers that it uses for itself; the same: none
};
/// Where an instruction is, in the program's block and in the copy.
struct Place {
  std::uint16_t at, copy;
};

/// Registers of the program, as slow() and the gates push them; RAX, RCX, RDX and RSP are in its region.
struct Registers {
  Word r15, r14, r13, r12, r11, r10, r9, r8, rdi, rsi, rbp, rbx, flags;
};

extern Ledger* ledger;
extern Block blocks[most_records];
extern Place places[];
Slot& slot();

/// A lock that a fork may not leave locked.
struct Lock {
  Lock();
  ~Lock();
};

/// The copy of the code at an address, made if there is none. Never null: an address without code gives that address,
/// where the program fails as it would by itself. The caller has saved the vector registers.
Byte* translated(Word pc);
/// The copy, if there is one already, else null.
Byte* known_copy(Word pc);
/// The same, for the thread that goes on there. `link`: the jump that shall lead there from now on.
extern "C" Byte* look_up(Word pc, Word link);
extern "C" Byte* translate_for(Word pc, Word link);
/// The block whose copy has this address, or null. `is_begin`: it is the first instruction of it.
const Block* block_at(Word copy);
/// The program's code in a range has changed, or is no longer there. Only code that was copied matters.
void forget(Word from, Word to);
/// A counter; 0: there is not any more.
std::uint32_t new_record(const Record& record);
/// Notes a program that was started, once.
void note(const char* what, const char* text);
/// The thread goes on uncounted: the first reason is kept, and where.
void stop_counting(Stop why, Word pc);

Slot* new_slot();
void enter_thread(Slot& of);
/// The words that its thread writes begin at a part of its own.
void enter_part(Slot& of, Windows::State state);
/// 0: the call is made at its place in the copy; else where to go on.
extern "C" Word on_call(Registers& registers, Word site);
/// 0: the interrupted code goes on; else the copy of the handler.
extern "C" Word on_signal(int signal, void* info, void* context);

extern "C" {
void slow();
void slow_link();
void call_gate();
void clone_site();
void signal_entry();
void signal_return();
extern const char runtime_begin[], after_push[], after_pop[], after_second_push[];
}

}  // namespace roofline::any_program

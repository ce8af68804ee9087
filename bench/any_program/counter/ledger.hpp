// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>

#include "bench/any_program/counter/windows.hpp"

/// A counted program and this one share it: memory that stays when the program dies, however it does. Both sides
/// map it; while the program runs the reader writes only how far it has read, and Windows::turnover.
namespace roofline::any_program {

inline constexpr std::uint32_t most_records = 1u << 20, most_slots = 1024, most_modules = 2048;
inline constexpr std::uint32_t parts = 16, words_of_part = 1u << 14, longest_words = 1024;
inline constexpr std::uint64_t most_code = std::uint64_t{64} << 20, most_notes = 1u << 16;

enum class RecordKind : std::uint8_t {
  block,  ///< how often a block began
  lanes,  ///< sum of the lanes that the mask of an instruction of a block let through
  tail,   ///< how often a signal left a block before this instruction
};

/// The block or the lanes that a counter counts.
struct Record {
  std::uint64_t pc;            ///< of a block
  std::uint64_t offset;        ///< of it in the file of its module
  std::uint32_t code;          ///< where its bytes are in Ledger::code
  std::uint32_t block;         ///< the record of the block; of a block itself
  std::uint16_t size;          ///< bytes of it
  std::uint16_t instructions;  ///< of it
  std::uint16_t module;        ///< index of Ledger::modules
  std::uint8_t instruction;    ///< of `lanes` and `tail`: which, from 0
  RecordKind kind;
};

/// A file that was mapped, "[vdso]", or "" for code that the program made.
struct Module {
  char path[512];
};

/// Why code ran uncounted from some place on.
enum class Stop : std::uint32_t { none, segment, undecoded, too_much_code, too_many_threads, no_memory, old_call };

/// The counters of one thread, and what its translated code needs at fixed distances from GS. Offsets are in gates.cpp.
struct Slot {
  std::uint64_t rax, rcx, rdx, target;        // 0x00
  std::uint64_t rsp, stack, link, next;       // 0x20
  std::uint64_t after, self, ring, ring_end;  // 0x40
  std::uint64_t kept[2];                      // 0x60: registers that a block uses for itself
  std::uint32_t process, thread;
  std::uint32_t in_use, ended;
  std::uint32_t vfork, stepping;
  std::uint64_t unmask;         ///< signals that wait for the end of a block
  std::uint64_t mask_traps;     ///< whether the program blocks SIGTRAP meanwhile
  std::uint32_t written;        ///< parts of the words below that are full; the last one may be in the other part
  std::uint32_t read;           ///< parts that were read
  std::uint32_t filled[parts];  ///< words of a full part
  Windows::State of[parts];     ///< what a full part is
  Windows windows;
  std::uint64_t unused[4096 / 8 - 43];
  /// Targets of indirect jumps, by the low 16 bits of their address: the address with its sign changed, and its code.
  struct Target {
    std::uint64_t negative, code;
  } targets[1 << 16];
  std::uint64_t counters[most_records];
  /// For each block its record, then the addresses of its loads and stores: see accesses.hpp.
  std::uint64_t words[parts][words_of_part];
};
inline constexpr std::uint32_t counters_at = 4096 + 16 * 65536;

struct Ledger {
  std::uint64_t begin;             ///< the program's first instruction
  std::uint32_t records, modules;  ///< numbers of those in use; record 0 and module 0 stand for nothing
  std::uint32_t slots, stop;       ///< a Stop
  std::uint64_t code_bytes, notes_bytes;
  std::uint64_t stop_offset;
  std::uint32_t stop_module;  ///< where the Stop was
  std::uint32_t with_bytes;   ///< whether loads and stores are written down
  Module program;             ///< its own file
  /// A region of the program's own that begins or ends, and who waits until that is noted: 0 nobody, 1 somebody who
  /// still writes, 2 the program, 3: it may go on.
  std::uint32_t mark, mark_by, mark_opens;
  std::uint32_t has_windows;  ///< whether parts of a long run are left out
  char mark_name[160];
  std::uint64_t image_from, image_to;  ///< the counter itself, in the program
  char notes[most_notes];              ///< lines
  Module module[most_modules];
  Record record[most_records];
  std::uint8_t code[most_code];
  alignas(4096) Slot slot[most_slots];

  std::uint32_t slot_count() const {
    const auto count = __atomic_load_n(&slots, __ATOMIC_ACQUIRE);
    return count < most_slots ? count : most_slots;
  }
};
static_assert(offsetof(Slot, targets) == 4096 && offsetof(Slot, counters) == counters_at);

}  // namespace roofline::any_program

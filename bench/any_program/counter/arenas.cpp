// SPDX-License-Identifier: MIT
#include "bench/any_program/counter/arenas.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>

namespace roofline::any_program {
namespace {

constexpr Word code_bytes = Word{64} << 20, arena_bytes = code_bytes + 4 * Word{most_records};

Arena arenas[64];
int arena_count;

}  // namespace

std::uint32_t* Arena::list() const { return reinterpret_cast<std::uint32_t*>(base + code_bytes); }

Arena* arena_near(Word pc) {
  constexpr Word reach = Word{1900} << 20;
  for (int i = 0; i < arena_count; ++i) {
    const auto distance = static_cast<std::int64_t>(arenas[i].base - pc);
    if (distance < static_cast<std::int64_t>(reach) && distance > -static_cast<std::int64_t>(reach) &&
        arenas[i].used + largest_copy < code_bytes)
      return &arenas[i];
  }
  if (arena_count == 64) return nullptr;
  constexpr Word step = Word{16} << 20;
  // Below the code first: the heap grows above it.
  for (int way = 0; way < 2; ++way)
    for (Word k = 5; k < 112; ++k) {
      const Word distance = way == 0 ? k * step : reach - k * step;
      if (way == 0 && distance > pc) break;
      const Word at = ((pc & ~(step - 1)) + (way == 0 ? -distance : distance));
      const auto got =
          system_call(SYS_mmap, at, arena_bytes, PROT_READ | PROT_WRITE | PROT_EXEC,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, static_cast<Word>(-1), 0);
      if (got == at) {
        arenas[arena_count] = {at, 64, 0};
        return &arenas[arena_count++];
      }
      if (!failed(got)) system_call(SYS_munmap, got, arena_bytes);
    }
  return nullptr;
}

const Block* block_at(Word copy) {
  for (int i = 0; i < arena_count; ++i) {
    const auto& arena = arenas[i];
    if (copy < arena.base || copy >= arena.base + code_bytes) continue;
    const auto* const list = arena.list();
    std::uint32_t from = 0, to = arena.blocks;
    while (to - from > 1) {
      const auto middle = (from + to) / 2;
      (reinterpret_cast<Word>(blocks[list[middle]].code) <= copy ? from : to) = middle;
    }
    const auto& block = blocks[list[from]];
    const auto begin = reinterpret_cast<Word>(block.code);
    return to > 0 && copy >= begin && copy < begin + block.code_bytes ? &block : nullptr;
  }
  return nullptr;
}

}  // namespace roofline::any_program

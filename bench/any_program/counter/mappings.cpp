// SPDX-License-Identifier: MIT
#include "bench/any_program/counter/mappings.hpp"

#include <sys/syscall.h>

#include "bench/any_program/counter/counter.hpp"

namespace roofline::any_program {
namespace {

Mapping mappings[4096];
int mapping_count;
bool mappings_known;

std::uint32_t module_of(const char* path, std::size_t size) {
  for (std::uint32_t m = 1; m < ledger->modules; ++m) {
    std::size_t i = 0;
    while (i < size && ledger->module[m].path[i] == path[i]) ++i;
    if (i == size && ledger->module[m].path[i] == 0) return m;
  }
  if (ledger->modules >= most_modules || size >= sizeof(Module::path)) return 0;
  // Children write to the same list.
  const auto m = __atomic_fetch_add(&ledger->modules, 1, __ATOMIC_RELAXED);
  if (m >= most_modules) return 0;
  for (std::size_t i = 0; i < size; ++i) ledger->module[m].path[i] = path[i];
  return m;
}

/// "from-to rwxp offset device inode path"
void take_mapping(const char* line, std::size_t size) {
  std::size_t i = 0;
  const auto hex = [&] {
    Word value = 0;
    for (; i < size; ++i) {
      const char c = line[i];
      const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
      if (digit < 0) break;
      value = value * 16 + static_cast<Word>(digit);
    }
    ++i;
    return value;
  };
  Mapping m{};
  m.from = hex(), m.to = hex();
  if (i + 5 > size) return;
  const bool runs = line[i + 2] == 'x', writes = line[i + 1] == 'w', shared = line[i + 3] == 's';
  i += 5;
  m.offset = hex();
  for (int spaces = 0; i < size && spaces < 2; ++i) spaces += line[i] == ' ';
  while (i < size && line[i] == ' ') ++i;
  if (!runs || mapping_count == 4096) return;
  const bool is_file = i < size && (line[i] == '/' || line[i] == '[');
  m.module = is_file ? module_of(line + i, size - i) : 0;
  m.may_change = writes || shared || !is_file;
  mappings[mapping_count++] = m;
}

void read_mappings() {
  static char buffer[8192];
  mapping_count = 0, mappings_known = true;
  const auto file = system_call(SYS_openat, static_cast<Word>(-100), reinterpret_cast<Word>("/proc/self/maps"),
                                0x80000 /* O_CLOEXEC */);
  if (failed(file)) return;
  std::size_t have = 0;
  for (;;) {
    const auto got = system_call(SYS_read, file, reinterpret_cast<Word>(buffer + have), sizeof buffer - have);
    if (failed(got) || got == 0) break;
    have += got;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < have; ++i)
      if (buffer[i] == '\n') take_mapping(buffer + begin, i - begin), begin = i + 1;
    for (std::size_t i = begin; i < have; ++i) buffer[i - begin] = buffer[i];
    have -= begin;
    if (have == sizeof buffer) have = 0;
  }
  system_call(SYS_close, file);
}

}  // namespace

const Mapping* mapping_at(Word pc) {
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (mappings_known)
      for (int i = 0; i < mapping_count; ++i)
        if (pc >= mappings[i].from && pc < mappings[i].to) return &mappings[i];
    if (attempt == 0) read_mappings();
  }
  return nullptr;
}

bool is_program(std::uint32_t module) {
  const auto *a = ledger->module[module].path, *b = ledger->program.path;
  while (*a && *a == *b) ++a, ++b;
  return *a == *b;
}

Word readable(Word pc, Word most) {
  Word end = pc;
  while (const auto* const m = mapping_at(end)) {
    end = m->to;
    if (end - pc >= most) return most;
  }
  return end - pc;
}

bool has_mapping(Word from, Word to) {
  for (int i = 0; i < mapping_count; ++i)
    if (mappings[i].from < to && from < mappings[i].to) return true;
  return false;
}

void forget_mappings() { mappings_known = false; }

}  // namespace roofline::any_program

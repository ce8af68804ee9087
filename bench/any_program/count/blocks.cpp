// SPDX-License-Identifier: MIT
// Reads what the counter in the program left: which instructions a block has, and how often it was executed.
#include <algorithm>

#include "bench/any_program/count/replay.hpp"
#include "bench/any_program/count/state.hpp"
#include "bench/any_program/readable.hpp"

namespace roofline::any_program {
namespace {

void add(Piece& piece, const Instruction& instruction, std::uint64_t lanes) {
  const auto precision = static_cast<std::size_t>(instruction.precision);
  piece.operations[precision * kinds + static_cast<std::size_t>(instruction.kind)] += lanes;
  piece.flops[static_cast<std::size_t>(instruction.width)] += lanes * instruction.flops_per_lane();
}

/// Adds what an execution accesses, which is the same each time.
void add_to(std::vector<std::pair<int, Accessed>>& all, const Access& access) {
  const auto& its = access.operand;
  const auto more = accessed_by(access, its.words.indices && !varies(its) ? its.whole : its.size);
  const auto known = std::find_if(all.begin(), all.end(), [&](const auto& it) { return it.first == access.function; });
  if (known == all.end())
    all.emplace_back(access.function, more);
  else
    known->second += more;
}

}  // namespace

const Block& State::read_block(std::uint32_t number) {
  blocks[number] = std::make_unique<Block>();
  auto& block = *blocks[number];
  const auto& record = ledger.record[number];
  const std::string file = ledger.module[record.module].path;
  bool of_program = true;
  const auto* const code = ledger.code + record.code;
  for (unsigned at = 0, i = 0; at < record.size && i < record.instructions; ++i) {
    const auto it = decoder.decode(code + at, record.size - at, record.pc + at);
    if (!it.decoded) break;
    const int f = symbols.function_at(file, record.offset + at, it.size);
    const auto& function = symbols.functions()[static_cast<std::size_t>(f)];
    if (it.refused && refused.empty()) refused = {it.refused, function.name, function.module};
    of_program &= function.module == symbols.program && function.name[0] != '[';
    if (function.module == symbols.program && function.name == "likwid_markerStartRegion")
      notes.insert("LIKWID's markers are linked into the program itself, where nothing sees their names: no regions");
    if (block.pieces.empty() || block.pieces.back().function != f) block.pieces.push_back({.function = f});
    auto& piece = block.pieces.back();
    ++piece.instructions;
    auto& alone = block.instructions.emplace_back(Piece{.function = f, .instructions = 1});
    block.offsets.push_back(at);
    block.masked.push_back(it.has_mask);
    if (it.floating) add(alone, it, it.has_mask ? 1 : it.lanes);
    if (it.floating && !it.has_mask) add(piece, it, it.lanes), block.flops += it.flops();
    const bool seen = options.only.empty() || readable(function.name, function.source) == options.only;
    for (const auto& operand : it.memory) {
      block.accesses.push_back({f, it.streaming, it.local, seen, operand});
      block.is_plain &= seen && operand.words.count() == 1 && f == block.accesses.front().function;
      if (seen) add_to(block.accessed, block.accesses.back());
      const auto word = static_cast<std::uint32_t>(block.words);
      if (operand.loads) block.touches.push_back({word, operand.size, false, it.local});
      if (operand.stores && !it.streaming) block.touches.push_back({word, operand.size, true, it.local});
      block.words += operand.words.count();
    }
    at += it.size;
  }
  if (of_program && !block.pieces.empty()) block.caller = block.pieces.front().function;
  return block;
}

void State::read_part(Cpu& cpu, const Slot& slot, std::size_t end, bool with_last) {
  const auto* const part = slot.words[cpu.read % parts];
  const auto* at = part + cpu.word;
  const auto* const behind = part + end + (with_last ? 1 : 0);  // an execution ends before this
  while (at < part + end) {
    const auto record = static_cast<std::uint32_t>(*at);
    if (record == 0 || record >= most_records) break;
    const auto& block = block_of(record);
    // A loop is many executions of one block.
    const auto* const begin = at;
    const auto words = block.words;
    while (at + words < behind && *at == record) at += words;
    if (at == begin) break;
    const auto times = static_cast<std::uint64_t>(at - begin) / words;
    replay(cpu, block, begin, times);
    if (block.caller >= 0)
      cpu.caller = block.caller;
    else if (block.flops && cpu.caller >= 0)
      cpu.tally().flops_below[cpu.caller] += times * block.flops;
  }
  cpu.word = static_cast<std::size_t>(at - part);
}

bool State::read_words() {
  bool any = false;
  for (std::size_t c = 0; c < ledger.slot_count(); ++c) {
    if (c == cpus.size()) cpus.push_back(std::make_unique<Cpu>(options.levels, options.sampled));
    auto& cpu = *cpus[c];
    auto& slot = ledger.slot[c];
    while (cpu.caches().are_modelled() && __atomic_load_n(&slot.written, __ATOMIC_ACQUIRE) != cpu.read) {
      cpu.turn_to(slot.of[cpu.read % parts]);
      read_part(cpu, slot, slot.filled[cpu.read % parts], true);
      cpu.word = 0;
      const auto turnover = cpu.turnover(slot.filled[cpu.read % parts]);
      __atomic_store_n(&slot.windows.turnover, turnover, __ATOMIC_RELAXED);
      __atomic_store_n(&slot.read, ++cpu.read, __ATOMIC_RELEASE);
      any = true;
    }
  }
  return any;
}

void State::take(std::size_t c, bool waits) {
  auto& cpu = *cpus[c];
  const auto& slot = ledger.slot[c];
  const auto begin = slot.self + offsetof(Slot, words) + sizeof slot.words[0] * (cpu.read % parts);
  if (cpu.caches().are_modelled() && slot.ring >= begin && slot.ring <= begin + sizeof slot.words[0] &&
      slot.windows.state != Windows::State::skips) {
    cpu.turn_to(slot.windows.state);
    read_part(cpu, slot, (slot.ring - begin) / sizeof(std::uint64_t), waits);
  }
  const auto records = std::min(ledger.records, most_records);
  auto& counters = cpu.tally().counters;
  counters.resize(std::max<std::size_t>(counters.size(), records));
  cpu.counted.resize(counters.size());
  for (std::uint32_t r = 1; r < records; ++r) {
    const auto now = __atomic_load_n(&slot.counters[r], __ATOMIC_RELAXED);
    counters[r] += now - cpu.counted[r];
    cpu.counted[r] = now;
  }
}

bool State::take_mark() {
  if (__atomic_load_n(&ledger.mark, __ATOMIC_ACQUIRE) != 2) return false;
  read_words();
  const auto by = ledger.mark_by;
  auto& cpu = *cpus[by];
  const bool opens = ledger.mark_opens != 0;
  const std::string region = ledger.mark_name;
  const int set = opens ? regions.open(cpu.own_regions, region) : regions.close(cpu.own_regions, region);
  if (set < 0) notes.insert("a region was " + std::string(opens ? "opened twice: " : "closed and not open: ") + region);
  if (set >= 0) {
    cpu.own_regions = set, cpu.marks = true;
    // A thread that marks nothing works for the regions of the first one: OpenMP's, say.
    for (std::size_t c = 0; c < cpus.size(); ++c) {
      if (c != by && (by != 0 || cpus[c]->marks)) continue;
      take(c, c == by);
      cpus[c]->enter(set);
    }
  }
  __atomic_store_n(&ledger.mark, 3, __ATOMIC_RELEASE);
  return true;
}

}  // namespace roofline::any_program

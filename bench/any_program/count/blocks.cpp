// SPDX-License-Identifier: MIT
// Reads what the counter in the program left: which instructions a block has, and what they loaded and stored.
#include <algorithm>
#include <bit>

#include "bench/any_program/count/state.hpp"
#include "bench/any_program/readable.hpp"

namespace roofline::any_program {
namespace {

void add(Piece& piece, const Instruction& instruction, std::uint64_t lanes) {
  const auto precision = static_cast<std::size_t>(instruction.precision);
  piece.operations[precision * kinds + static_cast<std::size_t>(instruction.kind)] += lanes;
  piece.flops[static_cast<std::size_t>(instruction.width)] += lanes * instruction.flops_per_lane();
}

using Word = std::uint64_t;

/// Some lanes of a vector, those that a mask lets through: each run of neighbours is one access.
template <class Touch>
void touch_lanes(const MemoryOperand& its, Word address, Word mask, const Touch& touch) {
  const unsigned lanes = its.size ? its.whole / its.size : 0;
  for (unsigned lane = 0; lane < lanes;) {
    if (!(mask >> lane & 1)) {
      ++lane;
      continue;
    }
    const unsigned first = lane;
    while (lane < lanes && (mask >> lane & 1)) ++lane;
    touch(address + first * its.size, (lane - first) * its.size);
  }
}

/// The lanes of a gather, each at an index of its own.
template <class Touch>
void touch_indices(const MemoryOperand& its, Word address, const Word* words, Word mask, const Touch& touch) {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(words);
  for (unsigned lane = 0; lane < its.whole / its.size; ++lane) {
    if (!(mask >> lane & 1)) continue;
    std::int64_t index = 0;
    if (its.index_bytes == 8)
      __builtin_memcpy(&index, bytes + 8 * lane, 8);
    else {
      std::int32_t narrow = 0;
      __builtin_memcpy(&narrow, bytes + 4 * lane, 4);
      index = narrow;
    }
    touch(address + static_cast<Word>(index) * its.scale, its.size);
  }
}

/// The signs of the lanes of a mask in a vector register.
Word mask_of_signs(const MemoryOperand& its, const Word* words) {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(words);
  Word mask = 0;
  for (unsigned lane = 0; lane < its.whole / its.size; ++lane)
    if (bytes[(lane + 1) * its.size - 1] & 0x80) mask |= Word{1} << lane;
  return mask;
}

/// Does with the model what an access did, whose words begin at `word`.
template <class Touch>
void touch_all(const Access& access, const Word* word, const Touch& touch) {
  const auto& its = access.operand;
  const Word address = *word++;
  if (its.words.repeated) {
    const Word times = its.words.ends_early ? word[0] - word[1] : word[0];
    if (times > 0) touch(address, times * its.size);
    return;
  }
  Word mask = its.words.masked ? *word++ : ~Word{0};
  if (its.words.vector_mask) mask = mask_of_signs(its, word + its.words.indices);
  if (its.words.indices)
    touch_indices(its, address, word, mask, touch);
  else if (its.words.masked)
    touch_lanes(its, address, mask, touch);
  else
    touch(address, its.size);
}

Accessed accessed_by(const Access& access, unsigned bytes) {
  const auto& its = access.operand;
  Accessed all;
  if (its.loads) all.loaded = bytes;
  if (its.stores) all.stored = bytes, all.streamed = access.streaming ? bytes : 0;
  if (access.local && !access.streaming) all.local = all.total();
  return all;
}

bool varies(const MemoryOperand& its) { return its.words.repeated || its.words.masked || its.words.vector_mask; }

void touch(Cpu& cpu, const Access& access, Word address, unsigned bytes) {
  auto& caches = cpu.caches();
  bool local = access.local;
  if (caches.are_sampled() && !local && !access.streaming && bytes <= Caches::line) {
    access.trail.add(address);
    const auto places = access.trail.places();
    caches.add(places, bytes * (access.operand.loads + access.operand.stores));
    local = places == Places::one_line;
  }
  if (varies(access.operand))
    caches.add_varying(accessed_by(access, bytes));
  else
    caches.add(accessed_by(access, bytes));
  if (access.operand.loads) caches.touch<false>(address, bytes, local);
  if (access.operand.stores && !access.streaming) caches.touch<true>(address, bytes, local);
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

/// Some executions of a plain block, one after another.
void replay_plain(Cpu& cpu, const Block& block, const Word* words, std::uint64_t times) {
  if (block.accessed.empty()) return;
  cpu.turn_to(block.accessed.front().first);
  auto& caches = cpu.caches();
  const auto *const first = block.touches.data(), *const last = first + block.touches.size();
  const auto step = block.words;
  if (caches.are_sampled()) {
    // The first two and the last one stand for all.
    std::uint64_t repeated = 0;  // a bit for each of the first touches
    for (const auto* it = first; it != last && it - first < 64; ++it) {
      if (it->local) continue;
      const auto *const here = words + it->word, *const end = here + (times - 1) * step;
      it->trail.add(*here);
      if (times > 1) it->trail.add(*end);
      const bool walks =
          times > 2 && !Caches::are_a_pair(*here, *end) &&
          (Caches::are_a_pair(*here, here[step]) || Caches::stratum_of(*here) != Caches::stratum_of(here[step]));
      const auto places = walks ? Places::any : it->trail.places();
      caches.add(places, times * it->size);
      if (places == Places::one_line) repeated |= std::uint64_t{1} << (it - first);
    }
    const auto is_local = [&](const Block::Touch* it) {
      return it->local || (it - first < 64 && repeated >> (it - first) & 1);
    };
    for (std::uint64_t i = 0; i < times; ++i, words += step)
      for (const auto* it = first; it != last; ++it)
        if (it->stores)
          caches.touch_sampled<true>(words[it->word], it->size, is_local(it));
        else
          caches.touch_sampled<false>(words[it->word], it->size, is_local(it));
  } else {
    auto& whole = caches.whole();
    for (std::uint64_t i = 0; i < times; ++i, words += step)
      for (const auto* it = first; it != last; ++it)
        if (it->stores)
          whole.touch<true>(words[it->word], it->size);
        else
          whole.touch<false>(words[it->word], it->size);
  }
  caches.add(block.accessed.front().second, times);
}

/// One execution of a block.
void replay(Cpu& cpu, const Block& block, const Word* words) {
  std::size_t at = 1;
  for (const auto& access : block.accesses) {
    const auto& its = access.operand;
    if (access.seen) {
      cpu.turn_to(access.function);
      if (varies(its)) cpu.caches().add_nominal(accessed_by(access, its.size));
      touch_all(access, words + at, [&](Word address, Word bytes) {
        constexpr Word longest = 1u << 20;
        for (Word done = 0; done < bytes; done += longest) {
          const auto part = static_cast<unsigned>(std::min(longest, bytes - done));
          touch(cpu, access, address + done, part);
        }
      });
    }
    at += its.words.count();
  }
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
    if (block.is_plain)
      replay_plain(cpu, block, begin, times);
    else
      for (const auto* one = begin; one < at; one += words) replay(cpu, block, one);
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
    read_part(cpu, slot, (slot.ring - begin) / sizeof(Word), waits);
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

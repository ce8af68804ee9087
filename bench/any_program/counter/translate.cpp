// SPDX-License-Identifier: MIT
// Copies blocks of the program's code. A copy begins with its counter, does what the block does, and jumps to the copy
// of the next block.
#include "bench/any_program/counter/arenas.hpp"
#include "bench/any_program/counter/copies.hpp"
#include "bench/any_program/counter/handlers.hpp"
#include "bench/any_program/counter/mappings.hpp"
#include "bench/any_program/counter/words.hpp"

namespace roofline::any_program {

Block blocks[most_records];
constexpr std::uint32_t most_places = 1u << 24;
Place places[most_places];

namespace {

constexpr std::uint32_t hash_size = most_records * 2;

std::uint32_t block_count = 1, place_count;
std::uint32_t hash[hash_size];
ZydisDecoder decoder;
bool has_decoder;

Decoded decoded[longest_block];

std::uint32_t& slot_of(Word pc) {
  auto h = static_cast<std::uint32_t>((pc * 0x9E3779B97F4A7C15u) >> 40) & (hash_size - 1);
  while (hash[h] && (blocks[hash[h]].pc != pc || blocks[hash[h]].stale)) h = (h + 1) & (hash_size - 1);
  return hash[h];
}

}  // namespace

std::uint32_t new_record(const Record& record) {
  const auto number = __atomic_fetch_add(&ledger->records, 1, __ATOMIC_RELAXED);
  if (number >= most_records) return 0;
  ledger->record[number] = record;
  if (record.kind == RecordKind::block) ledger->record[number].block = number;
  return number;
}

void forget(Word from, Word to) {
  const Lock lock;
  if (!has_mapping(from, to)) return;
  forget_mappings();
  for (std::uint32_t b = 1; b < block_count; ++b) {
    auto& block = blocks[b];
    if (block.stale || block.pc >= to || block.pc + block.bytes <= from) continue;
    block.stale = true;
    // Its first bytes become a jump to the translator, at once.
    auto* const arena = arena_near(block.pc);
    if (!arena) continue;
    Writer w(reinterpret_cast<Byte*>(arena->base + arena->used));
    const auto distance = w.at - (block.code + 5);
    if (distance != static_cast<std::int32_t>(distance)) continue;
    w.save_three(), w.set(0, block.pc), w.jump_far(reinterpret_cast<Word>(slow));
    arena->used += 64;
    Word begin = *reinterpret_cast<const Word*>(block.code) >> 40 << 40;
    begin |= (static_cast<Word>(static_cast<std::uint32_t>(distance)) << 8) | 0xe9;
    __atomic_store_n(reinterpret_cast<Word*>(block.code), begin, __ATOMIC_RELEASE);
  }
}

void stop_counting(Stop why, Word pc) {
  std::uint32_t none = 0;
  if (!__atomic_compare_exchange_n(&ledger->stop, &none, static_cast<std::uint32_t>(why), false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_RELAXED))
    return;
  if (const auto* const at = mapping_at(pc))
    ledger->stop_module = at->module, ledger->stop_offset = pc - at->from + at->offset;
}

Byte* known_copy(Word pc) {
  const auto known = slot_of(pc);
  return known ? blocks[known].code : nullptr;
}

Byte* translated(Word pc) {
  if (const auto known = slot_of(pc)) return blocks[known].code;
  auto* const native = reinterpret_cast<Byte*>(pc);
  const auto* const in = mapping_at(pc);
  if (!in) return native;  // it fails there as it would by itself
  const auto mapping = *in;
  auto* const arena = arena_near(pc);
  if (!arena || block_count + 1 >= most_records || place_count + longest_block >= most_places) {
    stop_counting(!arena ? Stop::no_memory : Stop::too_much_code, pc);
    return native;
  }
  if (!has_decoder) ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64), has_decoder = true;
  const bool in_program = is_program(mapping.module);
  int n = 0;
  Word end = pc;
  Stop why = Stop::none;
  std::uint32_t used = 0;
  unsigned words = 0;
  bool quiet = true;
  for (; n < longest_block; ++n) {
    constexpr Word longest = 15;
    auto& d = decoded[n];
    const auto size = readable(end, longest);
    if (size == 0 ||
        !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, reinterpret_cast<const void*>(end), size, &d.it, d.operand)))
      why = Stop::undecoded;
    else
      why = why_not(d);
    if (why != Stop::none) break;
    const auto more = used | registers_of(d);
    if (ledger->with_bytes && n > 0 && (!Free(more).are_there() || words + word_count(d) > longest_words)) break;
    used = more, words += word_count(d), quiet &= leads_on(d) && (in_program || is_of_integers(d));
    end += d.it.length;
    if (ends_block(d.it)) {
      ++n;
      break;
    }
  }
  auto* const begin = reinterpret_cast<Byte*>(arena->base + arena->used);
  Writer w(begin);
  if (n == 0) {  // an invalid instruction fails there, too
    if (why != Stop::undecoded || readable(pc, 15) == 15) stop_counting(why, pc);
    go_native(w, pc);
    arena->used += 64;
    return begin;
  }
  // Where the counter can be added to without saving the flags.
  int counted_before = -1;
  bool dead = false;
  for (int i = n - 1; i >= 0; --i) {
    if (reads_flags(decoded[i].it))
      dead = false;
    else if (sets_all_flags(decoded[i].it))
      dead = true;
    if (dead) counted_before = i;
  }
  Record record{pc,
                pc - mapping.from + mapping.offset,
                0,
                0,
                static_cast<std::uint16_t>(end - pc),
                static_cast<std::uint16_t>(n),
                static_cast<std::uint16_t>(mapping.module),
                0,
                RecordKind::block};
  const auto code_at = __atomic_fetch_add(&ledger->code_bytes, end - pc, __ATOMIC_RELAXED);
  if (code_at + (end - pc) > most_code) return stop_counting(Stop::too_much_code, pc), native;
  for (Word i = 0; i < end - pc; ++i) ledger->code[code_at + i] = reinterpret_cast<const Byte*>(pc)[i];
  record.code = static_cast<std::uint32_t>(code_at);
  const auto number = new_record(record);
  if (number == 0) return stop_counting(Stop::too_much_code, pc), native;

  auto& block = blocks[block_count];
  block = {pc,
           begin,
           0,
           number,
           place_count,
           static_cast<std::uint16_t>(n),
           static_cast<std::uint16_t>(counted_before < 0 ? 0 : counted_before),
           static_cast<std::uint16_t>(end - pc),
           0,
           false,
           0,
           0};
  // Nothing is to be read of a block that neither loads nor stores and leads on within its function. Only FLOPs of
  // libraries are: they are added to the function that called these.
  const Free own(ledger->with_bytes && !(words == 0 && quiet) ? used : 0xffff);
  block.pointer = own.pointer, block.address = own.address;
  if (mapping.may_change) check_bytes(w, pc, static_cast<unsigned>(end - pc));
  Byte* const full = own.are_there() ? reserve_words(w, own, number, words, counted_before != 0) : nullptr;
  unsigned word = 1;
  if (counted_before < 0) count(w, number, true);
  Link links[2];
  int link_count = 0;
  Word at = pc;
  bool in_reach = true;
  for (int i = 0; i < n; ++i) {
    const auto& d = decoded[i];
    if (i == counted_before) count(w, number, false);
    if (is_masked(d)) {
      auto lanes = record;
      lanes.kind = RecordKind::lanes, lanes.block = number, lanes.instruction = static_cast<std::uint8_t>(i);
      if (const auto sum = new_record(lanes)) count_lanes(w, d, sum);
    }
    places[place_count++] = {static_cast<std::uint16_t>(at - pc), static_cast<std::uint16_t>(w.at - begin)};
    const unsigned first_word = word;
    if (full) write_accesses(w, d, own, at, word);
    if (full && i + 1 == n && ends_block(d.it)) w.load(own.pointer, 0x60), w.load(own.address, 0x68);
    if (ends_block(d.it))
      end_of_block(w, d, at, links, link_count, block.site, begin, in_reach);
    else
      in_reach &= copy_instruction(w, d, at);
    if (full && ends_early(d.it)) write_rest(w, d, own, first_word);
    at += d.it.length;
  }
  if (!ends_block(decoded[n - 1].it)) {
    if (full) w.load(own.pointer, 0x60), w.load(own.address, 0x68);
    links[link_count++] = {w.jump(), at};
  }
  if (!in_reach) return stop_counting(Stop::no_memory, pc), native;
  // A loop may lead to its own begin.
  slot_of(pc) = block_count++;
  finish_links(w, links, link_count);
  if (full) wait_for_room(w, full, own, pc, counted_before != 0);
  while (w.at - begin < 64 || (reinterpret_cast<Word>(w.at) & 15)) w.put(0x90);
  block.code_bytes = static_cast<std::uint32_t>(w.at - begin);
  arena->list()[arena->blocks++] = block_count - 1;
  arena->used = reinterpret_cast<Word>(w.at) - arena->base;
  return begin;
}

namespace {

Byte* found(Word pc, Word link, Byte* code) {
  const auto* const block = block_at(reinterpret_cast<Word>(code));
  if (!block || block->code != code) return code;
  if (link) set_link(link, code);
  auto& target = slot().targets[pc & 0xffff];
  target = {-pc, reinterpret_cast<Word>(code)};
  return code;
}

}  // namespace

extern "C" Byte* look_up(Word pc, Word link) {
  if (link == changed) return nullptr;
  if (link == part_full) next_part(), link = 0;
  const Lock lock;
  const auto known = slot_of(pc);
  return known ? found(pc, link, blocks[known].code) : nullptr;
}

extern "C" Byte* translate_for(Word pc, Word link) {
  if (link == part_full) link = 0;
  const Lock lock;
  const StoppedTimers stopped;
  if (link == changed) {
    link = 0;
    if (const auto known = slot_of(pc)) {
      const auto& block = blocks[known];
      bool same = true;
      const auto& record = ledger->record[block.record];
      for (unsigned i = 0; i < block.bytes; ++i)
        same &= reinterpret_cast<const Byte*>(pc)[i] == ledger->code[record.code + i];
      if (!same) blocks[known].stale = true;
    }
  }
  return found(pc, link, translated(pc));
}

}  // namespace roofline::any_program

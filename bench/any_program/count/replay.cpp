// SPDX-License-Identifier: MIT
#include "bench/any_program/count/replay.hpp"

#include <algorithm>

namespace roofline::any_program {
namespace {

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

/// Notes where the accesses of a plain block go, by its first two executions and the last one. Returns a bit for each
/// of the first touches that goes to one line.
std::uint64_t follow(Caches& caches, const Block& block, const Word* words, std::uint64_t times) {
  std::uint64_t repeated = 0;
  for (std::size_t k = 0; k < std::min<std::size_t>(64, block.touches.size()); ++k) {
    const auto& its = block.touches[k];
    if (its.local) continue;
    const auto *const begin = words + its.word, *const end = begin + (times - 1) * block.words;
    its.trail.add(*begin);
    if (times > 1) its.trail.add(*end);
    const auto next = times > 1 ? begin[block.words] : *begin;
    const bool walks = !Caches::are_a_pair(*begin, *end) &&
                       (Caches::are_a_pair(*begin, next) || Caches::stratum_of(*begin) != Caches::stratum_of(next));
    const auto places = walks ? Places::any : its.trail.places();
    caches.add(places, times * its.size);
    if (places == Places::one_line) repeated |= std::uint64_t{1} << k;
  }
  return repeated;
}

/// Some executions of a plain block, one after another.
void replay_plain(Cpu& cpu, const Block& block, const Word* words, std::uint64_t times) {
  if (block.accessed.empty()) return;
  cpu.turn_to(block.accessed.front().first);
  auto& caches = cpu.caches();
  const auto *const first = block.touches.data(), *const last = first + block.touches.size();
  const auto step = block.words;
  if (caches.are_sampled()) {
    const auto repeated = follow(caches, block, words, times);
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

/// One execution of any other block.
void replay_one(Cpu& cpu, const Block& block, const Word* words) {
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

Accessed accessed_by(const Access& access, unsigned bytes) {
  const auto& its = access.operand;
  Accessed all;
  if (its.loads) all.loaded = bytes;
  if (its.stores) all.stored = bytes, all.streamed = access.streaming ? bytes : 0;
  if (access.local && !access.streaming) all.local = all.total();
  return all;
}

bool varies(const MemoryOperand& its) { return its.words.repeated || its.words.masked || its.words.vector_mask; }

void replay(Cpu& cpu, const Block& block, const std::uint64_t* words, std::uint64_t times) {
  if (block.is_plain) return replay_plain(cpu, block, words, times);
  for (std::uint64_t i = 0; i < times; ++i) replay_one(cpu, block, words + i * block.words);
}

}  // namespace roofline::any_program

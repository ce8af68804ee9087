#include "bench/virtual_gpu/ops/memory/access.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofline::ptx {
namespace {

uint32_t distinct(uint64_t* values, uint32_t count) {
  std::sort(values, values + count);
  return static_cast<uint32_t>(std::unique(values, values + count) - values);
}

uint32_t sectors_of(const Touch& t, uint32_t mask) {
  uint64_t sectors[32];
  uint32_t count = 0;
  bool ascending = true;
  for (uint32_t m = mask; m; m &= m - 1) {
    const uint64_t sector = t.at[std::countr_zero(m)] / 32;
    if (count > 0 && sectors[count - 1] == sector) continue;
    ascending &= count == 0 || sectors[count - 1] < sector;
    sectors[count++] = sector;
  }
  return ascending ? count : distinct(sectors, count);
}

// The same of lanes that lie behind each other: which of the sectors, whose lanes are side by side in the mask, have
// one.
uint32_t sectors_of_run(const Touch& t) {
  const uint32_t lanes = std::max(32 / t.bytes, 1u);
  uint64_t any = uint64_t{t.active} << t.at[0] / t.bytes % lanes;
  for (uint32_t n = 1; n < lanes; n *= 2) any |= any >> n;
  constexpr uint64_t every[] = {~uint64_t{0},       0x5555555555555555, 0x1111111111111111,
                                0x0101010101010101, 0x0001000100010001, 0x0000000100000001};
  return static_cast<uint32_t>(std::popcount(any & every[std::countr_zero(lanes)]));
}

// Words of the lanes lie side by side: 32 words of 4 bytes are a row of 4 sectors.
uint32_t local_sectors(const Touch& t, uint32_t mask) {
  uint64_t sectors[32 * 4];
  uint32_t count = 0;
  for (const uint32_t lane : Lanes{mask}) {
    for (uint64_t word = t.at[lane] / 4; word <= (t.at[lane] + t.bytes - 1) / 4; ++word)
      sectors[count++] = word * 4 + lane / 8;
  }
  return distinct(sectors, count);
}

// 32 banks of 4 bytes; 8-byte accesses are served by half warps, 16-byte ones by quarters. Lanes that read one word
// share it.
uint32_t wavefronts_of(const Touch& t, uint32_t mask) {
  const uint32_t group = t.bytes <= 4 ? 32 : t.bytes <= 8 ? 16 : 8;
  uint32_t passes = 0;
  for (uint32_t first = 0; first < 32; first += group) {
    uint64_t words[32 * 4];
    uint32_t count = 0;
    for (uint32_t lane = first; lane < first + group; ++lane)
      if (mask >> lane & 1)
        for (uint64_t word = t.at[lane] / 4; word <= (t.at[lane] + t.bytes - 1) / 4; ++word) words[count++] = word;
    count = distinct(words, count);
    uint32_t load[32] = {}, most = 0;
    for (uint32_t n = 0; n < count; ++n) most = std::max(most, ++load[words[n] % 32]);
    passes += most;
  }
  return std::max(passes, 1u);
}

// The same of lanes that lie behind each other: no two words of a group are in one bank.
uint32_t wavefronts_of_run(const Touch& t) {
  const uint32_t group = t.bytes <= 4 ? 32 : t.bytes <= 8 ? 16 : 8;
  uint32_t passes = 0;
  for (uint64_t rest = t.active; rest; rest >>= group) passes += (rest & ((uint64_t{1} << group) - 1)) != 0;
  return passes;
}

// The cost of an access depends on its addresses relative to the first one. The last answer is cached.
template <uint32_t (*cost)(const Touch&, uint32_t), uint64_t period>
uint32_t cost_of(AccessCounter& c, const Touch& t, uint32_t mask) {
  const uint64_t first = t.at[0];
  uint64_t differs = 0;
  for (int l = 0; l < 32; ++l) differs |= (t.at[l] - first) ^ c.pattern[l];
  const auto phase = static_cast<uint32_t>(first % period);
  if (differs == 0 && c.mask == mask && c.phase == phase) return c.cost;
  for (int l = 0; l < 32; ++l) c.pattern[l] = t.at[l] - first;
  c.mask = mask;
  c.phase = phase;
  return c.cost = cost(t, mask);
}

// The allocation of [first, last): remembered by the instruction, else looked up.
[[gnu::noinline]] bool find_allocation(Warp& w, AccessCounter& c, uint64_t first, uint64_t last) {
  const auto found = w.worker->memory->find(first);
  if (!found || last > found->end()) return false;
  for (const auto& known : w.worker->known)
    if (known->serial == found->serial) c.allocation = known.get();
  if (!c.allocation || c.allocation->serial != found->serial) {
    w.worker->known.push_back(std::make_unique<Allocation>(*found));
    c.allocation = w.worker->known.back().get();
  }
  c.begin = found->begin;
  c.end = found->end();
  return true;
}

// Lanes in several allocations, or beyond all of them.
[[gnu::noinline]] void check_each_lane(Warp& w, const Instruction& i, AccessCounter& c, Touch t) {
  expand(t);
  for (const uint32_t lane : Lanes{w.m}) {
    const uint64_t a = t.at[lane];
    if ((a < c.begin || a + t.bytes > c.end) && !find_allocation(w, c, a, a + t.bytes))
      refuse_access(w, i, t, Space::global, lane, false);
  }
}

[[gnu::noinline]] void refuse_misaligned(Warp& w, const Instruction& i, Touch t, Space space) {
  expand(t);
  for (uint32_t m = w.m; m; m &= m - 1)
    if (t.at[std::countr_zero(m)] % t.bytes)
      refuse_access(w, i, t, space, static_cast<uint32_t>(std::countr_zero(m)), true);
}

struct Extent {
  uint64_t low, high, bits;
};
inline Extent extent_of(const Touch& t) {
  uint64_t low = ~uint64_t{0}, high = 0, bits = 0;
  for (int l = 0; l < 32; ++l) {
    low = t.at[l] < low ? t.at[l] : low;
    high = t.at[l] > high ? t.at[l] : high;
    bits |= t.at[l];
  }
  return {low, high, bits};
}

inline Extent bounds_of(const Touch& t) {
  if (t.uniform) return {t.at[0], t.at[0], t.at[0]};
  if (t.contiguous) return {t.at[0], t.at[31], t.at[0]};
  if (t.partial)
    return {t.at[0] + uint64_t(std::countr_zero(t.active)) * t.bytes,
            t.at[31] - uint64_t(std::countl_zero(t.active)) * t.bytes, t.at[0]};
  return extent_of(t);
}

// Loads of a partial touch read what lies between its lanes, too: where that may not be memory, it goes lane by lane.
inline void keep_within(Touch& t, uint64_t begin, uint64_t end) {
  if (t.partial && (t.at[0] < begin || t.at[31] < t.at[0] || t.at[31] + t.bytes > end)) expand(t);
}

// Offsets within a piece of memory of the block or the lane.
template <Space space>
inline void check_piece(Warp& w, const Instruction& i, const Touch& t, uint64_t size) {
  const Extent e = bounds_of(t);
  if (e.high + t.bytes > size || e.high > size) [[unlikely]] {
    Touch all = t;
    expand(all);
    for (uint32_t m = w.m; m; m &= m - 1)
      if (const auto lane = static_cast<uint32_t>(std::countr_zero(m));
          all.at[lane] > size || all.at[lane] + t.bytes > size)
        refuse_access(w, i, all, space, lane, false);
  }
  if (e.bits & (t.bytes - 1)) [[unlikely]]
    refuse_misaligned(w, i, t, space);
}

// Has the host fetch what the instruction will touch next if it goes on by the same step: kernels have more streams
// than the host's own prefetchers follow.
inline void fetch_next(AccessCounter& c, const Extent& e) {
  constexpr uint64_t line = 64, few_lines = 16 * line;
  const uint64_t step = e.low - c.last;
  c.last = e.low;
  if (e.high - e.low > few_lines) return;
  for (uint64_t at = (e.low + step) / line * line; at <= e.high + step; at += line)
    __builtin_prefetch(reinterpret_cast<const void*>(at));
}

}  // namespace

void refuse_access(Warp& w, const Instruction& i, const Touch& t, Space space, uint32_t lane, bool misaligned) {
  const uint64_t address = t.sparse ? t.at[0] + (t.uniform ? 0 : uint64_t{lane} * t.bytes) : t.at[lane];
  Finding f{misaligned ? FindingKind::misaligned : FindingKind::out_of_bounds, place_of(w, i, lane), name_of(space),
            address, t.bytes};
  const GlobalMemory& memory = *w.worker->memory;
  if (space == Space::global || space == Space::constant) {
    f.allocation = memory.describe(address);
    if (!misaligned && memory.was_freed(address)) f.kind = FindingKind::use_after_free;
  } else if (space == Space::shared) {
    f.allocation = fmt::format("{} bytes of shared memory", w.block->shared_bytes);
  } else if (space == Space::local) {
    f.allocation = fmt::format("{} bytes of local memory", w.program->local_bytes);
  }
  const std::string what =
      fmt::format("{}: {} bytes of {} memory at {:#x}, {}", misaligned ? "misaligned address" : "illegal address",
                  t.bytes, f.space, address, f.allocation);
  const Place place = f.place;
  w.worker->report(std::move(f));
  throw Fault{misaligned ? Outcome::misaligned_address : Outcome::illegal_address, what, place};
}

template <>
void resolve<Space::global>(Warp& w, const Instruction& i, Touch& t) {
  AccessCounter& c = w.worker->accesses[i.counter];
  const Extent e = bounds_of(t);
  if (e.low < c.begin || e.high + t.bytes > c.end) [[unlikely]]
    if (e.high + t.bytes < e.high || !find_allocation(w, c, e.low, e.high + t.bytes)) check_each_lane(w, i, c, t);
  if (e.bits & (t.bytes - 1)) [[unlikely]]
    refuse_misaligned(w, i, t, Space::global);
  if (t.uniform) {
    ++c.sectors;
    return;
  }
  fetch_next(c, e);
  if (t.contiguous)
    c.sectors += (t.at[31] + t.bytes - 1) / 32 - t.at[0] / 32 + 1;
  else if (t.partial)
    c.sectors += sectors_of_run(t);
  else
    c.sectors += cost_of<sectors_of, 32>(c, t, w.m);
  keep_within(t, c.begin, c.end);
}

template <>
void resolve<Space::shared>(Warp& w, const Instruction& i, Touch& t) {
  AccessCounter& c = w.worker->accesses[i.counter];
  check_piece<Space::shared>(w, i, t, w.block->shared_bytes);
  if (t.uniform)
    ++c.wavefronts;
  else if (t.contiguous)
    c.wavefronts += std::max(1u, t.bytes / 4);
  else if (t.partial)
    c.wavefronts += wavefronts_of_run(t);
  else
    c.wavefronts += cost_of<wavefronts_of, 4>(c, t, w.m);
  keep_within(t, 0, w.block->shared_bytes);
  const auto base = reinterpret_cast<uint64_t>(w.block->shared);
  if (t.sparse) {
    t.at[0] += base;
    t.at[31] += base;
    return;
  }
  for (int l = 0; l < 32; ++l) t.at[l] += base;
}

template <>
void resolve<Space::local>(Warp& w, const Instruction& i, Touch& t) {
  expand(t);
  AccessCounter& c = w.worker->accesses[i.counter];
  const uint64_t size = w.program->local_bytes;
  check_piece<Space::local>(w, i, t, size);
  c.sectors += cost_of<local_sectors, 4>(c, t, w.m);
  const auto base = reinterpret_cast<uint64_t>(w.local.data());
  for (uint64_t l = 0; l < 32; ++l) t.at[l] += base + l * size;
  t.contiguous = t.uniform = false;
  if (w.m == ~0u) return;
  // Lanes that are not active must not read the memory of others beyond its end.
  const uint64_t a = t.at[std::countr_zero(w.m)];
  for (int l = 0; l < 32; ++l) t.at[l] = w.m >> l & 1 ? t.at[l] : a;
}

template <>
void resolve<Space::param>(Warp& w, const Instruction& i, Touch& t) {
  expand(t);
  for (int l = 0; l < 32; ++l) t.at[l] &= window_mask;
  check_piece<Space::param>(w, i, t, w.worker->parameters.size());
  const auto base = reinterpret_cast<uint64_t>(w.worker->parameters.data());
  for (int l = 0; l < 32; ++l) t.at[l] += base;
}

}  // namespace roofline::ptx

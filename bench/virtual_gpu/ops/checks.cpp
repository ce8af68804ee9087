// The checks of --sanitize at each memory instruction: uninitialised bytes, races.
#include <fmt/format.h>

#include "bench/virtual_gpu/execute/races.hpp"
#include "bench/virtual_gpu/ops/memory/access.hpp"

namespace roofline::ptx {
namespace {

bool bits_set(const std::vector<uint64_t>& words, uint64_t first, uint32_t bytes) {
  for (uint64_t n = first; n < first + bytes; ++n)
    if (n / 64 >= words.size() || !(words[n / 64] >> n % 64 & 1)) return false;
  return true;
}
void set_bits(std::vector<uint64_t>& words, uint64_t first, uint32_t bytes) {
  for (uint64_t n = first; n < first + bytes; ++n)
    if (n / 64 < words.size()) words[n / 64] |= uint64_t{1} << n % 64;
}

const Allocation* allocation_of(Warp& w, const Instruction& i, uint64_t address, uint32_t bytes) {
  const AccessCounter& c = w.worker->accesses[i.counter];
  if (c.allocation && address >= c.begin && address + bytes <= c.end) return c.allocation;
  for (const auto& known : w.worker->known)
    if (address >= known->begin && address + bytes <= known->end()) return known.get();
  const auto found = w.worker->memory->find(address);
  if (!found || address + bytes > found->end()) return nullptr;
  w.worker->known.push_back(std::make_unique<Allocation>(*found));
  return w.worker->known.back().get();
}

Finding finding(Warp& w, const Instruction& i, FindingKind kind, Space space, uint32_t lane, const Touch& t) {
  Finding f{kind, place_of(w, i, lane), name_of(space), t.at[lane], t.bytes};
  if (space == Space::global) f.allocation = w.worker->memory->describe(t.at[lane]);
  return f;
}

void check_written(Warp& w, const Instruction& i, const Touch& t, Space space, AccessKind kind) {
  for (const uint32_t lane : Lanes{w.m}) {
    const uint64_t at = t.at[lane];
    const bool reads = kind != AccessKind::store, writes = kind != AccessKind::load;
    bool written = true;
    if (space == Space::global) {
      const Allocation* const a = allocation_of(w, i, at, t.bytes);
      if (!a || !a->written) continue;
      if (reads) written = a->written->all(at - a->begin, t.bytes);
      if (writes) a->written->set(at - a->begin, t.bytes);
    } else if (space == Space::shared || space == Space::local) {
      auto& map = space == Space::shared ? w.block->shared_written : w.local_written;
      const uint64_t first = space == Space::shared ? at : at + uint64_t{lane} * w.program->local_bytes;
      if (reads) written = bits_set(map, first, t.bytes);
      if (writes) set_bits(map, first, t.bytes);
    }
    if (!written) w.worker->report(finding(w, i, FindingKind::uninitialised_read, space, lane, t));
  }
}

std::string thread_text(const Warp& w, const Access& a) {
  const auto& grid = w.worker->launch->grid;
  const auto& size = w.worker->launch->block;
  const uint32_t b = a.block, t = a.thread;
  return fmt::format("block ({},{},{}) thread ({},{},{})", b % grid[0], b / grid[0] % grid[1], b / grid[0] / grid[1],
                     t % size[0], t / size[0] % size[1], t / size[0] / size[1]);
}

// A store of what is there already does no harm where another store put it. It handles accesses of one granule of 4
// bytes at a time.
void check_races(Warp& w, const Instruction& i, const Touch& t, Space space, bool write, uint32_t unchanged) {
  RaceShadow* const shadow = space == Space::shared ? w.block->shared_races.get() : w.worker->races;
  const bool any_block = space == Space::global && !w.worker->launch->cooperative && !w.program->has_fence;
  for (const uint32_t lane : Lanes{w.m}) {
    bool reported = false;
    for (uint64_t at = t.at[lane], end = at + t.bytes; at < end;) {
      const uint64_t n = std::min<uint64_t>(end - at, 4 - at % 4);
      Access access;
      access.block = static_cast<uint32_t>(w.block->linear);
      access.thread = w.number * 32 + lane;
      access.clock = w.clock[w.number];
      access.bytes = static_cast<uint32_t>((1u << n) - 1) << at % 4;
      const auto conflict = shadow->note(at, access, write, w.clock, any_block);
      if (conflict.found && !reported && !(conflict.other_wrote && (unchanged >> lane & 1))) {
        Finding f = finding(w, i, FindingKind::race, space, lane, t);
        f.detail = fmt::format("{} data that {} {} with nothing to order them", write ? "writes" : "reads",
                               thread_text(w, conflict.other), conflict.other_wrote ? "wrote" : "read");
        w.worker->report(std::move(f));
        reported = true;
      }
      at += n;
    }
  }
}

}  // namespace

void resolve_checked(Warp& w, const Instruction& i, Touch& t, Space space, AccessKind kind) {
  const ExecutionOptions& options = *w.worker->options;
  // Bounds come first, without effect on the counters: checks index their shadows by these addresses.
  Touch copy = t;
  const AccessCounter before = w.worker->accesses[i.counter];
  resolve_in<false>(w, i, copy, space, kind);
  w.worker->accesses[i.counter].sectors = before.sectors;
  w.worker->accesses[i.counter].wavefronts = before.wavefronts;
  if (space == Space::param) return;
  if (options.checks.init) check_written(w, i, t, space, kind);
  const bool orders = kind == AccessKind::atomic || (i.flags & flag_volatile);
  if (options.checks.race && space != Space::local && !orders)
    check_races(w, i, t, space, kind == AccessKind::store, t.unchanged ? t.unchanged(w, i, copy) : 0);
}

}  // namespace roofline::ptx

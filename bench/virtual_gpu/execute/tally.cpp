// Counts and findings of all host threads, put together.
#include <algorithm>
#include <tuple>

#include "bench/virtual_gpu/execute/thread_block.hpp"

namespace roofline::ptx {
namespace {

/// Sums over all host threads of what one instruction did.
struct InstructionSums {
  uint64_t issued = 0;  // warps, whatever the guard says
  uint64_t warps = 0;   // with a lane whose guard is true
  uint64_t lanes = 0;
  uint64_t sectors = 0, wavefronts = 0;
};

InstructionSums sums_of(const Detail& d, const std::vector<Worker>& workers) {
  InstructionSums s;
  for (const Worker& w : workers) {
    s.issued += w.blocks[d.block].warps;
    const Executed& e = d.guard_counter >= 0 ? w.guards[static_cast<std::size_t>(d.guard_counter)] : w.blocks[d.block];
    s.warps += e.warps;
    s.lanes += e.lanes;
    if (d.counter >= 0) {
      const AccessCounter& a = w.accesses[static_cast<std::size_t>(d.counter)];
      s.sectors += a.sectors;
      s.wavefronts += a.wavefronts;
    }
  }
  return s;
}

void count_flops(Counts& c, const Detail& d, const InstructionSums& s) {
  if (d.flop == FlopKind::none) return;
  if (d.flop == FlopKind::tensor || d.flop == FlopKind::tensor_integer) {
    (d.flop == FlopKind::tensor ? c.tensor_flops : c.tensor_operations) += s.warps * d.weight;
    return;
  }
  Flops& f = c.flops[static_cast<std::size_t>(d.precision)];
  uint64_t* const kinds[] = {&f.add, &f.mul, &f.fma, &f.special};
  *kinds[static_cast<int>(d.flop) - static_cast<int>(FlopKind::add)] += s.lanes * d.weight;
}

void count_traffic(Counts& c, const Detail& d, const InstructionSums& s) {
  const bool store = d.access == AccessKind::store, atomic = d.access == AccessKind::atomic;
  const auto add = [&](Traffic& t, bool shared) {
    t += {s.warps, s.lanes, s.lanes * d.bytes, shared ? 0 : s.sectors, shared ? s.wavefronts : 0};
  };
  switch (d.space) {
    case Space::shared:
      return add(atomic ? c.shared_atomic : store ? c.shared_store : c.shared_load, true);
    case Space::local:
      return add(store ? c.local_store : c.local_load, false);
    case Space::constant:
      return add(c.const_load, false);
    case Space::param:
      return;
    case Space::generic:
      // Where the accesses went is known by what they cost; a mix counts as global.
      if (s.wavefronts && !s.sectors)
        return add(atomic ? c.shared_atomic : store ? c.shared_store : c.shared_load, true);
      [[fallthrough]];
    default:
      return add(atomic ? c.global_atomic : store ? c.global_store : c.global_load, false);
  }
}

bool earlier(const Place& a, const Place& b) {
  const auto key = [](const Place& p) {
    return std::tuple(p.block[2], p.block[1], p.block[0], p.thread[2], p.thread[1], p.thread[0]);
  };
  return key(a) < key(b);
}

std::vector<Finding> merged(const std::vector<Worker>& workers) {
  std::vector<Finding> all;
  for (const Worker& w : workers)
    for (const Finding& f : w.findings) {
      const auto same = std::find_if(all.begin(), all.end(), [&](const Finding& g) {
        return g.kind == f.kind && g.place.ptx_line == f.place.ptx_line;
      });
      if (same == all.end()) {
        all.push_back(f);
        continue;
      }
      const uint64_t times = same->times + f.times;
      if (earlier(f.place, same->place)) *same = f;
      same->times = times;
    }
  std::sort(all.begin(), all.end(), [](const Finding& a, const Finding& b) {
    return std::tuple(a.kind, a.place.ptx_line) < std::tuple(b.kind, b.place.ptx_line);
  });
  return all;
}

InstructionCount listed(const Program& program, const Detail& d, const InstructionSums& s) {
  InstructionCount i{d.line, d.text, "", s.issued, s.lanes, s.sectors, s.wavefronts};
  if (d.source_line && d.source_file < program.files.size())
    i.source = program.files[d.source_file] + ":" + std::to_string(d.source_line);
  return i;
}

}  // namespace

uint64_t Counts::total_flops() const {
  uint64_t sum = tensor_flops;
  for (const Flops& f : flops) sum += f.total();
  return sum;
}

Execution tally(const Program& program, const std::vector<Worker>& workers, bool per_instruction) {
  Execution e;
  Counts& c = e.counts;
  for (const Detail& d : program.details) {
    if (d.line == 0) continue;
    const InstructionSums s = sums_of(d, workers);
    if (per_instruction) e.instructions.push_back(listed(program, d, s));
    c.warp_instructions += s.issued;
    c.lane_instructions += s.lanes;
    if (d.branch) c.branches += s.issued;
    if (d.kind == Class::barrier) c.barriers += s.issued;
    count_flops(c, d, s);
    if (d.memory) count_traffic(c, d, s);
  }
  for (const Worker& w : workers) {
    c.divergent_branches += w.divergent_branches;
    c.warps += w.warps;
    c.blocks += w.thread_blocks;
  }
  e.findings = merged(workers);
  return e;
}

}  // namespace roofline::ptx

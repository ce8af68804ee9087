#include "bench/virtual_gpu/execute/thread_block.hpp"

#include <algorithm>
#include <numeric>

#include "bench/virtual_gpu/execute/races.hpp"

namespace roofline::ptx {
namespace {

uint64_t value_of(Special special, const ThreadBlock& block) {
  const Launch& launch = *block.worker->launch;
  const auto nth = [&](Special first) { return static_cast<int>(special) - static_cast<int>(first); };
  switch (special) {
    case Special::ntid_x:
    case Special::ntid_y:
    case Special::ntid_z:
      return launch.block[nth(Special::ntid_x)];
    case Special::ctaid_x:
    case Special::ctaid_y:
    case Special::ctaid_z:
      return block.index[nth(Special::ctaid_x)];
    case Special::nctaid_x:
    case Special::nctaid_y:
    case Special::nctaid_z:
      return launch.grid[nth(Special::nctaid_x)];
    case Special::nwarps:
      return (block.threads + 31) / 32;
    case Special::smid:
      return block.linear % std::max(1u, block.worker->options->device.multiprocessors);
    case Special::nsmid:
      return block.worker->options->device.multiprocessors;
    case Special::dynamic_shared:
      return launch.dynamic_shared;
    case Special::total_shared:
      return block.shared_bytes;
    case Special::one:
      return 1;
    case Special::envreg1:
      return block.worker->grid_workspace >> 32;
    case Special::envreg2:
      return block.worker->grid_workspace & 0xffffffff;
    default:
      return 0;
  }
}

uint32_t lane_value(Special special, const Warp& warp, uint32_t lane) {
  const uint32_t bit = 1u << lane;
  switch (special) {
    case Special::tid_x:
      return thread_of(warp, lane)[0];
    case Special::tid_y:
      return thread_of(warp, lane)[1];
    case Special::tid_z:
      return thread_of(warp, lane)[2];
    case Special::lane:
      return lane;
    case Special::warp:
      return warp.number;
    case Special::lanemask_eq:
      return bit;
    case Special::lanemask_lt:
      return bit - 1;
    case Special::lanemask_le:
      return bit | (bit - 1);
    case Special::lanemask_gt:
      return ~(bit | (bit - 1));
    default:
      return ~(bit - 1);
  }
}

}  // namespace

ThreadBlock::ThreadBlock(Worker& by, const Program& of) : worker(&by), program(&of) {
  const Launch& launch = *by.launch;
  threads = launch.block[0] * launch.block[1] * launch.block[2];
  shared_bytes = static_cast<uint32_t>(of.shared_bytes + launch.dynamic_shared);
  shared_storage.assign(shared_bytes + 256, 0);
  shared = shared_storage.data() + (128 - reinterpret_cast<uintptr_t>(shared_storage.data()) % 128) % 128;
  if (by.options->checks.init) shared_written.assign(shared_bytes / 64 + 2, 0);
  if (by.options->checks.race) shared_races = std::make_unique<RaceShadow>(shared_bytes);
  warps = std::vector<Warp>((threads + 31) / 32);
  for (uint32_t n = 0; n < warps.size(); ++n) {
    Warp& w = warps[n];
    w.prepare(of, by, *this, n);
    for (const auto& [offset, special] : of.specials)
      if (special < Special::first_scalar)
        for (uint32_t l = 0; l < 32; ++l) w.lanes<uint32_t>(offset)[l] = lane_value(special, w, l);
  }
}

ThreadBlock::~ThreadBlock() = default;

void ThreadBlock::start(uint64_t number) {
  const Launch& launch = *worker->launch;
  linear = number;
  index = {static_cast<uint32_t>(number % launch.grid[0]),
           static_cast<uint32_t>(number / launch.grid[0] % launch.grid[1]),
           static_cast<uint32_t>(number / launch.grid[0] / launch.grid[1])};
  live = threads;
  executed = 0;
  for (Barrier& b : barriers) b = Barrier{};
  std::fill(shared_written.begin(), shared_written.end(), 0);
  if (shared_races) shared_races->clear();
  // The initial content of shared memory is undefined. Without this line it would depend on the host thread.
  std::memset(shared, 0, shared_bytes);
  for (Warp& w : warps) {
    for (const auto& [offset, special] : program->specials)
      if (special >= Special::first_scalar) w.scalar<uint64_t>(offset) = value_of(special, *this);
    for (const auto& [offset, special] : program->vector_specials)
      std::fill_n(w.lanes<uint32_t>(offset), 32, static_cast<uint32_t>(value_of(special, *this)));
    w.start(threads - w.number * 32);
    if (worker->options->checks.race) {
      w.clock.assign(warps.size(), 0);
      w.clock[w.number] = 1;
    }
  }
}

bool ThreadBlock::run(int64_t slice) {
  std::vector<uint32_t> order(warps.size());
  std::iota(order.begin(), order.end(), 0);
  for (;;) {
    if (worker->checked) std::shuffle(order.begin(), order.end(), worker->random);
    bool progress = false, yielded = false, all_done = true;
    for (const uint32_t n : order) {
      Warp& w = warps[n];
      if (w.stop == Stop::none || w.stop == Stop::yielded) {
        const uint64_t before = w.executed;
        w.run(slice);
        executed += w.executed - before;
        progress = true;
      }
      yielded |= w.stop == Stop::yielded;
      all_done &= w.stop == Stop::done;
    }
    if (all_done) return true;
    if (executed > worker->options->instruction_limit)
      throw Fault{Outcome::timeout, "block executed more instructions than the limit: a hang?",
                  Place{program->name, index, {}, 0, "", ""}};
    if (!progress) deadlock();
    if (yielded) return false;
  }
}

void ThreadBlock::deadlock() {
  bool again = false;
  for (Warp& w : warps)
    for (const Fragment& f : w.others)
      if (w.stop == Stop::blocked && f.state == Fragment::at_mask) {
        w.force = again = true;
        w.stop = Stop::none;
      }
  if (again) return;
  for (Warp& w : warps)
    for (const Fragment& f : w.others)
      if (f.state == Fragment::at_barrier) {
        const Barrier& b = barriers[f.detail];
        const Instruction& i = w.code[program->blocks[f.block - 1].end - 1];
        Fault fault{Outcome::timeout,
                    "deadlock: barrier " + std::to_string(f.detail) + " waits for " +
                        std::to_string(b.expected ? b.expected : live) + " threads, " + std::to_string(b.arrived) +
                        " arrived",
                    place_of(w, i, std::countr_zero(f.lanes))};
        worker->report({.kind = FindingKind::invalid_barrier, .place = fault.place, .detail = fault.message});
        throw fault;
      }
  throw Fault{Outcome::timeout, "deadlock: no warp can go on", Place{program->name, index, {}, 0, "", ""}};
}

void ThreadBlock::arrive(Warp& warp, uint32_t number, uint32_t expected, uint32_t lanes) {
  Barrier& b = barriers[number];
  // With a count, a warp counts as a whole, whatever lanes it has.
  b.arrived += expected && lanes == warp.live ? 32 : static_cast<uint32_t>(std::popcount(lanes));
  b.expected = expected;
  b.warps |= 1u << warp.number;
  complete(number);
}

bool ThreadBlock::complete(uint32_t number) {
  Barrier& b = barriers[number];
  if (b.arrived == 0 || b.arrived < (b.expected ? b.expected : live)) return false;
  for (const BarrierResult& result : b.results) {
    const bool truth = result.kind == BarrierResult::all ? b.votes == b.voters : b.votes != 0;
    for (uint32_t m = result.lanes; m; m &= m - 1) {
      if (result.kind == BarrierResult::count)
        result.warp->lanes<uint32_t>(result.destination)[std::countr_zero(m)] = b.votes;
    }
    if (result.kind != BarrierResult::count) {
      uint32_t& p = result.warp->p[result.destination];
      p = truth ? p | result.lanes : p & ~result.lanes;
    }
  }
  if (worker->options->checks.race) {
    std::vector<uint32_t> joined(warps.size(), 0);
    for (Warp& w : warps)
      if (b.warps >> w.number & 1)
        for (std::size_t n = 0; n < joined.size(); ++n) joined[n] = std::max(joined[n], w.clock[n]);
    for (Warp& w : warps)
      if (b.warps >> w.number & 1) {
        w.clock = joined;
        ++w.clock[w.number];
      }
  }
  b = Barrier{};
  for (Warp& w : warps) w.release(number);
  return true;
}

void ThreadBlock::exited(uint32_t lanes) {
  live -= static_cast<uint32_t>(std::popcount(lanes));
  for (uint32_t n = 0; n < barriers_of_block; ++n)
    if (barriers[n].arrived && !barriers[n].expected) complete(n);
}

}  // namespace roofline::ptx

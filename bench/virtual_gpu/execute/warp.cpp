#include "bench/virtual_gpu/execute/warp.hpp"

#include <algorithm>

#include "bench/virtual_gpu/execute/thread_block.hpp"

namespace roofline::ptx {
namespace {

// Lanes that wait for a lock that another lane of their warp holds spin; then the other lanes get a turn, as on
// devices with independent thread scheduling.
constexpr uint32_t spin_limit = 64;
constexpr int64_t turn = 2000;

}  // namespace

std::array<uint32_t, 3> thread_of(const Warp& warp, uint32_t lane) {
  const auto& size = warp.worker->launch->block;
  const uint32_t linear = warp.number * 32 + lane;
  return {linear % size[0], linear / size[0] % size[1], linear / (size[0] * size[1])};
}

Place place_of(const Warp& warp, const Instruction& instruction, uint32_t lane) {
  const Detail& detail = warp.program->details[instruction.index];
  Place place;
  place.kernel = warp.program->name;
  place.block = warp.block->index;
  place.thread = thread_of(warp, lane);
  place.ptx_line = detail.line;
  place.instruction = detail.text;
  if (detail.source_line && detail.source_file < warp.program->files.size())
    place.source = warp.program->files[detail.source_file] + ":" + std::to_string(detail.source_line);
  return place;
}

void fault(const Warp& warp, const Instruction& instruction, Outcome outcome, const std::string& what) {
  const uint32_t lane = warp.m ? static_cast<uint32_t>(std::countr_zero(warp.m)) : 0;
  throw Fault{outcome, what, place_of(warp, instruction, lane)};
}

void Warp::prepare(const Program& of, Worker& by, ThreadBlock& in, uint32_t warp_number) {
  program = &of;
  worker = &by;
  block = &in;
  number = warp_number;
  code = by.checked ? of.checked.data() : of.code.data();
  registers.assign(of.file_bytes + 64, 0);
  r = registers.data() + (64 - reinterpret_cast<uintptr_t>(registers.data()) % 64) % 64;
  predicates.assign(of.predicates, 0);
  predicates[1] = ~0u;
  p = predicates.data();
  local.assign(std::size_t{of.local_bytes} * 32, 0);
  if (by.options->checks.init) local_written.assign(local.size() / 64 + 1, 0);
  saved.assign(of.functions.empty() ? 0 : 32, {});
  for (const auto& [offset, value] : of.constants) scalar<uint64_t>(offset) = value;
  for (const auto& [offset, value] : of.vector_constants4)
    std::fill_n(lanes<uint32_t>(offset), 32, static_cast<uint32_t>(value));
  for (const auto& [offset, value] : of.vector_constants8) std::fill_n(lanes<uint64_t>(offset), 32, value);
}

void Warp::start(uint32_t threads) {
  live = active = threads >= 32 ? ~0u : (1u << threads) - 1;
  at = next = 0;
  wait = ~0u;
  spins = 0;
  executed = 0;
  force = ahead = false;
  stop = Stop::none;
  others.clear();
  std::fill(local_written.begin(), local_written.end(), 0);
  for (auto& stack : saved) stack.clear();
  if (program->local_top) std::fill_n(lanes<uint32_t>(program->local_top), 32, 0);
}

void Warp::defer(uint32_t where, uint32_t which) {
  others.push_back({where, which, Fragment::ready, 0});
  if (!ahead) wait = std::min(wait, where);
}

void Warp::park(Fragment::State state, uint32_t detail) {
  others.push_back({state == Fragment::at_barrier ? at + 1 : at, active, state, detail});
  active = 0;
}

void Warp::release(uint32_t barrier) {
  for (Fragment& f : others)
    if (f.state == Fragment::at_barrier && f.detail == barrier) {
      f.state = Fragment::ready;
      if (!ahead) wait = std::min(wait, f.block);
      if (stop == Stop::blocked) stop = Stop::none;
    }
}

bool Warp::gather(uint32_t mask, const Instruction& instruction) {
  const uint32_t missing = mask & live & ~m;
  const bool outside = (m & ~mask) != 0;
  if (missing == 0 && !outside) return true;
  if (missing == 0 || force) {
    force = false;
    Finding finding{FindingKind::invalid_warp_mask, place_of(*this, instruction, std::countr_zero(m))};
    const uint32_t wrong = outside ? m & ~mask : missing;
    finding.detail = (outside ? "executed by lane " : "the mask names lane ") +
                     std::to_string(std::countr_zero(wrong)) +
                     (outside ? ", which its mask does not name" : ", which does not take part");
    if (worker->options->checks.barrier) worker->report(std::move(finding));
    return true;
  }
  Executed& count = worker->blocks[at];
  --count.warps;
  count.lanes -= std::popcount(active);
  m = active;
  park(Fragment::at_mask, mask);
  return false;
}

// Fragments that wait for each other at one place become one, and ready when no lane is missing.
void Warp::merge_waiting() {
  for (std::size_t a = 0; a < others.size(); ++a) {
    if (others[a].state != Fragment::at_mask) continue;
    for (std::size_t b = others.size() - 1; b > a; --b)
      if (others[b].state == Fragment::at_mask && others[b].block == others[a].block) {
        others[a].lanes |= others[b].lanes;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(b));
      }
    if ((others[a].detail & live & ~others[a].lanes) == 0) others[a].state = Fragment::ready;
  }
}

bool Warp::choose() {
  uint32_t least = ~0u;
  for (const Fragment& f : others)
    if (f.state == Fragment::ready) least = std::min(least, f.block);
  if (least == ~0u) return false;
  wait = ~0u;
  at = least;
  std::size_t kept = 0;
  for (const Fragment& f : others) {
    if (f.block == least && f.state != Fragment::at_barrier) {
      active |= f.lanes;
      continue;
    }
    if (f.state == Fragment::ready) wait = std::min(wait, f.block);
    others[kept++] = f;
  }
  others.resize(kept);
  return true;
}

bool Warp::reselect() {
  ahead = false;
  spins = 0;
  if (others.empty()) {
    stop = Stop::done;
    return false;
  }
  merge_waiting();
  if (choose()) return true;
  const auto waiting = [&](Fragment::State state) {
    return std::find_if(others.begin(), others.end(), [&](const Fragment& f) { return f.state == state; });
  };
  const auto at_mask = waiting(Fragment::at_mask);
  if (at_mask != others.end() && (force || waiting(Fragment::at_barrier) == others.end())) {
    force = true;
    at_mask->state = Fragment::ready;
    return choose();
  }
  stop = Stop::blocked;
  return false;
}

void Warp::rotate() {
  spins = 0;
  const auto other =
      std::find_if(others.begin(), others.end(), [](const Fragment& f) { return f.state == Fragment::ready; });
  if (other == others.end()) {
    stop = Stop::yielded;
    return;
  }
  const Fragment chosen = *other;
  others.erase(other);
  others.push_back({at, active, Fragment::ready, 0});
  at = chosen.block;
  active = chosen.lanes;
  ahead = true;
  wait = ~0u;
  left = turn;
}

// The rare ways to go on at the end of a block.
void Warp::leave_block() {
  if (active != 0 && (next >= wait || (ahead && left <= 0))) {
    others.push_back({next, active, Fragment::ready, 0});
    active = 0;
  }
  if (active == 0) {
    reselect();
  } else {
    at = next;
    if (spins > spin_limit) rotate();
  }
  if (left <= 0 && stop == Stop::none) stop = Stop::yielded;
}

void Warp::run(int64_t instructions) {
  const BasicBlock* const blocks = program->blocks.data();
  Executed* const counts = worker->blocks.data();
  stop = Stop::none;
  left = instructions;
  if (active == 0) reselect();
  while (stop == Stop::none) {
    const BasicBlock b = blocks[at];
    ++counts[at].warps;
    counts[at].lanes += static_cast<uint32_t>(std::popcount(active));
    left -= b.end - b.first;
    executed += b.end - b.first;
    m = active;
    next = at + 1;
    const Instruction* const end = code + b.end;
    for (const Instruction* i = code + b.first; i != end; ++i) i->execute(*this, *i);
    if (active == 0 || next >= wait || left <= 0 || spins > spin_limit) [[unlikely]]
      leave_block();
    else
      at = next;
  }
}

}  // namespace roofline::ptx

// Calls of device functions. Frames are static; lanes keep where they return to, so lanes from several places may be
// in a function together. Recursive functions save the frame of the outer activation, lane by lane.
#include "bench/virtual_gpu/execute/thread_block.hpp"
#include "bench/virtual_gpu/ops/control.hpp"
#include "bench/virtual_gpu/ops/elementwise.hpp"

namespace roofline::ptx {
namespace {

void copy_words(Warp& w, uint32_t to, uint32_t from) {
  const uint32_t* const a = w.lanes<uint32_t>(from);
  write_lanes<uint32_t>(w, to, [=](int l) { return a[l]; });
}

template <class F>
void for_frame(const FunctionFrame& f, F each) {
  for (uint32_t at = f.begin; at < f.middle; at += 128) each(at, 4u);
  for (uint32_t at = f.middle; at < f.end; at += 256) each(at, 8u);
}

void save_frame(Warp& w, const FunctionFrame& f) {
  for (const uint32_t l : Lanes{w.m}) {
    auto& stack = w.saved[l];
    for_frame(f, [&](uint32_t at, uint32_t bytes) {
      const uint8_t* const from = w.r + at + l * bytes;
      stack.insert(stack.end(), from, from + bytes);
    });
    for (uint32_t p = f.first_predicate; p < f.end_predicate; ++p) stack.push_back(w.p[p] >> l & 1);
    w.lanes<uint32_t>(w.program->local_top)[l] += f.local_bytes;
  }
}

void restore_frame(Warp& w, const FunctionFrame& f) {
  const std::size_t size = (f.middle - f.begin) / 32 + (f.end - f.middle) / 32 + (f.end_predicate - f.first_predicate);
  for (const uint32_t l : Lanes{w.m}) {
    auto& stack = w.saved[l];
    const uint8_t* from = stack.data() + stack.size() - size;
    for_frame(f, [&](uint32_t at, uint32_t bytes) {
      std::memcpy(w.r + at + l * bytes, from, bytes);
      from += bytes;
    });
    for (uint32_t p = f.first_predicate; p < f.end_predicate; ++p)
      w.p[p] = (w.p[p] & ~(1u << l)) | uint32_t{*from++} << l;
    stack.resize(stack.size() - size);
    w.lanes<uint32_t>(w.program->local_top)[l] -= f.local_bytes;
  }
}

// The lanes of w.m enter the function.
void enter(Warp& w, const Instruction& i, const FunctionFrame& f) {
  if (f.recursive) {
    if (w.saved[std::countr_zero(w.m)].size() > (std::size_t{1} << 24))
      fault(w, i, Outcome::illegal_address, "the recursion is too deep");
    save_frame(w, f);
  }
  for (std::size_t n = 0; n < std::min<std::size_t>(f.formals.size(), i.number); ++n)
    copy_words(w, f.formals[n], w.list(i, static_cast<uint32_t>(n)));
  const uint32_t back = w.at + 1;
  write_lanes<uint32_t>(w, f.return_block, [=](int) { return back; });
  if (w.m == w.active) {
    w.next = f.entry;
    return;
  }
  w.defer(f.entry, w.m);
  w.active &= ~w.m;
}

}  // namespace

void direct_call(Warp& w, const Instruction& i) { enter(w, i, w.program->functions[i.d]); }

void indirect_call(Warp& w, const Instruction& i) {
  const uint64_t* const target = w.lanes<uint64_t>(i.a);
  const uint32_t all = w.m;
  for (uint32_t rest = all; rest;) {
    const uint64_t t = target[std::countr_zero(rest)];
    w.m = like_first(rest, [=](int l) { return target[l]; });
    rest &= ~w.m;
    const uint64_t number = t & window_mask;
    uint32_t found = ~0u;
    for (uint32_t n = 0; n < w.program->functions.size(); ++n)
      if (w.program->functions[n].address == t && number) found = n;
    if (found == ~0u)
      fault(w, i, Outcome::illegal_instruction, "call of an address that does not belong to a function");
    enter(w, i, w.program->functions[found]);
  }
  w.m = all;
}

void function_return(Warp& w, const Instruction& i) {
  const FunctionFrame& f = w.program->functions[i.d];
  for (uint32_t n = 0; n < f.results.size(); ++n) copy_words(w, w.program->argument_area + n * 128, f.results[n]);
  uint32_t back[32];
  std::memcpy(back, w.lanes<uint32_t>(f.return_block), sizeof back);
  if (f.recursive) restore_frame(w, f);
  for (uint32_t rest = w.m; rest;) {
    const uint32_t to = back[std::countr_zero(rest)];
    const uint32_t lanes = like_first(rest, [&](int l) { return back[l]; });
    rest &= ~lanes;
    if (lanes == w.active) {
      w.next = to;
      return;
    }
    w.defer(to, lanes);
  }
  w.active &= ~w.m;
}

void take_results(Warp& w, const Instruction& i) {
  for (uint32_t n = 0; n < i.number; ++n) copy_words(w, w.list(i, n), w.program->argument_area + n * 128);
}

void recursive_local(Warp& w, const Instruction& i) {
  const FunctionFrame& f = w.program->functions[i.a];
  const uint32_t* const top = w.lanes<uint32_t>(w.program->local_top);
  const uint64_t base = w.program->recursive_local + static_cast<uint64_t>(i.immediate) - f.local_bytes;
  write_lanes<uint64_t>(w, i.d, [=](int l) { return base + top[l]; });
}

void broadcast(Warp& w, const Instruction& i) {
  if (i.flags & 1)
    std::fill_n(w.lanes<uint64_t>(i.d), 32, w.scalar<uint64_t>(i.a));
  else
    std::fill_n(w.lanes<uint32_t>(i.d), 32, w.scalar<uint32_t>(i.a));
}

void guarded(Warp& w, const Instruction& i) {
  const uint32_t m = w.active & (w.p[i.guard] ^ i.flip);
  if (m == 0) return;
  Executed& count = w.worker->guards[i.guard_counter];
  ++count.warps;
  count.lanes += static_cast<uint32_t>(std::popcount(m));
  w.m = m;
  i.inner(w, i);
  w.m = w.active;
}

}  // namespace roofline::ptx

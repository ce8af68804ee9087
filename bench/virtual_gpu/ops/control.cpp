// Branches, calls, exits and barriers of the thread block.
#include "bench/virtual_gpu/ops/control.hpp"

#include "bench/virtual_gpu/execute/thread_block.hpp"
#include "bench/virtual_gpu/ops/operation.hpp"

namespace roofline::ptx {
void plain_branch(Warp& w, const Instruction& i) {
  const auto target = static_cast<uint32_t>(i.immediate);
  if (w.m == w.active) {
    w.next = target;
    return;
  }
  ++w.worker->divergent_branches;
  w.defer(target, w.m);
  w.active &= ~w.m;
}

void unknown_instruction(Warp& w, const Instruction& i) {
  fault(w, i, Outcome::illegal_instruction, "unsupported instruction");
}

namespace {

// list: blocks of the targets; a: index.
void indexed_branch(Warp& w, const Instruction& i) {
  const uint32_t* const index = w.lanes<uint32_t>(i.a);
  uint32_t rest = w.m, groups = 0;
  while (rest) {
    const uint32_t n = index[std::countr_zero(rest)];
    const uint32_t lanes = like_first(rest, [=](int l) { return index[l]; });
    if (n >= i.number) fault(w, i, Outcome::illegal_instruction, "brx.idx with an index beyond its targets");
    rest &= ~lanes;
    ++groups;
    if (lanes == w.active) {
      w.next = w.list(i, n);
      return;
    }
    w.defer(w.list(i, n), lanes);
  }
  w.active &= ~w.m;
  if (groups > 1) ++w.worker->divergent_branches;
}

void leave(Warp& w, const Instruction&) {
  w.live &= ~w.m;
  w.active &= ~w.m;
  w.block->exited(w.m);
}
void trap(Warp& w, const Instruction& i) { fault(w, i, Outcome::trap, "trap"); }
void nothing(Warp&, const Instruction&) {}
void doze(Warp& w, const Instruction&) { w.spins += 32; }

// list: barrier, count (or ~0); flags 1: arrive only.
void barrier(Warp& w, const Instruction& i) {
  const auto lane = static_cast<uint32_t>(std::countr_zero(w.m));
  const uint32_t number = w.lanes<uint32_t>(w.list(i, 0))[lane];
  const uint32_t count = w.list(i, 1) == ~0u ? 0 : w.lanes<uint32_t>(w.list(i, 1))[lane];
  if (number >= barriers_of_block) fault(w, i, Outcome::illegal_instruction, "barrier number beyond 15");
  if (w.worker->options->checks.barrier && w.m != w.live && !(i.flags & 4)) {
    Finding f{FindingKind::divergent_barrier, place_of(w, i, lane)};
    f.detail = "lane " + std::to_string(std::countr_zero(w.live & ~w.m)) + " of the warp is elsewhere";
    w.worker->report(std::move(f));
  }
  if (i.flags & 1) {
    w.block->arrive(w, number, count, w.m);
    return;
  }
  const uint32_t lanes = w.m, rest = w.active & ~w.m;
  w.active = lanes;
  w.park(Fragment::at_barrier, number);
  w.active = rest;
  w.block->arrive(w, number, count, lanes);
}

// list: result, barrier, count (or ~0), predicate; flags 2: predicate negated; size: BarrierResult::Kind.
void barrier_reduction(Warp& w, const Instruction& i) {
  const auto lane = static_cast<uint32_t>(std::countr_zero(w.m));
  const uint32_t number = w.lanes<uint32_t>(w.list(i, 1))[lane] % barriers_of_block;
  const uint32_t count = w.list(i, 2) == ~0u ? 0 : w.lanes<uint32_t>(w.list(i, 2))[lane];
  const uint32_t votes = (w.p[w.list(i, 3)] ^ (i.flags & 2 ? ~0u : 0u)) & w.m;
  Barrier& b = w.block->barriers[number];
  b.votes += static_cast<uint32_t>(std::popcount(votes));
  b.voters += static_cast<uint32_t>(std::popcount(w.m));
  b.results.push_back({static_cast<BarrierResult::Kind>(i.size), &w, w.m, w.list(i, 0)});
  const uint32_t lanes = w.m, rest = w.active & ~w.m;
  w.active = lanes;
  w.park(Fragment::at_barrier, number);
  w.active = rest;
  w.block->arrive(w, number, count, lanes);
}

Found find_barrier(const Statement& s) {
  Operation o;
  o.form = Form::listed;
  o.kind = Class::barrier;
  o.alone = true;
  o.destinations = 0;
  if (s.has("cluster")) {
    o.form = Form::nothing;
    o.alone = false;
    o.execute[0] = nothing;
    return o;
  }
  if (s.has("red")) {
    o.execute[0] = barrier_reduction;
    o.destinations = 1;
    o.makes_predicate = s.type() == "pred";
    o.size = s.has("popc") ? BarrierResult::count : s.has("and") ? BarrierResult::all : BarrierResult::any;
    if (!s.operands.empty() && s.operands.back().negated) o.flags = 2;
    o.banks[3] = Bank::predicate;
    return o;
  }
  o.execute[0] = barrier;
  // barrier.sync without .aligned may be reached by parts of a warp at different times.
  o.flags = static_cast<uint8_t>((s.has("arrive") ? 1 : 0) | (s.op() == "barrier" && !s.has("aligned") ? 4 : 0));
  return o;
}

Operation simple(Form form, Execute execute, Class kind, bool ends = false) {
  Operation o;
  o.form = form;
  o.execute[0] = execute;
  o.kind = kind;
  o.ends_block = ends;
  return o;
}

}  // namespace

Found find_control(const Statement& s) {
  const auto op = s.op();
  if (op == "bra") return simple(Form::branch, plain_branch, Class::control, true);
  if (op == "brx") return simple(Form::indexed_branch, indexed_branch, Class::control, true);
  if (op == "ret" || op == "exit") return simple(Form::leave, leave, Class::control, true);
  if (op == "call") {
    Operation o = simple(Form::call, nullptr, Class::control, true);
    o.alone = true;
    return o;
  }
  if (op == "bar" || op == "barrier") return s.has("warp") ? find_warp(s) : find_barrier(s);
  if (op == "trap") return simple(Form::nothing, trap, Class::control);
  if (op == "nanosleep") return simple(Form::nothing, doze, Class::control);
  constexpr std::string_view ignored[] = {"membar",  "fence", "nop",     "prefetch",      "prefetchu", "griddepcontrol",
                                          "pmevent", "brkpt", "discard", "applypriority", "setmaxnreg"};
  for (const auto name : ignored)
    if (op == name)
      return simple(Form::nothing, nothing, op == "membar" || op == "fence" ? Class::barrier : Class::other);
  return {};
}

}  // namespace roofline::ptx

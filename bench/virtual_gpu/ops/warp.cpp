// Exchange between the lanes of a warp: shfl, vote, match, redux, elect, bar.warp.sync.
#include "bench/virtual_gpu/execute/thread_block.hpp"
#include "bench/virtual_gpu/ops/elementwise.hpp"

namespace roofline::ptx {
namespace {

// Groups with masks of their own may execute one instruction together, as cooperative groups' partitions do: all lanes
// that any of the masks names must be there.
uint32_t mask_of(const Warp& w, uint32_t slot) {
  const uint32_t* const masks = w.lanes<uint32_t>(slot);
  uint32_t named = 0;
  if (w.m == ~0u) {  // the usual case, in vector instructions
    for (int l = 0; l < 32; ++l) named |= masks[l];
    return named;
  }
  for (uint32_t m = w.m; m; m &= m - 1) named |= masks[std::countr_zero(m)];
  return named;
}

// Acts on the lanes of each mask by themselves: f(lanes that the mask names and that are here), with w.m the lanes that
// have this mask.
template <class F>
void for_groups(Warp& w, uint32_t slot, F f) {
  const uint32_t* const masks = w.lanes<uint32_t>(slot);
  const uint32_t here = w.m;
  for (uint32_t rest = here; rest;) {
    w.m = like_first(rest, [=](int l) { return masks[l]; });
    rest &= ~w.m;
    f(masks[std::countr_zero(w.m)] & here);
  }
  w.m = here;
}

enum Mode : uint8_t { up, down, bfly, idx };

// A value from a lane that does not take part is undefined.
[[gnu::noinline]] void check_sources(Warp& w, const Instruction& i, const uint32_t* from) {
  const uint32_t threads = w.block->threads - w.number * 32;
  const uint32_t existing = threads >= 32 ? ~0u : (1u << threads) - 1;
  for (uint32_t m = w.m; m; m &= m - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(m));
    const uint32_t source = from[lane] & 31;
    if (w.m >> source & 1 || !(existing >> source & 1)) continue;
    Finding f{FindingKind::invalid_warp_mask, place_of(w, i, lane)};
    f.detail = "reads lane " + std::to_string(source) + ", which does not take part";
    return w.worker->report(std::move(f));
  }
}

// list: d, p (or ~0), a, b, c, mask.
template <Mode mode>
void shfl(Warp& w, const Instruction& i) {
  if (i.number > 5 && !w.gather(mask_of(w, w.list(i, 5)), i)) return;
  alignas(64) uint32_t a[32], from[32];
  std::memcpy(a, w.lanes<uint32_t>(w.list(i, 2)), sizeof a);
  const uint32_t *const b = w.lanes<uint32_t>(w.list(i, 3)), *const c = w.lanes<uint32_t>(w.list(i, 4));
  uint32_t inside = 0;
  for (int lane = 0; lane < 32; ++lane) {
    const int clamp = static_cast<int>(c[lane] & 31), segment = static_cast<int>(c[lane] >> 8 & 31),
              n = static_cast<int>(b[lane] & 31);
    const int most = (lane & segment) | (clamp & ~segment), least = lane & segment;
    const int j = mode == up ? lane - n : mode == down ? lane + n : mode == bfly ? lane ^ n : least | (n & ~segment);
    const bool ok = mode == up ? j >= most : j <= most;
    from[lane] = static_cast<uint32_t>(ok ? j : lane);
    inside |= ok ? 1u << lane : 0u;
  }
  if (w.m != ~0u && w.worker->options->checks.barrier) check_sources(w, i, from);
  const uint32_t d = w.list(i, 0);
  if (d != ~0u) write_lanes<uint32_t>(w, d, [&](int l) { return a[from[l] & 31]; });
  if (const uint32_t p = w.list(i, 1); p != ~0u) w.p[p] = (w.p[p] & ~w.m) | (inside & w.m);
}

// list: d, a, mask. flags 1: a negated. size: all, any, uni, ballot.
enum Vote : uint8_t { all, any, uni, ballot };
void vote(Warp& w, const Instruction& i) {
  if (i.number > 2 && !w.gather(mask_of(w, w.list(i, 2)), i)) return;
  const uint32_t said = w.p[w.list(i, 1)] ^ (i.flags & 1 ? ~0u : 0u);
  const auto count = [&](uint32_t members) {
    const uint32_t votes = said & members;
    if (i.size == ballot) return write_lanes<uint32_t>(w, w.list(i, 0), [=](int) { return votes; });
    const bool truth = i.size == all ? votes == members : i.size == any ? votes != 0 : votes == 0 || votes == members;
    uint32_t& p = w.p[w.list(i, 0)];
    p = truth ? p | w.m : p & ~w.m;
  };
  if (i.number > 2)
    for_groups(w, w.list(i, 2), count);
  else
    count(w.m);
}

// list: d, p (or ~0), a, mask.
template <class T, bool every>
void match(Warp& w, const Instruction& i) {
  if (!w.gather(mask_of(w, w.list(i, 3)), i)) return;
  const T* const a = w.lanes<T>(w.list(i, 2));
  for_groups(w, w.list(i, 3), [&](uint32_t members) {
    uint32_t result[32] = {};
    bool same = true;
    for (const uint32_t l : Lanes{w.m}) {
      for (uint32_t n = members; n; n &= n - 1) result[l] |= a[std::countr_zero(n)] == a[l] ? n & -n : 0;
      same &= result[l] == members;
    }
    const uint32_t d = w.list(i, 0);
    if (d != ~0u) write_lanes<uint32_t>(w, d, [&](int l) { return every ? (same ? members : 0u) : result[l]; });
    if (const uint32_t p = w.list(i, 1); every && p != ~0u) w.p[p] = same ? w.p[p] | w.m : w.p[p] & ~w.m;
  });
}

// list: d, a, mask.
template <class T, auto f>
void redux(Warp& w, const Instruction& i) {
  if (!w.gather(mask_of(w, w.list(i, 2)), i)) return;
  const T* const a = w.lanes<T>(w.list(i, 1));
  T sums[32] = {};
  for_groups(w, w.list(i, 2), [&](uint32_t members) {
    if (members == 0) return;
    T sum = a[std::countr_zero(members)];
    for (uint32_t m = members & (members - 1); m; m &= m - 1) sum = f(sum, a[std::countr_zero(m)]);
    for (uint32_t m = w.m; m; m &= m - 1) sums[std::countr_zero(m)] = sum;
  });
  write_lanes<T>(w, w.list(i, 0), [&](int l) { return sums[l]; });
}

// list: d, p, mask.
void elect(Warp& w, const Instruction& i) {
  if (!w.gather(mask_of(w, w.list(i, 2)), i)) return;
  for_groups(w, w.list(i, 2), [&](uint32_t members) {
    if (members == 0) return;
    const auto leader = static_cast<uint32_t>(std::countr_zero(members));
    if (const uint32_t d = w.list(i, 0); d != ~0u) write_lanes<uint32_t>(w, d, [=](int) { return leader; });
    if (const uint32_t p = w.list(i, 1); p != ~0u) w.p[p] = (w.p[p] & ~w.m) | (w.m & 1u << leader);
  });
}

void warp_barrier(Warp& w, const Instruction& i) { w.gather(mask_of(w, w.list(i, 0)), i); }

Operation listed(Execute execute, bool second = false) {
  Operation o;
  o.form = Form::listed;
  o.execute[0] = execute;
  o.kind = Class::warp;
  o.alone = true;
  o.second = second;
  o.in_place = false;
  return o;
}

template <class T>
Found find_redux(const Statement& s) {
  if (s.has("add"))
    return listed(
        redux<T, [](T a, T b) { return static_cast<T>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b)); }>);
  if (s.has("min")) return listed(redux<T, [](T a, T b) { return (a < b) ? a : b; }>);
  if (s.has("max")) return listed(redux<T, [](T a, T b) { return (a > b) ? a : b; }>);
  if (s.has("and")) return listed(redux<T, [](T a, T b) { return static_cast<T>(a & b); }>);
  if (s.has("or")) return listed(redux<T, [](T a, T b) { return static_cast<T>(a | b); }>);
  if (s.has("xor")) return listed(redux<T, [](T a, T b) { return static_cast<T>(a ^ b); }>);
  return {};
}

}  // namespace

Found find_warp(const Statement& s) {
  const auto op = s.op();
  if (op == "shfl") {
    const Execute execute = s.has("up")     ? shfl<up>
                            : s.has("down") ? shfl<down>
                            : s.has("bfly") ? shfl<bfly>
                                            : shfl<idx>;
    return listed(execute, true);
  }
  if (op == "vote") {
    Operation o = listed(vote);
    o.size = s.has("all") ? all : s.has("any") ? any : s.has("uni") ? uni : ballot;
    o.flags = s.operands.size() > 1 && s.operands[1].negated ? 1 : 0;
    o.makes_predicate = o.size != ballot;
    o.banks[0] = Bank::predicate;
    return o;
  }
  if (op == "match") {
    const bool wide = s.type() == "b64";
    Operation o = listed(s.has("all") ? (wide ? match<uint64_t, true> : match<uint32_t, true>)
                                      : (wide ? match<uint64_t, false> : match<uint32_t, false>),
                         true);
    o.banks[0] = wide ? Bank::wide : Bank::narrow;
    return o;
  }
  if (op == "redux" && s.type() == "s32") return find_redux<int32_t>(s);
  if (op == "redux" && (s.type() == "u32" || s.type() == "b32")) return find_redux<uint32_t>(s);
  if (op == "elect") return listed(elect, true);
  if (op == "bar" || op == "barrier") {
    Operation o = listed(warp_barrier);
    o.destinations = 0;
    o.kind = Class::barrier;
    return o;
  }
  return {};
}

}  // namespace roofline::ptx

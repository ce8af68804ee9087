// The addresses of one memory instruction: found, checked, counted, and turned into host addresses.
#pragma once

#include "bench/virtual_gpu/execute/thread_block.hpp"
#include "bench/virtual_gpu/ops/operation.hpp"

namespace roofline::ptx {

/// The addresses that a warp's lanes touch at once. Inactive lanes repeat the address of the first active lane, so that
/// loops over all lanes are safe.
struct Touch {
  alignas(64) uint64_t at[32];  // in the space; after resolve() in the host's memory
  uint32_t bytes = 0;           // of a lane
  bool contiguous = false;      // all lanes active, each behind the one before it
  bool uniform = false;         // one address
  bool partial = false;         // as contiguous, but only of the lanes `active`; at[0] may belong to none of them
  bool sparse = false;          // contiguous, uniform or partial, and only at[0] and at[31] are set
  uint32_t active = ~0u;        // lanes, where partial
  // For the race check of stores: lanes whose value is in memory already, by host addresses.
  uint32_t (*unchanged)(const Warp&, const Instruction&, const Touch&) = nullptr;
};

constexpr uint8_t flag_spins = 2, flag_keeps_old = 4, flag_volatile = 8;

constexpr const char* name_of(Space space) {
  constexpr const char* names[] = {"global", "global", "shared", "local", "const", "param"};
  return names[static_cast<int>(space)];
}

inline void gather_addresses(const Warp& w, const Instruction& i, Touch& t) {
  t.bytes = uint32_t{i.size} * i.width;
  const auto offset = static_cast<uint64_t>(i.immediate);
  const auto first = static_cast<uint32_t>(std::countr_zero(w.m));
  if (i.base == Base::lanes64 || i.base == Base::lanes32) {
    if (i.base == Base::lanes64) {
      const uint64_t* const a = w.lanes<uint64_t>(i.a);
      for (int l = 0; l < 32; ++l) t.at[l] = a[l] + offset;
    } else {
      // Added in 32 bits, as the hardware does: compilers use that for tile[thread - 1 + k].
      const uint32_t* const a = w.lanes<uint32_t>(i.a);
      for (int l = 0; l < 32; ++l) t.at[l] = a[l] + static_cast<uint32_t>(offset);
    }
    if (w.m != ~0u) {
      const uint64_t a = t.at[first];
      const uint32_t mask = w.m;
      for (int l = 0; l < 32; ++l) t.at[l] = mask >> l & 1 ? t.at[l] : a;
    }
    uint64_t differs = 0, strides = 0;
    // Sizes are powers of two: shifts are vector instructions everywhere, 64-bit products are not.
    const uint64_t a = t.at[0];
    const int shift = std::countr_zero(t.bytes);
    for (int l = 0; l < 32; ++l) {
      differs |= t.at[l] ^ a;
      strides |= t.at[l] ^ (a + (static_cast<uint64_t>(l) << shift));
    }
    t.uniform = differs == 0;
    t.contiguous = strides == 0 && w.m == ~0u;
    return;
  }
  uint64_t a = offset;
  if (i.base == Base::scalar64) a += *w.lanes<uint64_t>(i.a);
  if (i.base == Base::scalar32) a = static_cast<uint32_t>(a) + *w.lanes<uint32_t>(i.a);
  for (int l = 0; l < 32; ++l) t.at[l] = a;
  t.uniform = true;
  t.contiguous = false;
}

/// Sets all addresses of a sparse touch.
inline void expand(Touch& t) {
  if (!t.sparse) return;
  const uint64_t a = t.at[0], step = t.contiguous || t.partial ? t.bytes : 0;
  for (uint64_t l = 0; l < 32; ++l) t.at[l] = a + l * step;
  if (t.partial) {
    const uint64_t active = t.at[std::countr_zero(t.active)];
    for (int l = 0; l < 32; ++l) t.at[l] = t.active >> l & 1 ? t.at[l] : active;
  }
  t.sparse = t.partial = false;
}

/// The base of lane 0, real or extrapolated, if the lanes in `mask` are `1 << shift` bytes apart. Otherwise `differs`
/// is not 0.
template <class T>
inline T first_of_run(const T* a, uint32_t mask, int shift, T& differs) {
  if (mask == ~0u) {
    for (T l = 0; l < 32; ++l) differs |= a[l] ^ (a[0] + (l << shift));
    return a[0];
  }
  const auto lane = static_cast<uint32_t>(std::countr_zero(mask)),
             last = 31u ^ static_cast<uint32_t>(std::countl_zero(mask));
  const T first = a[lane] - (T{lane} << shift);
  differs = a[last] ^ (first + (T{last} << shift));
  if (differs) return first;
  for (T l = 0; l < 32; ++l) differs |= mask >> l & 1 ? a[l] ^ (first + (l << shift)) : 0;
  return first;
}

/// As gather_addresses(), but the addresses of the common patterns stay implied.
inline void gather_sparsely(const Warp& w, const Instruction& i, Touch& t) {
  const uint64_t step = uint64_t{i.size} * i.width;
  const int shift = std::countr_zero(step);
  const auto offset = static_cast<uint64_t>(i.immediate);
  uint64_t first = 0, differs = 0;
  if (i.base == Base::lanes64) {
    first = first_of_run(w.lanes<uint64_t>(i.a), w.m, shift, differs);
  } else if (i.base == Base::lanes32) {
    uint32_t gap = 0;
    first = first_of_run(w.lanes<uint32_t>(i.a), w.m, shift, gap);
    // If a run begins below 0, the later lanes' addresses do not follow the first one's.
    differs = gap | (static_cast<uint32_t>(first + offset) + 31 * step) >> 32;
  } else {
    if (i.base == Base::scalar64) first = *w.lanes<uint64_t>(i.a);
    if (i.base == Base::scalar32) first = *w.lanes<uint32_t>(i.a);
    t.uniform = true;
  }
  if (differs) return gather_addresses(w, i, t);
  t.contiguous = !t.uniform && w.m == ~0u;
  t.partial = !t.uniform && w.m != ~0u;
  t.active = w.m;
  t.bytes = static_cast<uint32_t>(step);
  t.sparse = true;
  t.at[0] = first + offset;
  if (i.base == Base::lanes32 || i.base == Base::scalar32) t.at[0] = static_cast<uint32_t>(t.at[0]);
  t.at[31] = t.uniform ? t.at[0] : t.at[0] + 31 * step;
}

/// Bounds, alignment and counters of an access to `space`; throws Fault. Addresses become the host's.
template <Space space>
void resolve(Warp& w, const Instruction& i, Touch& t);
/// The same with what the launch's checks look for.
void resolve_checked(Warp& w, const Instruction& i, Touch& t, Space space, AccessKind kind);

/// Splits a generic access by the windows that its addresses are in: f(space) with w.m and addresses without window.
template <class F>
void for_spaces(Warp& w, const Instruction& i, Touch& t, F f) {
  expand(t);
  uint64_t any = 0;
  for (int l = 0; l < 32; ++l) any |= t.at[l] ^ t.at[0];
  const auto space_of = [](uint64_t address) {
    const uint64_t window = address & ~window_mask;
    return window == 0               ? Space::global
           : window == shared_window ? Space::shared
           : window == local_window  ? Space::local
                                     : Space::param;
  };
  if ((any & ~window_mask) == 0) {
    const Space space = space_of(t.at[0]);
    if (space != Space::global)
      for (int l = 0; l < 32; ++l) t.at[l] &= window_mask;
    f(space, t);
    return;
  }
  const uint32_t all = w.m;
  for (uint32_t rest = all; rest;) {
    const uint64_t window = t.at[std::countr_zero(rest)] & ~window_mask;
    Touch part = t;
    const uint32_t mask = like_first(rest, [&](int l) { return t.at[l] & ~window_mask; });
    const uint64_t a = t.at[std::countr_zero(mask)] & window_mask;
    for (int l = 0; l < 32; ++l) part.at[l] = mask >> l & 1 ? t.at[l] & window_mask : a;
    part.contiguous = part.uniform = false;
    w.m = mask;
    f(space_of(window), part);
    rest &= ~mask;
  }
  w.m = all;
  (void)i;
}

/// Resolves for any space, with checks or without.
template <bool checked>
inline void resolve_in(Warp& w, const Instruction& i, Touch& t, Space space, AccessKind kind) {
  if constexpr (checked) {
    expand(t);
    resolve_checked(w, i, t, space, kind);
  }
  switch (space) {
    case Space::shared:
      return resolve<Space::shared>(w, i, t);
    case Space::local:
      return resolve<Space::local>(w, i, t);
    case Space::param:
      return resolve<Space::param>(w, i, t);
    default:
      return resolve<Space::global>(w, i, t);
  }
}

/// Resolves, with the launch's checks, and calls f(space, touch) for each space that the lanes are in. Addresses of
/// shared memory come as offsets or with their window.
template <class F>
void access_in(Warp& w, const Instruction& i, Touch& t, Space space, AccessKind kind, F f) {
  const auto act = [&](Space found, Touch& part) {
    (w.worker->checked ? resolve_in<true> : resolve_in<false>)(w, i, part, found, kind);
    f(found, part);
  };
  if (space == Space::generic || t.at[0] >> window_shift)
    for_spaces(w, i, t, act);
  else
    act(space, t);
}

/// An operation whose functions are f.operator()<space, checked>(), of those of `spaces` that `space` is; the last one
/// is for all others.
template <Space... spaces, class F>
Operation of_space(Space space, F f) {
  Operation o;
  const auto set = [&]<Space s>() {
    o.execute[0] = f.template operator()<s, false>(), o.checked = f.template operator()<s, true>();
    return s == space;
  };
  (set.template operator()<spaces>() || ...);
  return o;
}

/// Reports out-of-bounds and misaligned accesses and ends the launch.
[[noreturn]] void refuse_access(Warp& w, const Instruction& i, const Touch& t, Space space, uint32_t lane,
                                bool misaligned);

}  // namespace roofline::ptx

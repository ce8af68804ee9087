// atom and red.
#include <atomic>

#include "bench/virtual_gpu/ops/elementwise.hpp"
#include "bench/virtual_gpu/ops/half.hpp"
#include "bench/virtual_gpu/ops/memory/access.hpp"
#include "bench/virtual_gpu/ops/real.hpp"

namespace roofline::ptx {
namespace {

// One access of one lane: a new value from the old one and the operands; T is an unsigned type of the access's size.
template <class T, auto f>
T exchange(uint64_t address, T b, T c, bool alone) {
  T* const at = reinterpret_cast<T*>(address);
  if (alone) {
    const T old = *at;
    *at = f(old, b, c);
    return old;
  }
  std::atomic_ref<T> cell(*at);
  T old = cell.load();
  while (!cell.compare_exchange_weak(old, f(old, b, c))) {
  }
  return old;
}

template <class T, auto f, Space space, bool checked>
void atomic(Warp& w, const Instruction& i) {
  using R = Lane<T>;
  Touch t;
  gather_addresses(w, i, t);
  if (i.flags & flag_spins) ++w.spins;
  const auto act = [&](Space found, Touch& part) {
    resolve_in<checked>(w, i, part, found, AccessKind::atomic);
    const bool alone = w.worker->solo || found != Space::global;
    const R *const b = w.lanes<R>(i.b), *const c = w.lanes<R>(i.c);
    for (const uint32_t l : Lanes{w.m}) {
      const T old = exchange<T, f>(part.at[l], static_cast<T>(b[l]), static_cast<T>(c[l]), alone);
      if (i.flags & flag_keeps_old) w.lanes<R>(i.d)[l] = old;
    }
  };
  if constexpr (space == Space::generic)
    for_spaces(w, i, t, act);
  else
    act(space, t);
}

template <class T, auto f>
Operation make(Space space) {
  return of_space<Space::shared, Space::global, Space::generic>(
      space, []<Space s, bool checked>() -> Execute { return atomic<T, f, s, checked>; });
}

template <class T>
Found find_bitwise(const Statement& s, Space space) {
  if (s.has("exch")) return make<T, [](T, T b, T) { return b; }>(space);
  if (s.has("cas")) return make<T, [](T a, T b, T c) { return a == b ? c : a; }>(space);
  if constexpr (sizeof(T) >= 4) {
    if (s.has("and")) return make<T, [](T a, T b, T) { return a & b; }>(space);
    if (s.has("or")) return make<T, [](T a, T b, T) { return a | b; }>(space);
    if (s.has("xor")) return make<T, [](T a, T b, T) { return a ^ b; }>(space);
    if (s.has("add")) return make<T, [](T a, T b, T) { return a + b; }>(space);
    if (s.has("min")) return make<T, [](T a, T b, T) { return a < b ? a : b; }>(space);
    if (s.has("max")) return make<T, [](T a, T b, T) { return (a > b) ? a : b; }>(space);
    if (s.has("inc")) return make<T, [](T a, T b, T) { return (a >= b) ? T{0} : a + 1; }>(space);
    if (s.has("dec")) return make<T, [](T a, T b, T) { return (a == 0 || a > b) ? b : a - 1; }>(space);
  }
  return {};
}
template <class T>
Found find_signed(const Statement& s, Space space) {
  using S = std::make_signed_t<T>;
  if (s.has("min")) return make<T, [](T a, T b, T) { return static_cast<S>(a) < static_cast<S>(b) ? a : b; }>(space);
  if (s.has("max")) return make<T, [](T a, T b, T) { return (static_cast<S>(a) > static_cast<S>(b)) ? a : b; }>(space);
  return find_bitwise<T>(s, space);
}

template <class F>
constexpr auto add_real =
    [](Bits<F> a, Bits<F> b, Bits<F>) { return std::bit_cast<Bits<F>>(std::bit_cast<F>(a) + std::bit_cast<F>(b)); };
inline uint32_t add_half(uint32_t a, uint32_t b) { return float_to_half(half_to_float(a) + half_to_float(b)); }
inline uint32_t add_bfloat(uint32_t a, uint32_t b) { return float_to_bfloat(bfloat_to_float(a) + bfloat_to_float(b)); }

Found find_real(const Statement& s, Space space) {
  using U = uint32_t;
  using H = uint16_t;
  if (!s.has("add")) return {};
  const auto type = s.type();
  if (type == "f32") return make<U, add_real<float>>(space);
  if (type == "f64") return make<uint64_t, add_real<double>>(space);
  if (type == "f16") return make<H, [](H a, H b, H) { return static_cast<H>(add_half(a, b)); }>(space);
  if (type == "bf16") return make<H, [](H a, H b, H) { return static_cast<H>(add_bfloat(a, b)); }>(space);
  if (type == "f16x2")
    return make<U, [](U a, U b, U) { return add_half(a & 0xffff, b & 0xffff) | add_half(a >> 16, b >> 16) << 16; }>(
        space);
  if (type == "bf16x2")
    return make<U, [](U a, U b, U) { return add_bfloat(a & 0xffff, b & 0xffff) | add_bfloat(a >> 16, b >> 16) << 16; }>(
        space);
  return {};
}

}  // namespace

Found find_atomic(const Statement& s) {
  const bool result = s.op() == "atom";
  const Space space = s.has("global")                           ? Space::global
                      : s.has("shared") || s.has("shared::cta") ? Space::shared
                                                                : Space::generic;
  const auto type = s.type();
  if (s.has("v2") || s.has("v4") || s.has("v8") || s.has("async") || s.has("shared::cluster")) return {};
  Found o;
  if (type == "u32" || type == "b32")
    o = find_bitwise<uint32_t>(s, space);
  else if (type == "u64" || type == "b64")
    o = find_bitwise<uint64_t>(s, space);
  else if (type == "b16")
    o = find_bitwise<uint16_t>(s, space);
  else if (type == "s32")
    o = find_signed<uint32_t>(s, space);
  else if (type == "s64")
    o = find_signed<uint64_t>(s, space);
  else
    o = find_real(s, space);
  if (!o) return {};
  const int bytes = bytes_of_type(type);
  const Bank bank = bytes == 8 ? Bank::wide : Bank::narrow;
  o->form = Form::atomic;
  o->kind = Class::atomic;
  o->in_place = false;
  o->size = static_cast<uint8_t>(bytes);
  o->banks = {Bank::wide, bank, bank, bank};
  o->flags = static_cast<uint8_t>((result ? flag_keeps_old : 0) | (s.has("cas") || s.has("exch") ? flag_spins : 0));
  o->space = space;
  o->access = AccessKind::atomic;
  return o;
}

}  // namespace roofline::ptx

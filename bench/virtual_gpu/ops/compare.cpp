// Comparisons: setp, set; choices: selp, slct; predicates.
#include "bench/virtual_gpu/ops/elementwise.hpp"
#include "bench/virtual_gpu/ops/half.hpp"
#include "bench/virtual_gpu/ops/real.hpp"

namespace roofline::ptx {
namespace {

/// For 16-bit floating point, the register's type differs from the compared type.
struct Fp16 {
  using Stored = uint16_t;
  static float get(uint16_t x) { return half_to_float(x); }
};
struct Bf16 {
  using Stored = uint16_t;
  static float get(uint16_t x) { return bfloat_to_float(x); }
};
struct Flushed {
  using Stored = float;
  static float get(float x) { return flush(x); }
};
template <class T>
struct As {
  using Stored = T;
  static T get(T x) { return x; }
};

// flags of setp: 1 and, 2 or, 3 xor with predicate c; 4: c negated.
void store_predicates(Warp& w, const Instruction& i, uint32_t truth) {
  uint32_t falsehood = ~truth;
  if (const int combine = i.flags & 3) {
    const uint32_t c = w.p[i.c] ^ (i.flags & 4 ? ~0u : 0u);
    const auto apply = [&](uint32_t t) { return combine == 1 ? t & c : combine == 2 ? t | c : t ^ c; };
    truth = apply(truth);
    falsehood = apply(falsehood);
  }
  w.p[i.d] = (w.p[i.d] & ~w.m) | (truth & w.m);
  if (i.list != ~0u) w.p[i.list] = (w.p[i.list] & ~w.m) | (falsehood & w.m);
}

template <class X, auto test, bool sb>
void setp(Warp& w, const Instruction& i) {
  using T = typename X::Stored;
  const Source<T, false> a(w, i.a);
  const Source<T, sb> b(w, i.b);
  uint32_t truth = 0;
#pragma GCC ivdep
  for (int l = 0; l < 32; ++l) truth |= test(X::get(a(l)), X::get(b(l))) ? 1u << l : 0u;
  store_predicates(w, i, truth);
}
// Pairs: the first predicate is of the low half, the second of the high one.
template <class X, auto test>
void setp_pair(Warp& w, const Instruction& i) {
  const uint32_t *const a = w.lanes<uint32_t>(i.a), *const b = w.lanes<uint32_t>(i.b);
  uint32_t low = 0, high = 0;
  for (int l = 0; l < 32; ++l) {
    low |= test(X::get(static_cast<uint16_t>(a[l])), X::get(static_cast<uint16_t>(b[l]))) ? 1u << l : 0u;
    high |= test(X::get(static_cast<uint16_t>(a[l] >> 16)), X::get(static_cast<uint16_t>(b[l] >> 16))) ? 1u << l : 0u;
  }
  const uint32_t second = i.list;
  Instruction one = i;
  one.list = ~0u;
  store_predicates(w, one, low);
  if (second == ~0u) return;
  one.d = second;
  store_predicates(w, one, high);
}
// flags as for setp, and 8: the result is 1.0, not all ones.
template <class X, auto test>
void set(Warp& w, const Instruction& i) {
  using T = typename X::Stored;
  const Source<T, false> a(w, i.a), b(w, i.b);
  const uint32_t yes = static_cast<uint32_t>(i.immediate);
  write_lanes<uint32_t>(w, i.d, [=](int l) { return test(X::get(a(l)), X::get(b(l))) ? yes : 0u; });
}
template <class X, auto test>
void set_pair(Warp& w, const Instruction& i) {
  const Source<uint32_t, false> a(w, i.a), b(w, i.b);
  const uint32_t yes = static_cast<uint32_t>(i.immediate);
  const auto half = [](uint32_t x) { return X::get(static_cast<uint16_t>(x)); };
  write_lanes<uint32_t>(w, i.d, [=](int l) {
    return (test(half(a(l)), half(b(l))) ? yes : 0u) | (test(half(a(l) >> 16), half(b(l) >> 16)) ? yes << 16 : 0u);
  });
}

struct Choice {
  Execute setp = nullptr, setp_scalar = nullptr, set = nullptr;
};
template <class X, bool pair, auto test>
Choice choice() {
  if constexpr (pair)
    return {setp_pair<X, test>, nullptr, set_pair<X, test>};
  else
    return {setp<X, test, false>, setp<X, test, true>, set<X, test>};
}
// Without "u" a NaN makes all of them false, with it true.
template <class X, bool pair = false, bool real = true>
Choice choose(std::string_view test) {
  if (test == "eq") return choice<X, pair, [](auto a, auto b) { return a == b; }>();
  if (test == (real ? "neu" : "ne")) return choice<X, pair, [](auto a, auto b) { return !(a == b); }>();
  if (test == "lt" || test == "lo") return choice<X, pair, [](auto a, auto b) { return a < b; }>();
  if (test == "le" || test == "ls") return choice<X, pair, [](auto a, auto b) { return a <= b; }>();
  if (test == "gt" || test == "hi") return choice<X, pair, [](auto a, auto b) { return (a > b); }>();
  if (test == "ge" || test == "hs") return choice<X, pair, [](auto a, auto b) { return (a >= b); }>();
  if constexpr (real) {
    if (test == "ne") return choice<X, pair, [](auto a, auto b) { return (a < b) || (a > b); }>();
    if (test == "equ") return choice<X, pair, [](auto a, auto b) { return !(a < b) && !(a > b); }>();
    if (test == "ltu") return choice<X, pair, [](auto a, auto b) { return !(a >= b); }>();
    if (test == "leu") return choice<X, pair, [](auto a, auto b) { return !(a > b); }>();
    if (test == "gtu") return choice<X, pair, [](auto a, auto b) { return !(a <= b); }>();
    if (test == "geu") return choice<X, pair, [](auto a, auto b) { return !(a < b); }>();
    if (test == "num") return choice<X, pair, [](auto a, auto b) { return a == a && b == b; }>();
    if (test == "nan") return choice<X, pair, [](auto a, auto b) { return a != a || b != b; }>();
  }
  return {};
}
Choice choose_type(std::string_view test, std::string_view type, bool flushes) {
  if (type == "s32") return choose<As<int32_t>, false, false>(test);
  if (type == "u32" || type == "b32") return choose<As<uint32_t>, false, false>(test);
  if (type == "s64") return choose<As<int64_t>, false, false>(test);
  if (type == "u64" || type == "b64") return choose<As<uint64_t>, false, false>(test);
  if (type == "s16") return choose<As<int16_t>, false, false>(test);
  if (type == "u16" || type == "b16") return choose<As<uint16_t>, false, false>(test);
  if (type == "f64") return choose<As<double>>(test);
  if (type == "f32") return flushes ? choose<Flushed>(test) : choose<As<float>>(test);
  if (type == "f16") return choose<Fp16>(test);
  if (type == "bf16") return choose<Bf16>(test);
  if (type == "f16x2") return choose<Fp16, true>(test);
  if (type == "bf16x2") return choose<Bf16, true>(test);
  return {};
}

Found find_set(const Statement& s, bool predicate) {
  Operation o;
  const Choice found = choose_type(s.parts[1], s.type(), s.has("ftz"));
  o.kind = Class::compare;
  const Bank bank = bytes_of_type(s.type()) == 8 ? Bank::wide : Bank::narrow;
  o.banks = {bank, bank, Bank::predicate, bank};
  o.flags = s.has("and") ? 1 : s.has("or") ? 2 : s.has("xor") ? 3 : 0;
  if (predicate) {
    o.execute[0] = found.setp;
    o.execute[2] = found.setp_scalar;
    o.makes_predicate = true;
    if (o.flags && s.operands.size() == 4 && s.operands[3].negated) o.flags |= 4;
  } else {
    if (o.flags) return {};
    const auto result = s.parts[s.parts.size() - 2];
    o.execute[0] = found.set;
    o.immediate = result == "f32"                          ? 0x3f800000
                  : result == "f16" || result == "f16x2"   ? 0x3c00
                  : result == "bf16" || result == "bf16x2" ? 0x3f80
                  : result == "u16" || result == "s16"     ? 0xffff
                                                           : 0xffffffff;
  }
  if (!o.execute[0]) return {};
  return o;
}

template <class T, bool sa, bool sb>
void selp(Warp& w, const Instruction& i) {
  const Source<T, sa> a(w, i.a);
  const Source<T, sb> b(w, i.b);
  const uint32_t p = w.p[i.c] ^ (i.flags & 4 ? ~0u : 0u);
  write_lanes<T>(w, i.d, [=](int l) { return p >> l & 1 ? a(l) : b(l); });
}
template <class T>
Operation make_selp(const Statement& s) {
  Operation o;
  o.execute = {selp<T, false, false>, selp<T, true, false>, selp<T, false, true>, selp<T, true, true>};
  o.banks = {bank_for<T>, bank_for<T>, Bank::predicate, Bank::narrow};
  o.kind = Class::compare;
  if (s.operands.size() == 4 && s.operands[3].negated) o.flags = 4;
  return o;
}

template <class T, class C>
constexpr auto select_sign = [](T a, T b, C c) { return c >= C{0} ? a : b; };

template <int operation>
void combine(Warp& w, const Instruction& i) {
  const uint32_t a = w.p[i.a] ^ (i.flags & 1 ? ~0u : 0u), b = w.p[i.b];
  const uint32_t x = operation == 0 ? a & b : operation == 1 ? a | b : operation == 2 ? a ^ b : operation == 3 ? ~a : a;
  w.p[i.d] = (w.p[i.d] & ~w.m) | (x & w.m);
}

Found find_predicate(const Statement& s) {
  Operation o;
  o.kind = Class::compare;
  o.banks = {Bank::predicate, Bank::predicate, Bank::predicate, Bank::predicate};
  o.makes_predicate = true;
  const auto op = s.op();
  o.execute[0] = op == "and"   ? combine<0>
                 : op == "or"  ? combine<1>
                 : op == "xor" ? combine<2>
                 : op == "not" ? combine<3>
                 : op == "mov" ? combine<4>
                               : nullptr;
  if (!o.execute[0]) return {};
  if (op == "mov" && s.operands.size() == 2 && s.operands[1].negated) o.flags = 1;
  return o;
}

template <class T, auto has>
void testp(Warp& w, const Instruction& i) {
  const T* const a = w.lanes<T>(i.a);
  uint32_t truth = 0;
  for (int l = 0; l < 32; ++l) truth |= has(a[l]) ? 1u << l : 0u;
  w.p[i.d] = (w.p[i.d] & ~w.m) | (truth & w.m);
}
template <class T>
Found find_testp(std::string_view property) {
  using Limits = std::numeric_limits<T>;
  Operation o;
  o.execute[0] = property == "finite"       ? testp<T, [](T x) { return magnitude(x) < Limits::infinity(); }>
                 : property == "infinite"   ? testp<T, [](T x) { return magnitude(x) == Limits::infinity(); }>
                 : property == "number"     ? testp<T, [](T x) { return x == x; }>
                 : property == "notanumber" ? testp<T, [](T x) { return x != x; }>
                 : property == "normal"
                     ? testp<T, [](T x) { return magnitude(x) < Limits::infinity() && magnitude(x) >= Limits::min(); }>
                     : testp<T, [](T x) { return x != 0 && magnitude(x) < Limits::min(); }>;
  o.kind = Class::compare;
  o.makes_predicate = true;
  return o;
}

}  // namespace

Found find_compare(const Statement& s) {
  const auto op = s.op();
  const auto type = s.type();
  const int bytes = bytes_of_type(type);
  if (type == "pred") return find_predicate(s);
  if (op == "setp" || op == "set") return find_set(s, op == "setp");
  if (op == "selp")
    return bytes == 8 ? make_selp<uint64_t>(s) : bytes == 4 || bytes == 2 ? make_selp<uint32_t>(s) : Found{};
  if (op == "testp") return type == "f64" ? find_testp<double>(s.parts[1]) : find_testp<float>(s.parts[1]);
  if (op == "slct") {
    const auto value = s.parts[s.parts.size() - 2];
    const bool real = type == "f32";
    if (s.has("ftz") || (!real && type != "s32")) return {};
    using W = uint64_t;
    using U = uint32_t;
    if (bytes_of_type(value) == 8)
      return real ? lanewise<select_sign<W, float>>(Class::compare) : lanewise<select_sign<W, int32_t>>(Class::compare);
    return real ? lanewise<select_sign<U, float>>(Class::compare) : lanewise<select_sign<U, int32_t>>(Class::compare);
  }
  return {};
}

}  // namespace roofline::ptx

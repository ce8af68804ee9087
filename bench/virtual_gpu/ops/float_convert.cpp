// Conversions to and from fp16, bf16, tf32 and 8-bit floating point, and of all real numbers what is rare.
#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/virtual_gpu/ops/elementwise.hpp"
#include "bench/virtual_gpu/ops/half.hpp"
#include "bench/virtual_gpu/ops/real.hpp"

namespace roofline::ptx {
namespace {

enum Flag : uint8_t {
  relu = 1,
  satfinite = 2,
  sat = 4,
  ftz = 8,
  toward_zero = 16,
  down = 32,
  up = 64,
  to_integral = 128
};

// To a format of 10 or 7 explicit mantissa bits in 16 bits: chops bits or steps up, as the rounding mode says.
template <bool brain>
uint64_t to_sixteen(double x, uint8_t flags) {
  const float odd = narrow_to_odd(x);
  uint32_t r = brain ? float_to_bfloat(odd) : float_to_half(odd);
  const auto back = [&] { return static_cast<double>(brain ? bfloat_to_float(r & 0xffffu) : half_to_float(r)); };
  const bool toward = flags & toward_zero, lower = (flags & down) || (toward && x > 0),
             higher = (flags & up) || (toward && x < 0);
  const auto step = [&](bool grow) { r = grow ? r + 1 : r - 1; };
  if (x == x && lower && back() > x) step(back() < 0);
  if (x == x && higher && back() < x) step(back() > 0);
  if ((flags & satfinite) && (r & 0x7fffu) == (brain ? 0x7f80u : 0x7c00u)) r -= 1;
  if ((flags & relu) && (r & 0x8000u) && x == x) r = 0;
  if (flags & sat) {
    const uint32_t one = brain ? 0x3f80u : 0x3c00u;
    r = x != x || x <= 0 ? 0 : (r & 0x7fffu) > one ? one : r;
  }
  return r & 0xffffu;
}

// 64-bit integers rounded to odd, which no narrower format can tell from the exact value.
template <class T>
double integer_value(uint64_t bits) {
  const auto x = static_cast<T>(bits);
  const auto d = static_cast<double>(x);
  if constexpr (sizeof(T) < 8) return d;
  const long double gap = static_cast<long double>(x) - static_cast<long double>(d);
  return to_odd(d, static_cast<double>(gap));
}
template <class D>
uint64_t clamp_integer(double x, uint8_t) {
  using Limits = std::numeric_limits<D>;
  if (x != x) return sizeof(D) == 8 ? uint64_t{1} << 63 : 0;
  const double limit = static_cast<double>(Limits::max() / 2 + 1) * 2;
  const D d = x >= limit ? Limits::max() : x <= static_cast<double>(Limits::min()) ? Limits::min() : static_cast<D>(x);
  if constexpr (sizeof(D) == 8) return static_cast<uint64_t>(d);
  return std::is_signed_v<D> ? static_cast<uint32_t>(static_cast<int32_t>(d)) : static_cast<uint64_t>(d);
}
template <auto convert>
uint64_t to_eight(double x, uint8_t flags) {
  return flags & relu && x < 0 ? 0 : convert(narrow_to_odd(x));
}

/// The value of a format's bits as a double, and the bits of a value.
struct Format {
  std::string_view name;
  int size;  // bits
  double (*value)(uint64_t bits);
  uint64_t (*bits)(double x, uint8_t flags);
  bool integer = false;
};
template <class T>
constexpr Format integer(std::string_view name) {
  return {name, 8 * sizeof(T), integer_value<T>, clamp_integer<T>, true};
}
constexpr Format formats[] = {
    integer<uint8_t>("u8"),
    integer<int8_t>("s8"),
    integer<uint16_t>("u16"),
    integer<int16_t>("s16"),
    integer<uint32_t>("u32"),
    integer<int32_t>("s32"),
    integer<uint64_t>("u64"),
    integer<int64_t>("s64"),
    {"f16", 16, [](uint64_t b) -> double { return half_to_float(b & 0xffffu); }, to_sixteen<false>},
    {"bf16", 16, [](uint64_t b) -> double { return bfloat_to_float(b & 0xffffu); }, to_sixteen<true>},
    {"f32", 32, [](uint64_t b) -> double { return std::bit_cast<float>(static_cast<uint32_t>(b)); },
     [](double x, uint8_t flags) -> uint64_t {
       const auto y = static_cast<float>(x);
       return std::bit_cast<uint32_t>(flags & sat ? saturate(y) : flags & ftz ? flush(y) : y);
     }},
    {"f64", 64, [](uint64_t b) { return std::bit_cast<double>(b); },
     [](double x, uint8_t flags) { return std::bit_cast<uint64_t>(flags & sat ? saturate(x) : x); }},
    {"e4m3", 8, [](uint64_t b) -> double { return e4m3_to_float(static_cast<uint8_t>(b)); }, to_eight<float_to_e4m3>},
    {"e5m2", 8, [](uint64_t b) -> double { return e5m2_to_float(static_cast<uint8_t>(b)); }, to_eight<float_to_e5m2>},
};
const Format* format_of(std::string_view type) {
  return std::find_if(std::begin(formats), std::end(formats), [&](const Format& f) { return f.name == type; });
}

double rounded_to_integral(double x, uint8_t flags) {
  if (flags & toward_zero) return std::trunc(x);
  return flags & down ? std::floor(x) : flags & up ? std::ceil(x) : std::nearbyint(x);
}

// d, a: one value. number: from | to << 8.
void convert_one(Warp& w, const Instruction& i) {
  const Format &from = formats[i.number & 255], &to = formats[i.number >> 8];
  for (const uint32_t l : Lanes{w.m}) {
    const uint64_t bits = from.size == 64 ? w.lanes<uint64_t>(i.a)[l] : w.lanes<uint32_t>(i.a)[l];
    double x = from.value(bits);
    if ((i.flags & ftz) && from.name == "f32") x = flush(static_cast<float>(x));
    if (i.flags & to_integral) x = rounded_to_integral(x, i.flags);
    const uint64_t result = to.bits(x, i.flags);
    if (to.size == 64)
      w.lanes<uint64_t>(i.d)[l] = result;
    else
      w.lanes<uint32_t>(i.d)[l] = static_cast<uint32_t>(result);
  }
}

// Pairs: d <- (a high, b low) from two registers, or from one register with two values.
void convert_pair(Warp& w, const Instruction& i) {
  const Format &from = formats[i.number & 255], &to = formats[i.number >> 8];
  const bool two = i.width == 2;
  for (const uint32_t l : Lanes{w.m}) {
    const uint32_t a = w.lanes<uint32_t>(i.a)[l];
    const uint32_t high = two ? a : a >> from.size, low = two ? w.lanes<uint32_t>(i.b)[l] : a & ((1u << from.size) - 1);
    const uint64_t x = to.bits(from.value(high), i.flags), y = to.bits(from.value(low), i.flags);
    w.lanes<uint32_t>(i.d)[l] = static_cast<uint32_t>(x << to.size | y);
  }
}

template <bool away>
constexpr auto to_tf32 = [](float x) {
  const auto bits = std::bit_cast<uint32_t>(x);
  if ((bits & 0x7fffffffu) >= 0x7f800000u) return bits;
  return (bits + (away ? 0x1000u : 0x0fffu + (bits >> 13 & 1u))) & ~0x1fffu;
};

constexpr auto half_single = [](uint16_t h) { return half_to_float(h); };
constexpr auto bfloat_single = [](uint16_t h) { return bfloat_to_float(h); };
constexpr auto single_half = [](float x) { return static_cast<uint16_t>(float_to_half(x)); };
constexpr auto single_bfloat = [](float x) { return static_cast<uint16_t>(float_to_bfloat(x)); };
constexpr auto singles_half = [](float a, float b) { return float_to_half(a) << 16 | float_to_half(b); };
constexpr auto singles_bfloat = [](float a, float b) { return float_to_bfloat(a) << 16 | float_to_bfloat(b); };

Found find_fast(std::string_view to, std::string_view from) {
  constexpr auto k = Class::convert;
  if (to == "f32" && from == "f16") return lanewise<half_single>(k);
  if (to == "f32" && from == "bf16") return lanewise<bfloat_single>(k);
  if (from != "f32") return {};
  if (to == "f16") return lanewise<single_half>(k);
  if (to == "bf16") return lanewise<single_bfloat>(k);
  if (to == "f16x2") return lanewise<singles_half>(k);
  if (to == "bf16x2") return lanewise<singles_bfloat>(k);
  return {};
}

uint8_t flags_of(const Statement& s, bool integral) {
  const bool zero = s.has("rz") || s.has("rzi") || (integral && !s.has("rni") && !s.has("rmi") && !s.has("rpi"));
  return static_cast<uint8_t>((s.has("relu") ? relu : 0) | (s.has("satfinite") ? satfinite : 0) |
                              (s.has("sat") ? sat : 0) | (s.has("ftz") ? ftz : 0) | (zero ? toward_zero : 0) |
                              (s.has("rm") || s.has("rmi") ? down : 0) | (s.has("rp") || s.has("rpi") ? up : 0) |
                              (integral ? to_integral : 0));
}

}  // namespace

Found find_float_convert(const Statement& s) {
  if (s.parts.size() < 3) return {};
  std::string_view to = s.parts[s.parts.size() - 2], from = s.type();
  if (to == "tf32" && from == "f32" && !s.has("relu"))
    return s.has("rna") ? lanewise<to_tf32<true>>(Class::convert) : lanewise<to_tf32<false>>(Class::convert);
  const bool special =
      s.has("relu") || s.has("satfinite") || s.has("sat") || s.has("rz") || s.has("rm") || s.has("rp") || s.has("ftz");
  if (!special)
    if (const Found found = find_fast(to, from)) return found;
  const bool pair = to.size() > 3 && to.substr(to.size() - 2) == "x2";
  if (pair) to.remove_suffix(2);
  if (from.size() > 3 && from.substr(from.size() - 2) == "x2") from.remove_suffix(2);
  const Format *const f = format_of(from), *const t = format_of(to);
  if (f == std::end(formats) || t == std::end(formats)) return {};
  Operation o;
  o.kind = Class::convert;
  o.in_place = false;
  o.number = static_cast<uint16_t>((f - formats) | (t - formats) << 8);
  o.execute[0] = pair ? convert_pair : convert_one;
  o.width = s.operands.size() == 3 ? 2 : 1;
  o.flags = flags_of(s, (t->integer && !f->integer) || s.has("rni") || s.has("rzi") || s.has("rmi") || s.has("rpi"));
  o.banks[0] = f->size == 64 ? Bank::wide : Bank::narrow;
  return o;
}

}  // namespace roofline::ptx

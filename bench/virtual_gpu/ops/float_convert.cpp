// Conversions to and from fp16, bf16, tf32 and 8-bit floating point.
#include <cmath>
#include <limits>

#include "bench/virtual_gpu/ops/elementwise.hpp"
#include "bench/virtual_gpu/ops/half.hpp"
#include "bench/virtual_gpu/ops/real.hpp"

namespace roofline::ptx {
namespace {

enum class Format : uint8_t { none, u8, s8, u16, s16, u32, s32, u64, s64, f16, bf16, f32, f64, e4m3, e5m2, tf32 };

Format format_of(std::string_view type) {
  constexpr std::string_view names[] = {"",    "u8",  "s8",   "u16", "s16", "u32",  "s32",  "u64",
                                        "s64", "f16", "bf16", "f32", "f64", "e4m3", "e5m2", "tf32"};
  for (int n = 1; n < 16; ++n)
    if (type == names[n]) return static_cast<Format>(n);
  return Format::none;
}
bool is_integer(Format f) { return f >= Format::u8 && f <= Format::s64; }
bool is_wide(Format f) { return f == Format::u64 || f == Format::s64 || f == Format::f64; }

// The value as a double; 64-bit integers rounded to odd, which no narrower format can tell from the exact value.
double value_of(Format from, uint64_t bits) {
  const auto integer = [](auto x) {
    const auto d = static_cast<double>(x);
    const long double gap = static_cast<long double>(x) - static_cast<long double>(d);
    return to_odd(d, static_cast<double>(gap));
  };
  switch (from) {
    case Format::u8:
      return static_cast<uint8_t>(bits);
    case Format::s8:
      return static_cast<int8_t>(bits);
    case Format::u16:
      return static_cast<uint16_t>(bits);
    case Format::s16:
      return static_cast<int16_t>(bits);
    case Format::u32:
      return static_cast<uint32_t>(bits);
    case Format::s32:
      return static_cast<int32_t>(bits);
    case Format::u64:
      return integer(bits);
    case Format::s64:
      return integer(static_cast<int64_t>(bits));
    case Format::f16:
      return half_to_float(static_cast<uint16_t>(bits));
    case Format::bf16:
      return bfloat_to_float(static_cast<uint16_t>(bits));
    case Format::e4m3:
      return e4m3_to_float(static_cast<uint8_t>(bits));
    case Format::e5m2:
      return e5m2_to_float(static_cast<uint8_t>(bits));
    case Format::f64:
      return std::bit_cast<double>(bits);
    default:
      return std::bit_cast<float>(static_cast<uint32_t>(bits));
  }
}

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
uint32_t to_sixteen(double x, bool brain, uint8_t flags) {
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

template <class D>
uint64_t clamp_integer(double x) {
  using Limits = std::numeric_limits<D>;
  if (x != x) return sizeof(D) == 8 ? uint64_t{1} << 63 : 0;
  const double limit = static_cast<double>(Limits::max() / 2 + 1) * 2;
  const D d = x >= limit ? Limits::max() : x <= static_cast<double>(Limits::min()) ? Limits::min() : static_cast<D>(x);
  if constexpr (sizeof(D) == 8) return static_cast<uint64_t>(d);
  return std::is_signed_v<D> ? static_cast<uint32_t>(static_cast<int32_t>(d)) : static_cast<uint64_t>(d);
}

uint64_t to_format(Format to, double x, uint8_t flags) {
  switch (to) {
    case Format::u8:
      return clamp_integer<uint8_t>(x);
    case Format::s8:
      return clamp_integer<int8_t>(x);
    case Format::u16:
      return clamp_integer<uint16_t>(x);
    case Format::s16:
      return clamp_integer<int16_t>(x);
    case Format::u32:
      return clamp_integer<uint32_t>(x);
    case Format::s32:
      return clamp_integer<int32_t>(x);
    case Format::u64:
      return clamp_integer<uint64_t>(x);
    case Format::s64:
      return clamp_integer<int64_t>(x);
    case Format::f16:
    case Format::bf16:
      return to_sixteen(x, to == Format::bf16, flags);
    case Format::e4m3:
      return flags & relu && x < 0 ? 0 : float_to_e4m3(narrow_to_odd(x));
    case Format::e5m2:
      return flags & relu && x < 0 ? 0 : float_to_e5m2(narrow_to_odd(x));
    case Format::f64:
      return std::bit_cast<uint64_t>(x);
    default:
      return std::bit_cast<uint32_t>(static_cast<float>(x));
  }
}

double rounded_to_integral(double x, uint8_t flags) {
  if (flags & toward_zero) return std::trunc(x);
  return flags & down ? std::floor(x) : flags & up ? std::ceil(x) : std::nearbyint(x);
}

// d, a: one value. number: from | to << 8.
void convert_one(Warp& w, const Instruction& i) {
  const auto from = static_cast<Format>(i.number & 255), to = static_cast<Format>(i.number >> 8);
  for (uint32_t m = w.m; m; m &= m - 1) {
    const int l = std::countr_zero(m);
    const uint64_t bits = is_wide(from) ? w.lanes<uint64_t>(i.a)[l] : w.lanes<uint32_t>(i.a)[l];
    double x = value_of(from, bits);
    if ((i.flags & ftz) && from == Format::f32) x = flush(static_cast<float>(x));
    if (i.flags & to_integral) x = rounded_to_integral(x, i.flags);
    const uint64_t result = to_format(to, x, i.flags);
    if (is_wide(to))
      w.lanes<uint64_t>(i.d)[l] = result;
    else
      w.lanes<uint32_t>(i.d)[l] = static_cast<uint32_t>(result);
  }
}

// Pairs: d <- (a high, b low) from two registers, or from one register with two values. size: bits of a result half.
void convert_pair(Warp& w, const Instruction& i) {
  const auto from = static_cast<Format>(i.number & 255), to = static_cast<Format>(i.number >> 8);
  const bool two = i.width == 2;
  const int in = from == Format::e4m3 || from == Format::e5m2 ? 8 : 16;
  for (uint32_t m = w.m; m; m &= m - 1) {
    const int l = std::countr_zero(m);
    const uint32_t a = w.lanes<uint32_t>(i.a)[l];
    const uint32_t high = two ? a : a >> in, low = two ? w.lanes<uint32_t>(i.b)[l] : a & ((1u << in) - 1);
    const uint64_t x = to_format(to, value_of(from, high), i.flags), y = to_format(to, value_of(from, low), i.flags);
    w.lanes<uint32_t>(i.d)[l] = static_cast<uint32_t>(x << i.size | y);
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
  if (to == "f32" && from == "f16") return make_unary<float, uint16_t, half_single>(k);
  if (to == "f32" && from == "bf16") return make_unary<float, uint16_t, bfloat_single>(k);
  if (from != "f32") return {};
  if (to == "f16") return make_unary<uint16_t, float, single_half>(k);
  if (to == "bf16") return make_unary<uint16_t, float, single_bfloat>(k);
  if (to == "f16x2") return make_binary<uint32_t, float, float, singles_half>(k);
  if (to == "bf16x2") return make_binary<uint32_t, float, float, singles_bfloat>(k);
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
    return s.has("rna") ? make_unary<uint32_t, float, to_tf32<true>>(Class::convert)
                        : make_unary<uint32_t, float, to_tf32<false>>(Class::convert);
  const bool special =
      s.has("relu") || s.has("satfinite") || s.has("sat") || s.has("rz") || s.has("rm") || s.has("rp") || s.has("ftz");
  if (!special)
    if (const Found found = find_fast(to, from)) return found;
  const bool pair = to.size() > 3 && to.substr(to.size() - 2) == "x2";
  if (pair) to.remove_suffix(2);
  if (from.size() > 3 && from.substr(from.size() - 2) == "x2") from.remove_suffix(2);
  const Format f = format_of(from), t = format_of(to);
  if (f == Format::none || t == Format::none || f == Format::tf32 || t == Format::tf32) return {};
  Operation o;
  o.kind = Class::convert;
  o.in_place = false;
  o.number = static_cast<uint16_t>(static_cast<int>(f) | static_cast<int>(t) << 8);
  o.execute[0] = pair ? convert_pair : convert_one;
  o.width = s.operands.size() == 3 ? 2 : 1;
  o.size = t == Format::e4m3 || t == Format::e5m2 ? 8 : 16;
  o.flags =
      flags_of(s, (is_integer(t) && !is_integer(f)) || s.has("rni") || s.has("rzi") || s.has("rmi") || s.has("rpi"));
  o.banks[0] = is_wide(f) ? Bank::wide : Bank::narrow;
  return o;
}

}  // namespace roofline::ptx

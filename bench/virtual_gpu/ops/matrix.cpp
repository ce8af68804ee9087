// mma.sync with the fragment layouts of the PTX documentation ("Matrix Fragments for mma.m16n8k16" and so on).
//
// All shapes but the old m8n8k4 of fp16 follow one rule. With g = lane / 4, t = lane % 4, and E elements in a register:
//   A, register i: row g + 8 (i mod 2) (m = 16) or g (m = 8), columns E t + e + 4 E (i / 2 or i)
//   B, register i: rows E t + e + 4 E i, column g
//   C and D, element i: row g + 8 (i / 2), column 2 t + i mod 2; fp16 has two of them in a register.
#include "bench/virtual_gpu/ops/matrix.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "bench/virtual_gpu/ops/operation.hpp"

namespace roofline::ptx {

Element element_of(std::string_view type) {
  constexpr std::pair<std::string_view, Element> names[] = {
      {"f16", Element::f16}, {"bf16", Element::bf16}, {"tf32", Element::tf32}, {"f32", Element::f32},
      {"f64", Element::f64}, {"e4m3", Element::e4m3}, {"e5m2", Element::e5m2}, {"s8", Element::s8},
      {"u8", Element::u8},   {"s32", Element::s32}};
  for (const auto& [name, element] : names)
    if (name == type) return element;
  return Element::none;
}

bool parse_shape(std::string_view text, uint32_t& m, uint32_t& n, uint32_t& k) {
  const char* at = text.data();
  const char* const end = at + text.size();
  for (const auto& [letter, value] : {std::pair{'m', &m}, std::pair{'n', &n}, std::pair{'k', &k}}) {
    if (at >= end || *at != letter) return false;
    const auto [next, error] = std::from_chars(at + 1, end, *value);
    if (error != std::errc{}) return false;
    at = next;
  }
  return at == end;
}

namespace {

template <uint32_t m>
void multiply_columns(double* d, const double* a, const double* b, uint32_t n, uint32_t k) {
  for (uint32_t column = 0; column < n; column += 2) {  // two at a time hide the latency of the sums
    alignas(64) double x[m], y[m];
    double* const to = d + column * m;
    for (uint32_t row = 0; row < m; ++row) {
      x[row] = to[row];
      y[row] = to[m + row];
    }
    const double *const p = b + column * k, *const q = p + k;
    for (uint32_t inner = 0; inner < k; ++inner) {
      const double u = p[inner], v = q[inner];
      const double* const from = a + inner * m;
      for (uint32_t row = 0; row < m; ++row) x[row] = __builtin_fma(from[row], u, x[row]);
      for (uint32_t row = 0; row < m; ++row) y[row] = __builtin_fma(from[row], v, y[row]);
    }
    for (uint32_t row = 0; row < m; ++row) {
      to[row] = x[row];
      to[m + row] = y[row];
    }
  }
}

/// The 256 values of an 8-bit format.
template <Element e>
const std::array<double, 256>& values_of_bytes() {
  static const auto table = [] {
    std::array<double, 256> t;
    for (uint32_t n = 0; n < 256; ++n) t[n] = element_value(e, n);
    return t;
  }();
  return table;
}

template <Element e>
void decode_words(const uint32_t* words, uint32_t shift, double* values) {
  if constexpr (e == Element::e4m3 || e == Element::e5m2) {
    const auto& table = values_of_bytes<e>();
    for (int l = 0; l < 32; ++l) values[l] = table[words[l] >> shift & 255];
  } else {
    for (int l = 0; l < 32; ++l) values[l] = element_value(e, words[l] >> shift);
  }
}

template <int... e>
void decode(Element element, const uint32_t* words, uint32_t shift, double* values, std::integer_sequence<int, e...>) {
  constexpr void (*each[])(const uint32_t*, uint32_t, double*) = {decode_words<Element{e}>...};
  each[static_cast<int>(element)](words, shift, values);
}

}  // namespace

void decode_lanes(Element e, const uint32_t* words, uint32_t shift, double* values) {
  decode(e, words, shift, values, std::make_integer_sequence<int, static_cast<int>(Element::s32) + 1>{});
}

void decode_row(Element e, const uint8_t* bytes, uint32_t count, double* values) {
  const uint32_t size = bits_of(e) / 8;
  const auto* const words = reinterpret_cast<const uint16_t*>(bytes);
  if (e == Element::f16) {
    for (uint32_t n = 0; n < count; ++n) values[n] = half_to_float(words[n]);
  } else if (e == Element::bf16) {
    for (uint32_t n = 0; n < count; ++n) values[n] = bfloat_to_float(words[n]);
  } else if (e == Element::e4m3 || e == Element::e5m2) {
    const auto& table = e == Element::e4m3 ? values_of_bytes<Element::e4m3>() : values_of_bytes<Element::e5m2>();
    for (uint32_t n = 0; n < count; ++n) values[n] = table[bytes[n]];
  } else {
    for (uint32_t n = 0; n < count; ++n) {
      uint32_t bits = 0;
      std::memcpy(&bits, bytes + n * size, size);
      values[n] = element_value(e, bits);
    }
  }
}

void multiply_add(double* d, const double* a, const double* b, uint32_t m, uint32_t n, uint32_t k) {
  if (m == 16)
    multiply_columns<16>(d, a, b, n, k);
  else
    multiply_columns<8>(d, a, b, n, k);
}

namespace {

constexpr uint32_t most_m = 16, most_n = 8, most_k = 32;

struct Fragments {
  uint32_t a = 0, b = 0, c = 0, d = 0;  // registers of a lane
};
Fragments fragments_of(const Product& p) {
  const auto registers = [](uint32_t elements, Element e) { return elements * std::min(bits_of(e), 32u) / 32 / 32; };
  return {registers(p.m * p.k, p.a), registers(p.k * p.n(), p.b), registers(p.m * p.n(), p.c),
          registers(p.m * p.n(), p.d)};
}

// The 32 lanes' values of one element of a register.
template <bool is_double>
void values_at(const Warp& w, uint32_t slot, Element e, uint32_t which, double* values) {
  if constexpr (is_double)
    std::memcpy(values, w.lanes<double>(slot), 32 * sizeof(double));
  else
    decode_lanes(e, w.lanes<uint32_t>(slot), which * bits_of(e), values);
}

// list: d, a, b, c. Matrices as multiply_add() wants them.
template <bool is_double>
void mma(Warp& w, const Instruction& i) {
  const auto p = std::bit_cast<Product>(i.immediate);
  const Fragments f = fragments_of(p);
  alignas(64) double a[most_m * most_k], b[most_k * most_n], d[most_m * most_n], x[32];
  const uint32_t m = p.m, k = p.k, in_a = is_double ? 1 : 32 / bits_of(p.a), in_b = is_double ? 1 : 32 / bits_of(p.b);
  const uint32_t tall = m / 8;  // registers of A that differ by 8 rows
  for (uint32_t r = 0; r < f.a; ++r)
    for (uint32_t e = 0; e < in_a; ++e) {
      values_at<is_double>(w, w.list(i, f.d + r), p.a, e, x);
      double* const to = a + (e + 4 * in_a * (r / tall)) * m + 8 * (r % tall);
      for (uint32_t lane = 0; lane < 32; ++lane) to[in_a * (lane % 4) * m + lane / 4] = x[lane];
    }
  for (uint32_t r = 0; r < f.b; ++r)
    for (uint32_t e = 0; e < in_b; ++e) {
      values_at<is_double>(w, w.list(i, f.d + f.a + r), p.b, e, x);
      double* const to = b + e + 4 * in_b * r;
      for (uint32_t lane = 0; lane < 32; ++lane) to[lane / 4 * k + in_b * (lane % 4)] = x[lane];
    }
  const uint32_t pairs = p.c == Element::f16 ? 2 : 1;
  for (uint32_t n = 0; n < m * 8 / 32; ++n) {
    values_at<is_double>(w, w.list(i, f.d + f.a + f.b + n / pairs), p.c, pairs == 2 ? n % 2 : 0, x);
    for (uint32_t lane = 0; lane < 32; ++lane) d[(2 * (lane % 4) + n % 2) * m + lane / 4 + 8 * (n / 2)] = x[lane];
  }
  multiply_add(d, a, b, m, 8, k);
  const bool saturates = p.flags & 1;
  for (const uint32_t lane : Lanes{w.m}) {
    const auto value = [&](uint32_t x) { return d[(2 * (lane % 4) + x % 2) * m + lane / 4 + 8 * (x / 2)]; };
    for (uint32_t r = 0; r < f.d; ++r) {
      if constexpr (is_double) {
        w.lanes<double>(w.list(i, r))[lane] = value(r);
      } else if (p.d == Element::f16) {
        w.lanes<uint32_t>(w.list(i, r))[lane] = element_bits(p.d, value(2 * r)) | element_bits(p.d, value(2 * r + 1))
                                                                                      << 16;
      } else {
        const double x = saturates ? std::clamp(value(r), -2147483648.0, 2147483647.0) : value(r);
        w.lanes<uint32_t>(w.list(i, r))[lane] = element_bits(p.d, x);
      }
    }
  }
}

}  // namespace

Found find_matrix(const Statement& s) {
  // mma.sync.aligned.shape.row.col{.satfinite}.d.a.b.c
  if (!s.has("sync") || s.has("sp") || !s.has("row") || !s.has("col") || s.parts.size() < 10 || s.operands.size() != 4)
    return {};
  uint32_t m = 0, n = 0, k = 0;
  if (!parse_shape(s.parts[3], m, n, k) || n != 8 || m > 16 || k > 32 || (m != 8 && m != 16)) return {};
  const std::size_t last = s.parts.size() - 1;
  Product p{static_cast<uint8_t>(m),       1,
            static_cast<uint8_t>(k),       element_of(s.parts[last - 2]),
            element_of(s.parts[last - 1]), element_of(s.parts[last]),
            element_of(s.parts[last - 3]), 0};
  if (p.a == Element::none || p.b == Element::none || p.c == Element::none || p.d == Element::none) return {};
  if (m == 8 && p.a == Element::f16) return {};  // of Volta: other fragments
  if (p.a == Element::f32) p.a = p.b = Element::tf32;
  if (s.has("satfinite")) p.flags = 1;
  const bool is_double = p.a == Element::f64;
  const Fragments f = fragments_of(p);
  const std::size_t expected[] = {f.d, f.a, f.b, f.c};
  for (std::size_t o = 0; o < 4; ++o)
    if ((s.operands[o].kind == OperandKind::vector ? s.operands[o].list.size() : 1) != expected[o]) return {};
  Operation o;
  o.form = Form::listed;
  o.kind = Class::matrix;
  o.execute[0] = is_double ? mma<true> : mma<false>;
  o.immediate = std::bit_cast<int64_t>(p);
  if (is_double) o.banks = {Bank::wide, Bank::wide, Bank::wide, Bank::wide};
  o.flop = is_integer(p.a) ? FlopKind::tensor_integer : FlopKind::tensor;
  o.weight = 2 * m * n * k;
  return o;
}

}  // namespace roofline::ptx

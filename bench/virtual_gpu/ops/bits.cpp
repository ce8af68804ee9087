// Logic, shifts, bit fields and permutations.
#include <algorithm>

#include "bench/virtual_gpu/ops/elementwise.hpp"

namespace roofline::ptx {
namespace {

template <class T>
constexpr uint32_t bits_of = 8 * sizeof(T);

template <class T>
constexpr auto bit_and = [](T a, T b) { return static_cast<T>(a & b); };
template <class T>
constexpr auto bit_or = [](T a, T b) { return static_cast<T>(a | b); };
template <class T>
constexpr auto bit_xor = [](T a, T b) { return static_cast<T>(a ^ b); };
template <class T>
constexpr auto bit_not = [](T a) { return static_cast<T>(~a); };
template <class T>
constexpr auto logical_not = [](T a) { return static_cast<T>(a == 0); };
// Shift counts beyond the width count as the width.
template <class T>
constexpr auto shift_left =
    [](T a, uint32_t b) { return b >= bits_of<T> ? T{0} : static_cast<T>(a << (b & (bits_of<T> - 1))); };
template <class T>
constexpr auto shift_right = [](T a, uint32_t b) {
  const uint32_t last = bits_of<T> - 1;
  if constexpr (std::is_signed_v<T>)
    return static_cast<T>(a >> (b > last ? last : b));
  else
    return b > last ? T{0} : static_cast<T>(a >> (b & last));
};
template <class T>
constexpr auto count_ones = [](T a) { return static_cast<uint32_t>(std::popcount(a)); };
template <class T>
constexpr auto leading_zeros = [](T a) { return static_cast<uint32_t>(std::countl_zero(a)); };
template <class T>
constexpr auto reverse = [](T a) {
  T r = 0;
  for (uint32_t n = 0; n < bits_of<T>; ++n) r |= (a >> n & 1) << (bits_of<T> - 1 - n);
  return r;
};
// The most significant bit that differs from the sign, or its distance from the top.
template <class T, bool amount>
constexpr auto find_bit = [](T a) {
  using U = std::make_unsigned_t<T>;
  const auto u = static_cast<U>(std::is_signed_v<T> && a < 0 ? ~a : a);
  if (u == 0) return ~0u;
  const auto top = static_cast<uint32_t>(std::countl_zero(u));
  return amount ? top : bits_of<T> - 1 - top;
};
template <class T>
constexpr auto extract = [](T a, uint32_t position, uint32_t length) {
  const uint32_t pos = position & 255, len = length & 255, last = bits_of<T> - 1;
  const bool sign = std::is_signed_v<T> && len != 0 && (a >> std::min(pos + len - 1, last) & 1);
  using U = std::make_unsigned_t<T>;
  const U shifted = pos > last ? U{0} : static_cast<U>(static_cast<U>(a) >> pos);
  const uint32_t kept = std::min(len, pos > last ? 0u : bits_of<T> - pos);
  const U mask = kept >= bits_of<T> ? ~U{0} : (U{1} << kept) - 1;
  return static_cast<T>((shifted & mask) | (sign ? ~mask : U{0}));
};
template <class T>
T insert(T a, T b, uint32_t position, uint32_t length) {
  const uint32_t pos = position & 255, len = length & 255;
  if (pos >= bits_of<T>) return b;
  const T field = len >= bits_of<T> ? ~T{0} : static_cast<T>((T{1} << len) - 1);
  const T mask = static_cast<T>(field << pos);
  return static_cast<T>((b & ~mask) | ((a << pos) & mask));
}
template <bool wrap, bool left>
constexpr auto funnel = [](uint32_t low, uint32_t high, uint32_t count) {
  const uint32_t n = wrap ? count & 31 : count > 32 ? 32 : count;
  const uint64_t both = uint64_t{high} << 32 | low;
  return left ? static_cast<uint32_t>((both << n) >> 32) : static_cast<uint32_t>(both >> n);
};
constexpr auto bit_mask_clamp = [](uint32_t a, uint32_t b) {
  const uint32_t pos = a & 255, len = b & 255;
  if (pos > 31) return 0u;
  return static_cast<uint32_t>((len > 31 ? ~uint64_t{0} : (uint64_t{1} << len) - 1) << pos);
};
constexpr auto bit_mask_wrap = [](uint32_t a, uint32_t b) {
  return static_cast<uint32_t>(((uint64_t{1} << (b & 31)) - 1) << (a & 31));
};
// The n-th set bit, counted from `base` upwards (n > 0) or downwards.
constexpr auto nth_set = [](uint32_t mask, uint32_t base, int32_t n) {
  if (n == 0) return mask >> (base & 31) & 1 ? base : ~0u;
  const int step = n > 0 ? 1 : -1;
  int found = 0;
  for (int at = static_cast<int>(base & 31); at >= 0 && at < 32; at += step)
    if (mask >> at & 1 && ++found == n * step) return static_cast<uint32_t>(at);
  return ~0u;
};

template <class T>
void bit_insert(Warp& w, const Instruction& i) {
  const T *const a = w.lanes<T>(w.list(i, 1)), *const b = w.lanes<T>(w.list(i, 2));
  const uint32_t *const pos = w.lanes<uint32_t>(w.list(i, 3)), *const len = w.lanes<uint32_t>(w.list(i, 4));
  write_lanes<T>(w, w.list(i, 0), [=](int l) { return insert<T>(a[l], b[l], pos[l], len[l]); });
}

void lop3(Warp& w, const Instruction& i) {
  const uint32_t *const a = w.lanes<uint32_t>(w.list(i, 1)), *const b = w.lanes<uint32_t>(w.list(i, 2)),
                        *const c = w.lanes<uint32_t>(w.list(i, 3));
  // The table is the value of the function at a = 0xf0, b = 0xcc, c = 0xaa.
  const uint32_t table = w.lanes<uint32_t>(w.list(i, 4))[0];
  uint32_t minterm[8];
  for (int n = 0; n < 8; ++n) minterm[n] = table >> n & 1 ? ~0u : 0u;
  write_lanes<uint32_t>(w, w.list(i, 0), [=](int l) {
    const uint32_t x = a[l], y = b[l], z = c[l];
    const uint32_t low = (~y & ((~z & minterm[0]) | (z & minterm[1]))) | (y & ((~z & minterm[2]) | (z & minterm[3])));
    const uint32_t high = (~y & ((~z & minterm[4]) | (z & minterm[5]))) | (y & ((~z & minterm[6]) | (z & minterm[7])));
    return (~x & low) | (x & high);
  });
}

uint32_t permute(uint32_t a, uint32_t b, uint32_t selector) {
  const uint64_t bytes = uint64_t{b} << 32 | a;
  uint32_t result = 0;
  for (uint32_t n = 0; n < 4; ++n) {
    const uint32_t s = selector >> 4 * n & 15;
    const auto byte = static_cast<uint8_t>(bytes >> 8 * (s & 7));
    result |= static_cast<uint32_t>(s & 8 ? (byte & 128 ? 255 : 0) : byte) << 8 * n;
  }
  return result;
}
// Modes of prmt as selectors of the general form, by the two low bits of c.
constexpr auto prmt_general = [](uint32_t a, uint32_t b, uint32_t c) { return permute(a, b, c); };
template <uint32_t s0, uint32_t s1, uint32_t s2, uint32_t s3>
constexpr auto prmt_mode = [](uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t selectors[4] = {s0, s1, s2, s3};
  return permute(a, b, selectors[c & 3]);
};

template <class T>
Found find_logic(const Statement& s) {
  constexpr auto k = Class::integer;
  if (s.op() == "and") return lanewise<bit_and<T>>(k);
  if (s.op() == "or") return lanewise<bit_or<T>>(k);
  if (s.op() == "xor") return lanewise<bit_xor<T>>(k);
  if (s.op() == "not") return lanewise<bit_not<T>>(k);
  if (s.op() == "cnot") return lanewise<logical_not<T>>(k);
  if (s.op() == "shl") return lanewise<shift_left<T>>(k);
  if constexpr (sizeof(T) >= 4) {
    if (s.op() == "popc") return lanewise<count_ones<T>>(k);
    if (s.op() == "clz") return lanewise<leading_zeros<T>>(k);
    if (s.op() == "brev") return costly<reverse<T>>(k);
    if (s.op() == "bfi") {
      Operation o;
      o.form = Form::listed;
      o.execute[0] = bit_insert<T>;
      o.kind = k;
      o.banks = {bank_for<T>, bank_for<T>, Bank::narrow, Bank::narrow};
      return o;
    }
  }
  return {};
}

Found find_permute(const Statement& s) {
  constexpr auto k = Class::integer;
  if (s.has("f4e")) return costly<prmt_mode<0x3210, 0x4321, 0x5432, 0x6543>>(k);
  if (s.has("b4e")) return costly<prmt_mode<0x5670, 0x6701, 0x7012, 0x0123>>(k);
  if (s.has("rc8")) return costly<prmt_mode<0x0000, 0x1111, 0x2222, 0x3333>>(k);
  if (s.has("ecl")) return costly<prmt_mode<0x3210, 0x3211, 0x3222, 0x3333>>(k);
  if (s.has("ecr")) return costly<prmt_mode<0x0000, 0x1110, 0x2210, 0x3210>>(k);
  if (s.has("rc16")) return costly<prmt_mode<0x1010, 0x3232, 0x1010, 0x3232>>(k);
  return costly<prmt_general>(k);
}

}  // namespace

Found find_bits(const Statement& s) {
  constexpr auto k = Class::integer;
  const auto op = s.op();
  if (op == "shr")
    return for_integer(s.type(), [&](auto t) -> Found {
      using T = decltype(t);
      return lanewise<shift_right<T>>(k);
    });
  if (op == "bfind" || op == "bfe")
    return for_integer(s.type(), [&](auto t) -> Found {
      using T = decltype(t);
      if constexpr (sizeof(T) == 2)
        return {};
      else if (op == "bfe")
        return costly<extract<T>>(k);
      else if (s.has("shiftamt"))
        return lanewise<find_bit<T, true>>(k);
      else
        return lanewise<find_bit<T, false>>(k);
    });
  if (op == "shf" && s.has("l"))
    return s.has("wrap") ? lanewise<funnel<true, true>>(k) : lanewise<funnel<false, true>>(k);
  if (op == "shf") return s.has("wrap") ? lanewise<funnel<true, false>>(k) : lanewise<funnel<false, false>>(k);
  if (op == "bmsk") return s.has("wrap") ? lanewise<bit_mask_wrap>(k) : lanewise<bit_mask_clamp>(k);
  if (op == "fns") return costly<nth_set>(k);
  if (op == "prmt") return find_permute(s);
  if (op == "lop3" && s.type() == "b32") {
    Operation o;
    o.form = Form::listed;
    o.execute[0] = lop3;
    o.kind = k;
    return o;
  }
  if (s.type() == "b32" || s.type() == "u32" || s.type() == "s32") return find_logic<uint32_t>(s);
  if (s.type() == "b64" || s.type() == "u64" || s.type() == "s64") return find_logic<uint64_t>(s);
  if (s.type() == "b16" || s.type() == "u16" || s.type() == "s16") return find_logic<uint16_t>(s);
  return {};
}

}  // namespace roofline::ptx

// Sums with a carry from one instruction to the next: add.cc, addc, sub.cc, subc, mad.cc, madc.
#include "bench/virtual_gpu/ops/elementwise.hpp"

namespace roofline::ptx {
namespace {

// Operands: d, a, b and for mad c. flags: 1 takes the carry, 2 makes it, 4 subtracts, 8 multiplies, 16 high half.
template <class T>
void sum_with_carry(Warp& w, const Instruction& i) {
  using Wide = unsigned __int128;
  constexpr int bits = 8 * sizeof(T);
  const bool product = i.flags & 8, high = i.flags & 16;
  uint32_t& carry = w.p[carry_predicate];
  for (uint32_t m = w.m; m; m &= m - 1) {
    const int l = std::countr_zero(m);
    using U = std::make_unsigned_t<T>;
    Wide x = static_cast<U>(w.lanes<T>(w.list(i, 1))[l]);
    Wide y = static_cast<U>(w.lanes<T>(w.list(i, 2))[l]);
    if (product) {
      const auto full = static_cast<__int128>(w.lanes<T>(w.list(i, 1))[l]) * w.lanes<T>(w.list(i, 2))[l];
      x = static_cast<U>(high ? static_cast<Wide>(full) >> bits : static_cast<Wide>(full));
      y = static_cast<U>(w.lanes<T>(w.list(i, 3))[l]);
    }
    const Wide in = i.flags & 1 ? carry >> l & 1 : 0;
    // Subtraction borrows when the carry is set (CC.CF holds the borrow).
    const Wide result = i.flags & 4 ? x - y - in : x + y + in;
    if (i.flags & 2) carry = (carry & ~(1u << l)) | static_cast<uint32_t>(result >> bits & 1) << l;
    w.lanes<U>(w.list(i, 0))[l] = static_cast<U>(result);
  }
}

}  // namespace

Found find_carry(const Statement& s) {
  const auto op = s.op();
  const bool in = op == "addc" || op == "subc" || op == "madc";
  if (!in && !s.has("cc")) return {};
  Operation o;
  o.form = Form::listed;
  o.kind = Class::integer;
  o.flags = static_cast<uint8_t>((in ? 1 : 0) | (s.has("cc") ? 2 : 0) | (op.substr(0, 3) == "sub" ? 4 : 0) |
                                 (op.substr(0, 3) == "mad" ? 8 : 0) | (s.has("hi") ? 16 : 0));
  const auto type = s.type();
  const Bank bank = bytes_of_type(type) == 8 ? Bank::wide : Bank::narrow;
  o.banks = {bank, bank, bank, bank};
  o.execute[0] = type == "u32"   ? sum_with_carry<uint32_t>
                 : type == "s32" ? sum_with_carry<int32_t>
                 : type == "u64" ? sum_with_carry<uint64_t>
                 : type == "s64" ? sum_with_carry<int64_t>
                                 : nullptr;
  if (!o.execute[0]) return {};
  return o;
}

}  // namespace roofline::ptx

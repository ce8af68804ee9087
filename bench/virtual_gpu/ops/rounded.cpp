// Arithmetic in the other rounding modes: the host's mode is set for one warp instruction. Slow and rare.
#include <cfenv>

#include "bench/virtual_gpu/ops/elementwise.hpp"
#include "bench/virtual_gpu/ops/real.hpp"

namespace roofline::ptx {
namespace {

class RoundingMode {
 public:
  explicit RoundingMode(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
  ~RoundingMode() { std::fesetround(before_); }
  RoundingMode(const RoundingMode&) = delete;

 private:
  int before_;
};

enum class Kind : uint16_t { add, sub, mul, fma, div, rcp, sqrt };
constexpr int modes[] = {FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
constexpr uint8_t mode_bits = 3, flushes = 4, saturates = 8;

// Not inlined, so that nothing moves across the change of the mode.
template <class T>
[[gnu::noinline]] T compute(Kind kind, T a, T b, T c) {
  const volatile T x = a, y = b, z = c;  // read at run time: nothing is folded
  switch (kind) {
    case Kind::add:
      return x + y;
    case Kind::sub:
      return x - y;
    case Kind::mul:
      return x * y;
    case Kind::fma:
      return std::fma(T{x}, T{y}, T{z});
    case Kind::div:
      return x / y;
    case Kind::rcp:
      return T{1} / x;
    case Kind::sqrt:
      return std::sqrt(T{x});
  }
  return 0;
}

template <class T>
void rounded(Warp& w, const Instruction& i) {
  const RoundingMode mode(modes[i.flags & mode_bits]);
  const auto source = [&](uint32_t n, int l) {
    const T x = n < i.number ? w.lanes<T>(w.list(i, n))[l] : T{0};
    return i.flags & flushes ? flush(x) : x;
  };
  for (uint32_t m = w.m; m; m &= m - 1) {
    const int l = std::countr_zero(m);
    T x = compute<T>(static_cast<Kind>(i.width), source(1, l), source(2, l), source(3, l));
    if (i.flags & flushes) x = flush(x);
    if (i.flags & saturates) x = saturate(x);
    w.lanes<T>(w.list(i, 0))[l] = x;
  }
}

}  // namespace

Found find_rounded(const Statement& s) {
  constexpr std::pair<std::string_view, Kind> kinds[] = {{"add", Kind::add}, {"sub", Kind::sub},  {"mul", Kind::mul},
                                                         {"fma", Kind::fma}, {"mad", Kind::fma},  {"div", Kind::div},
                                                         {"rcp", Kind::rcp}, {"sqrt", Kind::sqrt}};
  Operation o;
  o.form = Form::listed;
  o.kind = Class::floating;
  for (const auto& [name, kind] : kinds)
    if (s.op() == name)
      o.width = static_cast<uint8_t>(kind), o.execute[0] = s.type() == "f64" ? rounded<double> : rounded<float>;
  if (!o.execute[0] || (s.type() != "f64" && s.type() != "f32")) return {};
  o.flags = static_cast<uint8_t>((s.has("rm")   ? 1
                                  : s.has("rp") ? 2
                                                : 0) |
                                 (s.has("ftz") ? flushes : 0) | (s.has("sat") ? saturates : 0));
  const Bank bank = s.type() == "f64" ? Bank::wide : Bank::narrow;
  o.banks = {bank, bank, bank, bank};
  const auto kind = static_cast<Kind>(o.width);
  o.flop = kind <= Kind::sub   ? FlopKind::add
           : kind == Kind::mul ? FlopKind::mul
           : kind == Kind::fma ? FlopKind::fma
                               : FlopKind::special;
  o.precision = s.type() == "f64" ? Precision::fp64 : Precision::fp32;
  return o;
}

}  // namespace roofline::ptx

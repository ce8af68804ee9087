// wmma: fragments whose layout PTX leaves open. Here element x of a matrix (rows one after the other) lies in lane
// x / (elements / 32); where a fragment has more registers than that needs, the rest repeat the first ones.
#include "bench/virtual_gpu/ops/matrix.hpp"
#include "bench/virtual_gpu/ops/memory/access.hpp"
#include "bench/virtual_gpu/ops/operation.hpp"

namespace roofline::ptx {

Found find_wmma(const Statement& s);

namespace {

constexpr uint8_t column_major = 1, saturates = 4;

/// One fragment: rows, columns, and how elements lie in registers.
struct Shape {
  uint32_t rows = 0, columns = 0;
  Element element{};
  uint32_t in_register() const { return element == Element::f64 ? 1 : 32 / bits_of(element); }
  uint32_t in_lane() const { return rows * columns / 32; }
};

double get(const Warp& w, const Shape& s, uint32_t slot, uint32_t lane, uint32_t which) {
  if (s.element == Element::f64) return w.lanes<double>(slot)[lane];
  return element_value(s.element, w.lanes<uint32_t>(slot)[lane] >> which % s.in_register() * bits_of(s.element));
}

// immediate of loads and stores: Product with m = rows, n8 = columns, a = element. list: registers, then the stride.
struct Moved {
  Shape shape;
  bool by_columns;
  uint32_t registers;
};
Moved moved(const Instruction& i) {
  const auto p = std::bit_cast<Product>(i.matrix);
  return {{p.m, p.n8, p.a}, (p.flags & column_major) != 0, p.k};
}

// The host address of each element of the fragment; lanes take turns so that each access is one of a warp.
template <class F>
void for_elements(Warp& w, const Instruction& i, const Moved& f, AccessKind kind, F visit) {
  const uint32_t stride_slot = w.list(i, f.registers);
  const uint32_t stride =
      stride_slot == ~0u ? (f.by_columns ? f.shape.rows : f.shape.columns) : w.lanes<uint32_t>(stride_slot)[0];
  const uint32_t bytes = bits_of(f.shape.element) / 8;
  Touch base;
  gather_addresses(w, i, base);
  for (uint32_t n = 0; n < f.shape.in_lane(); ++n) {
    Touch t;
    t.bytes = bytes;
    for (uint32_t lane = 0; lane < 32; ++lane) {
      const uint32_t x = lane * f.shape.in_lane() + n, row = x / f.shape.columns, column = x % f.shape.columns;
      t.at[lane] = base.at[0] + uint64_t{bytes} * (f.by_columns ? column * stride + row : row * stride + column);
    }
    access_in(w, i, t, w.program->details[i.index].space, kind, [&](Space, const Touch& part) { visit(n, part); });
  }
}

void wmma_load(Warp& w, const Instruction& i) {
  const Moved f = moved(i);
  const uint32_t per = f.shape.in_register(), needed = (f.shape.in_lane() + per - 1) / per;
  for (uint32_t r = 0; r < f.registers; ++r)
    if (f.shape.element != Element::f64) std::memset(w.lanes<uint32_t>(w.list(i, r)), 0, 128);
  for_elements(w, i, f, AccessKind::load, [&](uint32_t n, const Touch& t) {
    for (uint32_t lane = 0; lane < 32; ++lane)
      for (uint32_t r = n / per; r < f.registers; r += needed) {
        if (f.shape.element == Element::f64) {
          std::memcpy(&w.lanes<double>(w.list(i, r))[lane], reinterpret_cast<const void*>(t.at[lane]), 8);
          continue;
        }
        uint32_t bits = 0;
        std::memcpy(&bits, reinterpret_cast<const void*>(t.at[lane]), t.bytes);
        w.lanes<uint32_t>(w.list(i, r))[lane] |= bits << n % per * bits_of(f.shape.element);
      }
  });
}

void wmma_store(Warp& w, const Instruction& i) {
  const Moved f = moved(i);
  const uint32_t per = f.shape.in_register();
  for_elements(w, i, f, AccessKind::store, [&](uint32_t n, const Touch& t) {
    for (uint32_t lane = 0; lane < 32; ++lane) {
      const uint32_t slot = w.list(i, n / per);
      if (f.shape.element == Element::f64) {
        std::memcpy(reinterpret_cast<void*>(t.at[lane]), &w.lanes<double>(slot)[lane], 8);
        continue;
      }
      const uint32_t bits = w.lanes<uint32_t>(slot)[lane] >> n % per * bits_of(f.shape.element);
      std::memcpy(reinterpret_cast<void*>(t.at[lane]), &bits, t.bytes);
    }
  });
}

// list: d, a, b, c. width: registers of a; size: registers of b; flags: registers of c; number: registers of d.
void wmma_mma(Warp& w, const Instruction& i) {
  const auto p = std::bit_cast<Product>(i.matrix);
  const uint32_t n = p.n(), a0 = i.number, b0 = a0 + i.width, c0 = b0 + i.size;
  const Shape sa{p.m, p.k, p.a}, sb{p.k, n, p.b}, sc{p.m, n, p.c}, sd{p.m, n, p.d};
  alignas(64) double a[32 * 32], b[32 * 32], d[32 * 32];
  const auto read = [&](const Shape& s, uint32_t first, double* to) {
    for (uint32_t lane = 0; lane < 32; ++lane)
      for (uint32_t x = 0; x < s.in_lane(); ++x)
        to[lane * s.in_lane() + x] = get(w, s, w.list(i, first + x / s.in_register()), lane, x);
  };
  read(sa, a0, a);
  read(sb, b0, b);
  read(sc, c0, d);
  for (uint32_t row = 0; row < p.m; ++row)
    for (uint32_t k = 0; k < p.k; ++k)
      for (uint32_t column = 0; column < n; ++column)
        d[row * n + column] = __builtin_fma(a[row * p.k + k], b[k * n + column], d[row * n + column]);
  for (uint32_t lane = 0; lane < 32; ++lane)
    for (uint32_t x = 0; x < sd.in_lane(); ++x) {
      const double value = d[lane * sd.in_lane() + x];
      const uint32_t slot = w.list(i, x / sd.in_register());
      if (p.d == Element::f64) {
        w.lanes<double>(slot)[lane] = value;
        continue;
      }
      uint32_t& bits = w.lanes<uint32_t>(slot)[lane];
      const bool clamp = p.flags & saturates;
      const uint32_t y = element_bits(p.d, clamp ? std::min(std::max(value, -2147483648.0), 2147483647.0) : value);
      const uint32_t shift = x % sd.in_register() * bits_of(p.d);
      bits = sd.in_register() == 1 ? y : (bits & ~(0xffffu << shift)) | y << shift;
    }
}

std::size_t registers_in(const Operand& o) { return o.kind == OperandKind::vector ? o.list.size() : 1; }

Found find_move(const Statement& s, uint32_t m, uint32_t n, uint32_t k) {
  // wmma.load.a.sync.aligned.layout.shape{.space}.type; wmma.store.d...
  const bool load = s.has("load");
  const bool is_a = load && s.has("a"), is_b = load && s.has("b");
  const Element e = element_of(s.type());
  const Operand& registers = s.operands.at(load ? 0 : 1);
  Operation o;
  o.form = Form::listed;
  o.kind = load ? Class::load : Class::store;
  o.execute[0] = load ? wmma_load : wmma_store;
  o.destinations = load ? 1 : 0;
  o.matrix = std::bit_cast<int64_t>(Product{static_cast<uint8_t>(is_b ? k : m), static_cast<uint8_t>(is_a ? k : n),
                                            static_cast<uint8_t>(registers_in(registers)), e, Element::none,
                                            Element::none, Element::none, s.has("col") ? column_major : uint8_t{0}});
  if (e == Element::none) return {};
  if (e == Element::f64) o.banks = {Bank::wide, Bank::wide, Bank::narrow, Bank::narrow};
  o.space = s.has("global") ? Space::global : s.has("shared") ? Space::shared : Space::generic;
  o.access = load ? AccessKind::load : AccessKind::store;
  const Product p = std::bit_cast<Product>(o.matrix);
  o.bytes_moved = uint32_t{p.m} * p.n8 * bits_of(e) / 8 / 32;
  o.pad_to = static_cast<uint8_t>(registers_in(registers) + 1);
  return o;
}

}  // namespace

Found find_wmma(const Statement& s) {
  uint32_t m = 0, n = 0, k = 0;
  bool found = false;
  for (const auto part : s.parts) found |= parse_shape(part, m, n, k);
  if (!found || s.parts.size() < 7) return {};
  if (s.has("load") || s.has("store")) return find_move(s, m, n, k);
  // wmma.mma.sync.aligned.alayout.blayout.shape.dtype.ctype (fp16), or .dtype.atype.btype.ctype
  const std::size_t last = s.parts.size() - 1 - (s.type() == "satfinite" ? 1 : 0);
  const bool explicit_types =
      element_of(s.parts[last - 2]) != Element::none && element_of(s.parts[last - 3]) != Element::none;
  const Element d = element_of(s.parts[explicit_types ? last - 3 : last - 1]), c = element_of(s.parts[last]);
  Element a = explicit_types ? element_of(s.parts[last - 2]) : Element::f16,
          b = explicit_types ? element_of(s.parts[last - 1]) : Element::f16;
  if (a == Element::none || b == Element::none || c == Element::none || d == Element::none || s.operands.size() != 4)
    return {};
  Operation o;
  o.form = Form::listed;
  o.kind = Class::matrix;
  o.execute[0] = wmma_mma;
  o.matrix =
      std::bit_cast<int64_t>(Product{static_cast<uint8_t>(m), static_cast<uint8_t>(n / 8), static_cast<uint8_t>(k), a,
                                     b, c, d, s.has("satfinite") ? saturates : uint8_t{0}});
  o.own_number = true;
  o.number = static_cast<uint16_t>(registers_in(s.operands[0]));
  o.width = static_cast<uint8_t>(registers_in(s.operands[1]));
  o.size = static_cast<uint8_t>(registers_in(s.operands[2]));
  if (a == Element::f64) o.banks = {Bank::wide, Bank::wide, Bank::wide, Bank::wide};
  o.flop = is_integer(a) ? FlopKind::tensor_integer : FlopKind::tensor;
  o.weight = 2 * m * n * k;
  return o;
}

}  // namespace roofline::ptx

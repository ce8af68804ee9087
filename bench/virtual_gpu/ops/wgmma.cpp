// wgmma: a group of four warps multiplies matrices in shared memory. Each warp computes its 16 rows when it gets to the
// instruction; fence, commit and wait have nothing to wait for.
#include <algorithm>

#include "bench/virtual_gpu/execute/thread_block.hpp"
#include "bench/virtual_gpu/ops/matrix.hpp"
#include "bench/virtual_gpu/ops/operation.hpp"

namespace roofline::ptx {
namespace {

constexpr uint8_t a_in_registers = 1, transposed_a = 2, transposed_b = 4, negative_a = 8, negative_b = 16,
                  always_add = 32, never_add = 64;

/// A matrix in shared memory as its descriptor says. Addresses are in units of 16 bytes ("Matrix Descriptor Format");
/// layouts as in "Strides" and "Canonical Layouts".
class SharedMatrix {
 public:
  SharedMatrix(uint64_t descriptor, Element element, bool transposed)
      : start_((descriptor & 0x3fff) << 4),
        leading_((descriptor >> 16 & 0x3fff) << 4),
        stride_((descriptor >> 32 & 0x3fff) << 4),
        swizzle_(static_cast<uint32_t>(descriptor >> 62)),
        element_(element),
        bytes_(bits_of(element) / 8),
        transposed_(transposed) {}

  /// Offset of the element in row `line` of M (or N) and column `k`.
  uint64_t address(uint32_t line, uint32_t k) const {
    const uint32_t width = swizzle_ == 1   ? 128
                           : swizzle_ == 2 ? 64
                           : swizzle_ == 3 ? 32
                                           : 16;  // bytes of a row of the atom
    uint64_t at = start_;
    if (!transposed_) {
      const uint32_t byte = k * bytes_;
      at += line / 8 * stride_ + line % 8 * width + (swizzle_ ? byte : byte / 16 * leading_ + byte % 16);
    } else {
      const uint32_t row = width / bytes_;  // elements along M or N in an atom
      at += line % row * bytes_ + k % 8 * width;
      at += swizzle_ ? line / row * leading_ + k / 8 * stride_ : line / row * stride_ + k / 8 * leading_;
    }
    // Swizzle: bits 4 to 6 of the address are mixed with bits 7 to 9, as many as the width has.
    const uint32_t mask = swizzle_ == 1 ? 7 : swizzle_ == 2 ? 3 : swizzle_ == 3 ? 1 : 0;
    return at ^ ((at >> 7 & mask) << 4);
  }

  Element element() const { return element_; }
  bool transposed() const { return transposed_; }

 private:
  uint64_t start_, leading_, stride_;
  uint32_t swizzle_;
  Element element_;
  uint32_t bytes_;
  bool transposed_;
};

// One row of M or N along K: pieces of 16 bytes that lie together, or single elements of a transposed matrix.
void fetch_row(const Warp& w, const Instruction& i, const SharedMatrix& matrix, uint32_t line, uint32_t k,
               double* values) {
  const Element e = matrix.element();
  const uint32_t piece = matrix.transposed() ? 1 : 128 / bits_of(e), bytes = bits_of(e) / 8;
  for (uint32_t at = 0; at < k; at += piece) {
    const uint64_t address = matrix.address(line, at);
    if (address + piece * bytes > w.block->shared_bytes)
      fault(w, i, Outcome::illegal_address, "wgmma reads beyond shared memory");
    decode_row(e, w.block->shared + address, piece, values + at);
  }
}

// A of this warp's 16 rows, columns together.
void fetch_a(const Warp& w, const Instruction& i, const Product& p, uint32_t first_register, uint32_t lane0,
             double* a) {
  double x[32];
  if (p.flags & a_in_registers) {
    const uint32_t in = 32 / bits_of(p.a);
    for (uint32_t r = 0; r < 4; ++r)
      for (uint32_t e = 0; e < in; ++e) {
        decode_lanes(p.a, w.lanes<uint32_t>(w.list(i, first_register + r)), e * bits_of(p.a), x);
        for (uint32_t lane = 0; lane < 32; ++lane)
          a[(in * (lane % 4) + e + 4 * in * (r / 2)) * 16 + lane / 4 + 8 * (r % 2)] = x[lane];
      }
    return;
  }
  const SharedMatrix matrix(w.lanes<uint64_t>(w.list(i, first_register))[lane0], p.a, p.flags & transposed_a);
  for (uint32_t row = 0; row < 16; ++row) {
    fetch_row(w, i, matrix, 16 * (w.number % 4) + row, p.k, x);
    for (uint32_t k = 0; k < p.k; ++k) a[k * 16 + row] = x[k];
  }
}

// list: d, a (4 registers or a descriptor), b (descriptor), scale-d (a predicate), ...
void wgmma(Warp& w, const Instruction& i) {
  const auto p = std::bit_cast<Product>(i.immediate);
  const uint32_t n = p.n(), pairs = p.d == Element::f16 ? 2 : 1, registers = 16 * n / 32 / pairs;
  const uint32_t after_a = registers + (p.flags & a_in_registers ? 4 : 1);
  thread_local std::vector<double> b, d;
  alignas(64) double a[16 * 32], x[32];
  b.resize(n * p.k);
  d.assign(16 * n, 0.0);
  const auto lane0 = static_cast<uint32_t>(std::countr_zero(w.m));
  fetch_a(w, i, p, registers, lane0, a);
  const SharedMatrix matrix(w.lanes<uint64_t>(w.list(i, after_a))[lane0], p.b, p.flags & transposed_b);
  for (uint32_t column = 0; column < n; ++column) fetch_row(w, i, matrix, column, p.k, b.data() + column * p.k);
  if (((p.flags & negative_a) != 0) != ((p.flags & negative_b) != 0))
    for (double& value : a) value = -value;
  // Element e of a lane: row lane / 4 + 8 (e / 2 mod 2), column 8 (e / 4) + 2 (lane mod 4) + e mod 2.
  const auto place = [](uint32_t lane, uint32_t e) {
    return (8 * (e / 4) + 2 * (lane % 4) + e % 2) * 16 + lane / 4 + 8 * (e / 2 % 2);
  };
  const bool adds = p.flags & always_add || (!(p.flags & never_add) && (w.p[w.list(i, after_a + 1)] >> lane0 & 1));
  for (uint32_t e = 0; adds && e < registers * pairs; ++e) {
    decode_lanes(p.d, w.lanes<uint32_t>(w.list(i, e / pairs)), pairs == 2 ? e % 2 * 16 : 0, x);
    for (uint32_t lane = 0; lane < 32; ++lane) d[place(lane, e)] = x[lane];
  }
  multiply_add(d.data(), a, b.data(), 16, n, p.k);
  for (uint32_t r = 0; r < registers; ++r) {
    uint32_t* const to = w.lanes<uint32_t>(w.list(i, r));
    for (uint32_t lane = 0; lane < 32; ++lane)
      to[lane] = pairs == 1
                     ? element_bits(p.d, d[place(lane, r)])
                     : element_bits(p.d, d[place(lane, 2 * r)]) | element_bits(p.d, d[place(lane, 2 * r + 1)]) << 16;
  }
}

void orders_nothing(Warp&, const Instruction&) {}

bool is_minus_one(const Operand& o) { return o.kind == OperandKind::immediate && static_cast<int64_t>(o.value) == -1; }
bool is_one(const Operand& o) { return o.kind == OperandKind::immediate && o.value == 1; }

}  // namespace

Found find_wgmma(const Statement& s) {
  Operation o;
  o.kind = Class::matrix;
  if (!s.has("mma_async")) {
    o.form = Form::nothing;
    o.execute[0] = orders_nothing;
    return o;
  }
  // wgmma.mma_async.sync.aligned.shape.d.a.b
  uint32_t m = 0, n = 0, k = 0;
  if (s.has("sp") || s.parts.size() < 8 || !parse_shape(s.parts[4], m, n, k) || m != 64 || k > 32 || n % 8 || n > 256)
    return {};
  Product p{64,
            static_cast<uint8_t>(n / 8),
            static_cast<uint8_t>(k),
            element_of(s.parts[6]),
            element_of(s.parts[7]),
            Element::none,
            element_of(s.parts[5]),
            0};
  if (p.a == Element::none || p.b == Element::none || p.d == Element::none || s.operands.size() < 4) return {};
  const auto& operands = s.operands;
  const bool in_registers = operands[1].kind == OperandKind::vector;
  p.flags = in_registers ? a_in_registers : 0;
  if (operands[3].kind == OperandKind::immediate) p.flags |= operands[3].value ? always_add : never_add;
  if (operands.size() > 5)
    p.flags |= (is_minus_one(operands[4]) ? negative_a : 0) | (is_minus_one(operands[5]) ? negative_b : 0);
  if (!in_registers && operands.size() > 7)
    p.flags |= (is_one(operands[6]) ? transposed_a : 0) | (is_one(operands[7]) ? transposed_b : 0);
  if (in_registers && operands.size() > 6) p.flags |= is_one(operands[6]) ? transposed_b : 0;
  o.form = Form::listed;
  o.execute[0] = wgmma;
  o.reads_result = true;
  o.immediate = std::bit_cast<int64_t>(p);
  o.banks = {in_registers ? Bank::narrow : Bank::wide, Bank::wide, Bank::predicate, Bank::narrow};
  o.flop = is_integer(p.a) ? FlopKind::tensor_integer : FlopKind::tensor;
  o.weight = 2 * 16 * n * k;
  return o;
}

}  // namespace roofline::ptx

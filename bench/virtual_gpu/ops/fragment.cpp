// ldmatrix, stmatrix, movmatrix: 8x8 matrices of 16-bit elements, a row of 16 bytes from each of 8 lanes.
#include "bench/virtual_gpu/ops/memory/access.hpp"
#include "bench/virtual_gpu/ops/operation.hpp"

namespace roofline::ptx {

Found find_wmma(const Statement& s);

namespace {

constexpr uint8_t transposes = 64;

// The rows' addresses: lane 8 j + r has that of row r of matrix j.
Touch rows_of(Warp& w, const Instruction& i, uint32_t matrices, AccessKind kind) {
  const uint32_t all = w.m;
  Touch t;
  w.m = matrices == 4 ? ~0u : (1u << 8 * matrices) - 1;
  gather_addresses(w, i, t);
  t.bytes = 16;
  t.contiguous = false;
  access_in(w, i, t, Space::shared, kind, [&](Space space, const Touch& part) {
    if (space != Space::shared) fault(w, i, Outcome::illegal_address, "a matrix outside of shared memory");
    if (&part != &t) t = part;
  });
  w.m = all;
  return t;
}

uint16_t& element(const Touch& t, uint32_t matrix, uint32_t row, uint32_t column) {
  return reinterpret_cast<uint16_t*>(t.at[8 * matrix + row])[column];
}

// list: registers, one for each matrix. size: how many.
void ldmatrix(Warp& w, const Instruction& i) {
  const Touch t = rows_of(w, i, i.size, AccessKind::load);
  for (uint32_t j = 0; j < i.size; ++j)
    for (const uint32_t lane : Lanes{w.m}) {
      const uint32_t g = lane / 4, c = 2 * (lane % 4);
      const bool tr = i.flags & transposes;
      const uint32_t low = tr ? element(t, j, c, g) : element(t, j, g, c),
                     high = tr ? element(t, j, c + 1, g) : element(t, j, g, c + 1);
      w.lanes<uint32_t>(w.list(i, j))[lane] = low | high << 16;
    }
}

void stmatrix(Warp& w, const Instruction& i) {
  const Touch t = rows_of(w, i, i.size, AccessKind::store);
  for (uint32_t j = 0; j < i.size; ++j)
    for (const uint32_t lane : Lanes{w.m}) {
      const uint32_t g = lane / 4, c = 2 * (lane % 4), x = w.lanes<uint32_t>(w.list(i, j))[lane];
      const bool tr = i.flags & transposes;
      (tr ? element(t, j, c, g) : element(t, j, g, c)) = static_cast<uint16_t>(x);
      (tr ? element(t, j, c + 1, g) : element(t, j, g, c + 1)) = static_cast<uint16_t>(x >> 16);
    }
}

// list: d, a.
void movmatrix(Warp& w, const Instruction& i) {
  uint32_t a[32];
  std::memcpy(a, w.lanes<uint32_t>(w.list(i, 1)), sizeof a);
  const auto at = [&](uint32_t row, uint32_t column) { return a[4 * row + column / 2] >> column % 2 * 16 & 0xffff; };
  for (const uint32_t lane : Lanes{w.m}) {
    const uint32_t g = lane / 4, c = 2 * (lane % 4);
    w.lanes<uint32_t>(w.list(i, 0))[lane] = at(c, g) | at(c + 1, g) << 16;
  }
}

}  // namespace

Found find_fragment(const Statement& s) {
  if (s.op() == "wmma") return find_wmma(s);
  if (!s.has("m8n8") || s.type() != "b16") return {};
  Operation o;
  o.form = Form::listed;
  o.kind = s.op() == "stmatrix" ? Class::store : s.op() == "ldmatrix" ? Class::load : Class::warp;
  if (s.op() == "movmatrix") {
    o.execute[0] = movmatrix;
    return o;
  }
  o.size = s.has("x4") ? 4 : s.has("x2") ? 2 : 1;
  o.flags = s.has("trans") ? transposes : 0;
  o.execute[0] = s.op() == "ldmatrix" ? ldmatrix : stmatrix;
  o.destinations = s.op() == "ldmatrix" ? 1 : 0;
  o.space = Space::shared;
  o.access = s.op() == "ldmatrix" ? AccessKind::load : AccessKind::store;
  o.bytes_moved = 4u * o.size;
  return o;
}

}  // namespace roofline::ptx

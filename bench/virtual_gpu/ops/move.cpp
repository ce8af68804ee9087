// Copies: mov, cvta, packing and unpacking of registers, special registers that change.
#include <chrono>

#include "bench/virtual_gpu/execute/thread_block.hpp"
#include "bench/virtual_gpu/ops/elementwise.hpp"

namespace roofline::ptx {
namespace {

template <class T>
constexpr auto same = [](T a) { return a; };
constexpr auto to_shared_window = [](uint64_t a) { return a | shared_window; };
constexpr auto to_local_window = [](uint64_t a) { return a | local_window; };
constexpr auto to_param_window = [](uint64_t a) { return a | param_window; };
constexpr auto out_of_window = [](uint64_t a) { return a & window_mask; };

// d <- elements, or elements <- d. size: bytes of an element; flags 1: d has 64 bits; 2: unpack; 4: elements have 64
// bits.
void pack(Warp& w, const Instruction& i) {
  const uint32_t bits = 8u * i.size;
  for (const uint32_t l : Lanes{w.m}) {
    uint64_t x = 0;
    for (uint32_t n = 0; n + 1 < i.number; ++n)
      x |= (uint64_t{w.lanes<uint32_t>(w.list(i, n + 1))[l]} & ((uint64_t{1} << bits) - 1)) << n * bits;
    if (i.flags & 1)
      w.lanes<uint64_t>(w.list(i, 0))[l] = x;
    else
      w.lanes<uint32_t>(w.list(i, 0))[l] = static_cast<uint32_t>(x);
  }
}
// The last operand is the source; sinks are ~0.
void unpack(Warp& w, const Instruction& i) {
  const uint32_t bits = 8u * i.size, source = w.list(i, i.number - 1u);
  const auto mask = static_cast<uint32_t>((uint64_t{1} << bits) - 1);
  for (uint32_t n = 0; n + 1 < i.number; ++n) {
    const uint32_t d = w.list(i, n);
    if (d == ~0u) continue;
    if (i.flags & 1) {
      const uint64_t* const a = w.lanes<uint64_t>(source);
      write_lanes<uint32_t>(w, d, [=](int l) { return static_cast<uint32_t>(a[l] >> n * bits) & mask; });
    } else {
      const uint32_t* const a = w.lanes<uint32_t>(source);
      write_lanes<uint32_t>(w, d, [=](int l) { return a[l] >> n * bits & mask; });
    }
  }
}
void pack_two_words(Warp& w, const Instruction& i) {
  const uint32_t *const a = w.lanes<uint32_t>(w.list(i, 1)), *const b = w.lanes<uint32_t>(w.list(i, 2));
  write_lanes<uint64_t>(w, w.list(i, 0), [=](int l) { return uint64_t{b[l]} << 32 | a[l]; });
}

uint64_t nanoseconds(const Warp& w, uint64_t ticks) {
  return static_cast<uint64_t>(static_cast<double>(ticks) * 1e9 / w.worker->options->device.clock_hz);
}
// Virtual time: the instructions that this block has executed.
template <class T, bool global>
void clock(Warp& w, const Instruction& i) {
  const uint64_t ticks = w.block->executed + w.executed + i.index - w.program->blocks[w.at].end;
  const auto x = static_cast<T>(global ? nanoseconds(w, ticks) + 1'000'000'000 : ticks);
  write_lanes<T>(w, i.d, [=](int) { return x; });
}
void active_lanes(Warp& w, const Instruction& i) {
  const uint32_t mask = w.m;
  write_lanes<uint32_t>(w, i.d, [=](int) { return mask; });
}

Found dynamic(Execute execute, Class kind) {
  Operation o;
  o.execute[0] = execute;
  o.kind = kind;
  return o;
}

Found find_special(std::string_view name) {
  if (name == "%clock") return dynamic(clock<uint32_t, false>, Class::move);
  if (name == "%clock64") return dynamic(clock<uint64_t, false>, Class::move);
  if (name == "%globaltimer") return dynamic(clock<uint64_t, true>, Class::move);
  if (name == "%globaltimer_lo") return dynamic(clock<uint32_t, true>, Class::move);
  return {};
}

Found find_pack(const Statement& s) {
  const bool packs = s.operands[1].kind == OperandKind::vector;
  const auto& parts = s.operands[packs ? 1 : 0].list;
  const int bytes = bytes_of_type(s.type());
  if (parts.empty() || bytes <= 0 || bytes > 8) return {};
  Operation o;
  o.form = Form::pack;
  o.kind = Class::move;
  o.in_place = false;
  o.size = static_cast<uint8_t>(static_cast<std::size_t>(bytes) / parts.size());
  o.flags = bytes == 8 ? 1 : 0;
  o.execute[0] = packs ? (o.size == 4 && parts.size() == 2 ? pack_two_words : pack) : unpack;
  o.destinations = packs ? 1 : static_cast<uint8_t>(parts.size());
  if (!packs && bytes == 8) o.banks[0] = Bank::wide;
  return o;
}

}  // namespace

Found find_move(const Statement& s) {
  constexpr auto k = Class::move;
  using W = uint64_t;
  if (s.op() == "activemask") return dynamic(active_lanes, k);
  if (s.op() == "cvta") {
    if (s.type() != "u64") return {};
    const bool to = s.has("to");
    if (s.has("global") || s.has("const")) return lanewise<same<W>>(k);
    if (to) return lanewise<out_of_window>(k);
    if (s.has("local")) return lanewise<to_local_window>(k);
    if (s.has("param")) return lanewise<to_param_window>(k);
    return lanewise<to_shared_window>(k);
  }
  if (s.op() != "mov" || s.operands.size() != 2) return {};
  if (s.operands[0].kind == OperandKind::vector || s.operands[1].kind == OperandKind::vector) return find_pack(s);
  if (s.operands[1].kind == OperandKind::special)
    if (const Found found = find_special(s.operands[1].name)) return found;
  const int bytes = bytes_of_type(s.type());
  if (bytes == 8) return lanewise<same<W>>(k);
  if (bytes == 4 || bytes == 2 || bytes == 1) return lanewise<same<uint32_t>>(k);
  return {};
}

}  // namespace roofline::ptx

// cp.async, mbarrier, and small things about addresses. Copies are done when they are issued, so that groups of them
// have nothing to wait for.
#include "bench/virtual_gpu/ops/elementwise.hpp"
#include "bench/virtual_gpu/ops/memory/access.hpp"
#include "bench/virtual_gpu/ops/operation.hpp"

namespace roofline::ptx {
namespace {

void nothing(Warp&, const Instruction&) {}

// Base: destination in shared memory. list: source slot, its offset, whether it has 32 bits, and the source size or ~0.
// size: bytes.
void cp_async(Warp& w, const Instruction& i) {
  Touch from;
  from.bytes = i.size;
  const uint32_t slot = w.list(i, 0);
  const auto offset = static_cast<int64_t>(static_cast<int32_t>(w.list(i, 1)));
  const auto first = static_cast<uint32_t>(std::countr_zero(w.m));
  for (uint32_t l = 0; l < 32; ++l) {
    const uint32_t lane = w.m >> l & 1 ? l : first;
    from.at[l] =
        (w.list(i, 2) ? w.lanes<uint32_t>(slot)[lane] : w.lanes<uint64_t>(slot)[lane]) + static_cast<uint64_t>(offset);
  }
  alignas(16) uint8_t bytes[32][16] = {};
  const uint32_t sizes = i.width == 2 ? ~0u : w.list(i, 4), all = w.m;
  uint32_t wanted = all;  // lanes that read anything
  if (sizes != ~0u)
    for (uint32_t m = all; m; m &= m - 1)
      if (w.lanes<uint32_t>(sizes)[std::countr_zero(m)] == 0) wanted &= ~(m & -m);
  if (wanted) {
    w.m = wanted;
    const uint64_t a = from.at[std::countr_zero(wanted)];
    for (uint32_t l = 0; l < 32; ++l) from.at[l] = wanted >> l & 1 ? from.at[l] : a;
    access_in(w, i, from, Space::global, AccessKind::load, [&](Space, const Touch& part) {
      for (const uint32_t l : Lanes{w.m}) {
        const uint32_t n = sizes == ~0u ? i.size : std::min<uint32_t>(i.size, w.lanes<uint32_t>(sizes)[l]);
        std::memcpy(bytes[l], reinterpret_cast<const void*>(part.at[l]), n);
      }
    });
    w.m = all;
  }
  Touch to;
  gather_addresses(w, i, to);
  to.bytes = i.size;
  to.contiguous = false;
  // One counter for both directions: sectors are those of the source, wavefronts those of the destination.
  access_in(w, i, to, Space::shared, AccessKind::store, [&](Space, const Touch& part) {
    for (const uint32_t l : Lanes{w.m}) {
      std::memcpy(reinterpret_cast<void*>(part.at[l]), bytes[l], i.size);
    }
  });
}

Found find_copy(const Statement& s) {
  Operation o;
  o.kind = Class::load;
  if (!s.has("async") || s.has("bulk") || s.has("mbarrier")) return {};
  if (s.has("commit_group") || s.has("wait_group") || s.has("wait_all")) {
    o.form = Form::nothing;
    o.execute[0] = nothing;
    return o;
  }
  if (s.operands.size() < 3 || s.operands[2].kind != OperandKind::immediate) return {};
  o.form = Form::listed;
  o.execute[0] = cp_async;
  o.destinations = 0;
  o.size = static_cast<uint8_t>(s.operands[2].value);
  o.bytes_moved = o.size;
  o.space = Space::global;
  o.access = AccessKind::load;
  o.banks = {Bank::wide, Bank::wide, Bank::narrow, Bank::narrow};
  o.pad_to = 5;
  // The last operand may be a cache policy instead of a size.
  if (s.operands.size() == 4 && s.has("L2::cache_hint")) o.width = 2;
  if (s.operands.size() > 3 && s.operands[3].kind == OperandKind::reg && s.operands[3].bank == Bank::predicate)
    return {};
  return o;
}

// An mbarrier's 64 bits: arrivals that this phase still expects (20), that each phase expects (20), parity of the
// phase.
enum class Arrival : uint8_t { init, inval, arrive, arrive_drop, test_wait, test_parity };

// immediate, base: address. list: (state or predicate), then operands.
template <Arrival what>
void mbarrier(Warp& w, const Instruction& i) {
  constexpr bool has_result = what != Arrival::init && what != Arrival::inval;
  Touch t;
  gather_addresses(w, i, t);
  t.bytes = 8;
  const uint32_t result = has_result && i.number ? w.list(i, 0) : ~0u;
  const auto source = [&](uint32_t n, uint32_t lane) -> uint64_t {
    const uint32_t at = n + (has_result ? 1 : 0);
    if (at >= i.number || w.list(i, at) == ~0u) return 1;
    return what == Arrival::test_wait ? w.lanes<uint64_t>(w.list(i, at))[lane] : w.lanes<uint32_t>(w.list(i, at))[lane];
  };
  access_in(w, i, t, Space::shared, what == Arrival::init ? AccessKind::store : AccessKind::atomic,
            [&](Space, const Touch& part) {
              for (const uint32_t l : Lanes{w.m}) {
                uint64_t& word = *reinterpret_cast<uint64_t*>(part.at[l]);
                uint64_t pending = word & 0xfffff, expected = word >> 20 & 0xfffff, phase = word >> 40 & 1;
                const uint64_t before = word;
                if (what == Arrival::init) {
                  pending = expected = source(0, l);
                  phase = 0;
                }
                if (what == Arrival::arrive || what == Arrival::arrive_drop) {
                  const uint64_t count = source(0, l);
                  if (what == Arrival::arrive_drop) expected -= count;
                  pending -= std::min(pending, count);
                  if (pending == 0) {
                    pending = expected;
                    phase ^= 1;
                  }
                  if (result != ~0u) w.lanes<uint64_t>(result)[l] = before;
                }
                if (what == Arrival::test_wait || what == Arrival::test_parity) {
                  const uint64_t waited = what == Arrival::test_wait ? source(0, l) >> 40 & 1 : source(0, l) & 1;
                  const bool complete = phase != waited;
                  if (result != ~0u) w.p[result] = complete ? w.p[result] | 1u << l : w.p[result] & ~(1u << l);
                  if (!complete) ++w.spins;
                }
                word = what == Arrival::inval ? 0 : pending | expected << 20 | phase << 40;
              }
            });
}

Found find_mbarrier(const Statement& s) {
  if (s.has("shared::cluster") || s.has("expect_tx") || s.has("complete_tx") || s.has("noComplete") ||
      s.has("pending_count"))
    return {};
  Operation o;
  o.form = Form::listed;
  o.kind = Class::barrier;
  o.alone = true;
  o.bytes_moved = 8;
  o.space = Space::shared;
  o.access = AccessKind::atomic;
  o.destinations = 1;
  const bool parity = s.has("parity");
  if (s.has("init"))
    o.execute[0] = mbarrier<Arrival::init>, o.destinations = 0;
  else if (s.has("inval"))
    o.execute[0] = mbarrier<Arrival::inval>, o.destinations = 0;
  else if (s.has("arrive"))
    o.execute[0] = mbarrier<Arrival::arrive>;
  else if (s.has("arrive_drop"))
    o.execute[0] = mbarrier<Arrival::arrive_drop>;
  else if (s.has("test_wait") || s.has("try_wait"))
    o.execute[0] = parity ? mbarrier<Arrival::test_parity> : mbarrier<Arrival::test_wait>, o.makes_predicate = true;
  else
    return {};
  if ((s.has("test_wait") || s.has("try_wait")) && !parity)
    o.banks = {Bank::wide, Bank::wide, Bank::narrow, Bank::narrow};
  return o;
}

template <uint64_t window>
void is_space(Warp& w, const Instruction& i) {
  const uint64_t* const a = w.lanes<uint64_t>(i.a);
  uint32_t truth = 0;
  for (int l = 0; l < 32; ++l) truth |= (a[l] & ~window_mask) == window ? 1u << l : 0u;
  w.p[i.d] = (w.p[i.d] & ~w.m) | (truth & w.m);
}

constexpr auto zero = [](uint64_t) { return uint64_t{0}; };

}  // namespace

Found find_asynchronous(const Statement& s) {
  if (s.op() == "cp") return find_copy(s);
  if (s.op() == "mbarrier") return find_mbarrier(s);
  Operation o;
  if (s.op() == "isspacep") {
    o.execute[0] = s.has("shared") || s.has("shared::cta") || s.has("shared::cluster") ? is_space<shared_window>
                   : s.has("local")                                                    ? is_space<local_window>
                   : s.has("param")                                                    ? is_space<param_window>
                                                                                       : is_space<0>;
    o.makes_predicate = true;
    o.banks[0] = Bank::wide;
    o.kind = Class::compare;
    return o;
  }
  if (s.op() == "createpolicy" && s.operands.size() <= 2 && !s.has("range")) {
    // The cache policy does not change results, but its register gets a value all the same.
    return lanewise<zero>(Class::other);
  }
  return {};
}

}  // namespace roofline::ptx

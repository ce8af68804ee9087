// st: to all spaces, one element or a vector of them; and what ld and st have in common.
#include "bench/virtual_gpu/ops/elementwise.hpp"
#include "bench/virtual_gpu/ops/memory/access.hpp"

namespace roofline::ptx {

Found find_load(std::string_view type, Space space, bool wide);
Execute argument_access(bool load);

namespace {

template <class T, class R>
inline void put(const Warp& w, uint32_t s, const Touch& t, uint32_t element, uint32_t step) {
  const R* const from = w.lanes<R>(s);
  const uint64_t offset = uint64_t{element} * sizeof(T);
  if (t.contiguous && step == sizeof(T)) {
    T* const to = reinterpret_cast<T*>(t.at[0]);
    if constexpr (sizeof(T) == sizeof(R)) {
      std::memcpy(to, from, 32 * sizeof(T));
    } else {
#pragma GCC ivdep
      for (int l = 0; l < 32; ++l) to[l] = static_cast<T>(from[l]);
    }
    return;
  }
  if (t.partial) {
    T* const to = reinterpret_cast<T*>(t.at[0]);
    for (uint32_t m = w.m; m; m &= m - 1) to[std::countr_zero(m)] = static_cast<T>(from[std::countr_zero(m)]);
    return;
  }
  for (const uint32_t l : Lanes{w.m}) {
    *reinterpret_cast<T*>(t.at[l] + offset) = static_cast<T>(from[l]);
  }
}

template <class T, class R>
inline void put_all(const Warp& w, const Instruction& i, Touch& t) {
  if (i.width > 1 || t.uniform) expand(t);
  if (i.width == 1) return put<T, R>(w, i.b, t, 0, sizeof(T));
  for (uint32_t n = 0; n < i.width; ++n) put<T, R>(w, w.list(i, n), t, n, t.bytes);
}

// Two lanes that store different values to one address.
template <class T, class R>
void check_lanes(Warp& w, const Instruction& i, const Touch& t, Space space) {
  if (space == Space::local) return;
  for (uint32_t m = w.m; m; m &= m - 1) {
    const int a = std::countr_zero(m);
    for (const uint32_t b : Lanes{m & (m - 1)}) {
      if (t.at[a] != t.at[b]) continue;
      bool same = true;
      for (uint32_t n = 0; n < i.width; ++n) {
        const R* const from = w.lanes<R>(i.width == 1 ? i.b : w.list(i, n));
        same &= static_cast<T>(from[a]) == static_cast<T>(from[b]);
      }
      if (same) continue;
      Finding f{FindingKind::race, place_of(w, i, static_cast<uint32_t>(b)), name_of(space), t.at[b], t.bytes};
      if (space == Space::global) f.allocation = w.worker->memory->describe(t.at[b]);
      f.detail = "lanes " + std::to_string(a) + " and " + std::to_string(b) +
                 " of a warp store different values to one address";
      w.worker->report(std::move(f));
      return;
    }
  }
}

template <class T, class R>
uint32_t unchanged_lanes(const Warp& w, const Instruction& i, const Touch& t) {
  uint32_t lanes = 0;
  for (uint32_t m = w.m; m; m &= m - 1) {
    const int l = std::countr_zero(m);
    bool same = true;
    for (uint32_t n = 0; n < i.width; ++n) {
      T now;
      std::memcpy(&now, reinterpret_cast<const void*>(t.at[l] + n * sizeof(T)), sizeof now);
      same &= now == static_cast<T>(w.lanes<R>(i.width == 1 ? i.b : w.list(i, n))[l]);
    }
    if (same) lanes |= m & -m;
  }
  return lanes;
}

template <class T, class R, Space space, bool checked>
void store(Warp& w, const Instruction& i) {
  Touch t;
  gather_sparsely(w, i, t);
  const auto act = [&](Space found, Touch& part) {
    if constexpr (checked) {
      expand(part);
      part.unchanged = unchanged_lanes<T, R>;
      if (w.worker->options->checks.race) check_lanes<T, R>(w, i, part, found);
    }
    resolve_in<checked>(w, i, part, found, AccessKind::store);
    put_all<T, R>(w, i, part);
  };
  if constexpr (space == Space::generic)
    for_spaces(w, i, t, act);
  else
    act(space, t);
}

template <class T, class R>
Operation make_store(Space space) {
  return of_space<Space::shared, Space::local, Space::generic, Space::global>(
      space, []<Space s, bool checked>() -> Execute { return store<T, R, s, checked>; });
}

template <class R>
Found find_store_type(int bytes, Space space) {
  if (bytes == 1) return make_store<uint8_t, R>(space);
  if (bytes == 2) return make_store<uint16_t, R>(space);
  if (bytes == 4) return make_store<uint32_t, R>(space);
  if constexpr (sizeof(R) == 8)
    if (bytes == 8) return make_store<uint64_t, R>(space);
  return {};
}

Space space_of(const Statement& s) {
  if (s.has("global")) return Space::global;
  if (s.has("shared") || s.has("shared::cta")) return Space::shared;
  if (s.has("local")) return Space::local;
  if (s.has("const")) return Space::constant;
  for (const auto& part : s.parts)
    if (part.substr(0, 5) == "param") return Space::param;
  return Space::generic;
}

const Operand* first_register(const Operand& o) {
  if (o.kind == OperandKind::vector)
    for (const Operand& part : o.list)
      if (part.kind == OperandKind::reg) return &part;
  return o.kind == OperandKind::reg ? &o : nullptr;
}

}  // namespace

Found find_memory(const Statement& s, bool in_function) {
  const bool load = s.op() == "ld" || s.op() == "ldu";
  if (s.operands.size() < 2 || s.has("b128") || s.has("v8")) return {};
  // An argument of a call is a variable of the function; parameters of the kernel are memory.
  const Operand& address = s.operands[load ? 1 : 0];
  if (address.kind != OperandKind::address || s.has("shared::cluster")) return {};
  const Space space = space_of(s);
  const int bytes = bytes_of_type(s.type());
  const Operand* const value = first_register(s.operands[load ? 0 : 1]);
  const bool wide = value ? value->bank == Bank::wide : bytes == 8;
  Found o;
  const bool argument =
      space == Space::param && address.symbol >= 0 && (in_function || !load || address.local_argument);
  if (argument) {
    o = Operation{};
    o->execute[0] = argument_access(load);
    o->flags = static_cast<uint8_t>((wide ? 32 : 0) | (s.type()[0] == 's' ? 16 : 0));
  } else {
    o = load   ? find_load(s.type(), space, wide)
        : wide ? find_store_type<uint64_t>(bytes, space)
               : find_store_type<uint32_t>(bytes, space);
    if (!o) return {};
    const bool is_volatile =
        s.has("volatile") || s.has("relaxed") || s.has("acquire") || s.has("release") || s.has("mmio");
    const bool spins = load && is_volatile && space != Space::shared;
    o->flags = static_cast<uint8_t>((spins ? flag_spins : 0) | (is_volatile ? flag_volatile : 0));
  }
  o->form = load ? Form::load : Form::store;
  o->kind = load ? Class::load : Class::store;
  o->in_place = false;
  o->size = static_cast<uint8_t>(bytes);
  o->width = s.has("v4") ? 4 : s.has("v2") ? 2 : 1;
  o->banks = {Bank::wide, wide ? Bank::wide : Bank::narrow, Bank::narrow, Bank::narrow};
  o->space = argument ? Space::generic : space;
  o->access = load ? AccessKind::load : AccessKind::store;
  o->number = argument ? 1 : 0;
  return o;
}

}  // namespace roofline::ptx

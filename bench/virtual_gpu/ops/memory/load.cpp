// ld: from all spaces, one element or a vector of them.
#include "bench/virtual_gpu/ops/elementwise.hpp"
#include "bench/virtual_gpu/ops/memory/access.hpp"

namespace roofline::ptx {
namespace {

template <class T>
inline T at(uint64_t address) {
  T x;
  std::memcpy(&x, reinterpret_cast<const void*>(address), sizeof x);
  return x;
}

// T is the type in memory, R the type in the register.
template <class T, class R>
inline void fetch(Warp& w, uint32_t d, const Touch& t, uint32_t element, uint32_t step) {
  const uint64_t offset = uint64_t{element} * sizeof(T);
  if (t.contiguous) {
    const uint8_t* const from = reinterpret_cast<const uint8_t*>(t.at[0] + offset);
    R* const to = w.lanes<R>(d);
    if (step == sizeof(T)) {
      if constexpr (sizeof(T) == sizeof(R)) {
        std::memcpy(to, from, 32 * sizeof(T));
      } else {
        const T* const values = reinterpret_cast<const T*>(from);
#pragma GCC ivdep
        for (int l = 0; l < 32; ++l) to[l] = static_cast<R>(values[l]);
      }
    } else {
#pragma GCC ivdep
      for (uint32_t l = 0; l < 32; ++l) to[l] = static_cast<R>(*reinterpret_cast<const T*>(from + l * step));
    }
  } else if (t.partial) {
    const uint8_t* const from = reinterpret_cast<const uint8_t*>(t.at[0] + offset);
    if (step == sizeof(T))
      write_lanes<R>(w, d, [=](int l) { return static_cast<R>(reinterpret_cast<const T*>(from)[l]); });
    else
      write_lanes<R>(w, d, [=](int l) { return static_cast<R>(*reinterpret_cast<const T*>(from + l * step)); });
  } else if (t.uniform) {
    const R x = static_cast<R>(at<T>(t.at[0] + offset));
    write_lanes<R>(w, d, [=](int) { return x; });
  } else {
    write_lanes<R>(w, d, [&](int l) { return static_cast<R>(*reinterpret_cast<const T*>(t.at[l] + offset)); });
  }
}

template <class T, class R>
inline void fetch_all(Warp& w, const Instruction& i, const Touch& t) {
  if (i.width == 1) return fetch<T, R>(w, i.d, t, 0, sizeof(T));
  for (uint32_t n = 0; n < i.width; ++n)
    if (const uint32_t d = w.list(i, n); d != ~0u) fetch<T, R>(w, d, t, n, t.bytes);
}

template <class T, class R, Space space, bool checked>
void load(Warp& w, const Instruction& i) {
  Touch t;
  gather_sparsely(w, i, t);
  if (i.flags & flag_spins) ++w.spins;
  if constexpr (space == Space::generic) {
    for_spaces(w, i, t, [&](Space found, Touch& part) {
      resolve_in<checked>(w, i, part, found, AccessKind::load);
      fetch_all<T, R>(w, i, part);
    });
  } else {
    if constexpr (checked) {
      expand(t);
      resolve_checked(w, i, t, space, AccessKind::load);
    }
    resolve<space>(w, i, t);
    fetch_all<T, R>(w, i, t);
  }
}

// One address for all lanes, always the same: parameters and constants.
template <class T, class R, Space space>
void load_uniform(Warp& w, const Instruction& i) {
  Touch t;
  gather_sparsely(w, i, t);
  resolve<space>(w, i, t);
  w.scalar<R>(i.d) = static_cast<R>(at<T>(t.at[0]));
}

template <class T, class R>
Operation make_load(Space space) {
  Operation o = of_space<Space::shared, Space::local, Space::generic, Space::param, Space::global>(
      space, []<Space s, bool checked>() -> Execute {
        constexpr bool looked_at = checked && s != Space::param;
        return load<T, R, s, looked_at>;
      });
  if (space == Space::param) o.uniform = load_uniform<T, R, Space::param>;
  if (space == Space::constant) o.uniform = load_uniform<T, R, Space::global>;
  return o;
}

template <class R>
Found find_type(std::string_view type, Space space) {
  using SignedR = std::make_signed_t<R>;
  if (type == "u8" || type == "b8") return make_load<uint8_t, R>(space);
  if (type == "s8") return make_load<int8_t, SignedR>(space);
  if (type == "u16" || type == "b16" || type == "f16" || type == "bf16") return make_load<uint16_t, R>(space);
  if (type == "s16") return make_load<int16_t, SignedR>(space);
  if (type == "u32" || type == "b32" || type == "f32") return make_load<uint32_t, R>(space);
  if (type == "s32") return make_load<int32_t, SignedR>(space);
  if constexpr (sizeof(R) == 8)
    if (type == "u64" || type == "s64" || type == "b64" || type == "f64") return make_load<uint64_t, R>(space);
  return {};
}

// Arguments of a device function lie in registers, 4 bytes of each lane side by side. immediate: offset in bytes.
void load_argument(Warp& w, const Instruction& i) {
  for (const uint32_t l : Lanes{w.m}) {
    for (uint32_t n = 0; n < i.width; ++n) {
      const uint32_t d = i.width == 1 ? i.d : w.list(i, n);
      if (d == ~0u) continue;
      const uint64_t offset = static_cast<uint64_t>(i.immediate) + n * i.size;
      uint64_t x = 0;
      const auto word = [&](uint64_t at_byte) {
        return w.lanes<uint32_t>(i.a + static_cast<uint32_t>(at_byte / 4 * 128))[l];
      };
      if (i.size == 8)
        x = uint64_t{word(offset + 4)} << 32 | word(offset);
      else
        x = word(offset) >> offset % 4 * 8;
      if (i.size < 4) x &= (uint64_t{1} << 8 * i.size) - 1;
      if (i.flags & 16)
        x = i.size == 1   ? static_cast<uint64_t>(static_cast<int8_t>(x))
            : i.size == 2 ? static_cast<uint64_t>(static_cast<int16_t>(x))
                          : static_cast<uint64_t>(static_cast<int32_t>(x));
      if (i.flags & 32)
        w.lanes<uint64_t>(d)[l] = x;
      else
        w.lanes<uint32_t>(d)[l] = static_cast<uint32_t>(x);
    }
  }
}
void store_argument(Warp& w, const Instruction& i) {
  for (const uint32_t l : Lanes{w.m}) {
    for (uint32_t n = 0; n < i.width; ++n) {
      const uint32_t s = i.width == 1 ? i.b : w.list(i, n);
      const uint64_t offset = static_cast<uint64_t>(i.immediate) + n * i.size;
      uint32_t& word = w.lanes<uint32_t>(i.a + static_cast<uint32_t>(offset / 4 * 128))[l];
      const uint64_t x = i.flags & 32 ? w.lanes<uint64_t>(s)[l] : w.lanes<uint32_t>(s)[l];
      if (i.size >= 4) {
        word = static_cast<uint32_t>(x);
        if (i.size == 8)
          w.lanes<uint32_t>(i.a + static_cast<uint32_t>((offset + 4) / 4 * 128))[l] = static_cast<uint32_t>(x >> 32);
      } else {
        const auto shift = static_cast<uint32_t>(offset % 4 * 8);
        const uint32_t mask = ((1u << 8 * i.size) - 1) << shift;
        word = (word & ~mask) | (static_cast<uint32_t>(x) << shift & mask);
      }
    }
  }
}

}  // namespace

Found find_load(std::string_view type, Space space, bool wide) {
  return wide ? find_type<uint64_t>(type, space) : find_type<uint32_t>(type, space);
}

Execute argument_access(bool load) { return load ? load_argument : store_argument; }

}  // namespace roofline::ptx

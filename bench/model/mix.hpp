#pragma once
#include <array>
#include <optional>
#include <string_view>

namespace roofline {

/// The access pattern of a bandwidth ceiling: the mixes of STREAM with and without streaming stores (_nt), reads that
/// skip (stride:N, in doubles), lines in random order, in pages of 2 MiB where the system grants them and in pages of 4
/// KiB (random_4k), a chain of dependent lines (chase), on GPUs the near and far half of L2 and copies over the bus,
/// one way or both at once; vectors that cross the end of a line (read_split), and complex numbers a line apart that
/// are brought into vectors of their real and imaginary parts in the fastest way (gather), or by instructions that
/// gather (gather_instructions).
enum class Mix {
  read,
  write,
  write_nt,
  copy,
  copy_nt,
  triad,
  triad_nt,
  update,
  stride2,
  stride4,
  stride8,
  stride16,
  random,
  chase,
  read_near,
  read_far,
  h2d,
  d2h,
  random_4k,
  read_split,
  gather,
  gather_instructions,
  both_ways
};

inline constexpr std::array<std::string_view, 23> mix_names{"read",      "write",
                                                            "write_nt",  "copy",
                                                            "copy_nt",   "triad",
                                                            "triad_nt",  "update",
                                                            "stride:2",  "stride:4",
                                                            "stride:8",  "stride:16",
                                                            "random",    "chase",
                                                            "read_near", "read_far",
                                                            "h2d",       "d2h",
                                                            "random_4k", "read_split",
                                                            "gather",    "gather_instructions",
                                                            "both_ways"};

constexpr std::string_view name(Mix mix) { return mix_names[static_cast<std::size_t>(mix)]; }

/// The mix of that name; absent when there is none.
constexpr std::optional<Mix> mix_of(std::string_view name) {
  for (std::size_t i = 0; i < mix_names.size(); ++i)
    if (mix_names[i] == name) return static_cast<Mix>(i);
  return std::nullopt;
}

/// Every element of a line, by plain stores. The roof of a level is the best of these.
constexpr bool is_roof(Mix mix) {
  return mix == Mix::read || mix == Mix::write || mix == Mix::copy || mix == Mix::triad || mix == Mix::update;
}

/// Loads that a core's L1 serves at a rate of their own, of which a kernel may have some among others.
constexpr bool is_of_costly_loads(Mix mix) {
  return mix == Mix::read_split || mix == Mix::gather || mix == Mix::gather_instructions;
}

/// Reads with a distance between them.
constexpr bool is_strided(Mix mix) { return mix >= Mix::stride2 && mix <= Mix::stride16; }

/// In one direction only, as the theoretical rate of a bus is.
constexpr bool is_one_way(Mix mix) {
  return mix == Mix::read || mix == Mix::write || mix == Mix::h2d || mix == Mix::d2h;
}

}  // namespace roofline

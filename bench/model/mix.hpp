#pragma once
#include <array>
#include <optional>
#include <string_view>

namespace roofline {

/// The access pattern of a bandwidth ceiling: the mixes of STREAM with and without streaming stores (_nt), reads that
/// do not ask for lines ahead (read_no_prefetch), reads that skip (stride:N, in doubles), lines in random order, in
/// pages of 2 MiB where the system grants them and in pages of 4 KiB (random_4k), a chain of dependent lines (chase),
/// reads of memory that belongs to another node, on GPUs the near and far half of L2 and copies over the bus, one way
/// or both at once; vectors that cross the end of a line (read_split), and complex numbers a line apart that are
/// brought into vectors of their real and imaginary parts in the fastest way (gather), or by instructions that gather
/// (gather_instructions).
enum class Mix {
  read,
  write,
  copy,
  triad,
  update,
  write_nt,
  copy_nt,
  triad_nt,
  gather,
  gather_instructions,
  read_split,
  stride2,
  stride4,
  stride8,
  stride16,
  random,
  random_4k,
  chase,
  read_remote,
  read_near,
  read_far,
  h2d,
  d2h,
  both_ways,
  read_no_prefetch
};

/// A mix as data: its name in rows and files, and what its loop on a CPU does for each element of 8 bytes.
struct MixFacts {
  std::string_view name;
  int arrays = 0;                                                    ///< 0: another kind of loop has it
  int explicit_bytes = 0;                                            ///< loaded and stored
  int stored_bytes = 0;                                              ///< of these
  int moved_bytes = 0;                                               ///< in lines, write-allocates included
  bool streams = false;                                              ///< stores past the caches
  enum class Levels { all, caches, l1, dram } levels = Levels::all;  ///< that have a ceiling of this loop
};

/// In the order of the enumeration.
inline constexpr std::array<MixFacts, 25> mixes{{
    {.name = "read", .arrays = 1, .explicit_bytes = 8, .moved_bytes = 8},
    {.name = "write", .arrays = 1, .explicit_bytes = 8, .stored_bytes = 8, .moved_bytes = 16},
    {.name = "copy", .arrays = 2, .explicit_bytes = 16, .stored_bytes = 8, .moved_bytes = 24},
    {.name = "triad", .arrays = 3, .explicit_bytes = 24, .stored_bytes = 8, .moved_bytes = 32},
    {.name = "update", .arrays = 1, .explicit_bytes = 16, .stored_bytes = 8, .moved_bytes = 16},
    {.name = "write_nt", .arrays = 1, .explicit_bytes = 8, .stored_bytes = 8, .moved_bytes = 8, .streams = true},
    {.name = "copy_nt",
     .arrays = 2,
     .explicit_bytes = 16,
     .stored_bytes = 8,
     .moved_bytes = 16,
     .streams = true,
     .levels = MixFacts::Levels::dram},
    {.name = "triad_nt",
     .arrays = 3,
     .explicit_bytes = 24,
     .stored_bytes = 8,
     .moved_bytes = 24,
     .streams = true,
     .levels = MixFacts::Levels::dram},
    // 16 B of each line; at DRAM they are reads of every line like others.
    {.name = "gather", .arrays = 1, .explicit_bytes = 2, .moved_bytes = 8, .levels = MixFacts::Levels::caches},
    {.name = "gather_instructions", .arrays = 1, .explicit_bytes = 2, .moved_bytes = 8, .levels = MixFacts::Levels::l1},
    {.name = "read_split", .arrays = 1, .explicit_bytes = 8, .moved_bytes = 8, .levels = MixFacts::Levels::l1},
    {.name = "stride:2"},
    {.name = "stride:4"},
    {.name = "stride:8"},
    {.name = "stride:16"},
    {.name = "random"},
    {.name = "random_4k"},
    {.name = "chase"},
    {.name = "read_remote"},
    {.name = "read_near"},
    {.name = "read_far"},
    {.name = "h2d"},
    {.name = "d2h"},
    {.name = "both_ways"},
    {.name = "read_no_prefetch", .arrays = 1, .explicit_bytes = 8, .moved_bytes = 8, .levels = MixFacts::Levels::dram},
}};

constexpr const MixFacts& facts(Mix mix) { return mixes[static_cast<std::size_t>(mix)]; }
constexpr std::string_view name(Mix mix) { return facts(mix).name; }

/// The mix of that name; absent when there is none.
constexpr std::optional<Mix> mix_of(std::string_view name) {
  for (std::size_t i = 0; i < mixes.size(); ++i)
    if (mixes[i].name == name) return static_cast<Mix>(i);
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

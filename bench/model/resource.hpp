#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "bench/model/counts.hpp"
#include "bench/model/mix.hpp"

namespace roofline {

/// What can bound a launch: compared as data, and named in one place.
struct Resource {
  enum class Kind {
    fma,                 ///< the ceiling of FMAs
    nofma,               ///< that of builds without them
    multipliers,         ///< issue slots of FMAs and multiplications
    multipliers_in_div,  ///< the same with those that divisions take
    adders,
    issue,  ///< slots of all arithmetic together
    divider,
    roots,  ///< the divider, taking more square roots than it divides
    flops,  ///< FLOPs that no ceiling stands for
    memory,
    unpaired_lines,
    gathers,
    split_loads,
    front_end,
    fork_join,
    unknown  ///< of a file that does not say it
  };
  Kind kind = Kind::unknown;
  std::optional<MemoryLevel> level = {};  ///< whose bytes, or loads, these are
  std::optional<Mix> mix = {};            ///< of memory compared with the ceiling of an access mix

  Resource() = default;
  Resource(Kind which, std::optional<MemoryLevel> of_level = {}, std::optional<Mix> of_mix = {})
      : kind(which), level(of_level), mix(of_mix) {}
  Resource(MemoryLevel of_level, std::optional<Mix> of_mix = {}) : Resource(Kind::memory, of_level, of_mix) {}
  bool is_arithmetic() const { return kind <= Kind::flops; }
  friend bool operator==(const Resource&, const Resource&) = default;
};

constexpr std::string_view name(Resource::Kind kind) {
  constexpr std::array<std::string_view, 16> names{
      "fma",     "nofma",  "fma+mul",        "fma+mul+div", "add",         "issue",     "div",       "sqrt",
      "compute", "memory", "unpaired lines", "gathers",     "split loads", "front end", "fork-join", "unknown"};
  return names[static_cast<std::size_t>(kind)];
}

/// "DRAM", of an access mix "DRAM copy", "DRAM unpaired lines", "L1 gathers", "fma+mul", "fork-join", ...
std::string name(const Resource& resource);

/// The inverse; absent where there is none of that name.
std::optional<Resource> resource_of(std::string_view name);

}  // namespace roofline

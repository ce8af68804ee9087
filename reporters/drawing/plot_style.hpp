#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "bench/model/counts.hpp"

namespace roofline {

/// The style sheet of all plots. Levels have the colours of the published ones: L1 blue, L2 green, L3 orange, DRAM red.
extern const std::string_view plot_style;

/// What plots that tell families apart add to it: six colours that no level has.
extern const std::string_view family_style;

/// Class of a level: prefix "s" for strokes, "t" for text, "f" for filled and "h" for hollow markers, then its name.
std::string level_class(std::string_view prefix, MemoryLevel level);

/// Class of a family by its place among the families, with the same prefixes but "s".
std::string family_class(std::string_view prefix, std::size_t family);

}  // namespace roofline

#pragma once
#include <string>
#include <vector>

#include "bench/run/results.hpp"
#include "reporters/paint.hpp"
#include "reporters/text_plot.hpp"

namespace roofline {

/// "stream/triad", "gpp", "lbm/collide": a row's name up to its first argument, two parts at most.
std::string kernel_of(const std::string& row);

/// The rows that a screen has room for: all, or the fastest variant of each kernel, or of each family, in their order.
std::vector<const KernelPoint*> chosen_rows(const Results& results, std::size_t room);

/// The table of these rows, with the share of the roof as a bar: lines of at most `width` columns.
std::vector<std::string> rows_text(const Results& results, const std::vector<const KernelPoint*>& rows,
                                   Characters characters, const Paint& paint, std::size_t width);

}  // namespace roofline

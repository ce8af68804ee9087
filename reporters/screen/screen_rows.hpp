#pragma once
#include <string>
#include <vector>

#include "bench/result/results.hpp"
#include "reporters/drawing/paint.hpp"
#include "reporters/plots/text_plot.hpp"

namespace roofline {

/// The rows that a screen has room for, in their order: all, or the fastest variant of each kernel, and where these are
/// too many the first ones of each family.
std::vector<const KernelPoint*> chosen_rows(const Results& results, std::size_t room);

/// The table of these rows, with the share of the roof as a bar: lines of at most `width` columns.
std::vector<std::string> rows_text(const Results& results, const std::vector<const KernelPoint*>& rows,
                                   Characters characters, const Paint& paint, std::size_t width);

}  // namespace roofline

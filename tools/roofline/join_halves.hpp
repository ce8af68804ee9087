#pragma once
#include <string>
#include <vector>

#include "bench/result/results.hpp"

namespace roofline::cli {

/// Times of one file complete the counts of another, by the kernel's name, and bytes of a whole program its FLOPs.
/// Halves without a partner are dropped, or reported among the warnings of the first. Throws FileError if only times
/// are left.
void join_halves(std::vector<Results>& all, const std::vector<std::string>& files);

}  // namespace roofline::cli

#pragma once
#include <string>

#include "bench/result/results.hpp"
#include "bench/text/table.hpp"

namespace roofline {

/// What machine the numbers belong to, how many threads ran, and where the ceilings come from. Unknown facts are "-".
Table machine_table(const Results& results);

/// "L1 48 KiB/12-way, L2 1 MiB/16-way, L3 32 MiB/16-way shared by 2".
std::string describe(const std::vector<CacheLevel>& caches);

/// "allocate their lines (write 0.98 of update, at its bytes)".
std::string describe(const StorePolicy& stores);

}  // namespace roofline

#pragma once
#include <vector>

#include "bench/recovery/records.hpp"
#include "bench/storage/google_rows.hpp"

namespace roofline {

/// The results of a finished run, of an interrupted one, of one that goes on in another process, and of any first part
/// of these. Nothing else decides what a sample, a count or a failure becomes, and here nothing but the records
/// decides. A time is the median over the rounds of the best sample, a ceiling's rate the median over its
/// visits. Rounds whose cores lay elsewhere than usual are set aside. Rates and bytes of a CPU are stated in the bytes
/// that its stores move. The results come assessed.
Results results_of(const std::vector<Record>& records);

/// The ceilings of the rounds so far, as rows are compared with while the run goes on.
std::vector<Ceiling> ceilings_of(const std::vector<Record>& records);

/// The rows that the run was to have, ceilings first, with the reason why one has no result.
std::vector<PlannedRow> planned_rows(const std::vector<Record>& records);

}  // namespace roofline

#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "bench/space/workload.hpp"

namespace roofline {

/// The objection of a check to a launch; empty if there is none.
std::string complaint(const Check& check);

/// Empty when one launch, and another one, left what the reference says; else what is wrong.
std::string complaint(const std::function<Workload()>& make);

/// Throws std::invalid_argument, saying what to do, where a workload cannot be launched, checked or counted.
void require_complete(const Workload& work);

/// A remark for a launch that is right alone but wrong when repeated.
extern const char* const launches_repeat;

/// Why a row that was launched many times is wrong: `what` the check said, and whether a single launch is right.
std::string why_wrong(const std::function<Workload()>& make, const std::string& what);

/// The reason of a failed verification with what repeats it.
std::string with_seed(const std::string& why, std::uint64_t seed);

}  // namespace roofline

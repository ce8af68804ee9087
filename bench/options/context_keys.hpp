#pragma once
#include <string>

namespace roofline {

/// Refuses keys of --benchmark_context=KEY=VALUE,... that the suite itself writes, a forged fingerprint would make
/// foreign ceilings pass, and text that JSON does not take. Throws std::invalid_argument.
void require_free_context(const std::string& key_values);

}  // namespace roofline

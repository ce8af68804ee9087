#pragma once
#include <string>
#include <vector>

namespace roofline {

/// "did you mean ...": the candidate nearest to `word`, empty when none is near.
std::string nearest(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace roofline

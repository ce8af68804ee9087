#pragma once
#include <string_view>

namespace roofline {

/// Whether `text` fits a pattern in which '*' stands for anything.
bool fits(std::string_view pattern, std::string_view text);

}  // namespace roofline

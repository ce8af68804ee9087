#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace roofline {

/// Bytes of the UTF-8 character that a non-empty text begins with; 0 when it is none.
std::size_t utf8_length(std::string_view text);

/// Text for a terminal: names come from files and flags, and what is no character (escape sequences, bytes that are not
/// UTF-8) becomes '?'. Line breaks and tabs stay.
std::string printable(std::string_view text);

}  // namespace roofline

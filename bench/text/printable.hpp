#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace roofline {

/// Bytes of the UTF-8 character that a non-empty text begins with; 0 when it is none.
std::size_t utf8_length(std::string_view text);

/// Whether a character that a text begins with does something instead of showing something: a control character, also
/// of U+0080 to U+009F, or one that turns the reading direction of what follows and so makes a name look like another.
bool is_obeyed(std::string_view character);

/// Text for a terminal: names come from files and flags, and what is no character (escape sequences, bytes that are not
/// UTF-8, turns of the reading direction) becomes '?'. Line breaks and tabs stay.
std::string printable(std::string_view text);

}  // namespace roofline

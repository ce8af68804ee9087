#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace roofline {

/// Text from outside (flags, files, the environment) as it may be shown and written: control characters, which a
/// terminal would obey and JSON forbids, and bytes that are not UTF-8 become U+FFFD. Line ends too: it stays one line.
std::string clean(std::string_view text);

/// Text for a terminal. Names come from files and flags, so escape sequences, bytes that are not UTF-8, and changes of
/// the reading direction become '?'. Line breaks and tabs stay.
std::string printable(std::string_view text);

/// At most `most` bytes of a text, with "..." in place of what is cut; no character is cut in half.
std::string shortened(const std::string& text, std::size_t most);

/// Bytes of the UTF-8 character that a non-empty text begins with (Unicode 15, table 3-7: no overlong form, no
/// surrogate); 0 if the bytes are not a character.
std::size_t utf8_length(std::string_view text);

/// Whether a character that a text begins with does something instead of showing something: a control character, also
/// of U+0080 to U+009F, or one that turns the reading direction of what follows and so makes a name look like another.
bool is_obeyed(std::string_view character);

}  // namespace roofline

#pragma once
#include <string>
#include <string_view>

namespace roofline {

/// Whether all of it is well-formed UTF-8: no overlong form, no surrogate, nothing cut off.
bool is_utf8(std::string_view text);

/// Text from outside (flags, files, the environment) as it may be shown and written: control characters, which a
/// terminal would obey and JSON forbids, and bytes that are not UTF-8 become U+FFFD. Line ends too: it stays one line.
std::string clean(std::string_view text);

}  // namespace roofline

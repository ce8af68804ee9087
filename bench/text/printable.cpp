#include "bench/text/printable.hpp"

namespace roofline {

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = byte(0) < 0x80 ? 1 : byte(0) < 0xc2 ? 0 : byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : 4;
  if (byte(0) > 0xf4 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  return length;
}

std::string printable(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto code = static_cast<unsigned char>(text[i]);
    const std::size_t length = utf8_length(text.substr(i));
    // U+0080 to U+009F are control characters too: C2 80 to C2 9F.
    const bool control = (code < 0x20 && code != '\n' && code != '\t') || code == 0x7f ||
                         (code == 0xc2 && length == 2 && static_cast<unsigned char>(text[i + 1]) < 0xa0);
    if (length == 0 || control)
      safe += '?';
    else
      safe += text.substr(i, length);
    if (length > 1) i += length - 1;
  }
  return safe;
}

}  // namespace roofline

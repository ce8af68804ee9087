#include "bench/text/plain_text.hpp"

#include <cstdint>

#include "bench/text/output.hpp"

namespace roofline {
namespace {

void append_utf8(std::string& text, std::uint32_t c) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80 | (c >> shift & 0x3f)); };
  if (c < 0x80) return void(text += static_cast<char>(c));
  if (c < 0x800) return text += static_cast<char>(0xc0 | c >> 6), tail(0);
  if (c < 0x10000) return text += static_cast<char>(0xe0 | c >> 12), tail(6), tail(0);
  text += static_cast<char>(0xf0 | c >> 18), tail(12), tail(6), tail(0);
}

std::string from_utf16(const std::string& bytes, bool big_endian, const std::string& origin) {
  const auto unit = [&](std::size_t at) {
    const auto low = static_cast<unsigned char>(bytes[at + big_endian]);
    return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + !big_endian]) << 8 | low);
  };
  if (bytes.size() % 2 != 0) throw FileError(origin + ": UTF-16, and its last character is cut in half");
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 2) {
    auto c = unit(at);
    if (c >= 0xd800 && c < 0xdc00 && at + 3 < bytes.size() && (unit(at + 2) & 0xfc00) == 0xdc00)
      c = 0x10000 + ((c & 0x3ff) << 10 | (unit(at += 2) & 0x3ff));
    else if (c >= 0xd800 && c < 0xe000)
      c = 0xfffd;  // half of a pair
    append_utf8(text, c);
  }
  return text;
}

}  // namespace

std::string plain_text(std::string text, const std::string& origin) {
  const bool marked_little = text.starts_with("\xff\xfe"), marked_big = text.starts_with("\xfe\xff");
  const bool little = marked_little || (text.size() > 1 && text[0] != 0 && text[1] == 0);
  if (little || marked_big || (text.size() > 1 && text[0] == 0 && text[1] != 0))
    text = from_utf16(text, !little, origin);
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
  for (std::size_t at = 0; (at = text.find("\r\n", at)) != text.npos;) text.erase(at, 1);
  return text;
}

std::string read_plain_text(const std::filesystem::path& path) { return plain_text(read_file(path), path.string()); }

}  // namespace roofline

#include "bench/text/clean.hpp"

namespace roofline {
namespace {

/// C0, DEL, and C1 in its two bytes of UTF-8, which some terminals obey as well.
bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return first < 0x20 || first == 0x7F;
  return first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0;
}

/// The text with `replacement` in place of each byte that is not part of a character, and of `refused` characters.
template <class Refused>
std::string replaced(std::string_view text, std::string_view replacement, Refused refused) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const auto length = utf8_length(text);
    const auto character = text.substr(0, length == 0 ? 1 : length);
    result += length == 0 || refused(character) ? replacement : character;
    text.remove_prefix(character.size());
  }
  return result;
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return byte(i) >= low && byte(i) <= high;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return follows(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF)
    return follows(1, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF) && follows(2) ? 3 : 0;
  if (lead >= 0xF0 && lead <= 0xF4)
    return follows(1, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF) && follows(2) && follows(3) ? 4 : 0;
  return 0;
}

bool is_obeyed(std::string_view character) {
  const auto between = [&](std::string_view low, std::string_view high) {
    return low <= character && character <= high;
  };
  // Line separators, embeddings, overrides and isolates.
  return is_control(character) || between("\u2028", "\u202e") || between("\u2066", "\u2069");
}

std::string shortened(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  auto kept = most - 3;
  while (kept > 0 && (static_cast<unsigned char>(text[kept]) & 0xC0) == 0x80) --kept;
  return text.substr(0, kept) + "...";
}

std::string clean(std::string_view text) { return replaced(text, "\uFFFD", is_control); }

std::string printable(std::string_view text) {
  return replaced(text, "?",
                  [](auto character) { return character != "\n" && character != "\t" && is_obeyed(character); });
}

}  // namespace roofline

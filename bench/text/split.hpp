#pragma once
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// The parts between separators, empty ones too but a last one: "a,,b," has "a", "" and "b".
inline std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in{std::string(text)};
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

}  // namespace roofline

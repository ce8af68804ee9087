#include "bench/text/prose.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

#include "bench/text/table.hpp"

namespace roofline {
namespace {

constexpr std::size_t full_line = 85, longest_key = 16;

struct Line {
  std::string text;
  std::size_t hang = 0;  ///< where its continuation begins: behind the key of a glossary, else its own indent
  std::size_t last = 0;  ///< length of the last source line in it
};

std::size_t indent_of(const std::string& text) { return text.find_first_not_of(' '); }

std::size_t hang_of(const std::string& text) {
  const auto key_end = text.find("  ", indent_of(text));
  if (key_end == std::string::npos || key_end > longest_key) return indent_of(text);
  return text.find_first_not_of(' ', key_end);
}

bool continues(const Line& line, const std::string& next) {
  return line.last > full_line && line.text.back() != '.' && indent_of(next) == line.hang &&
         hang_of(next) == line.hang && next.rfind("Look at:", 0) != 0;
}

std::string fit(const Line& line) {
  if (line.text.size() <= terminal_width) return line.text + "\n";
  std::istringstream parts(wrap(line.text.substr(line.hang), terminal_width - line.hang, 0));
  std::string text, head = line.text.substr(0, line.hang);
  for (std::string part; std::getline(parts, part); head = std::string(line.hang, ' ')) text += head + part + "\n";
  return text;
}

}  // namespace

std::string fit_to_terminal(const std::string& text) {
  std::vector<Line> lines;
  std::istringstream source(text);
  for (std::string next; std::getline(source, next);) {
    if (indent_of(next) == std::string::npos) {
      lines.push_back({});
    } else if (!lines.empty() && !lines.back().text.empty() && continues(lines.back(), next)) {
      lines.back().text += " " + next.substr(indent_of(next));
      lines.back().last = next.size();
    } else {
      lines.push_back({next, hang_of(next), next.size()});
    }
  }
  std::string result;
  for (const auto& line : lines) result += fit(line);
  return result;
}

}  // namespace roofline

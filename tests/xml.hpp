#pragma once
#include <algorithm>
#include <cctype>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace roofline::xml {

/// One element of a document, with its own text; entities stay as they are.
struct Element {
  std::string name, text;
  std::map<std::string, std::string> attributes;

  double number(const std::string& key) const { return std::stod(attributes.at(key)); }
  bool has_class(const std::string& css) const {
    const auto at = attributes.find("class");
    return at != attributes.end() && (" " + at->second + " ").find(" " + css + " ") != std::string::npos;
  }
};

/// The elements of a document in the order of their start tags. Throws std::runtime_error where it is not well-formed:
/// tags that do not match, attributes without quotes or given twice, a bare & or <, control characters, two roots.
inline std::vector<Element> parse(const std::string& document) {
  const auto fail = [&](const std::string& what, std::size_t at) -> std::runtime_error {
    return std::runtime_error(what + " at " + std::to_string(at) + ": " + document.substr(at, 40));
  };
  const auto check_text = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto c = static_cast<unsigned char>(document[i]);
      if (c == '<' || (c < 0x20 && c != '\n' && c != '\t')) throw fail("forbidden character", i);
      if (c != '&') continue;
      const auto entity = document.substr(i, document.find(';', i) - i);
      if (entity != "&amp" && entity != "&lt" && entity != "&gt" && entity != "&quot") throw fail("bare &", i);
    }
  };
  std::vector<Element> elements;
  std::vector<std::size_t> open;
  std::size_t at = document.starts_with("<?xml") ? document.find("?>") + 2 : 0, roots = 0;
  while (at < document.size()) {
    const auto tag = std::min(document.find('<', at), document.size());
    check_text(at, tag);
    if (!open.empty()) elements[open.back()].text += document.substr(at, tag - at);
    if (tag == document.size()) break;
    if (document.compare(tag, 2, "</") == 0) {
      const auto end = document.find('>', tag);
      if (open.empty() || document.substr(tag + 2, end - tag - 2) != elements[open.back()].name)
        throw fail("wrong end tag", tag);
      open.pop_back();
      at = end + 1;
      continue;
    }
    if (open.empty() && ++roots > 1) throw fail("second root", tag);
    Element element;
    at = tag + 1;
    while (std::isalnum(static_cast<unsigned char>(document[at])) || document[at] == '-')
      element.name += document[at++];
    if (element.name.empty()) throw fail("no name", tag);
    while (true) {
      while (std::isspace(static_cast<unsigned char>(document[at]))) ++at;
      if (document[at] == '/' || document[at] == '>') break;
      const auto equals = document.find('=', at);
      const auto key = document.substr(at, equals - at);
      if (equals == document.npos || document[equals + 1] != '"') throw fail("attribute without a quoted value", at);
      const auto end = document.find('"', equals + 2);
      if (end == document.npos) throw fail("open quote", at);
      check_text(equals + 2, end);
      if (!element.attributes.emplace(key, document.substr(equals + 2, end - equals - 2)).second)
        throw fail("attribute given twice", at);
      at = end + 1;
    }
    const bool closed = document[at] == '/';
    elements.push_back(element);
    if (!closed) open.push_back(elements.size() - 1);
    at += closed ? 2 : 1;
  }
  if (!open.empty()) throw fail("element left open: " + elements[open.back()].name, document.size());
  if (roots != 1) throw fail("no root", 0);
  return elements;
}

inline bool has_text(const std::vector<Element>& elements, const std::string& text) {
  return std::any_of(elements.begin(), elements.end(), [&](const auto& e) { return e.text.find(text) != e.text.npos; });
}

/// Elements of a kind: with a CSS class, or with a name.
inline std::ptrdiff_t count_class(const std::vector<Element>& elements, const std::string& css) {
  return std::count_if(elements.begin(), elements.end(), [&](const auto& e) { return e.has_class(css); });
}
inline std::ptrdiff_t count_name(const std::vector<Element>& elements, const std::string& name) {
  return std::count_if(elements.begin(), elements.end(), [&](const auto& e) { return e.name == name; });
}

}  // namespace roofline::xml

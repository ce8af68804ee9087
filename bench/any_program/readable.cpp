// SPDX-License-Identifier: MIT
#include "bench/any_program/readable.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

namespace roofline::any_program {
namespace {

/// "f(int, g<h>(i)) const" without its last brackets and what follows.
std::string without_parameters(std::string name) {
  for (const char* const ending : {" const", " volatile", " &", " &&"})
    if (name.ends_with(ending)) name.resize(name.size() - std::strlen(ending));
  if (!name.ends_with(')')) return name;
  int depth = 0;
  for (auto at = name.size(); at-- > 0;) {
    depth += name[at] == ')' ? 1 : name[at] == '(' ? -1 : 0;
    if (depth > 0) continue;
    if (at > 0 && !name.substr(0, at).ends_with("operator")) name.resize(at);
    break;
  }
  return name;
}

/// The return type that a template's name begins with.
std::string without_type(const std::string& name) {
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    depth += name[i] == '<' || name[i] == '(' ? 1 : name[i] == '>' || name[i] == ')' ? -1 : 0;
    if (depth == 0 && name[i] == ' ' && name.substr(0, i).find("operator") == std::string::npos) begin = i + 1;
  }
  return name.substr(begin);
}

/// Nested templates: the text between the brackets is dropped if a name is longer than a table can show.
std::string shortened(const std::string& name) {
  constexpr std::size_t longest = 48;
  if (name.size() <= longest || name.find('<') == std::string::npos) return name;
  std::string text;
  int depth = 0;
  for (const char c : name) {
    if (c == '>') --depth;
    if (depth == 0) text += c;
    if (c == '<' && depth++ == 0) text += "..";
  }
  return text;
}

}  // namespace

std::string whole_name(const std::string& symbol) {
  // "solve" of "solve.constprop.0": endings of compilers only, since some languages have points in their names.
  for (auto dot = symbol.find('.', 1); dot != std::string::npos; dot = symbol.find('.', dot + 1)) {
    const auto rest = std::string_view(symbol).substr(dot + 1);
    for (const char* const ending : {"constprop", "part", "isra", "cold", "_omp_fn", "lto_priv", "llvm", "avx", "arch_",
                                     "sse", "default", "clone"})
      if (rest.starts_with(ending)) return symbol.substr(0, dot);
  }
  return symbol;
}

std::string readable(const std::string& symbol, const std::string& source) {
  auto base = whole_name(symbol);
  std::string part;
  if (symbol.find("._omp_fn.") != std::string::npos)
    part = "/omp@" + (source.empty() ? symbol.substr(symbol.rfind('.') + 1) : source.substr(source.rfind(':') + 1));
  if (!base.starts_with("_Z")) return base + part;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(base.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  if (name) base = shortened(without_type(without_parameters(name.get())));
  return base + part;
}

}  // namespace roofline::any_program

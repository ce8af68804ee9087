// Recursive descent over PTX text.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "bench/virtual_gpu/parse/lexer.hpp"
#include "bench/virtual_gpu/parse/syntax.hpp"

namespace roofline::ptx {

/// A number as PTX writes them; `real` where it is a decimal fraction.
struct Literal {
  uint64_t bits = 0;
  bool real = false;
};
bool is_number(std::string_view word);
Literal parse_number(const Lexer& lexer, std::string_view word);

/// What stands between a state space and the end of a declaration.
struct Declaration {
  std::string_view name;
  std::string_view type;
  std::size_t element = 0, bytes = 0, align = 1;
  bool unsized_array = false, managed = false;
};
/// ".align 8 .b8 name[16][4]", the space itself is taken already.
Declaration parse_declaration(Lexer& lexer);

/// The body of one function: statements and what its braces declare.
class BodyParser {
 public:
  BodyParser(Lexer& lexer, FunctionText& function, const std::map<uint32_t, std::string>& files)
      : lexer_(lexer), function_(function), files_(files) {
    scopes_.push_back({});
  }
  /// ".param .u64 name" of an entry or a function; the index of the symbol.
  int parameter();
  /// The current word is the opening brace.
  void body();

 private:
  struct Scope {
    int id = 0;
    std::map<std::string_view, int> registers, symbols;
  };
  bool directive();
  void declare_registers();
  void declare_symbols(Space space);
  void location();
  void labelled(std::string_view label);
  void statement();
  Operand operand();
  Operand address();
  Operand list(std::string_view close, OperandKind kind);
  Operand named(std::string_view word);
  int64_t offsets();
  int find_register(std::string_view name) const;
  int find_symbol(std::string_view name) const;

  Lexer& lexer_;
  FunctionText& function_;
  const std::map<uint32_t, std::string>& files_;
  std::vector<Scope> scopes_;
  uint32_t source_file_ = 0, source_line_ = 0;
};

}  // namespace roofline::ptx

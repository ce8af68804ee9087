// Recursive descent over PTX text.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bench/virtual_gpu/parse/syntax.hpp"

namespace roofline::ptx {

class Lexer {
 public:
  /// The text outlives the lexer and the words taken from it.
  explicit Lexer(std::string_view text);

  std::string_view word() const { return word_; }  ///< empty at the end of the text
  std::size_t position() const { return word_at_; }
  uint32_t line() const { return line_; }
  bool at_end() const { return word_.empty(); }
  bool is(std::string_view word) const { return word_ == word; }

  std::string_view take();
  bool accept(std::string_view word);
  /// Throws ParseError when another word comes.
  void expect(std::string_view word);
  /// Words up to the end of the current line, for directives that have no semicolon; the first is the current word.
  std::string_view rest_of_line();
  /// Goes past a balanced {...}; the current word is the opening brace.
  void skip_braces();
  [[noreturn]] void fail(const std::string& what) const;

 private:
  void next();
  void skip_blank();

  std::string_view text_, word_;
  std::size_t at_ = 0, word_at_ = 0;
  uint32_t line_ = 1, word_end_line_ = 1;
};

/// A number as PTX writes them; `real` where it is a decimal fraction.
struct Literal {
  uint64_t bits = 0;
  bool real = false;
};
bool is_number(std::string_view word);
Literal parse_number(const Lexer& lexer, std::string_view word);

/// The text between a state space and the end of a declaration.
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
  int find(std::map<std::string_view, int> Scope::*names, std::string_view name) const;
  int find_register(std::string_view name) const { return find(&Scope::registers, name); }
  int find_symbol(std::string_view name) const { return find(&Scope::symbols, name); }

  Lexer& lexer_;
  FunctionText& function_;
  const std::map<uint32_t, std::string>& files_;
  std::vector<Scope> scopes_;
  uint32_t source_file_ = 0, source_line_ = 0;
};

}  // namespace roofline::ptx

// Words of PTX text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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

}  // namespace roofline::ptx

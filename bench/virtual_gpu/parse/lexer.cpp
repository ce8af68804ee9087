#include <algorithm>
#include <cctype>

#include "bench/virtual_gpu/parse/parse_error.hpp"
#include "bench/virtual_gpu/parse/parser.hpp"

namespace roofline::ptx {
namespace {

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$' || c == '%';
}

}  // namespace

Lexer::Lexer(std::string_view text) : text_(text) { next(); }

void Lexer::fail(const std::string& what) const {
  throw ParseError(line_, what + (word_.empty() ? ", at the end of the text" : ", at '" + std::string(word_) + "'"));
}

void Lexer::skip_blank() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n') ++word_end_line_;
    if (std::isspace(static_cast<unsigned char>(c))) {
      ++at_;
    } else if (text_.compare(at_, 2, "//") == 0) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (text_.compare(at_, 2, "/*") == 0) {
      const std::size_t end = std::min(text_.find("*/", at_ + 2), text_.size());
      word_end_line_ += static_cast<uint32_t>(std::count(text_.begin() + at_, text_.begin() + end, '\n'));
      at_ = std::min(end + 2, text_.size());
    } else {
      return;
    }
  }
}

void Lexer::next() {
  skip_blank();
  word_at_ = at_;
  line_ = word_end_line_;
  // Images of fat binaries end with zero bytes.
  if (at_ >= text_.size() || text_[at_] == '\0') {
    word_ = {};
    return;
  }
  std::size_t end = at_ + 1;
  if (in_word(text_[at_])) {
    const auto colons = [&] {
      return text_.compare(end, 2, "::") == 0 && end + 2 < text_.size() && in_word(text_[end + 2]);
    };
    while (end < text_.size() && (in_word(text_[end]) || colons())) end += text_[end] == ':' ? 2 : 1;
  } else if (text_[at_] == '"') {
    end = text_.find('"', end);
    if (end == text_.npos) throw ParseError(line_, "a string without an end");
    ++end;
  }
  word_ = text_.substr(at_, end - at_);
  at_ = end;
}

std::string_view Lexer::take() {
  if (word_.empty()) fail("a word is missing");
  const std::string_view word = word_;
  next();
  return word;
}

bool Lexer::accept(std::string_view word) {
  if (word_ != word) return false;
  next();
  return true;
}

void Lexer::expect(std::string_view word) {
  if (!accept(word)) fail("expected '" + std::string(word) + "'");
}

std::string_view Lexer::rest_of_line() {
  const std::size_t end = std::min(text_.find('\n', word_at_), text_.size());
  const std::string_view rest = text_.substr(word_at_, end - word_at_);
  at_ = end;
  word_end_line_ = line_;
  next();
  return rest;
}

void Lexer::skip_braces() {
  expect("{");
  for (int depth = 1; depth > 0;) {
    const std::string_view word = take();
    depth += word == "{" ? 1 : word == "}" ? -1 : 0;
  }
}

}  // namespace roofline::ptx
